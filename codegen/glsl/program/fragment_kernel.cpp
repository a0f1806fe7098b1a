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

/// Textures, or channels of one, that hold an element.
std::uint32_t channels_of(Element element) { return element == Element::integer ? 2 : 1; }

Element element_of(const Kernel& kernel, std::uint32_t output) { return kernel.outputs[output].type.element; }

bool is_along_lines(const Kernel& kernel, const KernelReduction& reduction) {
  return effective_axis(kernel, reduction.reduction.axis) != Axis::all;
}

/// Those over all points, or those along one axis.
std::vector<const KernelReduction*> reductions_of(const Kernel& kernel, bool along_lines) {
  std::vector<const KernelReduction*> found;
  for (const KernelReduction& reduction : kernel.reductions)
    if (is_along_lines(kernel, reduction) == along_lines) found.push_back(&reduction);
  return found;
}

/// The outputs that it has, in the order of their channels.
std::vector<std::uint32_t> outputs_of(const KernelReduction& reduction) {
  std::vector<std::uint32_t> outputs = {reduction.output};
  if (reduction.index_output >= 0) outputs.push_back(static_cast<std::uint32_t>(reduction.index_output));
  return outputs;
}

/// The first channel of each reduction's partial results, and the end.
std::vector<std::uint32_t> partial_channels(const Kernel& kernel) {
  std::vector<std::uint32_t> channels = {0};
  for (const KernelReduction* reduction : reductions_of(kernel, false)) {
    channels.push_back(channels.back());
    for (const std::uint32_t output : outputs_of(*reduction))
      channels.back() += channels_of(element_of(kernel, output));
  }
  return channels;
}

std::uint32_t partial_textures(const Kernel& kernel) {
  return (partial_channels(kernel).back() + per_texture - 1) / per_texture;
}

std::size_t targets_of_stores(const Kernel& kernel) {
  std::size_t targets = 0;
  for (const Store& store : kernel.stores) targets += channels_of(element_of(kernel, store.output));
  return targets;
}

std::size_t targets_of_lines(const Kernel& kernel) {
  std::size_t targets = 0;
  for (const KernelReduction* reduction : reductions_of(kernel, true))
    for (const std::uint32_t output : outputs_of(*reduction)) targets += channels_of(element_of(kernel, output));
  return targets;
}

bool is_packable(Element element) { return element != Element::real; }

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
      return shown(input.name) + " is a matrix of " + std::string(name(input.type.element)) +
             ", and textures hold f32 and int";
  }
  for (const KernelOutput& output : kernel.outputs) {
    if (!is_packable(output.type.element))
      return shown(output.name) + " is " + std::string(name(output.type.element)) + ", and textures hold f32 and int";
    if (output.base >= 0) return "it updates a part of " + shown(output.name);
  }
  return std::nullopt;
}

/// The declaration of a reduction's variable.
Accumulator accumulator_of(StageWriter& writer, const KernelContext& context, const KernelReduction& reduction) {
  const KernelOutput& output = context.kernel.outputs[reduction.output];
  return declare_accumulator(writer, reduction.reduction.op, output.type.element,
                             output.name + "_" + std::string(name(reduction.reduction.op)),
                             reduction.index_output >= 0);
}

std::string to_channel(const std::string& value, Element element) {
  return element == Element::logical ? "float(" + value + ")" : value;
}

/// The number in some channels.
std::string from_channels(const std::vector<std::string>& channels, Element element) {
  if (element == Element::integer) return whole_text(channels[0], channels[1]);
  return element == Element::logical ? "(" + channels[0] + " != 0.0)" : channels[0];
}

class PassWriter {
 public:
  explicit PassWriter(const KernelContext& context)
      : context_(context),
        kernel_(context.kernel),
        whole_(reductions_of(kernel_, false)),
        of_lines_(reductions_of(kernel_, true)) {}

