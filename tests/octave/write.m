## write (FILE, A): lac's `write` under Octave: .csv, else Matrix Market, coordinate for a sparse matrix.
function write (file, A)
  [fid, problem] = fopen (file, "w");
  if (fid < 0)
    error ("write: %s: %s", file, problem);
  endif
  closer = onCleanup (@() fclose (fid));
  if (! isempty (regexp (file, '\.csv$', "once")))
    row = [repmat("%.17g,", 1, columns (A) - 1), "%.17g\n"];
    fprintf (fid, row, full (A)');
  elseif (issparse (A))
    [i, j, v] = find (A);
    fprintf (fid, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", rows (A), columns (A), numel (v));
    fprintf (fid, "%d %d %.17g\n", [i, j, v]');
  else
    fprintf (fid, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows (A), columns (A));
    fprintf (fid, "%.17g\n", A);
  endif
endfunction
