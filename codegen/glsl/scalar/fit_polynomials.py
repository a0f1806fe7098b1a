#!/usr/bin/env python3
"""Fits the polynomials of the mathematical functions and writes codegen/glsl/scalar/math_polynomials.cpp (needs mpmath).

Each is a nearly minimax fit at Chebyshev points: as many terms as the error asked for takes, for float and double.
"""

import os
import struct

import mpmath as mp

mp.mp.dps = 60


def series(f, limit, point=mp.mpf(0), near=mp.mpf(10) ** -12):
    """f, with its limit where the formula cancels."""
    return lambda x: limit if abs(x - point) < near else f(x)


def sqrt_of(f):
    return lambda z: f(mp.sqrt(z))


def stirling_factor(u):
    x = 1 / u
    return mp.gamma(x) / (mp.sqrt(2 * mp.pi) * mp.exp((x - 0.5) * mp.log(x) - x))


def stirling_sum(u):
    x = 1 / u
    return mp.loggamma(x) - (x - mp.mpf(1) / 2) * (mp.log(x) - 1)


ERFC_CENTRE = {"f32": mp.mpf(2), "f64": mp.mpf(4)}


def erfc_scaled(centre):
    def f(q):
        x = centre * (1 + q) / (1 - q)
        return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)
    return f


def erfc_interval(centre, last):
    return [(mp.mpf("0.49") - centre) / (mp.mpf("0.49") + centre), (last - centre) / (last + centre)]


LN2_HALF = mp.log(2) / 2 * mp.mpf("1.001")
LOG_S2 = (3 - 2 * mp.sqrt(2)) ** 2 * mp.mpf("1.001")
QUARTER = (mp.pi / 4) ** 2 * mp.mpf("1.01")

# name: (what it approximates, interval or {precision: interval}, {precision: largest absolute error})
FITS = {
    "exp_tail": ("(exp(r) - 1 - r) / r^2", series(lambda r: (mp.expm1(r) - r) / r**2, mp.mpf(1) / 2),
                 [-LN2_HALF, LN2_HALF], {"f32": 2e-8, "f64": 2e-17}),
    "log_tail": ("(2 atanh(s) / s - 2) / s^2 in s^2",
                 sqrt_of(series(lambda s: (2 * mp.atanh(s) / s - 2) / s**2, mp.mpf(2) / 3)),
                 [0, LOG_S2], {"f32": 1e-7, "f64": 1e-16}),
    "log_tail_2": ("(log_tail - 2/3) / s^2 in s^2",
                   sqrt_of(series(lambda s: ((2 * mp.atanh(s) / s - 2) / s**2 - mp.mpf(2) / 3) / s**2,
                                  mp.mpf(2) / 5)),
                   [0, LOG_S2], {"f32": 1e-7, "f64": 2e-16}),
    "sin_tail": ("(sin(x) / x - 1) / x^2 in x^2",
                 sqrt_of(series(lambda x: (mp.sin(x) / x - 1) / x**2, -mp.mpf(1) / 6)),
                 [0, QUARTER], {"f32": 2e-9, "f64": 4e-18}),
    "cos_tail": ("(cos(x) - 1 + x^2 / 2) / x^4 in x^2",
                 sqrt_of(series(lambda x: (mp.cos(x) - 1 + x**2 / 2) / x**4, mp.mpf(1) / 24, near=mp.mpf(10) ** -8)),
                 [0, QUARTER], {"f32": 4e-9, "f64": 8e-18}),
    "asin_tail": ("(asin(x) / x - 1) / x^2 in x^2",
                  sqrt_of(series(lambda x: (mp.asin(x) / x - 1) / x**2, mp.mpf(1) / 6)),
                  [0, mp.mpf("0.2505")], {"f32": 1e-8, "f64": 2e-17}),
    "atan_tail": ("(atan(x) / x - 1) / x^2 in x^2",
                  sqrt_of(series(lambda x: (mp.atan(x) / x - 1) / x**2, -mp.mpf(1) / 3)),
                  [0, mp.mpf(7) ** 2 / 256], {"f32": 1e-8, "f64": 2e-17}),
    "erf_small": ("erf(x) / x - 1 in x^2",
                  sqrt_of(series(lambda x: mp.erf(x) / x - 1, 2 / mp.sqrt(mp.pi) - 1)),
                  [0, 1], {"f32": 5e-9, "f64": 1e-17}),
    "erfc_large": ("(1 + 2 x) exp(x^2) erfc(x), x = c (1 + q) / (1 - q), in q; c = 2 (float), 4 (double)",
                   {p: erfc_scaled(c) for p, c in ERFC_CENTRE.items()},
                   {"f32": erfc_interval(ERFC_CENTRE["f32"], 11), "f64": erfc_interval(ERFC_CENTRE["f64"], 28)},
                   {"f32": 1e-8, "f64": 3e-17}),
    "gamma_2": ("gamma(2 + s) - 1", lambda s: mp.gamma(2 + s) - 1, [-mp.mpf("0.501"), mp.mpf("0.501")],
                {"f32": 1e-8, "f64": 2e-17}),
    "stirling_factor": ("gamma(x) / (sqrt(2 pi) x^(x - 1/2) exp(-x)) - 1 in 1 / x, x >= 6 (float), 12 (double)",
                        series(lambda u: stirling_factor(u) - 1, mp.mpf(0)),
                        {"f32": [0, mp.mpf(1) / 6], "f64": [0, mp.mpf(1) / 12]}, {"f32": 1e-9, "f64": 4e-18}),
    "lgamma_1": ("lgamma(1 + s) / s", series(lambda s: mp.loggamma(1 + s) / s, -mp.euler, near=mp.mpf(10) ** -30),
                 [-mp.mpf("0.26"), mp.mpf("0.501")], {"f32": 3e-9, "f64": 6e-18}),
    "lgamma_2": ("lgamma(2 + s) / s", series(lambda s: mp.loggamma(2 + s) / s, 1 - mp.euler,
                                             near=mp.mpf(10) ** -30),
                 [-mp.mpf("0.501"), mp.mpf("0.501")], {"f32": 3e-9, "f64": 6e-18}),
    "stirling_sum": ("lgamma(x) - (x - 1/2) (log(x) - 1) in 1 / x, x >= 8",
                     series(stirling_sum, mp.log(2 * mp.pi) / 2 - mp.mpf(1) / 2), [0, mp.mpf(1) / 8],
                     {"f32": 1e-8, "f64": 2e-17}),
}


