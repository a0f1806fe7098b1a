// Subscripts of arrays of more than two dimensions, and three and more subscripts of matrices.
#include <algorithm>

#include "frontend/sema/arrays/along.h"
#include "frontend/sema/arrays/array.h"
#include "frontend/sema/arrays/picking.h"
#include "frontend/sema/arrays/storing.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/deletion.h"
#include "frontend/sema/values/indexing.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {

namespace {

/// The dimension along which the elements lie where all others are 1.
std::optional<std::size_t> line_of(const std::vector<Size>& extents) {
  std::optional<std::size_t> line;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    if (extents[k].is(1)) continue;
    if (line) return std::nullopt;
    line = k;
  }
  return line;
}

/// How x(i) lies: as the index does, and a vector of a vector as x; what a mask picks as the mask where that is a
/// vector.
std::vector<Size> extents_picked(const std::vector<Size>& from, const std::vector<Size>& index, bool mask,
                                 const Size& count) {
  std::vector<Size> made = index;
  if (const auto of_mask = line_of(index); mask && of_mask) made[*of_mask] = count;
  else if (mask) made = {count, 1};
  const auto line = line_of(from);
  if (!line || !line_of(made)) return made;
  made = from;
  made[*line] = count;
  return made;
}

}  // namespace

// x(i)
Binding Lowerer::index_array(const Binding& value, const std::string& name, const std::vector<ast::ExprPtr>& args,
                             Span span) {
  if (args.empty()) return value;
  std::vector<WrittenSubscript> written = written_subscripts(args);
  if (written.empty()) emit_.fail(span, "a list without values as subscripts of '" + name + "' is not supported");
  const bool matrix = value.is_matrix();
  const std::vector<Size> own = extents_of(emit_, value), extents = folded(own, written.size());
  if (written.size() == 1 && !written[0].value && !written[0].is_all() &&
      !std::holds_alternative<ast::Range>(written[0].expr->node)) {
    ends_.push_back({extents[0], 1, 0, 1});
    written[0].value = lower_expr(*written[0].expr);
    ends_.pop_back();
  }
  const bool by_array = written.size() == 1 && written[0].value && written[0].value->is_array();
  emit_.at(span);
  if (matrix && written.size() == 1 && !by_array) {
    SubscriptResolver resolver(emit_, value.value, name, 1, SubscriptUse::read);
    resolve_each(resolver, extents, written);
    emit_.at(span);
    return Binding::matrix(indexed(emit_, value.value, resolver.take()));
  }
  if (matrix && emit_.type(value.value).is_sparse())
    emit_.fail(span, "a sparse matrix has two dimensions: write full(" + name + ")");
  const Array array = array_of(emit_, value);
  SubscriptResolver resolver(emit_, extents, array.extents, name, SubscriptUse::read);
  resolve_each(resolver, extents, written);
  emit_.at(span);
  const ResolvedSubscripts resolved = resolver.take();
  if (written.size() > 1) return as_binding(emit_, picked(emit_, array, picks_of(resolved)));
  const ValueId column = viewed(emit_, array.elements, extents[0], 1);
  const ResolvedSubscripts::Axis& axis = resolved.axes.front();
  if (axis.colon) return Binding::matrix(column);
  if (axis.scalar) return Binding::matrix(indexed(emit_, column, resolved));
  const ValueId elements = emit_.builder.index(column, resolved.subscripts, resolved.vectors, axis.rows, axis.cols);
  if (!by_array && !line_of(own)) return Binding::matrix(elements);
  const std::vector<Size> index = by_array ? extents_of(emit_, *written[0].value) : std::vector{axis.rows, axis.cols};
  const bool mask = by_array && emit_.type(array_of(emit_, *written[0].value).elements).element == Element::logical;
  return laid_out(emit_, elements, extents_picked(own, index, mask, axis.rows * axis.cols));
}

