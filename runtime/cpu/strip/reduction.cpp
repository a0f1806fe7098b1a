#include "runtime/cpu/strip/reduction.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "ir/plan/walk.h"
#include "runtime/cpu/strip/extremes.h"

namespace lac::runtime {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// accumulator[l mod lanes] = step(accumulator, value) for l < count.
template <class T, class Step>
void accumulate(T* accumulators, std::int64_t lanes, const T* values, std::int64_t count, const Step& step) {
  std::int64_t first = 0;
  for (; first + lanes <= count; first += lanes)
    for (std::int64_t l = 0; l < lanes; ++l) accumulators[l] = step(accumulators[l], values[first + l]);
  for (std::int64_t l = 0; first + l < count; ++l) accumulators[l] = step(accumulators[l], values[first + l]);
}

template <class T>
void accumulate(ReduceOp op, void* accumulators, std::int64_t lanes, const void* values, std::int64_t count) {
  T* to = static_cast<T*>(accumulators);
  const T* from = static_cast<const T*>(values);
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    if (op == ReduceOp::any) return accumulate(to, lanes, from, count, [](T a, T b) { return static_cast<T>(a | b); });
    return accumulate(to, lanes, from, count, [](T a, T b) { return static_cast<T>(a & b); });
  } else {
    switch (op) {
      case ReduceOp::sum: return accumulate(to, lanes, from, count, [](T a, T b) { return a + b; });
      case ReduceOp::prod: return accumulate(to, lanes, from, count, [](T a, T b) { return a * b; });
      case ReduceOp::min: return accumulate(to, lanes, from, count, [](T a, T b) { return smaller(a, b); });
      default: return accumulate(to, lanes, from, count, [](T a, T b) { return larger(a, b); });
    }
  }
}

double number_at(Element element, const void* values, std::int64_t lane) {
  switch (register_of(element)) {
    case Register::real: return static_cast<const double*>(values)[lane];
    case Register::single: return static_cast<double>(static_cast<const float*>(values)[lane]);
    case Register::truth: break;
  }
  return static_cast<const std::uint8_t*>(values)[lane] != 0 ? 1 : 0;
}

void put_number(Element element, void* values, std::int64_t lane, double number) {
  switch (register_of(element)) {
    case Register::real: static_cast<double*>(values)[lane] = number; return;
    case Register::single: static_cast<float*>(values)[lane] = static_cast<float>(number); return;
    case Register::truth: static_cast<std::uint8_t*>(values)[lane] = static_cast<std::uint8_t>(number != 0);
  }
}

}  // namespace

StripReduction::StripReduction(const Kernel& kernel, const Nest& nest, const KernelReduction& reduction,
                               const SlotNumbers& numbers)
    : op(reduction.reduction.op),
      axis(reduction.reduction.axis),
      element(accumulator_element(reduction, kernel)),
      stored(kernel.outputs[reduction.output].type.element),
      value(0),
      slot(static_cast<std::int32_t>(numbers.layout().outputs[reduction.output])),
      rows(numbers.of(nest.rows)) {
  if (reduction.index_output < 0) return;
  const auto output = static_cast<std::size_t>(reduction.index_output);
  index_slot = static_cast<std::int32_t>(numbers.layout().outputs[output]);
  stored_index = kernel.outputs[output].type.element;
}

Extreme StripReduction::identity() const { return {lac::identity(op), infinity}; }

// Floats are summed in double and rounded: of two floats the double is exact enough that the result is the float's.
Extreme StripReduction::combine(const Extreme& a, const Extreme& b) const {
  if (has_position()) {
    const bool beats = op == ReduceOp::min ? b.value < a.value : b.value > a.value;
    const bool tie = b.value == a.value && b.position < a.position;
    return beats || (std::isnan(a.value) && !std::isnan(b.value)) || tie ? b : a;
  }
  double result = 0;
  switch (op) {
    case ReduceOp::sum: result = a.value + b.value; break;
    case ReduceOp::prod: result = a.value * b.value; break;
    case ReduceOp::min: result = smaller(a.value, b.value); break;
    case ReduceOp::max: result = larger(a.value, b.value); break;
    case ReduceOp::any: result = a.value != 0 || b.value != 0 ? 1 : 0; break;
    case ReduceOp::all: result = a.value != 0 && b.value != 0 ? 1 : 0; break;
  }
  return {result, a.position};
}

