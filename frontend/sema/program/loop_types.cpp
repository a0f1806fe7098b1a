// What the body of a loop leaves behind, against what it began with: the types that the next attempt needs.
#include <algorithm>

#include "frontend/sema/integers/integers.h"
#include "frontend/sema/names/liveness.h"
#include "frontend/sema/program/loop_attempt.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {

namespace {

std::string class_word(const Binding& value) {
  return value.is_integer() ? std::string(info(value.integer_class).name) : "double";
}

}  // namespace

// Whether the body reads it before it assigns it: of a variant any kind.
bool Lowerer::LoopAttempt::is_missing(const std::string& name) const {
  if (missing_in_body_.count(name) != 0) return true;
  const auto root = before_.find(root_of(name));
  return root != before_.end() && root->second.is_variant() && missing_in_body_.count(root->first) != 0;
}

// Whether a value that a trip gives is of use to the next one or behind the loop. Which kinds of a variant a trip reads
// hangs on its tag: all of them are carried.
bool Lowerer::LoopAttempt::is_wanted(const std::string& name) const {
  const auto root = before_.find(root_of(name));
  if (root == before_.end()) return l_.read_outside(name, *plan_.body);
  if (is_leaf(name) && root->second.is_variant()) return true;
  return l_.read_outside(root->second.is_compound() ? root_of(name) : name, *plan_.body);
}

// A name that the body reads before it assigns it, or that is read after the loop, is carried from an undefined start.
bool Lowerer::LoopAttempt::find_late_names() {
  bool cut_short = false;
  for (const std::string& name : own_names_) {
    const auto found = after_.find(name);
    const bool lacks = is_leaf(name) && before_.count(name) != 0 && !has_value_before(name);
    if ((before_.count(name) != 0 && !lacks) || carried(name).late || found == after_.end()) continue;
    if (!found->second.is_leaf()) continue;
    const bool missing = is_missing(name);
    if (!missing && !is_wanted(name)) continue;
    cut_short = cut_short || missing;
    const Type t = emit_.type(found->second.value);
    Carried::Late late{t.is_sparse() ? csr_type(t.element, t.rows, t.cols) : t, form_of(found->second)};
    late.type.properties = {};
    Carried& needed = attempted_.needed[name];
    for (int axis = 0; axis < 2; ++axis) needed.varies[axis] = !invariant(extent(t, axis));
    needed.late = std::move(late);
  }
  const auto is_late = [&](const std::string& name) {
    return carried(name).late || attempted_.needed.count(name) != 0;
  };
  attempted_.peels = plan_.may_peel() && (cut_short || std::ranges::any_of(begun_in_body_, is_late));
  return cut_short;
}

// A name that only the body assigns, and reads before, of one kind in an arm and of another in the other.
void Lowerer::LoopAttempt::refuse_late_kinds() {
  for (const std::string& name : own_names_) {
    const auto found = after_.find(name);
    if (before_.count(name) != 0 || found == after_.end() || found->second.poison.empty()) continue;
    if (missing_in_body_.count(name) != 0 || l_.read_outside(name, *plan_.body))
      l_.fail_as_poisoned(name, found->second, plan_.span);
  }
}

void Lowerer::LoopAttempt::compare_with_start() {
  for (const CarriedValue& value : values_) {
    if (value.name.starts_with("#")) continue;
    const auto found = after_.find(value.name);
    if (found == after_.end()) {  // a loop in this one was rid of it
      attempted_.rebound.insert(root_of(value.name));
      continue;
    }
    const Binding& end = found->second;
    if (end.kind == Binding::Kind::poisoned && !end.poison.empty()) l_.fail_as_poisoned(value.name, end, plan_.span);
    if (changes_class(value, end)) continue;
    compare(value, end);
  }
}

void Lowerer::LoopAttempt::compare_texts() {
  for (const std::string& name : known_texts_) {
    const auto end = after_.find(name);
    if (end == after_.end() || !end->second.same_as(before_.at(name))) attempted_.needed[name].other_text = true;
  }
}

bool Lowerer::LoopAttempt::certainly_enters() const {
  return plan_.info.kind == LoopKind::do_until ||
         (is_for_ ? emit_.facts.nonnegative(emit_.graph, plan_.limit - 1) : emit_.constant_of(enters_) == 1.0);
}

bool Lowerer::LoopAttempt::is_rebound(const std::string& name) const {
  if (is_leaf(name) || is_shared(name) || l_.frame_->shared.count(name) != 0) return false;
  const bool tests_at_top = plan_.info.kind != LoopKind::do_until;
  if (l_.reads_in(*plan_.body).count("str2func") != 0 ||
      is_read_first(name, *plan_.body, plan_.condition, tests_at_top))
    return false;
  return !l_.read_outside(name, *plan_.body) || (certainly_enters() && !emit_.errors);
}

// Between a class and another. Where no trip reads what was there, the loop begins without it; where the class changes
// in the first trip alone, that is peeled.
bool Lowerer::LoopAttempt::changes_class(const CarriedValue& value, const Binding& end) {
  if (end.has_class_of(value.form)) return false;
  const auto is_number = [](const Binding& of) { return of.is_matrix() || of.is_integer(); };
  const bool numbers = is_number(end) && is_number(value.form);
  if (!numbers && !carried(value.name).late && is_rebound(value.name)) {
    attempted_.rebound.insert(value.name);
    return true;
  }
  if (!numbers && becomes_variant(value.name)) return true;
  if (plan_.may_peel() && !second_trip_ && !carried(value.name).late) {
    peel();
    return true;
  }
  if (becomes_variant(value.name)) return true;
  l_.want_variant(value.name);
  if (!numbers)
    emit_.fail(plan_.span, "'" + value.name + "' changes between a matrix, a string and a function in this loop");
  emit_.fail(plan_.span, "'" + value.name + "' is of class " + class_word(value.form) +
                             " before this loop and of class " + class_word(end) +
                             " after a trip: give it one class before the loop");
}

