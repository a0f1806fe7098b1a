#include "frontend/sema/program/loop_attempt.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

constexpr const char* flags[] = {"#break", "#continue", "#return"};

const Size& extent(const Type& t, int axis) { return axis == 0 ? t.rows : t.cols; }
Size& extent(Type& t, int axis) { return axis == 0 ? t.rows : t.cols; }

Binding as_carried(ValueId value, bool is_text) {
  return is_text ? Binding::computed_text(value, true) : Binding::matrix(value);
}

}  // namespace

Lowerer::LoopAttempt::LoopAttempt(Lowerer& lowerer, LoopPlan& plan, std::map<std::string, CarriedInfo>& carried)
    : l_(lowerer),
      emit_(lowerer.emit_),
      builder_(lowerer.emit_.builder),
      plan_(plan),
      carried_(carried),
      is_for_(plan.is_for()),
      trying_(!plan.second_trip.empty()) {}

bool Lowerer::LoopAttempt::run() {
  if (makes_no_trip()) return true;
  open_block();
  lower_body();
  if (finds_late_names()) return false;
  if (is_broken()) {
    if (!trying_) forget_what_it_assigned();
    return !trying_;
  }
  if (differs_from_start()) return false;
  const ValueId trips = append_loop();
  poison_changed_functions();
  if (is_for_) bind_variable_after(trips);
  return true;
}

bool Lowerer::LoopAttempt::makes_no_trip() {
  emit_.at(plan_.span);
  enters_ = builder_.constant(1, Element::logical);
  if (plan_.info.kind == LoopKind::while_true) enters_ = l_.branch_condition(*plan_.condition);
  if (emit_.constant_of(enters_) != 0.0 && !(is_for_ && plan_.limit.is(0))) return false;
  if (is_for_ && plan_.first_trip == 0) l_.assign_name(plan_.variable_name(), l_.without_trips(plan_));
  return true;
}

void Lowerer::LoopAttempt::open_block() {
  limit_ = is_for_ ? builder_.size(plan_.limit)
                   : builder_.constant(std::numeric_limits<double>::infinity(), Element::integer);
  own_names_ = assigned_names(*plan_.body);
  if (plan_.condition) assigned_names(*plan_.condition, own_names_);
  variable_is_carried_ = is_for_ && own_names_.count(plan_.variable_name()) != 0;
  names_ = own_names_;
  if (exits_of(*plan_.body).returns) names_.insert("#return");
  before_ = l_.frame_->env;
  first_inner_ = emit_.graph.values.size();

  body_ = builder_.new_block();
  trip_ = symbol_of(emit_.graph, builder_.add_argument(body_, Type::scalar(Element::integer), ""));
  emit_.graph.symbols[trip_].lower = 0;
  if (is_for_)
    emit_.facts.upper[trip_] = emit_.facts.where_positive(plan_.limit) - 1;  // within the loop there is a trip

  Environment inner = before_;
  for (const char* flag : flags) inner.erase(flag);
  for (const std::string& name : names_) {
    std::optional<CarriedValue> value = initial_value(name);
    if (!value) continue;
    const bool is_flag = name == "#return";
    value->argument = builder_.add_argument(body_, value->type, is_flag ? "" : name);
    Binding binding = as_carried(value->argument, value->is_text);
    if (value->defined_init) binding.defined = builder_.add_argument(body_, Type::scalar(Element::logical), "");
    if (!is_flag) inner[name] = binding;
    values_.push_back(*std::move(value));
  }
  l_.frame_->env = inner;
}

// Nothing where the name is a function, or has no value before the loop and needs none.
std::optional<Lowerer::LoopAttempt::CarriedValue> Lowerer::LoopAttempt::initial_value(const std::string& name) {
  CarriedValue value;
  if (name == "#return") {
    value.init = builder_.constant(0, Element::logical);
    value.type = Type::scalar(Element::logical);
  } else {
    const auto known = carried_.find(name);
    const CarriedInfo info = known == carried_.end() ? CarriedInfo{} : known->second;
    const auto found = before_.find(name);
    if (found != before_.end() && (found->second.is_matrix() || found->second.is_text()))
      value = from_before(found->second, name, info);
    else if (info.late) value = from_nothing(info);
    else return std::nullopt;
    add_extent_arguments(value, info);
  }
  value.name = name;
  return value;
}

