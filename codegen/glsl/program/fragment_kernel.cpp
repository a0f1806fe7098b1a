#include "codegen/glsl/program/fragment_kernel.h"

#include <algorithm>

#include "codegen/glsl/kernel/body.h"
#include "codegen/glsl/kernel/contraction.h"
#include "codegen/glsl/kernel/contraction_term.h"
#include "codegen/glsl/kernel/reduce.h"
#include "codegen/glsl/kernel/walk.h"
#include "ir/kernel/body.h"

namespace lac::codegen::glsl {
namespace {

constexpr std::size_t most_targets = 8;  ///< maxColorAttachments of all but mobile devices; these refuse at the draw
constexpr std::uint32_t per_texture = 4;

std::string number(std::size_t n) { return std::to_string(n); }

std::uint32_t partial_textures(const Kernel& kernel) {
  return (static_cast<std::uint32_t>(kernel.reductions.size()) + per_texture - 1) / per_texture;
}

bool is_packable(Element element) { return element == Element::single || element == Element::logical; }

/// Whether the store writes, at every point, the element of that point.
bool stores_own_point(const Kernel& kernel, const Store& store) {
  const Type& type = kernel.outputs[store.output].type;
  if (type.rows != kernel.rows || type.cols != kernel.cols) return false;
  AccessMap map = store.map;
  map.out_of_range = OutOfRange::impossible;
  map.fill = 0;
  return map == AccessMap::identity() || (type.is_scalar() && map == AccessMap::scalar());
}

std::string shown(const std::string& name) { return name.empty() ? "a value without a name" : name; }

std::optional<std::string> type_obstacle(const Kernel& kernel) {
  for (const KernelInput& input : kernel.inputs) {
    if (input.type.storage == Storage::csr) return "it reads the compressed rows of " + shown(input.name);
    if (!input.type.is_scalar() && !is_packable(input.type.element))
      return shown(input.name) + " is a matrix of " + std::string(name(input.type.element)) + ", and textures hold f32";
  }
  for (const KernelOutput& output : kernel.outputs) {
    if (!is_packable(output.type.element))
      return shown(output.name) + " is " + std::string(name(output.type.element)) + ", and textures hold f32";
    if (output.base >= 0) return "it updates a part of " + shown(output.name);
  }
  return std::nullopt;
}

/// The declaration of a reduction's variable.
Accumulator accumulator_of(StageWriter& writer, const KernelContext& context, const KernelReduction& reduction) {
  const KernelOutput& output = context.kernel.outputs[reduction.output];
  return declare_accumulator(writer, reduction.reduction.op, output.type.element,
                             output.name + "_" + std::string(name(reduction.reduction.op)), false);
}

std::string to_channel(const std::string& value, Element element) {
  return element == Element::logical ? "float(" + value + ")" : value;
}

std::string from_channel(const std::string& value, Element element) {
  return element == Element::logical ? "(" + value + " != 0.0)" : value;
}

class PassWriter {
 public:
  explicit PassWriter(const KernelContext& context) : context_(context), kernel_(context.kernel) {}

  FragmentKernel run() {
    FragmentKernel passes;
    passes.name = context_.name;
    passes.points = kernel_.rows * kernel_.cols;
    passes.partials = partial_textures(kernel_);
    for (const Store& store : kernel_.stores) passes.stored.push_back(store.output);
    for (const KernelReduction& reduction : kernel_.reductions) passes.reduced.push_back(reduction.output);
    passes.main = main_pass(false);
    if (passes.partials > 0) {
      passes.fold = fold_pass();
      passes.finish = finish_pass();
    }
    const std::optional<Contraction>& contraction = kernel_.contraction;
    if (!contraction || contraction->storage != Storage::dense) return passes;
    if (contraction->extent.is_constant() && contraction->extent.constant() <= part_terms()) return passes;
    passes.terms = contraction->extent;
    passes.part_terms = part_terms();
    passes.first_part = part_pass(true);
    passes.part = part_pass(false);
    passes.main_of_parts = main_pass(true);
    return passes;
  }

