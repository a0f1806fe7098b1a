// Operations on sparse matrices. Their patterns are found by the run, so they are library steps; what is sparse and
// what is full is Octave's. A sparse 1x1 is kept as a scalar that was made sparse, so that arithmetic on it stays
// scalar arithmetic.
#include "frontend/sema/values/sparse.h"

#include <cmath>

#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/domain.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/messages.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/structured.h"

namespace lac::frontend {
namespace {

bool adds(ScalarOp op) { return op == ScalarOp::add || op == ScalarOp::sub; }

}  // namespace

ValueId dense(Emitter& e, ValueId value) {
  const Type t = e.type(value);
  if (t.is_dense()) return value;
  const Op* made = e.graph.definition(value);
  if (made && made->kind == OpKind::library && std::get<LibraryFn>(made->attribute) == LibraryFn::sparse_convert) {
    const Type from = e.type(made->operands[0]);
    if (from.is_scalar() && from.element == t.element) return made->operands[0];
  }
  return e.builder.library(LibraryFn::sparse_convert, {value}, {Type::matrix(t.element, t.rows, t.cols)})[0];
}

ValueId to_csr(Emitter& e, ValueId value) {
  const Type t = e.type(value);
  if (t.storage == Storage::csr) return value;
  if (const auto known = sparse_of_structure(e, value)) return to_csr(e, *known);
  if (t.is_scalar() && is_floating(t.element) && !e.constant_of(value))  // no negative zero is kept
    value = e.builder.map(ScalarOp::add, value, e.builder.constant(0, t.element));
  return e.builder.library(LibraryFn::sparse_convert, {value}, {csr_type(t.element, t.rows, t.cols)})[0];
}

namespace {

// Sparse operands do not broadcast, save a 1x1.
void require_same_shape(Emitter& e, ValueId a, ValueId b, Span span, const std::string& name) {
  const Type ta = e.type(a), tb = e.type(b);
  if (is_one(ta) || is_one(tb)) return;
  const std::string format = "operator " + name + ": nonconformant arguments (op1 is %dx%d, op2 is %dx%d)";
  require_equal(e, ta.rows, tb.rows, span, nonconformant(e, name, a, b), {ta.rows, ta.cols, tb.rows, tb.cols}, format);
  require_equal(e, ta.cols, tb.cols, span, nonconformant(e, name, a, b), {ta.rows, ta.cols, tb.rows, tb.cols}, format);
}

// What Octave gives for f(a, b): a sparse matrix, or a full one.
bool stays_sparse(Emitter& e, ScalarOp op, ValueId a, ValueId b) {
  const Type ta = e.type(a), tb = e.type(b);
  const bool both = ta.is_sparse() && tb.is_sparse();
  const Type& full = ta.is_dense() ? ta : tb;
  if (both) return true;
  if (adds(op)) return false;
  if (op == ScalarOp::min || op == ScalarOp::max) return is_one(full);
  if (op == ScalarOp::div || op == ScalarOp::atan2) return !(ta.is_dense() && is_one(ta));
  if (op == ScalarOp::pow) {
    if (ta.is_dense() && is_one(ta)) return false;
    const auto exponent = e.constant_of(b);
    return !(exponent && *exponent <= 0);
  }
  return true;
}

}  // namespace

ValueId sparse_elementwise(Emitter& e, ScalarOp op, std::vector<ValueId> operands, Span span, const std::string& name) {
  if (op == ScalarOp::mul && is_one(e.type(operands[0]))) std::swap(operands[0], operands[1]);
  if (operands.size() == 2 && !is_one(e.type(operands[0])) && !is_one(e.type(operands[1]))) {
    require_same_shape(e, operands[0], operands[1], span, name);
    if (const auto known =
            op == ScalarOp::mul ? structured_sparse_times(e, operands[0], operands[1], span) : std::nullopt)
      return *known;
    // A sum with a diagonal matrix is sparse, one with a permutation is full; comparisons and the like are sparse
    // anyway.
    for (ValueId& operand : operands) {
      const auto turned = op == ScalarOp::min || op == ScalarOp::max || op == ScalarOp::mul ? std::nullopt
                          : adds(op) ? sparse_of_diagonal(e, operand)
                                     : sparse_of_structure(e, operand);
      if (turned) operand = *turned;
    }
  }
  bool ones = true;
  for (ValueId operand : operands) ones = ones && is_one(e.type(operand));
  const bool sparse = operands.size() == 1 || (operands.size() == 2 && stays_sparse(e, op, operands[0], operands[1]));
  if (ones || !sparse) {
    for (std::size_t i = 1; i < operands.size() && !ones; ++i)
      require_same_shape(e, operands[0], operands[i], span, name);
    for (ValueId& operand : operands) operand = dense(e, operand);
    const ValueId value = elementwise(e, op, operands, span, name);
    return sparse ? to_csr(e, value) : value;
  }
  Element elements[2] = {};
  std::vector<ValueId> step = {e.builder.constant(static_cast<double>(op), Element::integer)};
  ValueId matrix;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Type t = e.type(operands[i]);
    elements[i] = t.element;
    step.push_back(is_one(t) ? dense(e, operands[i]) : operands[i]);
    if (!is_one(t)) matrix = operands[i];
  }
  const Element element = result_element(op, elements, e.graph.precision);
  if (operands.size() == 2) {
    require_same_shape(e, operands[0], operands[1], span, name);
    const bool matrices = !is_one(e.type(operands[0])) && !is_one(e.type(operands[1]));
    if (matrices && adds(op)) return sparse_sum(e, op == ScalarOp::sub, operands[0], operands[1], span);
  }
  guard_sparse_domain(e, op, operands, span);
  Type result = csr_type(element, e.type(matrix).rows, e.type(matrix).cols);
  // Diagonals stay where zeros do: f(0) = 0, with a 1x1 in the right place.
  const Type source = e.type(matrix);
  const bool by_one =
      operands.size() == 2 && is_one(e.type(operands[1])) && (op == ScalarOp::mul || op == ScalarOp::div);
  const bool unary = operands.size() == 1 && evaluate(op, 0) == 0;
  if (source.storage == Storage::diagonal && (by_one || unary)) {
    result.storage = Storage::diagonal;
    result.offsets = source.offsets;
  }
  return e.builder.library(LibraryFn::sparse_map, step, {result})[0];
}

