## title (...): draws nothing, for an Octave without a screen.
function varargout = title (varargin)
  varargout = cell (1, nargout);
endfunction