Lowerer::LoopAttempt::CarriedValue Lowerer::LoopAttempt::from_before(const Binding& binding, const std::string& name,
                                                                     const CarriedInfo& info) {
  CarriedValue value;
  value.is_text = binding.is_text();
  ValueId initial = value.is_text ? codes(emit_, binding) : binding.value;
  if (const auto later = plan_.second_trip.find(name); later != plan_.second_trip.end())
    initial = builder_.fill(builder_.constant(0, later->second.element), later->second.rows, later->second.cols);
  if (emit_.type(initial).is_sparse() && (info.csr || info.varies[0] || info.varies[1]))
    initial = to_csr(emit_, initial);
  value.init = builder_.convert(initial, info.element.value_or(emit_.type(initial).element));
  value.type = emit_.type(value.init);
  value.type.properties = {};
  if (binding.defined) value.defined_init = binding.defined;
  else if (info.tracks_definition) value.defined_init = builder_.constant(1, Element::logical);
  return value;
}

Lowerer::LoopAttempt::CarriedValue Lowerer::LoopAttempt::from_nothing(const CarriedInfo& info) {
  CarriedValue value;
  value.type = info.late_type;
  value.is_text = info.is_text;
  const Element element = value.type.element;
  const Size rows = info.varies[0] ? Size(0) : value.type.rows, cols = info.varies[1] ? Size(0) : value.type.cols;
  if (value.type.is_sparse())
    value.init = builder_.library(LibraryFn::sparse_zeros, {}, {csr_type(element, rows, cols)})[0];
  else if (value.type.is_scalar()) value.init = builder_.constant(0, element);
  else value.init = builder_.fill(builder_.constant(0, element), rows, cols);
  value.defined_init = builder_.constant(0, Element::logical);
  return value;
}

void Lowerer::LoopAttempt::add_extent_arguments(CarriedValue& value, const CarriedInfo& info) {
  for (int axis = 0; axis < 2; ++axis) {
    if (!info.varies[axis]) continue;
    value.extent_arguments[axis] = builder_.add_argument(body_, Type::scalar(Element::integer), "");
    const SymbolId symbol = symbol_of(emit_.graph, value.extent_arguments[axis]);
    const Size& initial = extent(emit_.type(value.init), axis);
    if (!info.late && !info.shrinks[axis])
      value.least[axis] = std::max<std::int64_t>(initial.lower_bound(emit_.graph.symbols).value_or(0), 0);
    emit_.graph.symbols[symbol].lower = value.least[axis];
    extent(value.type, axis) = Size::symbol(symbol);
  }
}

void Lowerer::LoopAttempt::lower_body() {
  const std::set<std::string> missing_outside = std::exchange(l_.missing_, {});
  const std::set<std::string> begun_outside = std::exchange(l_.begun_, {});
  const std::size_t errors_before = emit_.diagnostics.error_count();
  emit_.inside(body_, [&] {
    const TripPlace trip(*l_.frame_, -plan_.first_trip);
    if (is_for_) {
      l_.assign_name(plan_.variable_name(), plan_.element(Size::symbol(trip_) + plan_.first_trip));
      l_.mention(plan_.variable_name(), plan_.variable->name.span);
    }
    emit_.reachable([&] { l_.lower_list(*plan_.body); });
    l_.frame_->env.erase("#continue");
    lower_next(errors_before);
  });
  after_ = l_.frame_->env;
  make_texts_computed();
  reported_ = emit_.diagnostics.error_count() != errors_before;
  missing_in_body_ = std::exchange(l_.missing_, missing_outside);
  begun_in_body_ = std::exchange(l_.begun_, begun_outside);
  l_.missing_.insert(missing_in_body_.begin(), missing_in_body_.end());
  l_.begun_.insert(begun_in_body_.begin(), begun_in_body_.end());
}