  FragmentKernel run() {
    FragmentKernel passes;
    passes.name = context_.name;
    passes.points = kernel_.rows * kernel_.cols;
    passes.partials = partial_textures(kernel_);
    for (const Store& store : kernel_.stores) add_targets(passes.stored, store.output);
    for (const KernelReduction* reduction : whole_)
      for (const std::uint32_t output : outputs_of(*reduction)) add_targets(passes.reduced, output);
    for (const KernelReduction* reduction : of_lines_)
      for (const std::uint32_t output : outputs_of(*reduction)) add_targets(passes.of_lines, output);
    passes.main = main_pass(false);
    if (passes.partials > 0) {
      passes.fold = fold_pass();
      passes.finish = finish_pass();
    }
    if (!of_lines_.empty()) {
      passes.lines = lines_pass();
      passes.line_count = line_count();
    }
    const std::optional<Contraction>& contraction = kernel_.contraction;
    if (!contraction || contraction->storage != Storage::dense) return passes;
    if (contraction->extent.is_constant() && contraction->extent.constant() <= part_terms()) return passes;
    passes.terms = contraction->extent;
    passes.part_terms = part_terms();
    passes.part_targets = channels_of(contraction->element);
    passes.first_part = part_pass(true);
    passes.part = part_pass(false);
    passes.main_of_parts = main_pass(true);
    return passes;
  }

 private:
  void add_targets(std::vector<FragmentTarget>& targets, std::uint32_t output) const {
    targets.push_back({output, false});
    if (element_of(kernel_, output) == Element::integer) targets.push_back({output, true});
  }

  StageWriter writer(std::string_view suffix, StageKind kind) const {
    return StageWriter(context_.plan, context_.options, context_.name + std::string(suffix), kind, context_.comment);
  }

  /// A fragment sums four points, one after the other.
  std::int64_t part_terms() const { return std::max<std::int64_t>(1, context_.options.most_turns / 8); }

  void open_lanes(StageWriter& pass) const { open_lanes(pass, kernel_.rows * kernel_.cols); }
  void open_lanes(StageWriter& pass, const Size& numbers) const {
    pass.line("const int texel = int(gl_FragCoord.y) * " + std::to_string(packed_width) + " + int(gl_FragCoord.x);");
    pass.open_loop("for (int lane = 0; lane < 4; ++lane)", TurnCount::constant(4));
    pass.line("const int e = 4 * texel + lane;");
    pass.line("if (e >= " + pass.size(numbers) + ") break;");
  }

  Point point_of_lane(StageWriter& pass) const {
    if ((kernel_.rows * kernel_.cols).is(1)) return {.i = "0", .j = "0", .flat = "0"};
    return point_at(pass, context_, "e");
  }

  /// What the passes of the parts before left for this texel: as variables.
  std::vector<std::string> texels_of_parts(StageWriter& pass) const {
    std::vector<std::string> texels;
    for (std::uint32_t n = 0; n < channels_of(kernel_.contraction->element); ++n) {
      texels.push_back(pass.local("parts_texel"));
      const std::string parts = pass.texture(ResourceKind::scratch, n, "contraction_parts");
      pass.line("const vec4 " + texels.back() + " = texelFetch(" + parts + ", ivec2(gl_FragCoord.xy), 0);");
    }
    return texels;
  }

  /// Their number in this lane.
  std::string sum_of_parts(const std::vector<std::string>& texels) const {
    std::vector<std::string> channels;
    for (const std::string& texel : texels) channels.push_back(texel + "[lane]");
    return from_channels(channels, kernel_.contraction->element);
  }

  ShaderStage part_pass(bool first) const {
    StageWriter pass = writer(first ? "_first_part" : "_part", StageKind::main);
    KernelContext context = context_;
    context.part_terms = part_terms();
    context.part = pass.parameter({.kind = ParameterKind::part, .name = "part_number"});
    const Element element = kernel_.contraction->element;
    const std::vector<std::string> targets = add_target(pass, 0, element, "contraction_sum");
    const std::vector<std::string> texels = first ? std::vector<std::string>() : texels_of_parts(pass);
    const std::string sum = pass.local("sum");
    open_lanes(pass);
    const Point point = point_of_lane(pass);
    pass.line("precise " + std::string(register_type(element)) + " " + sum + " = " +
              (first ? literal_text(0, element) : sum_of_parts(texels)) + ";");
    emit_terms(pass, context, sum, point, {});
    write_channels(pass, in_lane(targets), sum, element);
    pass.close();
    return pass.finish_fragment();
  }

