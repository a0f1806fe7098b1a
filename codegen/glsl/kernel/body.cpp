#include "codegen/glsl/kernel/body.h"

#include <algorithm>
#include <cmath>

#include "ir/kernel/body.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

constexpr double coordinate_bound = 1 << 30;  // a coordinate of anything that a device holds
constexpr double integer_bound = 2147483647.0;

/// The operator of a function that int arithmetic computes exactly; empty: not one of those.
std::string_view integer_operator(ScalarOp op) {
  switch (op) {
    case ScalarOp::add: return " + ";
    case ScalarOp::sub: return " - ";
    case ScalarOp::eq: return " == ";
    case ScalarOp::ne: return " != ";
    case ScalarOp::lt: return " < ";
    case ScalarOp::le: return " <= ";
    case ScalarOp::gt: return " > ";
    case ScalarOp::ge: return " >= ";
    default: return {};
  }
}

}  // namespace

BodyEmitter::BodyEmitter(StageWriter& writer, const KernelContext& context, const Body& body,
                         const std::vector<InstrId>& roots, Rounding rounding)
    : writer_(writer),
      context_(context),
      body_(body),
      rounding_(rounding),
      needed_(needed_for(body, roots)),
      uniform_(uniform_values(context.kernel, body)),
      locals_(body.size()) {}

bool BodyEmitter::needs_contraction() const {
  for (std::uint32_t n = 0; n < body_.size(); ++n)
    if (needed_[n] && body_[InstrId{n}].kind == InstrKind::contraction) return true;
  return false;
}

void BodyEmitter::evaluate(const Point& point, const BodySources& sources) {
  for (std::uint32_t n = 0; n < body_.size(); ++n) {
    Local& local = locals_[n];
    if (!needed_[n] || (local.emitted && uniform_[n])) continue;
    local = emit(InstrId{n}, point, sources);
    local.emitted = true;
  }
}

BodyEmitter::Local BodyEmitter::emit(InstrId id, const Point& point, const BodySources& sources) {
  const Instr& instr = body_[id];
  Local local;
  local.value.element = instr.element;
  switch (instr.kind) {
    case InstrKind::constant: {
      const double number = round_to(instr.element, instr.number);
      local.value.text = literal_text(number, instr.element);
      if (number == std::trunc(number) && std::abs(number) <= coordinate_bound && !std::signbit(number)) {
        local.integer = std::to_string(static_cast<std::int64_t>(number));
        local.bound = number;
      }
      return local;
    }
    case InstrKind::size: return local;
    case InstrKind::index:
      local.integer = instr.axis == Axis::rows ? point.i : instr.axis == Axis::cols ? point.j : point.k;
      local.bound = coordinate_bound;
      return local;
    case InstrKind::load: return load(instr, point);
    case InstrKind::matrix_element: local.value.text = sources.matrix_element; return local;
    case InstrKind::contraction: local.value.text = sources.contraction; return local;
    case InstrKind::convert: {
      const Local& from = locals_[instr.operands[0].index];
      const TypedText converted = value_as(instr.operands[0], instr.element);
      Local kept = keep(converted, "value", uniform_[id.index]);
      if (instr.element != Element::logical) {
        kept.integer = from.integer;
        kept.bound = from.bound;
      }
      return kept;
    }
    case InstrKind::apply: return apply(id);
    case InstrKind::reload: break;  // a device's kernels have one nest
  }
  throw InternalError("an instruction that shaders do not have");
}

BodyEmitter::Local BodyEmitter::load(const Instr& instr, const Point& point) {
  const KernelInput& input = context_.kernel.inputs[instr.argument];
  Local local;
  local.value.element = instr.element;
  if (input.type.is_scalar()) return local;
  const Position position = emit_position(writer_, context_.kernel, instr.map, input.type, point, gathered(instr.map));
  local.value = emit_load(writer_, context_, instr.argument, position, instr.map.fill);
  return local;
}

BodyEmitter::Local BodyEmitter::apply(InstrId id) {
  const Instr& instr = body_[id];
  const bool comparison = instr.element == Element::logical;
  const bool integers = std::ranges::all_of(operands_of(instr), [&](InstrId operand) {
    return !locals_[operand.index].integer.empty() && body_[operand].element == Element::integer;
  });
  if (integers && !integer_operator(instr.op).empty() && (comparison || instr.element == Element::integer)) {
    Local local = apply_integers(instr);
    if (local.bound <= integer_bound) return local;
  }
  std::vector<TypedText> values;
  for (InstrId operand : operands_of(instr)) values.push_back(value(operand));
  return keep({apply_text(instr.op, instr.element, values, writer_.options(), writer_.functions()), instr.element},
              name(instr.op), uniform_[id.index]);
}

/// Exact where the bound says so; comparisons always are.
BodyEmitter::Local BodyEmitter::apply_integers(const Instr& instr) {
  const Local &a = locals_[instr.operands[0].index], &b = locals_[instr.operands[1].index];
  const std::string text = "(" + a.integer + std::string(integer_operator(instr.op)) + b.integer + ")";
  Local local;
  local.value.element = instr.element;
  if (instr.element == Element::logical) {
    local.value.text = text;
    return local;
  }
  local.integer = text;
  local.bound = a.bound + b.bound;
  return local;
}

BodyEmitter::Local BodyEmitter::keep(const TypedText& value, std::string_view wanted, bool uniform) {
  const bool rounds = rounding_ == Rounding::exact && value.element != Element::logical;
  const std::string name = writer_.local(wanted);
  const std::string line =
      (rounds ? "precise " : "") + std::string(register_type(value.element)) + " " + name + " = " + value.text + ";";
  if (uniform) writer_.head(line);
  else writer_.line(line);
  Local local;
  local.value = {name, value.element};
  return local;
}

TypedText BodyEmitter::value(InstrId id) const { return value_as(id, body_[id].element); }

TypedText BodyEmitter::value_as(InstrId id, Element element) const {
  const Instr& instr = body_[id];
  const Local& local = locals_[id.index];
  if (local.value.text.empty()) {
    if (instr.kind == InstrKind::size && element != Element::logical) return writer_.size_value(instr.size, element);
    if (instr.kind == InstrKind::load) return emit_scalar(writer_, context_, instr.argument, element);
  }
  if (element == Element::single && !local.integer.empty() && instr.element != Element::single)
    return {"float(" + local.integer + ")", element};
  TypedText value = local.value;
  if (value.text.empty())
    value.text = instr.kind == InstrKind::size ? writer_.size_value(instr.size, Element::integer).text
                                               : "double(" + local.integer + ")";
  return value.element == element ? value : TypedText{convert_text(value, element), element};
}

std::string BodyEmitter::integer(InstrId id) const {
  const Local& local = locals_[id.index];
  if (!local.integer.empty()) return local.integer;
  if (body_[id].kind == InstrKind::size) return writer_.size(body_[id].size);
  return "int(" + value(id).text + ")";
}

GatheredPositions BodyEmitter::gathered(const AccessMap& map) const {
  GatheredPositions positions;
  if (map.row_gather) positions.row = integer(map.row_gather);
  if (map.col_gather) positions.col = integer(map.col_gather);
  return positions;
}

}  // namespace lac::codegen::glsl