void StripReduction::add_to_partials(double* partials, const void* values, std::int64_t count) const {
  const auto add = [&](const auto* numbers) {
    for (std::int64_t l = 0; l < count; ++l) partials[l] += static_cast<double>(numbers[l]);
  };
  const Register held = register_of(element);
  if (op == ReduceOp::sum && held == Register::real) return add(static_cast<const double*>(values));
  if (op == ReduceOp::sum && held == Register::single) return add(static_cast<const float*>(values));
  for (std::int64_t l = 0; l < count; ++l) partials[l] = combine({partials[l]}, {number_at(element, values, l)}).value;
}

void StripReduction::store(const Extreme& result, const std::uint64_t* slots, std::int64_t index) const {
  put_number(stored, reinterpret_cast<void*>(slots[slot]), index, result.value);
  if (!has_position()) return;
  const double position = result.position == infinity ? 1 : result.position + 1;
  put_number(stored_index, reinterpret_cast<void*>(slots[index_slot]), index, position);
}

StripAccumulator::StripAccumulator(const StripReduction& reduction, std::int64_t lanes, Scratch& scratch)
    : reduction_(reduction),
      lanes_(lanes),
      values_(scratch.take(static_cast<std::size_t>(lanes * byte_size(register_of(reduction.element))))),
      positions_(reduction.has_position() ? scratch.take<double>(lanes) : nullptr) {}

void StripAccumulator::reset() {
  const Extreme none = reduction_.identity();
  for (std::int64_t l = 0; l < lanes_; ++l) {
    put_number(reduction_.element, values_, l, none.value);
    if (positions_ != nullptr) positions_[l] = none.position;
  }
}

void StripAccumulator::add(const StripPoints& points, const std::uint64_t* slots, const void* values) {
  if (positions_ == nullptr) {
    switch (register_of(reduction_.element)) {
      case Register::real: return accumulate<double>(reduction_.op, values_, lanes_, values, points.live);
      case Register::single: return accumulate<float>(reduction_.op, values_, lanes_, values, points.live);
      case Register::truth: return accumulate<std::uint8_t>(reduction_.op, values_, lanes_, values, points.live);
    }
  }
  const std::int64_t rows = reduction_.rows.in(slots);
  for (std::int64_t l = 0; l < points.live; ++l) {
    const std::int64_t i = points.i + l * points.step_i, j = points.j + l * points.step_j;
    const std::int64_t position = reduction_.axis == Axis::rows ? i : reduction_.axis == Axis::cols ? j : i + j * rows;
    const Extreme next =
        reduction_.combine(lane(l % lanes_), {number_at(reduction_.element, values, l), static_cast<double>(position)});
    put_number(reduction_.element, values_, l % lanes_, next.value);
    positions_[l % lanes_] = next.position;
  }
}

Extreme StripAccumulator::lane(std::int64_t lane) const {
  return {number_at(reduction_.element, values_, lane), positions_ != nullptr ? positions_[lane] : infinity};
}

Extreme StripAccumulator::combined() const {
  Extreme lanes[kernel_lanes];
  for (unsigned l = 0; l < kernel_lanes; ++l) lanes[l] = lane(l);
  for (unsigned half = kernel_lanes / 2; half >= 1; half /= 2)
    for (unsigned l = 0; l < half; ++l) {
      lanes[l] = reduction_.combine(lanes[l], lanes[l + half]);
      if (reduction_.element == Element::single)
        lanes[l].value = static_cast<double>(static_cast<float>(lanes[l].value));
    }
  return lanes[0];
}

}  // namespace lac::runtime
