## clf (...): draws nothing, for an Octave without a screen.
function varargout = clf (varargin)
  varargout = cell (1, nargout);
endfunction