// Whether another trip follows.
void Lowerer::LoopAttempt::lower_next(std::size_t errors_before) {
  emit_.at(plan_.span);
  const ValueId go = l_.alive();
  if (is_for_) {
    going_on_ = go;
    return;
  }
  if (emit_.diagnostics.error_count() != errors_before) return;
  const auto next = [&] {
    const bool is_while = plan_.info.kind == LoopKind::while_true;
    const ValueId holds = is_while ? l_.branch_condition(*plan_.condition) : l_.condition(*plan_.condition);
    return plan_.info.kind == LoopKind::while_true ? holds : builder_.map(ScalarOp::logical_not, holds);
  };
  going_on_ = l_.branch_truth(go, next, [&] { return builder_.constant(0, Element::logical); });
}

void Lowerer::LoopAttempt::make_texts_computed() {
  for (const std::string& name : names_) {
    const auto found = after_.find(name);
    if (found == after_.end() || !found->second.is_known_text()) continue;
    emit_.inside(body_, [&] {
      Binding text = as_carried(codes(emit_, found->second), true);
      text.defined = found->second.defined;
      after_.insert_or_assign(name, text);
    });
  }
}

// A name that the body reads before it assigns it, or that is read after the loop, is carried from an undefined start.
bool Lowerer::LoopAttempt::finds_late_names() {
  bool found_one = false;
  for (const std::string& name : own_names_) {
    const auto found = after_.find(name);
    if (before_.count(name) || carried_[name].late || found == after_.end()) continue;
    if (!found->second.is_matrix() && !found->second.is_text()) continue;
    const bool missing = missing_in_body_.count(name) != 0;
    if (!missing && !l_.read_outside(name, *plan_.body)) continue;
    if (missing && plan_.may_peel()) plan_.wants_peel = true;
    const Type& t = emit_.type(found->second.value);
    CarriedInfo& info = carried_[name];
    info.late = true;
    info.is_text = found->second.is_text();
    info.late_type = t.is_sparse() ? csr_type(t.element, t.rows, t.cols) : t;
    info.late_type.properties = {};
    for (int axis = 0; axis < 2; ++axis) info.varies[axis] = !invariant(extent(t, axis));
    found_one = true;
  }
  if (plan_.may_peel())
    for (const std::string& name : begun_in_body_)
      if (carried_[name].late) plan_.wants_peel = true;
  return found_one;
}

bool Lowerer::LoopAttempt::is_broken() const {
  return reported_ || std::ranges::any_of(values_, [&](const CarriedValue& value) {
           const auto found = after_.find(value.name);
           return found != after_.end() && found->second.kind == Binding::Kind::poisoned &&
                  found->second.poison.empty();
         });
}

// The error is reported; what the loop assigned is unknown now.
void Lowerer::LoopAttempt::forget_what_it_assigned() {
  l_.frame_->env = before_;
  for (const std::string& name : own_names_) l_.frame_->env[name] = Binding{};
  if (is_for_) l_.frame_->env[plan_.variable_name()] = Binding{};
}

// Notes what must be other at the start for the next trip to begin as the first one did.
bool Lowerer::LoopAttempt::differs_from_start() {
  bool differs = false;
  for (const CarriedValue& value : values_) {
    if (value.name == "#return") continue;
    const Binding& end = after_.at(value.name);
    if (end.kind == Binding::Kind::poisoned && !end.poison.empty()) emit_.fail(plan_.span, end.poison);
    if (value.is_text ? !end.is_text() : !end.is_matrix())
      emit_.fail(plan_.span, "'" + value.name + "' changes between a matrix, a string and a function in this loop");
    const Type& t = emit_.type(end.value);
    CarriedInfo& info = carried_[value.name];
    if (other_storage(value, t, info)) {
      differs = true;
      continue;
    }
    const Element element = join(value.type.element, t.element);
    if (element != value.type.element) {
      info.element = element;
      if (info.late) info.late_type.element = element;
      // Logical in the first trip only: there it is a mask, and elements take what they are given as a truth value.
      else if (value.type.element == Element::logical && plan_.may_peel() && !trying_) plan_.wants_peel = true;
      differs = true;
    }
    if (trying_) {
      const auto first = plan_.second_trip.find(value.name);
      if (first != plan_.second_trip.end() && first->second.same_shape(t) &&
          (first->second.element == Element::logical) == (t.element == Element::logical))
        plan_.wants_peel = true;
      differs = true;
      continue;
    }
    if (becomes_truth(value, t, info)) {
      plan_.second_trip[value.name] = t;
      differs = true;
    }
    for (int axis = 0; axis < 2; ++axis) differs = other_extent(value, t, axis, info) || differs;
    if (end.defined && !value.defined_init) {
      info.tracks_definition = true;
      differs = true;
    }
  }
  return differs;
}

