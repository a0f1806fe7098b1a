/* What every program of this folder needs: sizes are macros that the command line defines, n = 200 as -Dn=200. Results
   go to standard output, as the .la program of the same name prints them; milliseconds to standard error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static inline void took(double start) { fprintf(stderr, "%.4f\n", now() - start); }

static inline double* numbers(long count) { return (double*)calloc(count, sizeof(double)); }
