## legend (...): draws nothing, for an Octave without a screen.
function varargout = legend (varargin)
  varargout = cell (1, nargout);
endfunction