 private:
  StageWriter writer(std::string_view suffix, StageKind kind) const {
    return StageWriter(context_.plan, context_.options, context_.name + std::string(suffix), kind, context_.comment);
  }

  /// A fragment sums four points, one after the other.
  std::int64_t part_terms() const { return std::max<std::int64_t>(1, context_.options.most_turns / 8); }

  void open_lanes(StageWriter& pass) const {
    pass.line("const int texel = int(gl_FragCoord.y) * " + std::to_string(packed_width) + " + int(gl_FragCoord.x);");
    pass.open_loop("for (int lane = 0; lane < 4; ++lane)", TurnCount::constant(4));
    pass.line("const int e = 4 * texel + lane;");
    pass.line("if (e >= " + pass.size(kernel_.rows * kernel_.cols) + ") break;");
  }

  Point point_of_lane(StageWriter& pass) const {
    if ((kernel_.rows * kernel_.cols).is(1)) return {.i = "0", .j = "0", .flat = "0"};
    return point_at(pass, context_, "e");
  }

  /// What the passes of the parts before left for this texel.
  static std::string texel_of_parts(StageWriter& pass) {
    return "texelFetch(" + pass.texture(ResourceKind::scratch, 0, "contraction_parts") + ", ivec2(gl_FragCoord.xy), 0)";
  }

  ShaderStage part_pass(bool first) const {
    StageWriter pass = writer(first ? "_first_part" : "_part", StageKind::main);
    KernelContext context = context_;
    context.part_terms = part_terms();
    context.part = pass.parameter({.kind = ParameterKind::part, .name = "part_number"});
    const std::string target = add_target(pass, 0, "contraction_sum"), sum = pass.local("sum");
    if (!first) pass.line(target + " = " + texel_of_parts(pass) + ";");
    open_lanes(pass);
    const Point point = point_of_lane(pass);
    pass.line("precise " + std::string(register_type(kernel_.contraction->element)) + " " + sum + " = " + target +
              "[lane];");
    emit_terms(pass, context, sum, point, {});
    pass.line(target + "[lane] = " + sum + ";");
    pass.close();
    return pass.finish_fragment();
  }

  /// The four numbers of this fragment's texel, one after the other.
  ShaderStage main_pass(bool of_parts) const {
    StageWriter pass = writer(of_parts ? "_of_parts" : "", StageKind::main);
    std::vector<std::string> targets;
    for (const Store& store : kernel_.stores)
      targets.push_back(add_target(pass, targets.size(), kernel_.outputs[store.output].name));
    std::vector<Accumulator> sums;
    for (const KernelReduction& reduction : kernel_.reductions)
      sums.push_back(accumulator_of(pass, context_, reduction));
    BodyEmitter body(pass, context_, kernel_.body, results_of(kernel_));
    const std::string sums_of_parts = of_parts ? pass.local("parts_texel") : "";
    if (of_parts) pass.line("const vec4 " + sums_of_parts + " = " + texel_of_parts(pass) + ";");
    open_lanes(pass);
    const Point point = point_of_lane(pass);
    std::string c;
    if (body.needs_contraction()) c = of_parts ? sums_of_parts + "[lane]" : emit_contraction(pass, context_, point);
    body.evaluate(point, {.matrix_element = {}, .contraction = c});
    for (std::size_t s = 0; s < targets.size(); ++s) {
      const Store& store = kernel_.stores[s];
      const Element element = kernel_.outputs[store.output].type.element;
      pass.line(targets[s] + "[lane] = " + to_channel(body.value_as(store.value, element).text, element) + ";");
    }
    for (std::size_t r = 0; r < sums.size(); ++r)
      accumulate(pass, sums[r], body.value_as(kernel_.reductions[r].value, sums[r].element).text, "");
    pass.close();
    write_partials(pass, targets.size(), sums);
    return pass.finish_fragment();
  }

