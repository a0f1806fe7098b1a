## precision single|double: lac's `precision` statement under Octave, which always computes in double here. A
## comparison with a program in single needs a tolerance for single.
function precision (varargin)
  if (numel (varargin) != 1 || ! any (strcmp (varargin{1}, {"single", "double"})))
    error ("precision: 'single' or 'double' is expected");
  endif
endfunction
