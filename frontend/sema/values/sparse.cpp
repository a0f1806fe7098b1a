// Operations on sparse matrices. Their patterns are found by the run, so they are library steps; what is sparse and
// what is full is Octave's. A sparse 1x1 is kept as a scalar that was made sparse, so that arithmetic on it stays
// scalar arithmetic.
#include <cmath>

#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {
namespace {

bool is_one(const Type& t) { return t.rows.is(1) && t.cols.is(1); }

bool adds(ScalarOp op) { return op == ScalarOp::add || op == ScalarOp::sub; }

}  // namespace

ValueId Lowerer::dense(ValueId value) {
  const Type& t = type(value);
  if (t.is_dense()) return value;
  const Op* made = graph.definition(value);
  if (made && made->kind == OpKind::library && std::get<LibraryFn>(made->attribute) == LibraryFn::sparse_convert) {
    const Type& from = type(made->operands[0]);
    if (from.is_scalar() && from.element == t.element) return made->operands[0];
  }
  return builder.library(LibraryFn::sparse_convert, {value}, {Type::matrix(t.element, t.rows, t.cols)})[0];
}

ValueId Lowerer::to_csr(ValueId value) {
  const Type t = type(value);
  if (t.storage == Storage::csr) return value;
  if (const auto known = sparse_of_structure(value)) return to_csr(*known);
  if (t.is_scalar() && is_floating(t.element) && !constant_of(value))  // no negative zero is kept
    value = builder.map(ScalarOp::add, value, builder.constant(0, t.element));
  return builder.library(LibraryFn::sparse_convert, {value}, {csr_type(t.element, t.rows, t.cols)})[0];
}

// What Octave gives for f(a, b): a sparse matrix, or a full one.
bool Lowerer::stays_sparse(ScalarOp op, ValueId a, ValueId b) {
  const Type ta = type(a), tb = type(b);
  const bool both = ta.is_sparse() && tb.is_sparse();
  const Type& full = ta.is_dense() ? ta : tb;
  if (both) return true;
  if (adds(op)) return false;
  if (op == ScalarOp::min || op == ScalarOp::max) return is_one(full);
  if (op == ScalarOp::div || op == ScalarOp::atan2) return !(ta.is_dense() && is_one(ta));
  if (op == ScalarOp::pow) {
    if (ta.is_dense() && is_one(ta)) return false;
    const auto exponent = constant_of(b);
    return !(exponent && *exponent <= 0);
  }
  return true;
}