  static std::string add_target(StageWriter& pass, std::size_t location, const std::string& wanted) {
    const std::string name = pass.local(wanted);
    pass.target(static_cast<std::uint32_t>(location), name);
    pass.line(name + " = vec4(0.0);");
    return name;
  }

  void write_partials(StageWriter& pass, std::size_t first, const std::vector<Accumulator>& sums) const {
    std::string target;
    for (std::size_t r = 0; r < sums.size(); ++r) {
      const std::size_t texture = r / per_texture;
      if (r % per_texture == 0) target = add_target(pass, first + texture, "partials");
      pass.line(target + "[" + number(r % per_texture) + "] = " + to_channel(sums[r].value, sums[r].element) + ";");
    }
  }

  std::vector<std::string> partial_inputs(StageWriter& pass) const {
    std::vector<std::string> names;
    for (std::uint32_t p = 0; p < partial_textures(kernel_); ++p)
      names.push_back(pass.texture(ResourceKind::scratch, p, "partials"));
    return names;
  }

  ShaderStage fold_pass() const {
    StageWriter pass = writer("_fold", StageKind::combine);
    const std::vector<std::string> inputs = partial_inputs(pass);
    std::vector<Accumulator> sums;
    for (const KernelReduction& reduction : kernel_.reductions)
      sums.push_back(accumulator_of(pass, context_, reduction));
    pass.line("const ivec2 extent = textureSize(" + inputs[0] + ", 0);");
    pass.open_loop("for (int y = 4 * int(gl_FragCoord.y); y < min(4 * int(gl_FragCoord.y) + 4, extent.y); ++y)",
                   TurnCount::constant(4));
    pass.open_loop("for (int x = 4 * int(gl_FragCoord.x); x < min(4 * int(gl_FragCoord.x) + 4, extent.x); ++x)",
                   TurnCount::constant(4));
    std::string texel;
    for (std::size_t r = 0; r < sums.size(); ++r) {
      if (r % per_texture == 0) {
        texel = pass.local("texel");
        pass.line("const vec4 " + texel + " = texelFetch(" + inputs[r / per_texture] + ", ivec2(x, y), 0);");
      }
      accumulate(pass, sums[r], from_channel(texel + "[" + number(r % per_texture) + "]", sums[r].element), "");
    }
    pass.close();
    pass.close();
    write_partials(pass, 0, sums);
    return pass.finish_fragment();
  }

  ShaderStage finish_pass() const {
    StageWriter pass = writer("_finish", StageKind::combine);
    const std::vector<std::string> inputs = partial_inputs(pass);
    for (std::size_t r = 0; r < kernel_.reductions.size(); ++r) {
      const std::string target = add_target(pass, r, kernel_.outputs[kernel_.reductions[r].output].name);
      pass.line(target + "[0] = texelFetch(" + inputs[r / per_texture] + ", ivec2(0), 0)[" + number(r % per_texture) +
                "];");
    }
    return pass.finish_fragment();
  }

  const KernelContext& context_;
  const Kernel& kernel_;
};

}  // namespace

std::optional<std::string> fragment_obstacle(const Kernel& kernel) {
  if (auto obstacle = type_obstacle(kernel)) return obstacle;
  for (const Store& store : kernel.stores)
    if (!stores_own_point(kernel, store))
      return "it stores to " + shown(kernel.outputs[store.output].name) + " elsewhere than at its own point";
  for (const KernelReduction& reduction : kernel.reductions) {
    const std::string output = shown(kernel.outputs[reduction.output].name);
    if (reduction.index_output >= 0) return "it finds the position of " + output;
    if (effective_axis(kernel, reduction.reduction.axis) != Axis::all)
      return "it reduces " + output + " along one axis";
  }
  const std::size_t targets = kernel.stores.size() + partial_textures(kernel);
  if (std::max(targets, kernel.reductions.size()) > most_targets)
    return "it has more than " + number(most_targets) + " results";
  return std::nullopt;
}

FragmentKernel emit_fragment_kernel(const KernelContext& context) { return PassWriter(context).run(); }

}  // namespace lac::codegen::glsl
