## zlabel (...): draws nothing, for an Octave without a screen.
function varargout = zlabel (varargin)
  varargout = cell (1, nargout);
endfunction
