## jacobi: solvers/jacobi.la under Octave.
function varargout = jacobi (varargin)
  [varargout{1:max (nargout, 1)}] = solver ("jacobi", varargin{:});
endfunction