Binding Lowerer::assign_array(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                              const Binding& value, Span span) {
  for (const Binding* each : {&base, &value}) {
    if (each->kind == Binding::Kind::poisoned) throw LowerError{};
    if (!each->is_array() && !each->is_matrix())
      emit_.fail(span, "only numbers can be elements of an array of more than two dimensions");
    if (each->is_matrix() && emit_.type(each->value).is_sparse())
      emit_.fail(span, "a sparse matrix has two dimensions: make it full before");
  }
  const Array array = array_of(emit_, base);
  const std::vector<WrittenSubscript> written = written_subscripts(args);
  const std::vector<Size> extents = folded(array.extents, written.size());
  SubscriptResolver resolver(emit_, extents, array.extents, name, SubscriptUse::assign);
  resolve_each(resolver, extents, written);
  emit_.at(span);
  if (written.size() == 1) return stored_linear(emit_, base, resolver.take(), value, name, span);
  const ResolvedSubscripts resolved = resolver.take();
  for (std::size_t k = 0; k + 1 < written.size(); ++k) {  // growth that changes the form
    const ResolvedSubscripts::Axis& axis = resolved.axes[k];
    if (axis.grows && !extents[k].is(0) && !axis.past_end.is_constant())
      unroll_where_it_tells(emit_.builder.size(axis.past_end), most_unrolled_for_kinds);
  }
  return stored(emit_, base, resolved, value, name, span);
}

namespace {

/// Whether a subscript of no elements comes before a second one that does not name all places: then nothing is deleted.
ValueId deletes_nothing(Emitter& e, const ResolvedSubscripts& given, const std::vector<Size>& extents) {
  const auto map = [&](ScalarOp op, ValueId a, ValueId b) { return e.builder.map(op, a, b); };
  ValueId found = e.builder.constant(0, Element::logical), some_before = found,
          open = e.builder.constant(1, Element::logical);
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const Size& count = given.subscripts.axes[k].count;
    const ValueId none = e.equal_sizes(count, 0);
    found = map(ScalarOp::logical_or, found, map(ScalarOp::logical_and, open, none));
    if (given.axes[k].colon) continue;
    const bool in_order = given.subscripts.axes[k].kind == SubscriptKind::range && given.subscripts.axes[k].step.is(1);
    const ValueId some = in_order ? e.builder.map(ScalarOp::logical_not, e.equal_sizes(count, extents[k]))
                                  : e.builder.constant(1, Element::logical);
    open = map(ScalarOp::logical_and, open,
               e.builder.map(ScalarOp::logical_not, map(ScalarOp::logical_and, some_before, some)));
    some_before = map(ScalarOp::logical_or, some_before, some);
  }
  return found;
}

}  // namespace

// A(:, k, :) = []: places along one dimension; of dimensions that have no subscript all stay. A(k) = [] makes a row of
// what is left, where it deletes anything.
Binding Lowerer::delete_in_array(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                                 Span span) {
  const Array whole = array_of(emit_, base);
  const std::vector<WrittenSubscript> written = written_subscripts(args);
  std::vector<Size> extents = frontend::padded(whole.extents, written.size());
  if (written.size() == 1) extents = folded(extents, 1);
  else extents.resize(written.size());
  SubscriptResolver resolver(emit_, extents, whole.extents, name, SubscriptUse::remove);
  resolve_each(resolver, extents, written);
  emit_.at(span);
  const ResolvedSubscripts given = resolver.take();
  const bool idle = std::ranges::any_of(given.subscripts.axes, [](const Subscript& each) { return each.count.is(0); });
  if (written.size() == 1) {
    if (given.axes[0].colon) return Binding::matrix(emit_.nothing());
    if (idle) return base;
    emit_.refuse_unless(
        emit_.builder.map(ScalarOp::logical_not, emit_.equal_sizes(given.subscripts.axes[0].count, 0)),
        "'" + name +
            "(I) = []' of an array of three and more dimensions deletes nothing here, and would keep its form");
    const Size& height = whole.extents.front();
    return Binding::matrix(
        without(emit_, viewed(emit_, whole.elements, height, product(whole.extents, 1, whole.count())), given));
  }
  std::size_t dimension = 0, named = 0;
  for (std::size_t k = 0; k < written.size(); ++k)
    if (!given.axes[k].colon) {
      dimension = k;
      ++named;
    }
  if (named > 1) {
    emit_.require(deletes_nothing(emit_, given, extents), "a null assignment can only have one non-colon index", {});
    return base;
  }
  if (idle && named == 1) return base;
  if (dimension >= whole.count()) emit_.fail(span, "invalid dimension in delete_elements");
  const Pick removed = picks_of(given)[dimension];
  const auto left = along(emit_, whole, dimension, [&](ValueId matrix, int axis) {
    const Type t = emit_.type(matrix);
    ResolvedSubscripts places = axis == 1 ? of_matrix(removed, all_of(t.cols)) : of_matrix(all_of(t.rows), removed);
    places.axes[axis - 1] = given.axes[dimension];
    return std::vector<Binding>{Binding::matrix(without(emit_, matrix, places))};
  });
  return as_binding(emit_, left.front());
}

}  // namespace lac::frontend