// The union of the diagonals where their order can be proved, else csr.
ValueId sparse_sum(Emitter& e, bool subtract, ValueId a, ValueId b, Span span) {
  const Type ta = e.type(a), tb = e.type(b);
  require_same_shape(e, a, b, span, subtract ? "-" : "+");
  Type result = csr_type(arithmetic_join(ta.element, tb.element), ta.rows, ta.cols);
  if (ta.storage == Storage::diagonal && tb.storage == Storage::diagonal) {
    std::vector<Size> offsets = ta.offsets;
    bool ordered = true;
    for (const Size& offset : tb.offsets) ordered = ordered && insert_offset(e, offsets, offset);
    if (ordered) {
      result.storage = Storage::diagonal;
      result.offsets = offsets;
    }
  }
  return e.builder.library(subtract ? LibraryFn::sparse_subtract : LibraryFn::sparse_add, {a, b}, {result})[0];
}

// a / s for a 1x1 s where one is sparse: a full matrix stays full, a scalar over a sparse 1x1 is sparse.
ValueId divide_by_one(Emitter& e, ValueId a, ValueId s, Span span, const std::string& name) {
  if (e.type(s).is_dense() || e.type(a).is_sparse()) return elementwise(e, ScalarOp::div, {a, s}, span, name);
  const ValueId value = elementwise(e, ScalarOp::div, {a, dense(e, s)}, span, name);
  return e.type(a).is_scalar() ? to_csr(e, value) : value;
}

// A * B where one is sparse and neither is 1x1.
ValueId sparse_product(Emitter& e, ValueId a, ValueId b) {
  for (ValueId* operand : {&a, &b})
    if (e.type(*operand).element == Element::logical) *operand = e.builder.convert(*operand, Element::integer);
  const Type ta = e.type(a), tb = e.type(b);
  const Element element = arithmetic_join(ta.element, tb.element);
  if (ta.is_sparse() && tb.is_sparse()) {
    const Type shape = csr_type(element, ta.rows, tb.cols), result = is_one(shape) ? Type::scalar(element) : shape;
    return to_csr(e, e.builder.library(LibraryFn::sparse_multiply, {a, b}, {result})[0]);
  }
  if (tb.is_sparse())  // dense * sparse = (sparse' * dense')'
    return transpose(e, e.builder.matmul(transpose(e, b), e.builder.convert(transpose(e, a), element)));
  return e.builder.matmul(a, e.builder.convert(b, element));
}

