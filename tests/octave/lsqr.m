## lsqr: solvers/lsqr.la under Octave.
function varargout = lsqr (varargin)
  [varargout{1:max (nargout, 1)}] = solver ("lsqr", varargin{:});
endfunction
