## plot (...): draws nothing, for an Octave without a screen.
function varargout = plot (varargin)
  varargout = cell (1, nargout);
endfunction
