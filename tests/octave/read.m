## A = read (FILE): lac's `read` under Octave: .csv, else Matrix Market; coordinate files give a sparse matrix.
function A = read (file)
  A = read_matrix (file);
endfunction
