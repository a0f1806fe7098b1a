#include "codegen/glsl/program/fragment_kernel.h"

#include <algorithm>

#include "codegen/glsl/kernel/body.h"
#include "codegen/glsl/kernel/contraction.h"
#include "codegen/glsl/kernel/contraction_term.h"
#include "codegen/glsl/kernel/reduce.h"
#include "codegen/glsl/kernel/walk.h"
#include "codegen/glsl/program/fragment_blocks.h"
#include "codegen/glsl/program/fragment_parts.h"
#include "codegen/glsl/text/packed.h"
#include "ir/kernel/body.h"

namespace lac::codegen::glsl {
namespace {

std::string number(std::size_t n) { return std::to_string(n); }

/// The number of this fragment's texel, as `texel`.
void number_texel(StageWriter& pass) {
  pass.head_once("const int texel = int(gl_FragCoord.y) * " + std::to_string(texel_fold) + " + int(gl_FragCoord.x);");
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
  if (channels_of(element) == 2) return whole_text(channels[0], channels[1]);
  return element == Element::logical ? "(" + channels[0] + " != 0.0)" : channels[0];
}

class PassWriter {
 public:
  explicit PassWriter(const KernelContext& context)
      : context_(context), kernel_(context.kernel), parts_(parts_of(kernel_)) {}

  FragmentKernel run() {
    passes_.name = context_.name;
    passes_.points = kernel_.rows * kernel_.cols;
    const bool in_parts = sums_in_parts();
    for (std::size_t n = 0; n < parts_.groups.size(); ++n) passes_.groups.push_back(group(n, in_parts));
    for (const std::vector<const KernelReduction*>& reductions : parts_.lines) {
      passes_.lines.push_back({lines_pass(reductions), targets_of(reductions)});
      passes_.line_count = line_count(reductions);
    }
    if (!in_parts) return std::move(passes_);
    passes_.terms = kernel_.contraction->extent;
    passes_.part_terms = part_terms();
    passes_.part_targets = channels_of(kernel_.contraction->element);
    passes_.first_part = part_pass(true);
    passes_.part = part_pass(false);
    return std::move(passes_);
  }

 private:
  bool sums_in_parts() const {
    const std::optional<Contraction>& contraction = kernel_.contraction;
    if (!contraction || contraction->storage != Storage::dense) return false;
    return !contraction->extent.is_constant() || contraction->extent.constant() > part_terms();
  }

  FragmentGroup group(std::size_t number, bool in_parts) {
    const GroupParts& parts = parts_.groups[number];
    const std::string suffix = number == 0 ? "" : "_" + std::to_string(number);
    FragmentGroup group;
    for (const Store* store : parts.stores) add_targets(group.main.targets, *store);
    group.main.stage = main_pass(parts, suffix, false);
    group.partials = textures_of(first_channels(kernel_, parts.reductions).back());
    if (group.partials > 0) {
      group.fold = fold_pass(parts.reductions, suffix);
      group.finish = {finish_pass(parts.reductions, suffix), targets_of(parts.reductions)};
    }
    if (in_parts) group.main_of_parts = main_pass(parts, suffix, true);
    return group;
  }

  void add_target(std::vector<FragmentTarget>& targets, FragmentTarget target, Element element) const {
    targets.push_back(target);
    target.rest = true;
    if (channels_of(element) == 2) targets.push_back(target);
  }

  void add_targets(std::vector<FragmentTarget>& targets, const Store& store) {
    FragmentTarget target{.output = store.output};
    const KernelOutput& output = kernel_.outputs[store.output];
    if (is_scattered(kernel_, store)) {
      target.scatter = static_cast<std::int32_t>(passes_.scatters.size());
      passes_.scatters.push_back(
          {store.output, output.base, output.type.count(), channels_of(output.type.element) == 2});
      target.position = true;
      add_target(targets, target, Element::integer);
      target.position = false;
    }
    add_target(targets, target, output.type.element);
  }

  std::vector<FragmentTarget> targets_of(const std::vector<const KernelReduction*>& reductions) const {
    std::vector<FragmentTarget> targets;
    for (const KernelReduction* reduction : reductions)
      for (const std::uint32_t output : outputs_of(*reduction))
        add_target(targets, {.output = output}, element_of(kernel_, output));
    return targets;
  }

  StageWriter writer(std::string_view suffix, StageKind kind) const {
    return StageWriter(context_.plan, context_.options, context_.name + std::string(suffix), kind, context_.comment);
  }