// A \ b for a sparse A that is not 1x1; sparse where b is. A full A takes a sparse b as full.
ValueId sparse_left_divide(Emitter& e, ValueId a, ValueId b) {
  const Type ta = e.type(a), tb = e.type(b);
  Element elements[2] = {ta.element, tb.element};
  const Element element = result_element(ScalarOp::div, elements, e.graph.precision);
  const Type result = tb.is_sparse() ? csr_type(element, ta.cols, tb.cols) : Type::matrix(element, ta.cols, tb.cols);
  return solve(e, a, b, result);
}

ValueId sparse_concatenate(Emitter& e, const std::vector<ValueId>& parts, Axis axis, Span span) {
  const bool along_cols = axis == Axis::cols;
  std::vector<ValueId> kept;
  for (ValueId part : parts)
    if (!(e.type(part).rows.is(0) && e.type(part).cols.is(0))) kept.push_back(part);
  if (kept.empty()) kept = {parts.front()};
  Size Type::*const across = along_cols ? &Type::rows : &Type::cols;
  Size Type::*const along = along_cols ? &Type::cols : &Type::rows;
  Element element = e.type(kept[0]).element;
  Type shape = e.type(kept[0]);
  for (std::size_t i = 1; i < kept.size(); ++i) {
    const Type t = e.type(kept[i]);
    const std::string kind = along_cols ? "horizontal" : "vertical";
    require_equal(e, shape.*across, t.*across, span,
                  kind + " dimensions mismatch (" + shape_text(e, kept[0]) + " vs " + shape_text(e, kept[i]) + ")",
                  {e.type(kept[0]).rows, e.type(kept[0]).cols, t.rows, t.cols},
                  kind + " dimensions mismatch (%dx%d vs %dx%d)");
    shape.*along = shape.*along + t.*along;
    element = join(element, t.element);
  }
  if (kept.size() == 1) return to_csr(e, kept[0]);
  for (ValueId& part : kept)
    if (const auto known = sparse_of_structure(e, part)) part = *known;
  const LibraryFn step = along_cols ? LibraryFn::sparse_horzcat : LibraryFn::sparse_vertcat;
  return e.builder.library(step, kept, {csr_type(element, shape.rows, shape.cols)})[0];
}

ValueId sparse_column(Emitter& e, ValueId a, ValueId column) {
  const ValueId turned = e.builder.transpose(a);
  const Type t = e.type(turned);
  const ValueId row = e.builder.library(LibraryFn::sparse_rows, {turned, column}, {csr_type(t.element, 1, t.cols)})[0];
  return e.builder.transpose(row);
}

// A(i, j): rows are picked from rows, a single column is a row of the transpose, which leaves loops.
ValueId sparse_region(Emitter& e, ValueId a, const Positions& rows, const Positions& cols) {
  const Element element = e.type(a).element;
  if (rows.value && cols.value && is_one(e.type(rows.value)) && is_one(e.type(cols.value)))
    return to_csr(
        e, e.builder.library(LibraryFn::sparse_element, {a, rows.value, cols.value}, {Type::scalar(element)})[0]);
  if (cols.value && is_one(e.type(cols.value))) {
    a = sparse_column(e, a, cols.value);
    if (!rows.value) return a;
    return e.builder.library(LibraryFn::sparse_rows, {a, rows.value}, {csr_type(element, rows.count, 1)})[0];
  }
  if (rows.value)
    a = e.builder.library(LibraryFn::sparse_rows, {a, rows.value}, {csr_type(element, rows.count, e.type(a).cols)})[0];
  if (cols.value)
    a = e.builder.library(LibraryFn::sparse_columns, {a, cols.value},
                          {csr_type(element, e.type(a).rows, cols.count)})[0];
  return a;
}

