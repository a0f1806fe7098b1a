## loglog (...): draws nothing, for an Octave without a screen.
function varargout = loglog (varargin)
  varargout = cell (1, nargout);
endfunction
