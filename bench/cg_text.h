// The iteration of conjugate gradients, as every benchmark of it runs it.
#pragma once

namespace lac::bench {

/// From x = 0; A, b, n and iterations are there.
inline constexpr const char* cg_iteration = R"(
x = zeros(n, 1);
r = b;
p = r;
rho = r'*r;
for k = 1:iterations
  q = A*p;
  alpha = rho/(p'*q);
  x += alpha*p;
  r -= alpha*q;
  rho1 = r'*r;
  p = r + (rho1/rho)*p;
  rho = rho1;
end
output x
)";

/// Of the five-point formula on a grid of m x m points.
inline constexpr const char* poisson_matrix = R"(
e = ones(m, 1);
T = spdiags([-e 2*e -e], -1:1, m, m);
A = kron(speye(m), T) + kron(T, speye(m));
n = m*m;
)";

}  // namespace lac::bench
