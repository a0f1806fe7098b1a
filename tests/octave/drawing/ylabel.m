## ylabel (...): draws nothing, for an Octave without a screen.
function varargout = ylabel (varargin)
  varargout = cell (1, nargout);
endfunction