  /// A fragment sums four points, one after the other.
  std::int64_t part_terms() const { return std::max<std::int64_t>(4, context_.options.most_turns / 8 / 4 * 4); }

  void open_lanes(StageWriter& pass) const { open_lanes(pass, kernel_.rows * kernel_.cols); }
  void open_lanes(StageWriter& pass, const Size& numbers) const {
    number_texel(pass);
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
    const std::optional<BlockProduct> blocks = block_product(kernel_);
    if (blocks) {
      number_texel(pass);
      pass.open("if (" + has_blocks(pass, kernel_) + ")");
      pass.line("precise vec4 sums = " + (first ? "vec4(0.0)" : texels[0]) + ";");
      emit_blocks(pass, context, *blocks, "sums");
      pass.line(targets[0] + " = sums;");
      pass.close();
      pass.open("else");
    }
    const std::string sum = pass.local("sum");
    open_lanes(pass);
    const Point point = point_of_lane(pass);
    pass.line("precise " + std::string(register_type(element)) + " " + sum + " = " +
              (first ? literal_text(0, element) : sum_of_parts(texels)) + ";");
    emit_terms(pass, context, sum, point, {});
    write_channels(pass, in_lane(targets), sum, element);
    pass.close();
    if (blocks) pass.close();
    return pass.finish_fragment();
  }

  /// What a store writes to: of a scattered one its positions, then its values.
  struct StoreTargets {
    std::vector<std::string> positions, values;
  };

  StoreTargets store_targets(StageWriter& pass, std::size_t& location, const Store& store) const {
    const KernelOutput& output = kernel_.outputs[store.output];
    StoreTargets targets;
    if (is_scattered(kernel_, store)) {
      targets.positions = add_target(pass, location, Element::integer, output.name + "_position");
      location += targets.positions.size();
    }
    targets.values = add_target(pass, location, output.type.element, output.name);
    location += targets.values.size();
    return targets;
  }

  /// The four numbers of this fragment's texel, one after the other.
  ShaderStage main_pass(const GroupParts& group, const std::string& suffix, bool of_parts) const {
    StageWriter pass = writer(suffix + (of_parts ? "_of_parts" : ""), StageKind::main);
    std::vector<StoreTargets> targets;
    std::size_t location = 0;
    for (const Store* store : group.stores) targets.push_back(store_targets(pass, location, *store));
    std::vector<Accumulator> sums;
    for (const KernelReduction* reduction : group.reductions)
      sums.push_back(accumulator_of(pass, context_, *reduction));
    BodyEmitter body(pass, context_, kernel_.body, roots_of(group));
    const std::vector<std::string> parts = of_parts ? texels_of_parts(pass) : std::vector<std::string>();
    open_lanes(pass);
    const Point point = point_of_lane(pass);
    std::string c;
    if (body.needs_contraction()) c = of_parts ? sum_of_parts(parts) : emit_contraction(pass, context_, point);
    body.evaluate(point, {.matrix_element = {}, .contraction = c});
    for (std::size_t s = 0; s < targets.size(); ++s) {
      const Store& store = *group.stores[s];
      const Element element = element_of(kernel_, store.output);
      if (!targets[s].positions.empty())
        write_channels(pass, in_lane(targets[s].positions), position_text(pass, store, point, body), Element::integer);
      write_channels(pass, in_lane(targets[s].values), body.value_as(store.value, element).text, element);
    }
    for (std::size_t r = 0; r < sums.size(); ++r)
      accumulate(pass, sums[r], body.value_as(group.reductions[r]->value, sums[r].element).text, "(e + 1)");
    pass.close();
    write_partials(pass, location, group.reductions, sums);
    return pass.finish_fragment();
  }

  static std::vector<InstrId> roots_of(const GroupParts& group) {
    Nest wanted;
    for (const Store* store : group.stores) wanted.stores.push_back(*store);
    for (const KernelReduction* reduction : group.reductions) wanted.reductions.push_back(*reduction);
    return results_of(wanted);
  }

  /// Where the point stores: the position from 1 on as a double, 0 where it stores nothing.
  std::string position_text(StageWriter& pass, const Store& store, const Point& point, const BodyEmitter& body) const {
    const Position position =
        emit_position(pass, kernel_, store.map, kernel_.outputs[store.output].type, point, body.gathered(store.map));
    const std::string text = "double(" + position.index + " + 1)";
    return position.inside.empty() ? text : "(" + position.inside + " ? " + text + " : double(0))";
  }

