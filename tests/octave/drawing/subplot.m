## subplot (...): draws nothing, for an Octave without a screen.
function varargout = subplot (varargin)
  varargout = cell (1, nargout);
endfunction
