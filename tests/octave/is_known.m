## T = is_known (X): lac's `is_known` under Octave, where every value is there when it is asked for.
function t = is_known (x)
  t = true;
endfunction
