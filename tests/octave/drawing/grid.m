## grid (...): draws nothing, for an Octave without a screen.
function varargout = grid (varargin)
  varargout = cell (1, nargout);
endfunction
