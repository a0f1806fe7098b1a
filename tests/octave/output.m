## output NAME...: lac's `output` statement under Octave. It declares what a host reads, which changes nothing here:
## the names must only be names.
function output (varargin)
  if (isempty (varargin))
    error ("output: at least one name is expected");
  endif
  bad = varargin(! cellfun (@isvarname, varargin));
  if (! isempty (bad))
    error ("output: '%s' is not a name", bad{1});
  endif
endfunction