// A(p) by column-major position.
ValueId sparse_elements(Emitter& e, ValueId a, const Positions& positions, const Size& rows, const Size& cols) {
  const Type t = e.type(a);
  if (!positions.value) return sparse_reshape(e, a, t.count(), 1);
  if (is_one(e.type(positions.value)) && rows.is(1) && cols.is(1)) {
    const ValueId one = e.builder.constant(1, Element::integer);
    ValueId row = positions.value, col = one;
    if (t.rows.is(1)) {
      std::swap(row, col);
    } else if (!t.cols.is(1)) {
      const ValueId before = e.builder.map(ScalarOp::sub, positions.value, one), extent = e.builder.size(t.rows);
      row = e.builder.map(ScalarOp::add, e.builder.map(ScalarOp::mod, before, extent), one);
      const ValueId whole = e.builder.map(ScalarOp::sub, before, e.builder.map(ScalarOp::mod, before, extent));
      const ValueId quotient = e.builder.map(ScalarOp::div, e.builder.convert(whole, Element::real),
                                             e.builder.convert(extent, Element::real));
      col = e.builder.map(ScalarOp::add, e.builder.convert(quotient, Element::integer), one);
    }
    return sparse_region(e, a, {row, 1}, {col, 1});
  }
  return e.builder.library(LibraryFn::sparse_elements, {a, positions.value}, {csr_type(t.element, rows, cols)})[0];
}

ValueId sparse_reshape(Emitter& e, ValueId a, const Size& rows, const Size& cols) {
  const Type t = e.type(a);
  if (t.rows == rows && t.cols == cols) return a;
  return e.builder.library(LibraryFn::sparse_reshape, {a}, {csr_type(t.element, rows, cols)})[0];
}

SparseEntries sparse_entries(Emitter& e, ValueId a) {
  const Type t = e.type(a);
  const ValueId number = e.builder.library(LibraryFn::sparse_nnz, {a}, {Type::scalar(Element::integer)})[0];
  const SymbolId symbol = symbol_of(e.graph, number);
  e.graph.symbols[symbol].lower = 0;
  e.facts.at_most(symbol, t.count());
  const Size count = Size::symbol(symbol);
  const Type positions = Type::matrix(Element::integer, count, 1);
  const auto parts =
      e.builder.library(LibraryFn::sparse_find, {a}, {positions, positions, Type::matrix(t.element, count, 1)});
  return {parts[0], parts[1], parts[2], count};
}

// i + (j - 1) * rows: a row for a row, else a column.
ValueId sparse_positions(Emitter& e, ValueId a) {
  const Type t = e.type(a);
  const SparseEntries found = sparse_entries(e, a);
  const ValueId one = e.builder.constant(1, Element::integer);
  const ValueId before =
      e.builder.map(ScalarOp::mul, e.builder.map(ScalarOp::sub, found.cols, one), e.builder.size(t.rows));
  const ValueId positions = e.builder.map(ScalarOp::add, before, found.rows);
  return t.rows.is(1) && !t.cols.is(1) ? e.builder.reshape(positions, 1, found.count) : positions;
}

// All non-zero, and not empty.
ValueId sparse_truth(Emitter& e, ValueId a) {
  const Type t = e.type(a);
  if (is_floating(t.element)) require_no_nan(e, sparse_entries(e, a).values);
  const ValueId number = e.builder.library(LibraryFn::sparse_nnz, {a}, {Type::scalar(Element::integer)})[0];
  const ValueId full = e.builder.map(ScalarOp::eq, number, e.builder.size(t.count()));
  return e.builder.map(ScalarOp::logical_and, full,
                       e.builder.map(ScalarOp::gt, number, e.builder.constant(0, Element::integer)));
}

bool insert_offset(const Emitter& e, std::vector<Size>& offsets, const Size& offset) {
  for (std::size_t i = 0; i <= offsets.size(); ++i) {
    if (i == offsets.size()) {
      offsets.push_back(offset);
      return true;
    }
    if (offsets[i] == offset) return true;
    if (e.facts.less_equal(e.graph, offset + 1, offsets[i])) {
      offsets.insert(offsets.begin() + static_cast<std::ptrdiff_t>(i), offset);
      return true;
    }
    if (!e.facts.less_equal(e.graph, offsets[i] + 1, offset)) return false;
  }
  return false;
}

}  // namespace lac::frontend
