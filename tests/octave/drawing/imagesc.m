## imagesc (...): draws nothing, for an Octave without a screen.
function varargout = imagesc (varargin)
  varargout = cell (1, nargout);
endfunction
