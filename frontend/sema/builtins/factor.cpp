// Factorisations: lu, chol, qr, svd, eig. Each form of the call has a library step.
#include <algorithm>
#include <cctype>
#include <string>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/strings.h"
#include "frontend/sema/values/structured.h"

namespace lac::frontend {
namespace {

using Bindings = std::vector<Binding>;

bool is_nothing(const Type& t) { return t.rows.is(0) || t.cols.is(0); }

Bindings empties(Call& call) {
  return Bindings(static_cast<std::size_t>(std::max(1, call.nargout)), Binding::matrix(call.emit.nothing()));
}

Type row_of_positions(const Size& count) { return Type::matrix(Element::integer, 1, count); }

/// Takes a text option of the call's end; "" where there is none.
std::string option(const Call& call, std::size_t i) { return call.is_text(i) ? call.args[i].text : ""; }

Bindings lu(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId a = floating_matrix(call, 0);
  const Type t = call.type(a);
  if (call.count() > 1 && !call.is_text(1)) call.fail("can not define pivoting threshold THRESH for full matrices");
  const bool vector = option(call, 1) == "vector";
  if (call.count() > 1 && !vector) call.fail("unrecognized string argument");
  if (is_nothing(t)) return empties(call);
  if (call.nargout < 2) return one(b.library(LibraryFn::lu_packed, {a}, {t})[0]);
  const Size inner = e.minimum(t.rows, t.cols);
  const auto parts = b.library(
      LibraryFn::lu, {a},
      {Type::matrix(t.element, t.rows, inner), Type::matrix(t.element, inner, t.cols), row_of_positions(t.rows)});
  if (call.nargout == 3 && vector)
    return {Binding::matrix(parts[0]), Binding::matrix(parts[1]), Binding::matrix(b.reshape(parts[2], t.rows, 1))};
  const ValueId permutation = permutation_matrix(e, parts[2], e.graph.precision);
  if (call.nargout == 3) return {Binding::matrix(parts[0]), Binding::matrix(parts[1]), Binding::matrix(permutation)};
  return {Binding::matrix(multiply(e, transpose(e, permutation), parts[0], call.span)), Binding::matrix(parts[1])};
}

/// The leading order x order part, where the order is known at run time and at most the matrix's.
ValueId leading_part(Call& call, ValueId matrix, ValueId order) {
  Emitter& e = call.emit;
  const Size size = as_size(e.graph, order);
  if (const auto symbol = size.as_symbol()) {
    e.graph.symbols[*symbol].lower = 0;
    e.facts.at_most(*symbol, call.type(matrix).rows);
  }
  const Subscript leading{SubscriptKind::range, 0, 1, size};
  return e.builder.index(matrix, Subscripts{{leading, leading}}, {}, size, size);
}

// The lower factor of A is the transposed upper factor of A': each reads one triangle of A.
Bindings chol(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  if (call.nargout > 2) call.fail("using three output arguments, matrix A must be sparse");
  const std::string wanted = call.count() > 1 ? lower_case(option(call, 1)) : "upper";
  if (wanted.empty()) call.fail("optional arguments must be strings");
  if (wanted == "vector") call.fail("A must be sparse for the \"vector\" option");
  if (wanted != "upper" && wanted != "lower")
    call.fail("optional argument must be one of \"vector\", \"lower\", or \"upper\"");
  ValueId a = floating_matrix(call, 0);
  if (is_nothing(call.type(a))) {
    const ValueId zero = b.constant(0, Element::integer);
    return {Binding::matrix(e.nothing()), Binding::matrix(zero)};
  }
  a = square_matrix(call, 0, "chol: requires square matrix");
  const bool lower = wanted == "lower";
  if (lower) a = b.transpose(a);
  const Type t = call.type(a);
  const auto parts =
      b.library(LibraryFn::cholesky, {a}, {Type::matrix(t.element, t.rows, t.cols), Type::scalar(Element::integer)});
  const auto oriented = [&](ValueId factor) { return lower ? b.transpose(factor) : factor; };
  const ValueId complete = b.map(ScalarOp::eq, parts[1], b.constant(0, Element::integer));
  if (call.nargout > 1) {  // what was factored: all of it, or the leading p - 1 rows and columns
    const ValueId before = b.map(ScalarOp::sub, parts[1], b.constant(1, Element::integer));
    const ValueId order = b.map(ScalarOp::select, complete, b.size(t.rows), before);
    return {Binding::matrix(oriented(leading_part(call, parts[0], order))), Binding::matrix(parts[1])};
  }
  e.require(complete, "chol: input matrix must be positive definite", {});
  return one(oriented(parts[0]));
}

/// What follows A in a call of qr.
struct QrOptions {
  bool economy = false;  ///< a last argument 0
  bool vector = false, matrix = false;
  std::optional<ValueId> right;  ///< B of [C, R] = qr(A, B)
};

QrOptions qr_options(Call& call) {
  QrOptions options;
  std::size_t count = call.count();
  if (count > 1 && call.is_text(count - 1)) {
    const std::string& text = call.text(--count);
    options.vector = text == "vector";
    options.matrix = text == "matrix";
    if (!options.vector && !options.matrix)
      call.fail("type for P must be 'matrix' or 'vector', not " + text +
                (text == "econ" ? "; for the economical form write qr(A, 0)" : ""));
  }
  if (count > 1 && call.args[count - 1].is_matrix()) {
    const ValueId last = call.matrix(count - 1);
    if (call.type(last).is_scalar() && call.emit.constant_of(last) == 0.0 &&
        call.type(last).element != Element::logical) {
      options.economy = true;
      --count;
    }
  }
  if (count > 2) call.fail("Invalid call to qr");
  if (count > 1) options.right = call.dense(1);
  if (call.nargout > 2 && (options.right || (options.economy && (options.vector || options.matrix))))
    call.fail("too many output arguments for dense A with B");
  return options;
}

Bindings qr(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId a = floating_matrix(call, 0);
  const Type t = call.type(a);
  const QrOptions options = qr_options(call);
  if (call.nargout < 2) return one(b.library(LibraryFn::qr_packed, {a}, {t})[0]);
  const Size inner = options.economy ? e.minimum(t.rows, t.cols) : t.rows;
  std::vector<Type> types{Type::matrix(t.element, t.rows, inner), Type::matrix(t.element, inner, t.cols)};
  if (call.nargout == 2) {
    const auto parts = b.library(LibraryFn::qr, {a}, types);
    const ValueId left = options.right ? multiply(e, transpose(e, parts[0]), *options.right, call.span) : parts[0];
    return {Binding::matrix(left), Binding::matrix(parts[1])};
  }
  types.push_back(row_of_positions(t.cols));
  const auto parts = b.library(LibraryFn::qr_pivoted, {a}, types);
  const bool vector = options.vector || options.economy;
  const ValueId order = vector ? parts[2] : transpose(e, permutation_matrix(e, parts[2], e.graph.precision));
  return {Binding::matrix(parts[0]), Binding::matrix(parts[1]), Binding::matrix(order)};
}

// svd(A, 0) is economical in U alone, svd(A, "econ") in V too; Octave takes any number and any text.
Bindings svd(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId a = floating_matrix(call, 0);
  const Type t = call.type(a);
  const Size inner = e.minimum(t.rows, t.cols);
  const Type column = Type::matrix(t.element, inner, 1);
  if (call.nargout < 2) return one(b.library(LibraryFn::singular_values, {a}, {column})[0]);
  const bool economy = call.count() > 1;
  const Size& left = economy ? inner : t.rows;
  const Size& right = economy && call.is_text(1) ? inner : t.cols;
  const auto parts = b.library(LibraryFn::svd, {a},
                               {Type::matrix(t.element, t.rows, left), column, Type::matrix(t.element, t.cols, right)});
  const ValueId diagonal = diagonal_matrix(e, parts[1], left, right);
  return {Binding::matrix(parts[0]), Binding::matrix(diagonal), Binding::matrix(parts[2])};
}

struct EigOptions {
  bool pencil = false;
  bool matrix = false, vector = false;
  int how = 0;  ///< as LibraryFn::eigenvalues takes it
};

// What Octave calls a value in messages.
std::string octave_kind(const Type& t) {
  if (t.element == Element::logical) return t.is_scalar() ? "bool" : "bool matrix";
  return t.is_scalar() ? "scalar" : "matrix";
}

EigOptions eig_options(Call& call) {
  EigOptions options;
  std::size_t next = 1;
  options.pencil = next < call.count() && !call.is_text(next);
  if (options.pencil) ++next;
  for (; next < call.count(); ++next) {
    if (!call.is_text(next)) call.fail("wrong type argument '" + octave_kind(call.type(call.matrix(next))) + "'");
    const std::string given = call.text(next), name = lower_case(given);
    const bool of_pencil = name == "chol" || name == "qz", of_matrix = name == "balance" || name == "nobalance";
    if (name == "matrix") options.matrix = true;
    else if (name == "vector") options.vector = true;
    else if (!of_pencil && !of_matrix) call.fail("invalid option \"" + given + "\"");
    else if (of_pencil != options.pencil)
      call.fail("invalid \"" + given + "\" option for " + (of_pencil ? "algebraic" : "generalized") +
                " eigenvalue problem");
    else if (name == "nobalance") options.how = 1;
    else if (name == "qz") options.how = 2;
    if (options.matrix && options.vector) call.fail("\"vector\" and \"matrix\" options are mutually exclusive");
  }
  return options;
}

bool is_transpose_of(const Emitter& e, ValueId a, ValueId b) {
  const Op* op = e.graph.definition(a);
  return op && op->kind == OpKind::transpose && op->operands[0] == b;
}

/// Whether the form of the matrix makes it symmetric: x + x', x * x' (to rounding; the steps read one triangle), and
/// what is made of such and of scalars element by element.
bool is_symmetric_by_form(const Emitter& e, ValueId a, int levels = 16) {
  const Type t = e.type(a);
  if (t.is_scalar() || t.properties.has(Property::symmetric)) return true;
  const Op* op = e.graph.definition(a);
  if (!op || levels == 0) return false;
  const auto is_one = [&](ValueId operand) { return is_symmetric_by_form(e, operand, levels - 1); };
  const auto mirrored = [&] {
    const ValueId x = op->operands[0], y = op->operands[1];
    return is_transpose_of(e, x, y) || is_transpose_of(e, y, x);
  };
  switch (op->kind) {
    case OpKind::map: {
      const ScalarOp function = attribute<ScalarOp>(*op);
      const bool commutes = function == ScalarOp::add || function == ScalarOp::mul;
      return std::ranges::all_of(op->operands, is_one) || (commutes && mirrored());
    }
    case OpKind::matmul: return mirrored();
    case OpKind::transpose:
    case OpKind::convert: return is_one(op->operands[0]);
    default: return false;
  }
}

/// Where the text tells that the matrix is symmetric, or its elements are constants and it is.
bool has_real_spectrum(Emitter& e, ValueId a) {
  const Type t = e.type(a);
  if (is_symmetric_by_form(e, a)) return true;
  const auto numbers = numbers_of(e, a);
  if (!numbers || !t.rows.is_constant()) return false;
  const auto n = static_cast<std::size_t>(t.rows.constant());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i)
      if ((*numbers)[j * n + i] != (*numbers)[i * n + j]) return false;
  return true;
}

struct EigenSteps {
  LibraryFn values, vectors, both;
  LibraryFn of(int nargout) const { return nargout < 2 ? values : nargout == 2 ? vectors : both; }
};

constexpr EigenSteps real_steps{LibraryFn::eigenvalues, LibraryFn::eigenvectors, LibraryFn::eigenvectors_both};
constexpr EigenSteps general_steps{LibraryFn::spectrum, LibraryFn::spectrum_vectors, LibraryFn::spectrum_vectors_both};

/// One value for each type.
std::vector<Complex> real_results(Call& call, LibraryFn step, const std::vector<ValueId>& operands,
                                  const std::vector<Type>& types) {
  std::vector<Complex> results;
  for (const ValueId part : call.emit.builder.library(step, operands, types)) results.push_back({part});
  return results;
}

/// The same of a step that gives two parts of each.
std::vector<Complex> complex_results(Call& call, LibraryFn step, const std::vector<ValueId>& operands,
                                     const std::vector<Type>& types) {
  std::vector<Type> of_parts;
  for (const Type& type : types) of_parts.insert(of_parts.end(), 2, type);
  const auto parts = call.emit.builder.library(step, operands, of_parts);
  std::vector<Complex> results;
  for (std::size_t k = 0; k < parts.size(); k += 2) results.push_back({parts[k], parts[k + 1]});
  return results;
}

Bindings eig(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const EigOptions options = eig_options(call);
  const std::size_t matrices = options.pencil ? 2 : 1;
  for (std::size_t i = 0; i < matrices; ++i) {
    const Type t = call.type(call.dense(i));
    if (t.element == Element::logical)
      call.fail(t.is_scalar() ? "wrong type argument 'bool'" : "wrong type argument 'bool matrix'");
    if (is_nothing(t)) return empties(call);
  }
  const ValueId a = square_matrix(call, 0, "eig: A must be a square matrix");
  const Type t = call.type(a);
  std::vector<ValueId> operands{a, b.constant(options.how, Element::integer)};
  if (options.pencil) {
    const ValueId second = square_matrix(call, 1, "eig: B must be a square matrix");
    require_equal(e, t.rows, call.type(second).rows, call.span, "EIG requires same size matrices", {},
                  "EIG requires same size matrices");
    operands.push_back(b.convert(second, t.element));
  }
  const Type column = Type::matrix(t.element, t.rows, 1), square = Type::matrix(t.element, t.rows, t.rows);
  const bool is_real = !options.pencil && has_real_spectrum(e, a);
  const EigenSteps& steps = is_real ? real_steps : general_steps;
  std::vector<Type> types{column};
  if (call.nargout > 1) types.insert(types.begin(), square);
  if (call.nargout > 2) types.push_back(square);
  const std::vector<Complex> parts = is_real ? real_results(call, steps.of(call.nargout), operands, types)
                                             : complex_results(call, steps.of(call.nargout), operands, types);
  const bool as_matrix = call.nargout < 2 ? options.matrix : !options.vector;
  Bindings results;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const bool values = k == (call.nargout < 2 ? 0U : 1U);
    const Complex shown =
        values && as_matrix
            ? each_part(parts[k], [&](ValueId part) { return diagonal_matrix(e, part, t.rows, t.rows); })
            : parts[k];
    results.push_back(complex_binding(e, shown));
  }
  return results;
}

}  // namespace

std::span<const Builtin> factor_builtins() {
  static constexpr Builtin entries[] = {
      {"lu", 1, 2, 3, lu}, {"chol", 1, 2, 3, chol}, {"qr", 1, 3, 3, qr}, {"svd", 1, 2, 3, svd}, {"eig", 1, 4, 3, eig},
  };
  return entries;
}

}  // namespace lac::frontend
