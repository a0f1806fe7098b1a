## projected_jacobi: solvers/projected_jacobi.la under Octave.
function varargout = projected_jacobi (varargin)
  [varargout{1:max (nargout, 1)}] = solver ("projected_jacobi", varargin{:});
endfunction
