## hold (...): draws nothing, for an Octave without a screen.
function varargout = hold (varargin)
  varargout = cell (1, nargout);
endfunction