  /// The four numbers of this fragment's texel, one after the other.
  ShaderStage main_pass(bool of_parts) const {
    StageWriter pass = writer(of_parts ? "_of_parts" : "", StageKind::main);
    std::vector<std::vector<std::string>> targets;
    std::size_t location = 0;
    for (const Store& store : kernel_.stores) {
      const KernelOutput& output = kernel_.outputs[store.output];
      targets.push_back(add_target(pass, location, output.type.element, output.name));
      location += targets.back().size();
    }
    std::vector<Accumulator> sums;
    for (const KernelReduction* reduction : whole_) sums.push_back(accumulator_of(pass, context_, *reduction));
    BodyEmitter body(pass, context_, kernel_.body, results_of(kernel_));
    const std::vector<std::string> parts = of_parts ? texels_of_parts(pass) : std::vector<std::string>();
    open_lanes(pass);
    const Point point = point_of_lane(pass);
    std::string c;
    if (body.needs_contraction()) c = of_parts ? sum_of_parts(parts) : emit_contraction(pass, context_, point);
    body.evaluate(point, {.matrix_element = {}, .contraction = c});
    for (std::size_t s = 0; s < targets.size(); ++s) {
      const Store& store = kernel_.stores[s];
      const Element element = element_of(kernel_, store.output);
      write_channels(pass, in_lane(targets[s]), body.value_as(store.value, element).text, element);
    }
    for (std::size_t r = 0; r < sums.size(); ++r)
      accumulate(pass, sums[r], body.value_as(whole_[r]->value, sums[r].element).text, "(e + 1)");
    pass.close();
    write_partials(pass, location, sums);
    return pass.finish_fragment();
  }

  static std::string add_target(StageWriter& pass, std::size_t location, const std::string& wanted) {
    const std::string name = pass.local(wanted);
    pass.target(static_cast<std::uint32_t>(location), name);
    pass.line(name + " = vec4(0.0);");
    return name;
  }

  /// Of the elements, from `location` on, and of integers of their rests.
  static std::vector<std::string> add_target(StageWriter& pass, std::size_t location, Element element,
                                             const std::string& wanted) {
    std::vector<std::string> names = {add_target(pass, location, wanted)};
    if (element == Element::integer) names.push_back(add_target(pass, location + 1, wanted + "_rest"));
    return names;
  }

  static std::vector<std::string> in_lane(std::vector<std::string> targets) {
    for (std::string& target : targets) target += "[lane]";
    return targets;
  }

  static void write_channels(StageWriter& pass, const std::vector<std::string>& channels, const std::string& value,
                             Element element) {
    if (element != Element::integer) return pass.line(channels[0] + " = " + to_channel(value, element) + ";");
    const std::string number = pass.local("number");
    pass.line("const double " + number + " = " + value + ";");
    pass.line(channels[0] + " = float(" + number + ");");
    pass.line(channels[1] + " = " + rest_text(pass, number) + ";");
  }

  /// The channels of reduction r in texels with these names.
  std::vector<std::string> channels_of_partial(std::size_t r, const std::vector<std::string>& texels) const {
    const std::vector<std::uint32_t> channels = partial_channels(kernel_);
    std::vector<std::string> names;
    for (std::uint32_t c = channels[r]; c < channels[r + 1]; ++c)
      names.push_back(texels[c / per_texture] + "[" + number(c % per_texture) + "]");
    return names;
  }

  void write_partials(StageWriter& pass, std::size_t first, const std::vector<Accumulator>& sums) const {
    std::vector<std::string> targets;
    for (std::uint32_t p = 0; p < partial_textures(kernel_); ++p)
      targets.push_back(add_target(pass, first + p, "partials"));
    for (std::size_t r = 0; r < sums.size(); ++r) write_result(pass, channels_of_partial(r, targets), sums[r]);
  }

  static void write_result(StageWriter& pass, const std::vector<std::string>& channels, const Accumulator& sum) {
    write_channels(pass, channels, sum.value, sum.element);
    if (sum.position.empty()) return;
    const std::vector<std::string> positions(channels.begin() + channels_of(sum.element), channels.end());
    write_channels(pass, positions, "double(" + sum.position + ")", Element::integer);
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
    for (const KernelReduction* reduction : whole_) sums.push_back(accumulator_of(pass, context_, *reduction));
    pass.line("const ivec2 extent = textureSize(" + inputs[0] + ", 0);");
    pass.open_loop("for (int y = 4 * int(gl_FragCoord.y); y < min(4 * int(gl_FragCoord.y) + 4, extent.y); ++y)",
                   TurnCount::constant(4));
    pass.open_loop("for (int x = 4 * int(gl_FragCoord.x); x < min(4 * int(gl_FragCoord.x) + 4, extent.x); ++x)",
                   TurnCount::constant(4));
    std::vector<std::string> texels;
    for (const std::string& input : inputs) {
      texels.push_back(pass.local("texel"));
      pass.line("const vec4 " + texels.back() + " = texelFetch(" + input + ", ivec2(x, y), 0);");
    }
    for (std::size_t r = 0; r < sums.size(); ++r) {
      const std::vector<std::string> channels = channels_of_partial(r, texels);
      const std::vector<std::string> positions(channels.begin() + channels_of(sums[r].element), channels.end());
      const std::string position =
          sums[r].position.empty() ? "" : "int(" + from_channels(positions, Element::integer) + ")";
      accumulate(pass, sums[r], from_channels(channels, sums[r].element), position);
    }
    pass.close();
    pass.close();
    write_partials(pass, 0, sums);
    return pass.finish_fragment();
  }

