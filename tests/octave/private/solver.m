## varargout = solver (NAME, ARGUMENTS...): calls the function of solvers/NAME.la. Octave loads only .m files, so the
## text is evaluated once, which defines the function; it then comes before NAME.m of the search path.
function varargout = solver (name, varargin)
  folder = fileparts (fileparts (fileparts (fileparts (mfilename ("fullpath")))));
  eval (fileread (fullfile (folder, "solvers", [name ".la"])));
  [varargout{1:nargout}] = feval (name, varargin{:});
endfunction