  static std::string add_target(StageWriter& pass, std::size_t location, const std::string& wanted) {
    const std::string name = pass.local(wanted);
    pass.target(static_cast<std::uint32_t>(location), name);
    pass.line(name + " = vec4(0.0);");
    return name;
  }

  /// Of the elements, from `location` on, and of doubles of their rests.
  static std::vector<std::string> add_target(StageWriter& pass, std::size_t location, Element element,
                                             const std::string& wanted) {
    std::vector<std::string> names = {add_target(pass, location, wanted)};
    if (channels_of(element) == 2) names.push_back(add_target(pass, location + 1, wanted + "_rest"));
    return names;
  }

  static std::vector<std::string> in_channel(std::vector<std::string> targets, const std::string& channel) {
    for (std::string& target : targets) target += "[" + channel + "]";
    return targets;
  }
  static std::vector<std::string> in_lane(std::vector<std::string> targets) {
    return in_channel(std::move(targets), "lane");
  }

  static void write_channels(StageWriter& pass, const std::vector<std::string>& channels, const std::string& value,
                             Element element) {
    if (channels_of(element) == 1) return pass.line(channels[0] + " = " + to_channel(value, element) + ";");
    const std::string number = pass.local("number");
    pass.line("const double " + number + " = " + value + ";");
    pass.line(channels[0] + " = float(" + number + ");");
    pass.line(channels[1] + " = " + rest_text(pass, number) + ";");
  }

  using Reductions = std::vector<const KernelReduction*>;

  /// The channels of reduction r in texels with these names.
  std::vector<std::string> channels_of_partial(const Reductions& reductions, std::size_t r,
                                               const std::vector<std::string>& texels) const {
    const std::vector<std::uint32_t> channels = first_channels(kernel_, reductions);
    std::vector<std::string> names;
    for (std::uint32_t c = channels[r]; c < channels[r + 1]; ++c)
      names.push_back(texels[c / channels_of_texel] + "[" + number(c % channels_of_texel) + "]");
    return names;
  }

  std::uint32_t partial_textures(const Reductions& reductions) const {
    return textures_of(first_channels(kernel_, reductions).back());
  }

  void write_partials(StageWriter& pass, std::size_t first, const Reductions& reductions,
                      const std::vector<Accumulator>& sums) const {
    std::vector<std::string> targets;
    for (std::uint32_t p = 0; p < partial_textures(reductions); ++p)
      targets.push_back(add_target(pass, first + p, "partials"));
    for (std::size_t r = 0; r < sums.size(); ++r)
      write_result(pass, channels_of_partial(reductions, r, targets), sums[r]);
  }

  static void write_result(StageWriter& pass, const std::vector<std::string>& channels, const Accumulator& sum) {
    write_channels(pass, channels, sum.value, sum.element);
    if (sum.position.empty()) return;
    const std::vector<std::string> positions(channels.begin() + channels_of(sum.element), channels.end());
    write_channels(pass, positions, "double(" + sum.position + ")", Element::integer);
  }

  std::vector<std::string> partial_inputs(StageWriter& pass, const Reductions& reductions) const {
    std::vector<std::string> names;
    for (std::uint32_t p = 0; p < partial_textures(reductions); ++p)
      names.push_back(pass.texture(ResourceKind::scratch, p, "partials"));
    return names;
  }

  /// Adds up texels [first, first + folded_texels) of the partial textures, those that there are.
  std::vector<Accumulator> fold(StageWriter& pass, const Reductions& reductions, const std::string& first) const {
    const std::vector<std::string> inputs = partial_inputs(pass, reductions);
    std::vector<Accumulator> sums;
    for (const KernelReduction* reduction : reductions) sums.push_back(accumulator_of(pass, context_, *reduction));
    pass.line("const ivec2 extent = textureSize(" + inputs[0] + ", 0);");
    pass.line("const int end = min(" + first + " + " + std::to_string(folded_texels) + ", extent.x * extent.y);");
    pass.declare("lac_packed", std::string(packed_functions));
    pass.open_loop("for (int q = " + first + "; q < end; ++q)", TurnCount::constant(folded_texels));
    std::vector<std::string> texels;
    for (const std::string& input : inputs) {
      texels.push_back(pass.local("texel"));
      pass.line("const vec4 " + texels.back() + " = texelFetch(" + input + ", lac_place(q), 0);");
    }
    for (std::size_t r = 0; r < sums.size(); ++r) {
      const std::vector<std::string> channels = channels_of_partial(reductions, r, texels);
      const std::vector<std::string> positions(channels.begin() + channels_of(sums[r].element), channels.end());
      const std::string position =
          sums[r].position.empty() ? "" : "int(" + from_channels(positions, Element::integer) + ")";
      accumulate(pass, sums[r], from_channels(channels, sums[r].element), position);
    }
    pass.close();
    return sums;
  }

