#include "codegen/glsl/kernel/access.h"

#include "codegen/glsl/kernel/texel.h"
#include "ir/plan/fragment.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

constexpr std::string_view floor_divide =
    "int lac_floor_divide(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }";
constexpr std::string_view floor_modulo =
    "int lac_floor_modulo(int a, int b) { return a >= 0 ? a % b : b - 1 - (-1 - a) % b; }";

bool is_simple(const std::string& text) {
  return text.find_first_of(" -+*/%?") == std::string::npos || (text.front() == '(' && text.back() == ')');
}

std::string product(const std::string& coefficient, const std::string& coordinate) {
  if (coefficient == "1") return coordinate;
  return (is_simple(coefficient) ? coefficient : "(" + coefficient + ")") + " * " + coordinate;
}

/// The index without its division, not parenthesised; "" for zero.
std::string sum_text(StageWriter& writer, const AffineIndex& index, const Point& point) {
  std::string sum;
  const auto add = [&](const std::string& term, bool minus = false) {
    if (sum.empty()) sum = minus ? "-" + term : term;
    else sum += (minus ? " - " : " + ") + term;
  };
  const std::pair<const Size*, const std::string*> terms[] = {
      {&index.i, &point.i}, {&index.j, &point.j}, {&index.k, &point.k}};
  for (const auto& [coefficient, coordinate] : terms) {
    if (coefficient->is(0) || *coordinate == "0") continue;
    if (coefficient->is(-1)) add(*coordinate, true);
    else add(product(writer.size(*coefficient), *coordinate));
  }
  if (index.base.is_constant() && index.base.constant() < 0 && !sum.empty())
    add(writer.size(Size(0) - index.base), true);
  else if (!index.base.is(0)) add(writer.size(index.base));
  return sum;
}

bool never_negative(const Graph& plan, const Size& size) { return size.lower_bound(plan.symbols).value_or(-1) >= 0; }

bool never_negative(const Graph& plan, const AffineIndex& index) {
  return never_negative(plan, index.base) && never_negative(plan, index.i) && never_negative(plan, index.j) &&
         never_negative(plan, index.k);
}

std::string modulo_text(StageWriter& writer, const std::string& index, const std::string& amount) {
  writer.declare("lac_floor_modulo", std::string(floor_modulo));
  return "lac_floor_modulo(" + index + ", " + amount + ")";
}

/// "-1" or "(-1)".
bool is_negative_number(const std::string& text) {
  const std::size_t sign = text.find_first_not_of('(');
  return sign != std::string::npos && text[sign] == '-' && text.find_first_not_of("0123456789)", sign + 1) == text.npos;
}

/// One axis of an access, brought into [0, extent) as the map says; a condition that it is inside joins `inside`.
std::string settle(StageWriter& writer, const AccessMap& map, const std::string& index, const Size& extent,
                   std::string& inside) {
  const bool is_first = index == "0" && extent.lower_bound(writer.plan().symbols).value_or(0) > 0;
  if (map.out_of_range == OutOfRange::impossible || is_first) return index;
  if (!inside.empty()) inside += " && ";
  // Never inside. A shader that says x[-1] does not compile, whatever it is behind.
  if (is_negative_number(index) || extent.is(0)) {
    inside += "false";
    return "0";
  }
  const std::string name = writer.local("at");
  writer.line("const int " + name + " = " + index + ";");
  inside += "uint(" + name + ") < uint(" + writer.size(extent) + ")";
  return name;
}

/// The map from a point to its column-major position in the domain.
bool is_position(const Kernel& kernel, const AccessMap& map) {
  AccessMap position;
  position.linear = true;
  position.row.i = 1;
  position.row.j = kernel.rows;
  position.out_of_range = map.out_of_range;
  position.fill = map.fill;
  return map == position;
}

bool reads_whole_domain(const Kernel& kernel, const AccessMap& map, const Type& matrix) {
  return map == AccessMap::identity() && (matrix.rows == kernel.rows || kernel.cols.is(1));
}

}  // namespace

std::string affine_text(StageWriter& writer, const AffineIndex& index, const Point& point) {
  const std::string sum = sum_text(writer, index, point);
  if (sum.empty()) return "0";
  const std::string inner = is_simple(sum) ? sum : "(" + sum + ")";
  if (index.step == AffineIndex::Step::none) return inner;
  const bool divide = index.step == AffineIndex::Step::divide;
  if (index.amount.is(1)) return divide ? inner : "0";
  const std::string amount = writer.size(index.amount);
  if (never_negative(writer.plan(), index)) return "(" + inner + (divide ? " / " : " % ") + amount + ")";
  if (!divide) return modulo_text(writer, sum, amount);
  writer.declare("lac_floor_divide", std::string(floor_divide));
  return "lac_floor_divide(" + sum + ", " + amount + ")";
}