// G = zeros(n); ... G = G > 0: the class is another one from the second trip on, which x(G) and display tell.
bool Lowerer::LoopAttempt::becomes_truth(const CarriedValue& value, const Type& end, const CarriedInfo& info) const {
  return end.element == Element::logical && value.type.element != Element::logical && !end.is_scalar() &&
         end.is_dense() && value.type.is_dense() && plan_.may_peel() && !info.late && !info.grows &&
         invariant(end.rows) && invariant(end.cols);
}

bool Lowerer::LoopAttempt::other_storage(const CarriedValue& value, const Type& end, CarriedInfo& info) {
  if (end.storage == value.type.storage && end.offsets == value.type.offsets) return false;
  if (!end.is_sparse() || !value.type.is_sparse()) {
    // x = zeros(n, 1); ... x = (b - R*x) ./ diag(A): sparse from the first trip on, which is peeled where there is one.
    const bool enters = plan_.info.kind == LoopKind::do_until ||
                        (plan_.is_for() && emit_.facts.nonnegative(emit_.graph, plan_.limit - 1));
    if (enters && plan_.may_peel() && !info.late) {
      plan_.wants_peel = true;
      return true;
    }
    const std::string& x = value.name;
    const bool ends_full = end.is_dense();
    const std::string from = ends_full ? "sparse" : "full", to = ends_full ? "full" : "sparse";
    emit_.fail(
        plan_.span,
        "'" + x + "' is " + from + " before this loop and " + to +
            " after a trip, and a variable that a loop carries is one of them: write " + x + " = full(" + x + ") " +
            (ends_full ? "before the loop" : "at the end of its body, or " + x + " = sparse(" + x + ") before it"));
  }
  if (value.type.storage == Storage::csr) return false;
  info.csr = true;
  return true;
}

bool Lowerer::LoopAttempt::other_extent(const CarriedValue& value, const Type& end, int axis, CarriedInfo& info) {
  const Size &now = extent(end, axis), &then = extent(value.type, axis);
  const bool shrinks = value.least[axis] > 0 && !emit_.facts.nonnegative(emit_.graph, now - value.least[axis]);
  if (shrinks) info.shrinks[axis] = true;
  if (info.varies[axis] || now == then) return shrinks;
  // From [] to something: the first trip only. From another shape: as the second trip tells.
  const bool from_empty = value.type.rows.is(0) && value.type.cols.is(0);
  if (!plan_.may_peel() || info.late) info.varies[axis] = true;
  else if (from_empty) plan_.wants_peel = true;
  else if (!info.grows && end.is_dense() && invariant(end.rows) && invariant(end.cols))
    plan_.second_trip[value.name] = end;
  else info.varies[axis] = true;
  return true;
}

bool Lowerer::LoopAttempt::invariant(const Size& size) const {
  bool outer = true;
  for_each_value_in(emit_.graph, size, [&](ValueId value) { outer = outer && value.index < first_inner_; });
  return outer;
}

/// Returns how many trips it made.
ValueId Lowerer::LoopAttempt::append_loop() {
  Op op;
  op.kind = OpKind::loop;
  op.attribute = plan_.info;
  op.operands = {limit_, enters_};
  op.blocks = {body_};
  const ValueId trips = builder_.new_value(Type::scalar(Element::integer), "");
  op.results = {trips};
  const SymbolId symbol = symbol_of(emit_.graph, trips);
  emit_.graph.symbols[symbol].lower = 0;
  if (is_for_) emit_.facts.upper[symbol] = plan_.limit;
  l_.frame_->env = before_;
  for (const char* flag : flags) l_.frame_->env.erase(flag);
  std::vector<ValueId> yields = {going_on_};
  for (CarriedValue& value : values_) tie(value, op, yields);
  emit_.graph.blocks[body_].yields = std::move(yields);
  builder_.append(std::move(op));
  return trips;
}

