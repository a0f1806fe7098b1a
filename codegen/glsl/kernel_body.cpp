#include "codegen/glsl/kernel_body.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

constexpr double coordinate_bound = 1 << 30;  // a coordinate of anything that a device holds
constexpr double integer_bound = 2147483647.0;

std::span<const InstrId> operands(const Instr& instr) {
  const std::size_t count = instr.kind == InstrKind::apply     ? static_cast<std::size_t>(info(instr.op).arity)
                            : instr.kind == InstrKind::convert ? 1
                                                               : 0;
  return std::span(instr.operands).first(count);
}

std::vector<bool> reachable(const Body& body, const std::vector<InstrId>& roots) {
  std::vector<bool> needed(body.size());
  for (InstrId root : roots) needed[root.index] = true;
  for (auto n = static_cast<std::uint32_t>(body.size()); n-- > 0;) {
    if (!needed[n]) continue;
    const Instr& instr = body[InstrId{n}];
    for (InstrId operand : operands(instr)) needed[operand.index] = true;
    if (instr.kind != InstrKind::load) continue;
    for (InstrId gather : {instr.map.row_gather, instr.map.col_gather})
      if (gather) needed[gather.index] = true;
  }
  return needed;
}

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

std::vector<InstrId> body_roots(const Kernel& kernel) {
  std::vector<InstrId> roots;
  for (const Store& store : kernel.stores) {
    roots.push_back(store.value);
    for (InstrId gather : {store.map.row_gather, store.map.col_gather})
      if (gather) roots.push_back(gather);
  }
  for (const KernelReduction& reduction : kernel.reductions) roots.push_back(reduction.value);
  return roots;
}

BodyEmitter::BodyEmitter(StageWriter& writer, const KernelContext& context, const Body& body,
                         const std::vector<InstrId>& roots, Rounding rounding)
    : writer_(writer),
      context_(context),
      body_(body),
      rounding_(rounding),
      needed_(reachable(body, roots)),
      locals_(body.size()) {}

bool BodyEmitter::needs_contraction() const {
  for (std::uint32_t n = 0; n < body_.size(); ++n)
    if (needed_[n] && body_[InstrId{n}].kind == InstrKind::contraction) return true;
  return false;
}

void BodyEmitter::evaluate(const Point& point, const BodySources& sources) {
  for (std::uint32_t n = 0; n < body_.size(); ++n) {
    Local& local = locals_[n];
    if (!needed_[n] || (local.emitted && local.uniform)) continue;
    local = emit(body_[InstrId{n}], point, sources);
    local.emitted = true;
  }
}

BodyEmitter::Local BodyEmitter::emit(const Instr& instr, const Point& point, const BodySources& sources) {
  Local local;
  local.value.element = instr.element;
  switch (instr.kind) {
    case InstrKind::constant: {
      const double number = round_to(instr.element, instr.number);
      local.value.text = literal_text(number, instr.element);
      local.uniform = true;
      if (number == std::trunc(number) && std::abs(number) <= coordinate_bound && !std::signbit(number)) {
        local.integer = std::to_string(static_cast<std::int64_t>(number));
        local.bound = number;
      }
      return local;
    }
    case InstrKind::size: local.uniform = true; return local;
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
      Local kept = keep(converted, "value", from.uniform);
      if (instr.element != Element::logical) {
        kept.integer = from.integer;
        kept.bound = from.bound;
      }
      return kept;
    }
    case InstrKind::apply: return apply(instr);
    case InstrKind::reload: break;  // a device's kernels have one nest
  }
  throw InternalError("an instruction that shaders do not have");
}

BodyEmitter::Local BodyEmitter::load(const Instr& instr, const Point& point) {
  const KernelInput& input = context_.kernel.inputs[instr.argument];
  Local local;
  local.value.element = instr.element;
  if (input.type.is_scalar()) {
    local.uniform = true;
    return local;
  }
  const Position position = emit_position(writer_, context_.kernel, instr.map, input.type, point, gathered(instr.map));
  local.value = emit_load(writer_, context_, instr.argument, position, instr.map.fill);
  return local;
}

bool BodyEmitter::all_uniform(const Instr& instr) const {
  return std::ranges::all_of(operands(instr), [&](InstrId id) { return locals_[id.index].uniform; });
}

BodyEmitter::Local BodyEmitter::apply(const Instr& instr) {
  const bool comparison = instr.element == Element::logical;
  const bool integers = std::ranges::all_of(operands(instr), [&](InstrId id) {
    return !locals_[id.index].integer.empty() && body_[id].element == Element::integer;
  });
  if (integers && !integer_operator(instr.op).empty() && (comparison || instr.element == Element::integer)) {
    Local local = apply_integers(instr);
    if (local.bound <= integer_bound) return local;
  }
  std::vector<TypedText> values;
  for (InstrId operand : operands(instr)) values.push_back(value(operand));
  return keep({apply_text(instr.op, instr.element, values, writer_.options(), writer_.functions()), instr.element},
              name(instr.op), all_uniform(instr));
}

/// Exact where the bound says so; comparisons always are.
BodyEmitter::Local BodyEmitter::apply_integers(const Instr& instr) {
  const Local &a = locals_[instr.operands[0].index], &b = locals_[instr.operands[1].index];
  const std::string text = "(" + a.integer + std::string(integer_operator(instr.op)) + b.integer + ")";
  Local local;
  local.value.element = instr.element;
  local.uniform = all_uniform(instr);
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
  local.uniform = uniform;
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