Position emit_position(StageWriter& writer, const Kernel& kernel, const AccessMap& map, const Type& matrix,
                       const Point& point, const GatheredPositions& gathered) {
  Position position;
  const auto index = [&](const AffineIndex& affine, const std::string& gather) {
    if (gather.empty()) {
      const std::string text = affine_text(writer, affine, point);
      // A check stops x(0) before any point comes here, but a shader that says x[-1] does not compile.
      return map.out_of_range == OutOfRange::impossible && is_negative_number(text) ? "0" : text;
    }
    return gather == "0" ? gather : "(" + gather + " - 1)";  // only x([]) has position 0 for sure: no point comes here
  };
  if (map.linear) {
    const bool flat = !point.flat.empty() && is_position(kernel, map);
    const std::string row = flat ? point.flat : index(map.row, gathered.row);
    position.index = settle(writer, map, row, matrix.count(), position.inside);
    return position;
  }
  if (!point.flat.empty() && reads_whole_domain(kernel, map, matrix)) {
    position = {.index = point.flat, .inside = {}, .row = point.i, .col = point.j};
    if (map.out_of_range == OutOfRange::impossible || matrix.same_shape(Type::matrix({}, kernel.rows, kernel.cols)))
      return position;
    position = {};
  }
  position.row = settle(writer, map, index(map.row, gathered.row), matrix.rows, position.inside);
  position.col = settle(writer, map, index(map.col, gathered.col), matrix.cols, position.inside);
  if (position.col == "0") position.index = position.row;
  else if (matrix.rows.is(1)) position.index = position.col;
  else {
    position.index = product(writer.size(matrix.rows), position.col);
    position.index = position.row == "0" ? position.index : position.row + " + " + position.index;
    position.index = "(" + position.index + ")";
  }
  return position;
}

std::string element_text(StageWriter& writer, const KernelContext& context, std::uint32_t input,
                         const std::string& index) {
  const KernelInput& matrix = context.kernel.inputs[input];
  const Element element = matrix.type.element;
  if (context.textures) {
    const std::string values = writer.texture(ResourceKind::values, input, matrix.name);
    if (channels_of(element) == 1) return packed_element(writer, values, index, element);
    return packed_double(writer, values, writer.texture(ResourceKind::rest, input, matrix.name + "_rest"), index);
  }
  const std::string array = writer.buffer(ResourceKind::values, input, memory_type(element), matrix.name, true, false);
  return from_memory(array + "[" + index + "]", element);
}

TypedText emit_load(StageWriter& writer, const KernelContext& context, std::uint32_t input, const Position& position,
                    double fill) {
  const KernelInput& matrix = context.kernel.inputs[input];
  const Element element = matrix.type.element;
  const bool texel = context.inputs[input] == Layout::texel && !context.textures;
  const std::string value =
      texel ? texel_element(writer, context, input, position) : element_text(writer, context, input, position.index);
  const std::string name = writer.local(matrix.name + "_at");
  const std::string type(register_type(element));
  if (position.inside.empty()) {
    writer.line("const " + type + " " + name + " = " + value + ";");
    return {name, element};
  }
  writer.line(type + " " + name + " = " + literal_text(fill, element) + ";");
  writer.line("if (" + position.inside + ") " + name + " = " + value + ";");
  return {name, element};
}

// The host converts what it knows; a truth value is taken from the number as it is.
TypedText emit_scalar(StageWriter& writer, const KernelContext& context, std::uint32_t input, Element as) {
  const KernelInput& scalar = context.kernel.inputs[input];
  const Element element = scalar.type.element;
  const bool host = context.places[input] == Place::host;
  const std::uint32_t number = context.first_input + input;
  const TypedText value = host ? writer.host_scalar(number, as == Element::logical ? element : as, scalar.name)
                          : context.textures ? TypedText{element_text(writer, context, input, "0"), element}
                                             : writer.device_scalar(number, element, scalar.name);
  return value.element == as ? value : TypedText{convert_text(value, as), as};
}

void emit_store(StageWriter& writer, const KernelContext& context, std::uint32_t output, const Position& position,
                const TypedText& value) {
  const KernelOutput& matrix = context.kernel.outputs[output];
  const Element element = matrix.type.element;
  if (!position.inside.empty()) writer.open("if (" + position.inside + ")");
  if (matrix.type.is_scalar()) {
    writer.write_scalar(context.first_output + output, element, value.text, matrix.name);
  } else {
    const std::string array =
        writer.buffer(ResourceKind::output, output, memory_type(element), matrix.name, false, true);
    writer.line(array + "[" + position.index + "] = " + to_memory(value.text, element) + ";");
  }
  if (!position.inside.empty()) writer.close();
}

}  // namespace lac::codegen::glsl
