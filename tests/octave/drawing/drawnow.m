## drawnow (...): draws nothing, for an Octave without a screen.
function varargout = drawnow (varargin)
  varargout = cell (1, nargout);
endfunction