ValueId Lowerer::sparse_elementwise(ScalarOp op, std::vector<ValueId> operands, Span span, const std::string& name) {
  if (op == ScalarOp::mul && is_one(type(operands[0]))) std::swap(operands[0], operands[1]);
  if (operands.size() == 2 && !is_one(type(operands[0])) && !is_one(type(operands[1]))) {
    require_same_shape(operands[0], operands[1], span, name);
    if (const auto known = op == ScalarOp::mul ? structured_sparse_times(operands[0], operands[1], span) : std::nullopt)
      return *known;
    // A sum with a diagonal matrix is sparse, one with a permutation is full; comparisons and the like are sparse
    // anyway.
    for (ValueId& operand : operands) {
      const auto turned = op == ScalarOp::min || op == ScalarOp::max || op == ScalarOp::mul ? std::nullopt
                          : adds(op) ? sparse_of_diagonal(operand)
                                     : sparse_of_structure(operand);
      if (turned) operand = *turned;
    }
  }
  bool ones = true;
  for (ValueId operand : operands) ones = ones && is_one(type(operand));
  const bool sparse = operands.size() == 1 || (operands.size() == 2 && stays_sparse(op, operands[0], operands[1]));
  if (ones || !sparse) {
    for (std::size_t i = 1; i < operands.size() && !ones; ++i) require_same_shape(operands[0], operands[i], span, name);
    for (ValueId& operand : operands) operand = dense(operand);
    const ValueId value = elementwise(op, operands, span, name);
    return sparse ? to_csr(value) : value;
  }
  Element elements[2] = {};
  std::vector<ValueId> step = {builder.constant(static_cast<double>(op), Element::integer)};
  ValueId matrix;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Type t = type(operands[i]);
    elements[i] = t.element;
    step.push_back(is_one(t) ? dense(operands[i]) : operands[i]);
    if (!is_one(t)) matrix = operands[i];
  }
  const Element element = result_element(op, elements, graph.precision);
  if (operands.size() == 2) {
    require_same_shape(operands[0], operands[1], span, name);
    const bool matrices = !is_one(type(operands[0])) && !is_one(type(operands[1]));
    if (matrices && adds(op)) return sparse_sum(op == ScalarOp::sub, operands[0], operands[1], span);
  }
  guard_sparse_domain(op, operands, span);
  Type result = csr_type(element, type(matrix).rows, type(matrix).cols);
  // Diagonals stay where zeros do: f(0) = 0, with a 1x1 in the right place.
  const Type& source = type(matrix);
  const bool by_one = operands.size() == 2 && is_one(type(operands[1])) && (op == ScalarOp::mul || op == ScalarOp::div);
  const bool unary = operands.size() == 1 && evaluate(op, 0) == 0;
  if (source.storage == Storage::diagonal && (by_one || unary)) {
    result.storage = Storage::diagonal;
    result.offsets = source.offsets;
  }
  return builder.library(LibraryFn::sparse_map, step, {result})[0];
}

// Sparse operands do not broadcast, save a 1x1.
void Lowerer::require_same_shape(ValueId a, ValueId b, Span span, const std::string& name) {
  const Type ta = type(a), tb = type(b);
  if (is_one(ta) || is_one(tb)) return;
  const std::string format = "operator " + name + ": nonconformant arguments (op1 is %dx%d, op2 is %dx%d)";
  require_equal(ta.rows, tb.rows, span, nonconformant(name, a, b), {ta.rows, ta.cols, tb.rows, tb.cols}, format);
  require_equal(ta.cols, tb.cols, span, nonconformant(name, a, b), {ta.rows, ta.cols, tb.rows, tb.cols}, format);
}

// The union of the diagonals where their order can be proved, else csr.
ValueId Lowerer::sparse_sum(bool subtract, ValueId a, ValueId b, Span span) {
  const Type ta = type(a), tb = type(b);
  require_same_shape(a, b, span, subtract ? "-" : "+");
  Type result = csr_type(arithmetic_join(ta.element, tb.element), ta.rows, ta.cols);
  if (ta.storage == Storage::diagonal && tb.storage == Storage::diagonal) {
    std::vector<Size> offsets = ta.offsets;
    bool ordered = true;
    for (const Size& offset : tb.offsets) ordered = ordered && insert_offset(offsets, offset);
    if (ordered) {
      result.storage = Storage::diagonal;
      result.offsets = offsets;
    }
  }
  return builder.library(subtract ? LibraryFn::sparse_subtract : LibraryFn::sparse_add, {a, b}, {result})[0];
}

// a / s for a 1x1 s where one is sparse: a full matrix stays full, a scalar over a sparse 1x1 is sparse.
ValueId Lowerer::divide_by_one(ValueId a, ValueId s, Span span, const std::string& name) {
  if (type(s).is_dense() || type(a).is_sparse()) return elementwise(ScalarOp::div, {a, s}, span, name);
  const ValueId value = elementwise(ScalarOp::div, {a, dense(s)}, span, name);
  return type(a).is_scalar() ? to_csr(value) : value;
}

