## surf (...): draws nothing, for an Octave without a screen.
function varargout = surf (varargin)
  varargout = cell (1, nargout);
endfunction
