## cg: solvers/cg.la under Octave.
function varargout = cg (varargin)
  [varargout{1:max (nargout, 1)}] = solver ("cg", varargin{:});
endfunction