  ShaderStage finish_pass() const {
    StageWriter pass = writer("_finish", StageKind::combine);
    std::vector<std::string> texels;
    for (const std::string& input : partial_inputs(pass)) texels.push_back("texelFetch(" + input + ", ivec2(0), 0)");
    std::size_t location = 0;
    for (std::size_t r = 0; r < whole_.size(); ++r) {
      std::vector<std::string> channels = channels_of_partial(r, texels);
      // With nothing but NaN the first element is reported.
      if (whole_[r]->index_output >= 0)
        channels[channels.size() - 2] = "max(" + channels[channels.size() - 2] + ", 1.0)";
      for (const std::string& channel : channels) {
        const std::string target = add_target(pass, location++, kernel_.outputs[whole_[r]->output].name);
        pass.line(target + "[0] = " + channel + ";");
      }
    }
    return pass.finish_fragment();
  }

  Axis line_axis() const { return of_lines_.front()->reduction.axis; }
  Size line_count() const { return line_axis() == Axis::rows ? kernel_.cols : kernel_.rows; }

  /// Four lines for each texel, one after the other.
  ShaderStage lines_pass() const {
    StageWriter pass = writer("_lines", StageKind::combine);
    const bool columns = line_axis() == Axis::rows;
    std::vector<std::vector<std::string>> targets;
    std::size_t location = 0;
    for (const KernelReduction* reduction : of_lines_) {
      targets.emplace_back();
      for (const std::uint32_t output : outputs_of(*reduction)) {
        const KernelOutput& made = kernel_.outputs[output];
        for (std::string& name : add_target(pass, location, made.type.element, made.name))
          targets.back().push_back(std::move(name));
        location += channels_of(made.type.element);
      }
    }
    BodyEmitter body(pass, context_, kernel_.body, results_of(kernel_));
    open_lanes(pass, line_count());
    std::vector<Accumulator> sums;
    for (const KernelReduction* reduction : of_lines_) sums.push_back(accumulator_of(pass, context_, *reduction));
    const std::string at = pass.local("at");
    const Size& length = columns ? kernel_.rows : kernel_.cols;
    pass.open_loop("for (int " + at + " = 0; " + at + " < " + pass.size(length) + "; ++" + at + ")",
                   TurnCount::over(length));
    const Point point{.i = columns ? at : "e", .j = columns ? "e" : at, .flat = {}};
    const std::string c = body.needs_contraction() ? emit_contraction(pass, context_, point) : "";
    body.evaluate(point, {.matrix_element = {}, .contraction = c});
    for (std::size_t r = 0; r < sums.size(); ++r)
      accumulate(pass, sums[r], body.value_as(of_lines_[r]->value, sums[r].element).text, "(" + at + " + 1)");
    pass.close();
    for (std::size_t r = 0; r < sums.size(); ++r) {
      Accumulator sum = sums[r];
      if (!sum.position.empty()) sum.position = "max(" + sum.position + ", 1)";
      write_result(pass, in_lane(targets[r]), sum);
    }
    pass.close();
    return pass.finish_fragment();
  }

  const KernelContext& context_;
  const Kernel& kernel_;
  std::vector<const KernelReduction*> whole_, of_lines_;
};

}  // namespace

std::optional<std::string> fragment_obstacle(const Kernel& kernel) {
  if (auto obstacle = type_obstacle(kernel)) return obstacle;
  for (const Store& store : kernel.stores)
    if (!stores_own_point(kernel, store))
      return "it stores to " + shown(kernel.outputs[store.output].name) + " elsewhere than at its own point";
  const std::size_t targets = targets_of_stores(kernel) + partial_textures(kernel);
  if (std::max<std::size_t>({targets, partial_channels(kernel).back(), targets_of_lines(kernel)}) > most_targets)
    return "its results take more than " + number(most_targets) + " textures";
  return std::nullopt;
}

FragmentKernel emit_fragment_kernel(const KernelContext& context) { return PassWriter(context).run(); }

}  // namespace lac::codegen::glsl
