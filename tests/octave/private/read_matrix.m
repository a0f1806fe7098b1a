## A = read_matrix (FILE): a .csv file, else Matrix Market: coordinate or array; real, integer or pattern;
## general, symmetric or skew-symmetric. Coordinates give a sparse matrix, duplicates added; arrays a full one.
function A = read_matrix (file)
  [fid, problem] = fopen (file, "r");
  if (fid < 0)
    error ("%s: %s", file, problem);
  endif
  closer = onCleanup (@() fclose (fid));
  if (! isempty (regexp (file, '\.csv$', "once")))
    A = csvread (file);
    return;
  endif
  [layout, field, symmetry] = read_banner (fid, file);
  sizes = sscanf (read_size_line (fid, file), "%d");
  data = fscanf (fid, "%f");
  if (strcmp (layout, "array"))
    A = from_array (file, sizes, data, symmetry);
  else
    A = from_coordinates (file, sizes, data, strcmp (field, "pattern"), symmetry);
  endif
endfunction

function [layout, field, symmetry] = read_banner (fid, file)
  words = strsplit (strtrim (lower (fgets_or_fail (fid, file))));
  if (numel (words) != 5 || ! strcmp (words{1}, "%%matrixmarket") || ! strcmp (words{2}, "matrix"))
    error ("%s:1: the banner '%%%%MatrixMarket matrix LAYOUT FIELD SYMMETRY' is expected", file);
  endif
  [layout, field, symmetry] = words{3:5};
  check_word (file, layout, {"coordinate", "array"});
  check_word (file, field, {"real", "double", "integer", "pattern"});
  check_word (file, symmetry, {"general", "symmetric", "skew-symmetric"});
endfunction

function check_word (file, word, known)
  if (! any (strcmp (word, known)))
    error ("%s:1: '%s' is not supported, only %s", file, word, strjoin (known, ", "));
  endif
endfunction

function line = read_size_line (fid, file)
  do
    line = strtrim (fgets_or_fail (fid, file));
  until (! isempty (line) && line(1) != "%")
endfunction

function line = fgets_or_fail (fid, file)
  line = fgets (fid);
  if (! ischar (line))
    error ("%s: the file ends before its size line", file);
  endif
endfunction

function check_count (file, found, expected)
  if (found != expected)
    error ("%s: %d numbers are expected after the size line, %d found", file, expected, found);
  endif
endfunction

## The stored triangle of a symmetric array is the lower one, column by column; a skew one lacks its diagonal.
function A = from_array (file, sizes, data, symmetry)
  if (numel (sizes) != 2)
    error ("%s: the size line of an array has two numbers", file);
  endif
  stored = true (sizes');
  if (strcmp (symmetry, "symmetric"))
    stored = tril (stored);
  elseif (strcmp (symmetry, "skew-symmetric"))
    stored = tril (stored, -1);
  endif
  check_count (file, numel (data), nnz (stored));
  A = zeros (sizes');
  A(stored) = data;
  A = mirror (A, symmetry);
endfunction

function A = from_coordinates (file, sizes, data, pattern, symmetry)
  if (numel (sizes) != 3)
    error ("%s: the size line of coordinates has three numbers", file);
  endif
  width = 3 - pattern;
  check_count (file, numel (data), width * sizes(3));
  data = reshape (data, width, [])';
  if (pattern)
    data(:, 3) = 1;
  endif
  if (isempty (data))
    data = zeros (0, 3);
  endif
  A = mirror (sparse (data(:, 1), data(:, 2), data(:, 3), sizes(1), sizes(2)), symmetry);
endfunction

function A = mirror (A, symmetry)
  if (strcmp (symmetry, "symmetric"))
    A += tril (A, -1)';
  elseif (strcmp (symmetry, "skew-symmetric"))
    A -= tril (A, -1)';
  endif
endfunction
