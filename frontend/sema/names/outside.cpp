// Octave's functions that the language does not have, by what they are about.
#include "frontend/sema/names/outside.h"

namespace lac::frontend {
namespace {

struct Group {
  std::string_view names;  ///< each between blanks
  std::string_view why;    ///< the construct and the remedy
};

constexpr Group groups[] = {
    {" fftn ifftn ", "the language does not have this function of Octave: fft2(x) is that of a matrix"},
    {" substruct ",
     "the language does not have this function of structs and cell arrays: a loop over them does the same"},
    {" methods ismethod onCleanup javaObject ", "classes are outside the language: write functions over matrices"},
    {" evalin assignin nargchk nargoutchk source run who whos which what mfilename builtin mlock namelengthmax "
     "argn dbstop keyboard ",
     "reflection is outside the language: write the expression or the call itself"},
    {" eval ",
     "eval is a statement with texts that stand in the program, eval(\"x = 3\") or eval(\"x = f(y)\", \"x = 0\"), or "
     "the value x = eval(\"y + 1\"): of other texts write the expression or the call itself"},
    {" repstr "
     "strchr strmatch isprint unicode2native ",
     "the language does not have this function of strings: docs/language.md lists those that it has"},
    {" bitpack bitunpack ",
     "the language does not have this function of bits: bitand, bitor, bitxor and bitshift take integer classes"},
    {" fgetc ferror freport "
     "popen pclose popen2 stdin "
     "importdata imread audioread audiowrite input kbhit ",
     "the language does not have this function of files: read(\"A.mtx\") and write(\"x.mtx\", x), load and save, "
     "fscanf and fgetl, "
     "fprintf and dlmwrite reach files, and param takes input"},
    {" axes surfc surfl meshc meshz contour3 pie pie3 stem3 polar quiver3 imshow fplot ezplot ezsurf "
     "ezmesh fill3 trimesh trisurf slice sphere get rectangle comet annotation plotyy plotmatrix ribbon "
     "waterfall streamline feather rose getframe movie waitbar uicontrol dialog errordlg warndlg msgbox "
     "ginput refreshdata hggroup light lighting camlight material zoom rotate3d datetick axtoolbar "
     "linkaxes ishold ishandle isfigure findobj newplot ",
     "this part of graphics is outside the language: plot, bar, contour, imagesc, surf and their kin draw into files"},
    {" pink ocean bone rainbow cubehelix ",
     "this colour map is outside the language as a matrix: colormap(\"bone\") takes the name of one"},
    {" system shell_cmd getenv setenv putenv pwd cd ls dir addpath rmpath genpath computer version ver "
     "pause beep diary echo page_screen_output calendar "
     "edit doc help info mex nproc atexit "
     "lasterror lastwarn getReport MException ",
     "functions of a session are outside the language: leave it out"},
    {" shiftdim ", "the language does not have this function of Octave: permute(A, [2 3 1]) moves dimensions"},
    {" histogram ", "histograms of this name are outside the language: histc(x, edges) counts"},
    {" ilu ichol ",
     "incomplete factorisations are outside the language: pcg, bicgstab and gmres take any other preconditioner M, "
     "spdiags(diag(A), 0, n, n) or a function @(r) that divides by it"},
    {" amd colamd symamd ccolamd csymamd colperm symrcm dmperm etree symbfact sprank ",
     "orderings of sparse matrices are outside the language: A \\ b and [L, U, P, Q] = lu(A) order A themselves"},
    {" ode15s ode15i ode23s dassl daspk ",
     "the language does not have this function of Octave: ode45(f, tspan, y0) solves differential equations, and "
     "lsode(f, x0, t) those that are stiff too"},
    {" eigs svds ",
     "the language does not have this function of Octave: eig(full(A)) and svd(full(A)) have all values"},
    {" isna ", "the language does not have this function of Octave: isnan is true of NA too"},
    {" balance commutation_matrix "
     "convhull delaunay duplication_matrix "
     "gallery glpk griddata gsvd "
     "interp3 interpft interpn krylov "
     "mgorth pcr "
     "powerset pqpnonneg qp qz rande randg randp "
     "schur sinetone sqp tfqmr "
     "voronoi bessel besselh besseli besselj besselk "
     "bessely blkmm cholshift cholupdate choldelete cholinsert colloc "
     "common_size condeig convn cosint dawson ellipj erfi flipdim "
     "gammaincinv hurst im2double ind2rgb luupdate matrix_type "
     "nth_element qrdelete "
     "qrinsert qrupdate rgb2ind rotx roty rotz "
     "sinint spconvert "
     "spstats triplot uniquetol voronoin yulewalker ",
     "the language does not have this function of Octave: write it as a function of the program"},
};

}  // namespace

std::string_view outside_reason(std::string_view name) {
  const std::string word = " " + std::string(name) + " ";
  for (const Group& group : groups)
    if (group.names.find(word) != std::string_view::npos) return group.why;
  return {};
}

std::string outside_remedy(std::string_view name) {
  const std::string_view reason = outside_reason(name);
  return reason.empty() ? std::string() : "': " + std::string(reason);
}

}  // namespace lac::frontend
