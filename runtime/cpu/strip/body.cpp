#include "runtime/cpu/strip/body.h"

#include <cstring>

#include "ir/kernel/body.h"
#include "ir/plan/walk.h"
#include "ir/support/result.h"

namespace lac::runtime {
namespace {

void write_number(Register kind, double number, void* out) {
  const void* in[] = {&number};
  if (const StripFunction convert = conversion(Register::real, kind)) return convert(nullptr, in, out, 1);
  std::memcpy(out, &number, sizeof number);
}

void spread(Register kind, void* values, std::int64_t lanes) {
  const auto fill = [&](auto* at) {
    for (std::int64_t l = 1; l < lanes; ++l) at[l] = at[0];
  };
  switch (kind) {
    case Register::real: return fill(static_cast<double*>(values));
    case Register::single: return fill(static_cast<float*>(values));
    case Register::truth: break;
  }
  fill(static_cast<std::uint8_t*>(values));
}

}  // namespace

StripBody::StripBody(const Kernel& kernel, const Nest& nest, const Body& body, const SlotNumbers& numbers,
                     VectorIsa isa, StripMath math)
    : source_(&body), isa_(isa), math_(math), rows_(numbers.of(nest.rows)) {
  const std::vector<bool> uniform = uniform_values(kernel, body);
  for (std::uint32_t n = 0; n < body.size(); ++n) add(kernel, nest, body[InstrId{n}], uniform[n], numbers);
  source_ = nullptr;
}

std::int32_t StripBody::add_register(Register kind) {
  kinds_.push_back(kind);
  uniform_.push_back(false);
  return static_cast<std::int32_t>(kinds_.size() - 1);
}

// A step whose result is of `kind`, and its conversion.
std::int32_t StripBody::add(Step step, Register kind, Register wanted) {
  step.out = add_register(kind);
  uniform_.back() = step.uniform;
  steps_.push_back(step);
  return convert(step.out, wanted);
}

std::int32_t StripBody::convert(std::int32_t from, Register to) {
  const Register kind = kinds_[static_cast<std::size_t>(from)];
  if (kind == to) return from;
  Step step;
  step.in[0] = from;
  step.operation.function = conversion(kind, to);
  step.uniform = is_uniform(from);
  return add(step, to, to);
}

std::int32_t StripBody::converted(InstrId id, Register kind) { return convert(register_of(id), kind); }

void StripBody::add(const Kernel& kernel, const Nest& nest, const Instr& instr, bool uniform,
                    const SlotNumbers& numbers) {
  const Register wanted = runtime::register_of(instr.element);
  elements_.push_back(instr.element);
  Step step;
  step.uniform = uniform;
  std::int32_t value = 0;
  switch (instr.kind) {
    case InstrKind::constant:
      step.kind = Step::Kind::constant;
      step.number = instr.number;
      value = add(step, wanted, wanted);
      break;
    case InstrKind::size:
      step.kind = Step::Kind::size;
      step.slot = numbers.of(instr.size);
      value = add(step, Register::real, wanted);
      break;
    case InstrKind::index:
      step.kind = Step::Kind::index;
      step.axis = instr.axis;
      value = add(step, Register::real, wanted);
      break;
    case InstrKind::matrix_element: {
      step.kind = Step::Kind::element;
      value = add(step, runtime::register_of(kernel.inputs[nest.contraction->matrix].type.element), wanted);
      break;
    }
    case InstrKind::contraction:
      step.kind = Step::Kind::contraction;
      step.sum = instr.argument;
      value = add(step, runtime::register_of(nest.contraction->element), wanted);
      break;
    case InstrKind::load:
    case InstrKind::reload: add_load(kernel, instr, uniform, numbers); return;
    case InstrKind::convert: value = convert(register_of(instr.operands[0]), wanted); break;
    case InstrKind::apply: add_apply(instr, uniform); return;
  }
  values_.push_back(value);
}

void StripBody::add_load(const Kernel& kernel, const Instr& instr, bool uniform, const SlotNumbers& numbers) {
  const Type& type = loaded_type(kernel, instr);
  const Register natural = runtime::register_of(type.element);
  Step step;
  step.element = type.element;
  step.slot.slot = numbers.slot_of(instr);
  step.kind = uniform ? Step::Kind::scalar_input : Step::Kind::load;
  step.uniform = uniform;
  if (!uniform)
    step.map = StripMap(instr.map, type, numbers, [&](InstrId id) { return converted(id, Register::real); });
  values_.push_back(add(step, natural, runtime::register_of(instr.element)));
}

void StripBody::add_apply(const Instr& instr, bool uniform) {
  std::vector<Element> operands;
  for (InstrId id : operands_of(instr)) operands.push_back(elements_[id.index]);
  const auto exponent = instr.op == ScalarOp::pow ? constant_of(*source_, instr.operands[1]) : std::nullopt;
  Step step;
  step.uniform = uniform;
  step.operation =
      operation_of(instr.op, instr.element, operands, isa_, !uniform && math_ == StripMath::vectors, exponent);
  for (int n = 0; n < info(instr.op).arity; ++n)
    step.in[n] =
        converted(instr.operands[static_cast<std::size_t>(n)], n == 0 ? step.operation.first : step.operation.others);
  values_.push_back(add(step, step.operation.result, runtime::register_of(instr.element)));
}

StripBody::State::State(const StripBody& body, const std::uint64_t* slots, std::int64_t lanes, Scratch& scratch)
    : body_(body),
      slots_(slots),
      scratch_(scratch),
      registers_(scratch.take<void*>(static_cast<std::int64_t>(body.kinds_.size()))) {
  for (std::size_t r = 0; r < body.kinds_.size(); ++r)
    registers_[r] = scratch.take(static_cast<std::size_t>(lanes * byte_size(body.kinds_[r])));
  for (const Step& step : body.steps_) {
    if (!step.uniform) continue;
    void* out = registers_[step.out];
    const Register kind = body.kinds_[static_cast<std::size_t>(step.out)];
    switch (step.kind) {
      case Step::Kind::constant: write_number(kind, step.number, out); break;
      case Step::Kind::size: write_number(kind, static_cast<double>(step.slot.in(slots)), out); break;
      case Step::Kind::scalar_input:
        std::memcpy(out, slots + step.slot.slot, static_cast<std::size_t>(byte_size(kind)));
        if (kind == Register::truth) *static_cast<std::uint8_t*>(out) = *static_cast<std::uint8_t*>(out) != 0;
        break;
      default: {
        const void* in[] = {registers_[step.in[0]], registers_[step.in[1]], registers_[step.in[2]]};
        step.operation.function(step.operation.data, in, out, 1);
      }
    }
    spread(kind, out, lanes);
  }
}

void StripBody::State::evaluate(const StripPoints& points) {
  for (const Step& step : body_.steps_) {
    if (step.uniform) continue;
    const ScratchScope scope(scratch_);
    void* out = registers_[step.out];
    const Register kind = body_.kinds_[static_cast<std::size_t>(step.out)];
    const auto copy = [&](const void* from) {
      std::memcpy(out, from, static_cast<std::size_t>(points.lanes * byte_size(kind)));
    };
    switch (step.kind) {
      case Step::Kind::load: {
        const StripPlace place = place_of(step.map, points, slots_, registers_, scratch_);
        load(step.element, reinterpret_cast<const void*>(slots_[step.slot.slot]), step.map, place, points, out);
        break;
      }
      case Step::Kind::index: {
        auto* to = static_cast<double*>(out);
        if (step.axis != Axis::all && points.flat) {
          const std::int64_t rows = body_.rows_.in(slots_);
          for (std::int64_t l = 0; l < points.lanes; ++l) {
            const std::int64_t column = floor_divide(points.i + l, rows);
            to[l] = static_cast<double>(step.axis == Axis::cols ? column : points.i + l - column * rows);
          }
          break;
        }
        const std::int64_t first = step.axis == Axis::rows ? points.i : step.axis == Axis::cols ? points.j : points.k;
        const std::int64_t steps = step.axis == Axis::rows   ? points.step_i
                                   : step.axis == Axis::cols ? points.step_j
                                                             : points.step_k;
        const bool listed = step.axis == Axis::all && points.ks != nullptr;
        for (std::int64_t l = 0; l < points.lanes; ++l)
          to[l] = static_cast<double>(listed ? points.ks[l] : first + l * steps);
        break;
      }
      case Step::Kind::element: copy(points.matrix_element); break;
      case Step::Kind::contraction: copy(points.sums[step.sum]); break;
      default: {
        const void* in[] = {registers_[step.in[0]], registers_[step.in[1]], registers_[step.in[2]]};
        step.operation.function(step.operation.data, in, out, points.lanes);
      }
    }
  }
}

}  // namespace lac::runtime
