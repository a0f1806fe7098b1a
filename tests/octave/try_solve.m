## [Y, SINGULAR] = try_solve (F, X): lac's `try_solve` under Octave, which tells of a singular matrix by a warning alone.
function [y, singular] = try_solve (f, x)
  ids = {"Octave:singular-matrix", "Octave:nearly-singular-matrix"};
  warning ("error", ids{1}, "local");
  warning ("error", ids{2}, "local");
  singular = false;
  try
    y = f (x);
  catch problem
    if (! any (strcmp (problem.identifier, ids)))
      rethrow (problem);
    endif
    singular = true;
  end_try_catch
  if (singular)
    warning ("off", ids{1}, "local");
    warning ("off", ids{2}, "local");
    y = f (x);
  endif
endfunction