def of(choice, precision):
    return choice[precision] if isinstance(choice, dict) else choice


def fit(f, interval, largest):
    for terms in range(2, 40):
        coefficients, error = mp.chebyfit(f, interval, terms, error=True)
        if error <= largest:
            return list(reversed(coefficients)), error
    raise ValueError("no fit")


def rounded(value, precision):
    if precision == "f32":
        return repr(struct.unpack("f", struct.pack("f", float(value)))[0])
    return repr(float(value))


def table(name, formula, f, intervals, errors):
    lines = [f"// {formula}"]
    for precision, largest in errors.items():
        coefficients, error = fit(of(f, precision), of(intervals, precision), largest)
        numbers = ", ".join(rounded(c, precision) for c in coefficients)
        lines.append(f"// error {mp.nstr(error, 2)}")
        lines.append(f"constexpr double {name}_{precision}[] = {{{numbers}}};")
        print(f"{name}_{precision}: {len(coefficients)} terms, error {mp.nstr(error, 2)}")
    return "\n".join(lines)


HEAD = """// Written by fit_polynomials.py; do not edit.
#include "codegen/glsl/scalar/math_polynomials.h"

#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

"""

TAIL = """
struct Row {
  std::string_view name;
  std::span<const double> single, real;
};

constexpr Row rows[] = {
ROWS};

}  // namespace

std::span<const double> polynomial(std::string_view name, Element element) {
  for (const Row& row : rows)
    if (row.name == name) return element == Element::single ? row.single : row.real;
  throw InternalError("no polynomial '" + std::string(name) + "'");
}

}  // namespace lac::codegen::glsl
"""


def main():
    tables = [table(name, *fields) for name, fields in FITS.items()]
    rows = "".join(f'    {{"{name}", {name}_f32, {name}_f64}},\n' for name in FITS)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "math_polynomials.cpp")
    with open(path, "w", encoding="utf-8") as out:
        out.write(HEAD + "\n".join(tables) + "\n" + TAIL.replace("ROWS", rows))


if __name__ == "__main__":
    main()