// A * B where one is sparse and neither is 1x1.
ValueId Lowerer::sparse_product(ValueId a, ValueId b) {
  for (ValueId* operand : {&a, &b})
    if (type(*operand).element == Element::logical) *operand = builder.convert(*operand, Element::integer);
  const Type ta = type(a), tb = type(b);
  const Element element = arithmetic_join(ta.element, tb.element);
  if (ta.is_sparse() && tb.is_sparse()) {
    const Type shape = csr_type(element, ta.rows, tb.cols), result = is_one(shape) ? Type::scalar(element) : shape;
    return to_csr(builder.library(LibraryFn::sparse_multiply, {a, b}, {result})[0]);
  }
  if (tb.is_sparse())  // dense * sparse = (sparse' * dense')'
    return transpose(builder.matmul(transpose(b), builder.convert(transpose(a), element)));
  return builder.matmul(a, builder.convert(b, element));
}

// A \ b for a sparse A that is not 1x1; sparse where b is. A full A takes a sparse b as full.
ValueId Lowerer::sparse_left_divide(ValueId a, ValueId b) {
  const Type ta = type(a), tb = type(b);
  Element elements[2] = {ta.element, tb.element};
  const Element element = result_element(ScalarOp::div, elements, graph.precision);
  const Type result = tb.is_sparse() ? csr_type(element, ta.cols, tb.cols) : Type::matrix(element, ta.cols, tb.cols);
  return solve(a, b, result);
}

ValueId Lowerer::sparse_concatenate(const std::vector<ValueId>& parts, Axis axis, Span span) {
  const bool along_cols = axis == Axis::cols;
  std::vector<ValueId> kept;
  for (ValueId part : parts)
    if (!(type(part).rows.is(0) && type(part).cols.is(0))) kept.push_back(part);
  if (kept.empty()) kept = {parts.front()};
  Size Type::*const across = along_cols ? &Type::rows : &Type::cols;
  Size Type::*const along = along_cols ? &Type::cols : &Type::rows;
  Element element = type(kept[0]).element;
  Type shape = type(kept[0]);
  for (std::size_t i = 1; i < kept.size(); ++i) {
    const Type t = type(kept[i]);
    const std::string kind = along_cols ? "horizontal" : "vertical";
    require_equal(shape.*across, t.*across, span,
                  kind + " dimensions mismatch (" + shape_text(kept[0]) + " vs " + shape_text(kept[i]) + ")",
                  {type(kept[0]).rows, type(kept[0]).cols, t.rows, t.cols},
                  kind + " dimensions mismatch (%dx%d vs %dx%d)");
    shape.*along = shape.*along + t.*along;
    element = join(element, t.element);
  }
  if (kept.size() == 1) return to_csr(kept[0]);
  for (ValueId& part : kept)
    if (const auto known = sparse_of_structure(part)) part = *known;
  const LibraryFn step = along_cols ? LibraryFn::sparse_horzcat : LibraryFn::sparse_vertcat;
  return builder.library(step, kept, {csr_type(element, shape.rows, shape.cols)})[0];
}

ValueId Lowerer::sparse_transpose_row(ValueId a, ValueId column) {
  const ValueId turned = builder.transpose(a);
  const Type t = type(turned);
  const ValueId row = builder.library(LibraryFn::sparse_rows, {turned, column}, {csr_type(t.element, 1, t.cols)})[0];
  return builder.transpose(row);
}

// A(i, j): rows are picked from rows, a single column is a row of the transpose, which leaves loops.
ValueId Lowerer::sparse_region(ValueId a, const Positions& rows, const Positions& cols) {
  const Element element = type(a).element;
  if (rows.value && cols.value && is_one(type(rows.value)) && is_one(type(cols.value)))
    return to_csr(builder.library(LibraryFn::sparse_element, {a, rows.value, cols.value}, {Type::scalar(element)})[0]);
  if (cols.value && is_one(type(cols.value))) {
    a = sparse_transpose_row(a, cols.value);
    if (!rows.value) return a;
    return builder.library(LibraryFn::sparse_rows, {a, rows.value}, {csr_type(element, rows.count, 1)})[0];
  }
  if (rows.value)
    a = builder.library(LibraryFn::sparse_rows, {a, rows.value}, {csr_type(element, rows.count, type(a).cols)})[0];
  if (cols.value)
    a = builder.library(LibraryFn::sparse_columns, {a, cols.value}, {csr_type(element, type(a).rows, cols.count)})[0];
  return a;
}

