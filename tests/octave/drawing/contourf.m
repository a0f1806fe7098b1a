## contourf (...): draws nothing, for an Octave without a screen.
function varargout = contourf (varargin)
  varargout = cell (1, nargout);
endfunction
