## bar (...): draws nothing, for an Octave without a screen.
function varargout = bar (varargin)
  varargout = cell (1, nargout);
endfunction
