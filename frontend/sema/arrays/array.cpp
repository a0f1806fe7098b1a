#include "frontend/sema/arrays/array.h"

#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {

Size product(const std::vector<Size>& extents, std::size_t first, std::size_t end) {
  Size all = 1;
  for (std::size_t i = first; i < end; ++i) all = all * extents[i];
  return all;
}

Array array_of(const Emitter& e, const Binding& value) {
  if (!value.is_array()) return {extents_of(e, value), value.value};
  return {extents_of(e, value), value.aggregate->slots.front().items.front().value};
}

std::vector<Size> extents_of(const Emitter& e, const Binding& value) {
  if (value.is_known_text()) return {value.text.empty() ? 0 : 1, static_cast<std::int64_t>(value.text.size())};
  if (!value.is_array()) return {e.type(value.value).rows, e.type(value.value).cols};
  const Binding& elements = value.aggregate->slots.front().items.front();
  if (elements.kind == Binding::Kind::poisoned) throw LowerError{};
  std::vector<Size> extents = value.aggregate->lead;
  extents.push_back(e.type(elements.value).cols);
  return extents;
}

std::vector<Size> trimmed(std::vector<Size> extents) {
  while (extents.size() > 2 && extents.back().is(1)) extents.pop_back();
  return extents;
}

Binding as_binding(Emitter& e, Array array) {
  const std::vector<Size> extents = trimmed(array.extents);
  const ValueId elements = viewed(e, array.elements, product(extents, 0, extents.size() - 1), extents.back());
  if (extents.size() == 2) return Binding::matrix(elements);
  Aggregate made;
  made.slots.push_back({"elements", {Binding::matrix(elements)}});
  made.lead.assign(extents.begin(), extents.end() - 1);
  return Binding::of(Binding::Kind::array, std::move(made));
}

Binding laid_out(Emitter& e, ValueId elements, std::vector<Size> extents) {
  return as_binding(e, {std::move(extents), elements});
}

ValueId viewed(Emitter& e, ValueId elements, const Size& rows, const Size& cols) {
  const Type t = e.type(elements);
  if (t.rows == rows && t.cols == cols) return elements;
  return e.builder.reshape(dense(e, elements), rows, cols);
}

ValueId as_column(Emitter& e, const Binding& value) {
  const ValueId elements = value.is_text() ? characters(e, value) : array_of(e, value).elements;
  return viewed(e, elements, e.type(elements).count(), 1);
}

ValueId as_matrix(Emitter& e, const Binding& array) {
  const Array a = array_of(e, array);
  return viewed(e, a.elements, a.extents.front(), product(a.extents, 1, a.count()));
}

std::vector<Size> padded(std::vector<Size> extents, std::size_t count) {
  if (extents.size() < count) extents.resize(count, 1);
  return extents;
}

std::vector<Size> folded(const std::vector<Size>& extents, std::size_t count) {
  std::vector<Size> result = padded(extents, count);
  result[count - 1] = product(result, count - 1, result.size());
  result.resize(count);
  return result;
}

std::string extents_text(const Emitter& e, const std::vector<Size>& extents) {
  std::string text;
  for (const Size& extent : extents) text += (text.empty() ? "" : "x") + e.graph.text(extent);
  return text;
}

std::string extents_format(std::size_t count) {
  std::string format = "%d";
  while (--count > 0) format += "x%d";
  return format;
}

}  // namespace lac::frontend
