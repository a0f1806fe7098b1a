## close (...): draws nothing, for an Octave without a screen.
function varargout = close (varargin)
  varargout = cell (1, nargout);
endfunction
