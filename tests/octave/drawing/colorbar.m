## colorbar (...): draws nothing, for an Octave without a screen.
function varargout = colorbar (varargin)
  varargout = cell (1, nargout);
endfunction