void Lowerer::LoopAttempt::tie(CarriedValue& value, Op& op, std::vector<ValueId>& yields) {
  const auto found = after_.find(value.name);
  ValueId end;
  if (found != after_.end()) end = found->second.value;
  for (int axis = 0; axis < 2; ++axis) {
    if (!value.extent_arguments[axis]) continue;
    op.operands.push_back(builder_.size(extent(emit_.type(value.init), axis)));
    emit_.inside(body_, [&] { yields.push_back(builder_.size(extent(emit_.type(end), axis))); });
    op.results.push_back(builder_.new_value(Type::scalar(Element::integer), ""));
    const SymbolId symbol = symbol_of(emit_.graph, op.results.back());
    emit_.graph.symbols[symbol].lower = value.least[axis];
    extent(value.type, axis) = Size::symbol(symbol);
  }
  emit_.inside(body_, [&] {
    if (!end) end = builder_.constant(0, Element::logical);  // #return never set on this path
    if (value.type.storage == Storage::csr) end = to_csr(emit_, end);
    yields.push_back(builder_.convert(end, value.type.element));
  });
  op.operands.push_back(value.init);
  op.results.push_back(builder_.new_value(value.type, value.name == "#return" ? "" : value.name));
  Binding binding = as_carried(op.results.back(), value.is_text);
  if (value.defined_init) {
    const ValueId defined = after_.at(value.name).defined;
    emit_.inside(body_, [&] { yields.push_back(defined ? defined : builder_.constant(1, Element::logical)); });
    op.operands.push_back(value.defined_init);
    binding.defined = builder_.new_value(Type::scalar(Element::logical), "");
    op.results.push_back(binding.defined);
  }
  l_.frame_->env[value.name] = binding;
}

// Names of the loop alone keep no meaning after it; functions must not have changed.
void Lowerer::LoopAttempt::poison_changed_functions() {
  for (const std::string& name : own_names_) {
    const auto end = after_.find(name);
    if (end == after_.end() || before_.count(name) == 0) continue;
    if (end->second.is_matrix() || end->second.is_text() || end->second.same_as(before_.at(name))) continue;
    Binding bad;
    bad.poison = "'" + name + "' is a function that changes in the loop at line " +
                 std::to_string(emit_.sources.begin(plan_.span).line);
    l_.frame_->env[name] = bad;
  }
}

// The variable keeps its last value; without a trip it is empty.
void Lowerer::LoopAttempt::bind_variable_after(ValueId trips) {
  const std::string& name = plan_.variable_name();
  const Size count = Size::symbol(symbol_of(emit_.graph, trips));
  if (plan_.first_trip > 0) {
    if (!variable_is_carried_) l_.assign_name(name, plan_.element(count + (plan_.first_trip - 1)));
    return;
  }
  if (variable_is_carried_ && (l_.frame_->env.count(name) == 0 || !l_.frame_->env[name].is_matrix())) return;
  const auto last = [&] { return variable_is_carried_ ? l_.frame_->env[name].value : plan_.element(count - 1).value; };
  if (emit_.facts.nonnegative(emit_.graph, plan_.limit - 1)) {
    l_.assign_name(name, variable_is_carried_ ? Binding::matrix(last()) : plan_.element(count - 1));
  } else if (l_.read_outside(name, *plan_.body)) {
    const ValueId none = l_.without_trips(plan_).value;
    const ValueId some = builder_.map(ScalarOp::gt, trips, builder_.constant(0, Element::integer));
    l_.assign_name(name, Binding::matrix(branch_value(emit_, some, last, [&] { return none; })));
  } else if (variable_is_carried_) {
    l_.assign_name(name, Binding::matrix(last()));
  } else {  // nothing reads it: only its type is of use, and there may be no last element
    const Size rows = plan_.columns ? emit_.type(plan_.columns).rows : Size(1);
    l_.assign_name(name, Binding::matrix(builder_.fill(builder_.constant(0, emit_.graph.precision), rows, 1)));
  }
}

}  // namespace lac::frontend
