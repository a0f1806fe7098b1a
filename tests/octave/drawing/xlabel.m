## xlabel (...): draws nothing, for an Octave without a screen.
function varargout = xlabel (varargin)
  varargout = cell (1, nargout);
endfunction
