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
    {" amd colamd symamd ccolamd csymamd colperm dmperm etree symbfact sprank ",
     "orderings of sparse matrices are outside the language: A \\ b and [L, U, P, Q] = lu(A) order A themselves"},
    {" ode15i dassl daspk ",
     "the language does not have this function of Octave: ode45(f, tspan, y0) solves differential equations, and "
     "ode15s(f, tspan, y0) those that are stiff too"},
    {" commutation_matrix duplication_matrix gsvd mgorth powerset qz rande randg randp sinetone sqp voronoi "
     "bessel besselh blkmm colloc common_size condeig convn cosint dawson erfi flipdim gammaincinv hurst "
     "luupdate matrix_type nth_element rotx roty rotz sinint spconvert spstats triplot uniquetol voronoin "
     "yulewalker "
     "EDITOR EXEC_PATH F_DUPFD F_GETFD F_GETFL F_SETFD F_SETFL IMAGE_PATH OCTAVE_EXEC_HOME OCTAVE_HOME O_APPEND "
     "O_ASYNC O_CREAT O_EXCL O_NONBLOCK O_RDONLY O_RDWR O_SYNC O_TRUNC O_WRONLY PAGER PAGER_FLAGS PS1 PS2 PS4 "
     "P_tmpdir SIG S_ISBLK S_ISCHR S_ISDIR S_ISFIFO S_ISLNK S_ISREG S_ISSOCK WCONTINUE WCOREDUMP WEXITSTATUS "
     "WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WSTOPSIG WTERMSIG WUNTRACED add_input_event_hook "
     "addlistener addpref addproperty allchild ancestor arch_fit arch_rnd arch_test argv arma_rnd "
     "audiodevinfo audioformats audioinfo auto_repeat_debug_command autoload autoreg_matrix "
     "available_graphics_toolkits bartlett base64_decode base64_encode beep_on_error betaincinv brighten "
     "bug_report built_in_docstrings_file bunzip2 bzip2 camlookat camorbit campos camroll camtarget camup camva "
     "camzoom canonicalize_file_name cellindexmat chdir citation clabel closereq cmdline_options cmpermute "
     "cmunique colorcube colstyle comet3 command_line_path commandhistory commandwindow compare_versions compass "
     "completion_append_char completion_matches confirm_recursive_rmdir contourc contrast convhulln copyfile "
     "copyobj crash_dumps_octave_core cylinder daspect daspk_options dasrt dasrt_options dassl_options dbclear "
     "dbcont dbdown dblist dbnext dbquit dbstack dbstatus dbstep dbtype dbup dbwhere debian_missing_handler debug "
     "debug_java debug_on_error debug_on_interrupt debug_on_warning decic delaunayn dellistener demo desktop "
     "diffpara diffuse dir_encoding dir_in_loadpath disable_diagonal_matrix disable_permutation_matrix "
     "disable_range discrete_cdf discrete_inv discrete_pdf discrete_rnd doc_cache_create doc_cache_file dos dup2 "
     "durbinlevinson edit_history ellipsoid empirical_cdf empirical_inv empirical_pdf empirical_rnd endgrent "
     "endpwent erase errno errno_list error_ids etreeplot exec ezcontour ezcontourf ezmeshc ezplot3 ezpolar "
     "ezsurfc fail fclear fcntl fftw file_in_loadpath file_in_path fileattrib filebrowser findall findfigs "
     "findstr fixed_point_format fork fractdiff frame2im freqz_plot gcbf gcbo gco genvarname "
     "get_first_help_sentence get_help_text get_help_text_from_file get_home_directory getappdata getegid geteuid "
     "getgid getgrent getgrgid getgrnam gethostname getpgrp getpid getpixelposition getppid getpref getpwent "
     "getpwnam getpwuid getrusage getuid glob gnuplot_binary gplot grabcode graphics_toolkit griddata3 "
     "griddatan groot gtext gui_mainfcn guidata guihandles gunzip gzip hash have_window_system hdl2struct helpdlg "
     "hex2num hgload hgsave hgtransform history history_control history_file history_save history_size "
     "history_timestamp_format_string home humps ignore_function_time_stamp imfinfo imformats import "
     "inferiorto info_file info_program inputdlg is_absolute_filename is_dq_string "
     "is_rooted_relative_filename is_same_file is_sq_string is_valid_file_id isappdata isascii isaxes iscntrl "
     "iscolormap isdebugmode isdeployed isequalwithequalnans isglobal isgraph isgraphics isguirunning ishghandle "
     "isieee isindex isjava iskeyword isnull isocaps isocolors isonormals isosurface ispref isprop isstr "
     "isstudent javaArray javaMethod java_get java_matrix_autoconversion java_set java_unsigned_autoconversion "
     "javaaddpath javachk javaclasspath javamem javarmpath jsondecode jsonencode jupyter_notebook kill license "
     "lightangle lin2mu link linkprop list_in_columns listdlg listfonts loaded_graphics_toolkits loadobj "
     "localfunctions loglogerr lookfor ls_command lstat make_absolute_filename makeinfo_program matlabroot "
     "maxNumCompThreads max_stack_depth menu metaclass mexext mislocked missing_component_hook "
     "missing_function_hook mkfifo mkoctfile mkstemp movefile movegui movslice mu2lin munlock mustBeFinite "
     "mustBeGreaterThan mustBeGreaterThanOrEqual mustBeInteger mustBeLessThan mustBeLessThanOrEqual mustBeMember "
     "mustBeNegative mustBeNonNan mustBeNonempty mustBeNonnegative mustBeNonpositive mustBeNonsparse "
     "mustBeNonzero mustBeNumeric mustBeNumericOrLogical mustBePositive mustBeReal namedargs2cell native2unicode "
     "native_float_format newline news num2hex octave_core_file_limit octave_core_file_name "
     "octave_core_file_options odeget odeplot openfig openvar optimize_diagonal_matrix "
     "optimize_permutation_matrix optimize_range optimize_subsasgn_calls ordeig ordqz ordschur orient oruntests "
     "ostreamtube output_precision padecoef page_output_immediately pan pareto parseparams pathdef pathsep "
     "pbaspect peaks perl pipe ppjumps prefdir preferences print_empty_dimensions print_struct_array_contents "
     "printd profexplore profexport profile profshow program_invocation_name program_name publish python qrshift "
     "quad_options questdlg qzhess readdir readline_re_read_init_file readline_read_init_file readlink record "
     "recycle reducepatch reducevolume refresh register_graphics_toolkit rehash remove_input_event_hook repelems "
     "restoredefaultpath rgbplot rmappdata rmpref rng rotate roundb rticks run_history rundemos runtests "
     "save_default_options save_header_format_string save_precision savefig saveobj savepath scanf semilogxerr "
     "semilogyerr setappdata setgrent setpref setpwent setstr shg shift shrinkfaces sighup_dumps_octave_core "
     "sigquit_dumps_octave_core sigterm_dumps_octave_core silent_functions sinewave sizemax sizeof slash smooth3 "
     "sombrero sound soundsc sparse_auto_mutate spaugment spectral_adf spectral_xdf specular speed spencer "
     "spinmap splinefit split_long_rows spparms spy stat stemleaf stft stream2 stream3 streamribbon streamtube "
     "string_fill_char strptime strtrunc struct2hdl struct_levels_to_print subsasgn subsindex subsref superiorto "
     "suppress_verbose_help_message surfnorm svd_driver symlink symvar synthesis tar tempdir terminal_size test "
     "tetramesh texi_macros_file thetaticks tilde_expand tmpfile treelayout treeplot tsearchn turbo typeinfo "
     "uibuttongroup uicontextmenu uigetdir uigetfile uimenu uipanel uipushtool uiputfile uiresume uisetfont "
     "uitable uitoggletool uitoolbar uiwait umask uname unicode_idx unix unpack unsetenv untar unzip urlread "
     "urlwrite usejava user_config_dir user_data_dir vectorize verLessThan waitfor waitforbuttonpress waitpid "
     "warning_ids warranty web weboptions webread webwrite whitebg whos_line_format winqueryreg workspace "
     "xtickangle xticklabels xticks yes_or_no ytickangle yticklabels yticks ztickangle zticklabels zticks ",
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