void Lowerer::LoopAttempt::compare(const CarriedValue& value, const Binding& end) {
  const Type t = emit_.type(end.value);
  if (other_storage(value, t)) return;
  compare_elements(value, t);
  if (second_trip_) return compare_second_trip(value, t);
  if (becomes_truth(value, t)) try_second_trip(value, t);
  for (int axis = 0; axis < 2; ++axis) compare_extents(value, t, axis);
  if (end.defined && !value.defined_init) attempted_.needed[value.name].may_lack = true;
}

bool Lowerer::LoopAttempt::other_storage(const CarriedValue& value, const Type& end) {
  if (end.storage == value.type.storage && end.offsets == value.type.offsets) return false;
  if (end.is_sparse() && value.type.is_sparse()) {
    if (value.type.storage == Storage::csr) return false;
    attempted_.needed[value.name].csr = true;
    return true;
  }
  // x = zeros(n, 1); ... x = (b - R*x) ./ diag(A): sparse from the first trip on, which is peeled where there is one.
  if (!certainly_enters() || !plan_.may_peel() || carried(value.name).late) refuse_other_storage(value, end);
  peel();
  return true;
}

void Lowerer::LoopAttempt::refuse_other_storage(const CarriedValue& value, const Type& end) {
  const std::string& x = value.name;
  const bool ends_full = end.is_dense();
  const std::string from = ends_full ? "sparse" : "full", to = ends_full ? "full" : "sparse";
  emit_.fail(
      plan_.span,
      "'" + x + "' is " + from + " before this loop and " + to +
          " after a trip, and a variable that a loop carries is one of them: write " + x + " = full(" + x + ") " +
          (ends_full ? "before the loop" : "at the end of its body, or " + x + " = sparse(" + x + ") before it"));
}

void Lowerer::LoopAttempt::compare_elements(const CarriedValue& value, const Type& end) {
  // Single before and double after a trip, whatever that reads: double has room for both.
  const bool widens = value.type.element == Element::single && end.element == Element::real;
  const Element element = widens ? Element::real : join(value.type.element, end.element);
  if (element == value.type.element) return;
  attempted_.needed[value.name].element = element;
  // Logical in the first trip only: there it is a mask, and elements take what they are given as a truth value.
  const bool mask = value.type.element == Element::logical && !carried(value.name).late;
  if ((mask || (widens && certainly_enters())) && plan_.may_peel() && !second_trip_) peel();
}

void Lowerer::LoopAttempt::compare_second_trip(const CarriedValue& value, const Type& end) {
  const auto first = after_first_.find(value.name);
  if (first != after_first_.end() && first->second.same_shape(end) &&
      (first->second.element == Element::logical) == (end.element == Element::logical))
    peel();
}

// G = zeros(n); ... G = G > 0: the class is another one from the second trip on, which x(G) and display tell.
bool Lowerer::LoopAttempt::becomes_truth(const CarriedValue& value, const Type& end) const {
  const Carried& known = carried(value.name);
  return end.element == Element::logical && value.type.element != Element::logical && !end.is_scalar() &&
         end.is_dense() && value.type.is_dense() && plan_.may_peel() && !known.late && !known.grows &&
         invariant(end.rows) && invariant(end.cols);
}

void Lowerer::LoopAttempt::try_second_trip(const CarriedValue& value, const Type& end) {
  attempted_.after_first[value.name] = end;
  attempted_.needed_if_changed[value.name].grows = true;
}

void Lowerer::LoopAttempt::compare_extents(const CarriedValue& value, const Type& end, int axis) {
  const Size &now = extent(end, axis), &then = extent(value.type, axis);
  const Carried& known = carried(value.name);
  // One that begins to vary would be told to shrink by the next attempt: the bound is the same there.
  const std::int64_t least =
      known.varies[axis] || known.late ? value.least[axis] : then.lower_bound(emit_.graph.symbols).value_or(0);
  const bool shrinks = least > 0 && !emit_.facts.nonnegative(emit_.graph, now - least);
  if (known.varies[axis]) {
    if (shrinks) attempted_.needed[value.name].shrinks[axis] = true;
    return;
  }
  if (now == then) return;
  // From [] to something: the first trip only. From another shape: as the second trip tells.
  const bool from_empty = value.type.rows.is(0) && value.type.cols.is(0), may_peel = plan_.may_peel() && !known.late;
  if (may_peel && from_empty) return peel();
  const bool tries = may_peel && !known.grows && end.is_dense() && invariant(end.rows) && invariant(end.cols);
  if (tries) try_second_trip(value, end);
  Carried& needed = (tries ? attempted_.needed_if_changed : attempted_.needed)[value.name];
  needed.varies[axis] = true;
  needed.shrinks[axis] = shrinks;
}

bool Lowerer::LoopAttempt::invariant(const Size& size) const {
  bool outer = true;
  for_each_value_in(emit_.graph, size, [&](ValueId value) { outer = outer && value.index < first_inner_; });
  return outer;
}

}  // namespace lac::frontend
