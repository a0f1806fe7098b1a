## axis (...): draws nothing, for an Octave without a screen.
function varargout = axis (varargin)
  varargout = cell (1, nargout);
endfunction
