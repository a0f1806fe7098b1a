## figure (...): draws nothing, for an Octave without a screen.
function varargout = figure (varargin)
  varargout = cell (1, nargout);
endfunction
