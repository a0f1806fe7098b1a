## param NAME[(DIMS)] [PROPERTY...] [= DEFAULT]
##
## lac's `param` statement under Octave, so that one file runs in both:
##   octave-cli -q --no-history -p tests/octave FILE.la NAME=VALUE...
## The value is NAME=VALUE of the command line (a .mtx or .csv file, @FILE, or an expression), else the field NAME of
## the global struct la_params, else DEFAULT. DEFAULT and VALUE are evaluated in the caller. Symbols in DIMS are bound
## to the value's size or, where already known, compared with it; without DIMS the value must be a scalar.
## Properties are ignored: Octave finds its own, and comments never arrive here.
## Octave reads the line as a command, which ';' ends and where quotes vanish: write a column as vertcat (1, 2).
function param (varargin)
  global la_params
  [name, dims, default] = parse_declaration (strjoin (varargin, " "));
  given = command_line_value (name);
  if (! isempty (given) && names_a_file (given))
    value = read_matrix (regexprep (given, '^@', ''));
  elseif (isempty (given) && isstruct (la_params) && isfield (la_params, name))
    value = la_params.(name);
  else
    if (! isempty (given))
      text = given;
    elseif (! isempty (default))
      text = default;
    else
      error ("param %s has no value: pass %s=VALUE", name, name);
    endif
    try
      value = evalin ("caller", text);
    catch problem
      error ("param %s: '%s' cannot be evaluated: %s", name, text, problem.message);
    end_try_catch
  endif
  if (isempty (dims) && ! isscalar (value) && ! ischar (value))
    error ("param %s: a scalar is expected, the value is %dx%d", name, rows (value), columns (value));
  endif
  assignin ("caller", name, value);
  for k = 1:numel (dims)
    if (isvarname (dims{k}) && ! evalin ("caller", sprintf ("exist (\"%s\", \"var\")", dims{k})))
      assignin ("caller", dims{k}, size (value, k));
    elseif (evalin ("caller", dims{k}) != size (value, k))
      error ("param %s: dimension %d is %d, but %s is %d", name, k, size (value, k), dims{k}, ...
             evalin ("caller", dims{k}));
    endif
  endfor
endfunction

## NAME, the texts of its dimensions and the text of its default ("" when there is none).
function [name, dims, default] = parse_declaration (text)
  depth = cumsum ((text == "(") - (text == ")"));
  equals = find (text == "=" & depth == 0, 1);
  default = "";
  if (! isempty (equals))
    default = strtrim (text(equals+1:end));
    text = text(1:equals-1);
    depth = depth(1:equals-1);
  endif
  name = regexp (text, '^\s*(\w+)', "tokens", "once");
  if (isempty (name))
    error ("param: a name is expected in '%s'", text);
  endif
  name = name{1};
  dims = {};
  first = find (text == "(", 1);
  if (isempty (first) || ! isempty (regexp (text(1:first-1), '\w\s+\w')))
    return;
  endif
  last = first + find (depth(first+1:end) == 0, 1);
  if (isempty (last))
    error ("param %s: ')' is missing", name);
  endif
  inside = text(first+1:last-1);
  commas = find (inside == "," & depth(first+1:last-1) == 1);
  starts = [1, commas + 1];
  stops = [commas - 1, numel(inside)];
  for k = 1:numel (starts)
    dims{k} = strtrim (inside(starts(k):stops(k)));
  endfor
endfunction

## VALUE of the last argument NAME=VALUE, "" when there is none.
function given = command_line_value (name)
  given = "";
  for argument = argv ()'
    if (strncmp (argument{1}, [name "="], numel (name) + 1))
      given = argument{1}(numel (name) + 2:end);
      if (isempty (given))
        error ("param %s: '%s=' gives no value", name, name);
      endif
    endif
  endfor
endfunction

function yes = names_a_file (text)
  yes = text(1) == "@" || ! isempty (regexp (text, '\.(mtx|csv)$', "once"));
endfunction