// A(p) by column-major position.
ValueId Lowerer::sparse_elements(ValueId a, const Positions& positions, const Size& rows, const Size& cols) {
  const Type t = type(a);
  if (!positions.value) return sparse_reshape(a, t.count(), 1);
  if (is_one(type(positions.value)) && rows.is(1) && cols.is(1)) {
    const ValueId one = builder.constant(1, Element::integer);
    ValueId row = positions.value, col = one;
    if (t.rows.is(1)) {
      std::swap(row, col);
    } else if (!t.cols.is(1)) {
      const ValueId before = builder.map(ScalarOp::sub, positions.value, one), extent = builder.size(t.rows);
      row = builder.map(ScalarOp::add, builder.map(ScalarOp::mod, before, extent), one);
      const ValueId whole = builder.map(ScalarOp::sub, before, builder.map(ScalarOp::mod, before, extent));
      const ValueId quotient =
          builder.map(ScalarOp::div, builder.convert(whole, Element::real), builder.convert(extent, Element::real));
      col = builder.map(ScalarOp::add, builder.convert(quotient, Element::integer), one);
    }
    return sparse_region(a, {row, 1}, {col, 1});
  }
  return builder.library(LibraryFn::sparse_elements, {a, positions.value}, {csr_type(t.element, rows, cols)})[0];
}

ValueId Lowerer::sparse_reshape(ValueId a, const Size& rows, const Size& cols) {
  const Type t = type(a);
  if (t.rows == rows && t.cols == cols) return a;
  return builder.library(LibraryFn::sparse_reshape, {a}, {csr_type(t.element, rows, cols)})[0];
}

Lowerer::SparseEntries Lowerer::sparse_entries(ValueId a) {
  const Type t = type(a);
  const ValueId number = builder.library(LibraryFn::sparse_nnz, {a}, {Type::scalar(Element::integer)})[0];
  const SymbolId symbol = symbol_of(graph, number);
  graph.symbols[symbol].lower = 0;
  facts.upper[symbol] = t.count();
  const Size count = Size::symbol(symbol);
  const Type positions = Type::matrix(Element::integer, count, 1);
  const auto parts =
      builder.library(LibraryFn::sparse_find, {a}, {positions, positions, Type::matrix(t.element, count, 1)});
  return {parts[0], parts[1], parts[2], count};
}

// i + (j - 1) * rows: a row for a row, else a column.
ValueId Lowerer::sparse_positions(ValueId a) {
  const Type t = type(a);
  const SparseEntries found = sparse_entries(a);
  const ValueId one = builder.constant(1, Element::integer);
  const ValueId before = builder.map(ScalarOp::mul, builder.map(ScalarOp::sub, found.cols, one), builder.size(t.rows));
  const ValueId positions = builder.map(ScalarOp::add, before, found.rows);
  return t.rows.is(1) && !t.cols.is(1) ? builder.reshape(positions, 1, found.count) : positions;
}

// All non-zero, and not empty.
ValueId Lowerer::sparse_truth(ValueId a) {
  const Type t = type(a);
  if (is_floating(t.element)) require_no_nan(sparse_entries(a).values);
  const ValueId number = builder.library(LibraryFn::sparse_nnz, {a}, {Type::scalar(Element::integer)})[0];
  const ValueId full = builder.map(ScalarOp::eq, number, builder.size(t.count()));
  return builder.map(ScalarOp::logical_and, full,
                     builder.map(ScalarOp::gt, number, builder.constant(0, Element::integer)));
}

}  // namespace lac::frontend