  ShaderStage fold_pass(const Reductions& reductions, const std::string& suffix) const {
    StageWriter pass = writer(suffix + "_fold", StageKind::combine);
    pass.line("const int first = " + std::to_string(folded_texels) + " * (int(gl_FragCoord.y) * " +
              std::to_string(texel_fold) + " + int(gl_FragCoord.x));");
    write_partials(pass, 0, reductions, fold(pass, reductions, "first"));
    return pass.finish_fragment();
  }

  ShaderStage finish_pass(const Reductions& reductions, const std::string& suffix) const {
    StageWriter pass = writer(suffix + "_finish", StageKind::combine);
    const std::vector<Accumulator> sums = fold(pass, reductions, "0");
    std::size_t location = 0;
    for (std::size_t r = 0; r < reductions.size(); ++r)
      write_reduced(pass, in_channel(reduced_targets(pass, location, *reductions[r]), "0"), sums[r]);
    return pass.finish_fragment();
  }

  /// The targets of its outputs, from `location` on.
  std::vector<std::string> reduced_targets(StageWriter& pass, std::size_t& location,
                                           const KernelReduction& reduction) const {
    std::vector<std::string> targets;
    for (const std::uint32_t output : outputs_of(reduction)) {
      const KernelOutput& made = kernel_.outputs[output];
      for (std::string& name : add_target(pass, location, made.type.element, made.name))
        targets.push_back(std::move(name));
      location += channels_of(made.type.element);
    }
    return targets;
  }

  /// With nothing but NaN the first element is reported.
  static void write_reduced(StageWriter& pass, const std::vector<std::string>& channels, Accumulator sum) {
    if (!sum.position.empty()) sum.position = "max(" + sum.position + ", 1)";
    write_result(pass, channels, sum);
  }

  static bool along_columns(const Reductions& reductions) { return reductions[0]->reduction.axis == Axis::rows; }
  Size line_count(const Reductions& reductions) const {
    return along_columns(reductions) ? kernel_.cols : kernel_.rows;
  }

  /// Four lines for each texel, one after the other.
  ShaderStage lines_pass(const Reductions& reductions) const {
    const std::string number = passes_.lines.empty() ? "" : "_" + std::to_string(passes_.lines.size());
    StageWriter pass = writer("_lines" + number, StageKind::combine);
    const bool columns = along_columns(reductions);
    std::vector<std::vector<std::string>> targets;
    std::size_t location = 0;
    for (const KernelReduction* reduction : reductions) targets.push_back(reduced_targets(pass, location, *reduction));
    BodyEmitter body(pass, context_, kernel_.body, roots_of({{}, reductions}));
    open_lanes(pass, line_count(reductions));
    std::vector<Accumulator> sums;
    for (const KernelReduction* reduction : reductions) sums.push_back(accumulator_of(pass, context_, *reduction));
    const std::string at = pass.local("at");
    const Size& length = columns ? kernel_.rows : kernel_.cols;
    pass.open_loop("for (int " + at + " = 0; " + at + " < " + pass.size(length) + "; ++" + at + ")",
                   TurnCount::over(length));
    const Point point{.i = columns ? at : "e", .j = columns ? "e" : at, .flat = {}};
    const std::string c = body.needs_contraction() ? emit_contraction(pass, context_, point) : "";
    body.evaluate(point, {.matrix_element = {}, .contraction = c});
    for (std::size_t r = 0; r < sums.size(); ++r)
      accumulate(pass, sums[r], body.value_as(reductions[r]->value, sums[r].element).text, "(" + at + " + 1)");
    pass.close();
    for (std::size_t r = 0; r < sums.size(); ++r) write_reduced(pass, in_lane(targets[r]), sums[r]);
    pass.close();
    return pass.finish_fragment();
  }

  const KernelContext& context_;
  const Kernel& kernel_;
  FragmentParts parts_;
  FragmentKernel passes_;  ///< so far
};

}  // namespace

FragmentKernel emit_fragment_kernel(const KernelContext& context) { return PassWriter(context).run(); }

}  // namespace lac::codegen::glsl
