#include "runtime/vulkan/fragment/passes.h"

#include <bit>
#include <cstring>
#include <limits>
#include <new>

#include "ir/support/result.h"
#include "ir/types/extent.h"
#include "runtime/vulkan/device/error.h"

namespace lac::runtime::vulkan {
namespace {

std::uint64_t parameter_bits(const ShaderParameter& parameter, const PassInputs& inputs, std::int64_t part) {
  if (parameter.kind == ParameterKind::part) return static_cast<std::uint64_t>(part);
  const bool is_size = parameter.kind == ParameterKind::size;
  if (!is_size && parameter.kind != ParameterKind::scalar)
    throw InternalError("a render pass with the parameter " + parameter.name);
  const double number = is_size ? static_cast<double>(inputs.size_of(parameter.size)) : inputs.number(parameter.index);
  switch (parameter.type) {
    case ParameterType::int32:
      if (is_size && std::abs(number) > static_cast<double>(largest_extent)) throw std::bad_alloc();  // on no device
      if (std::abs(number) > std::numeric_limits<std::int32_t>::max())
        throw DeviceError(DeviceErrorKind::limit, parameter.name + " is over the shaders' limit of 2147483647");
      return std::bit_cast<std::uint32_t>(static_cast<std::int32_t>(number));
    case ParameterType::float32: return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    case ParameterType::float64: return std::bit_cast<std::uint64_t>(number);
    case ParameterType::uint64: break;
  }
  throw InternalError("a render pass with the parameter " + parameter.name);
}

std::vector<std::byte> parameter_bytes(const ShaderStage& stage, const PassInputs& inputs, std::int64_t part) {
  std::vector<std::byte> bytes(stage.parameter_bytes);
  for (const ShaderParameter& parameter : stage.parameters) {
    const std::uint64_t word = parameter_bits(parameter, inputs, part);
    std::memcpy(bytes.data() + parameter.offset, &word, byte_size(parameter.type));
  }
  return bytes;
}

class KernelDrawer {
  /// What the points of a scatter want.
  struct Scattered {
    Packed position, value;
  };

 public:
  KernelDrawer(const FragmentProgram& program, const FragmentKernel& kernel, const PassInputs& inputs, Device& device,
               TexturePool& textures, const DrawSink& sink)
      : program_(program), kernel_(kernel), inputs_(inputs), device_(device), textures_(textures), sink_(sink) {}

  std::vector<Packed> run() {
    const std::int64_t points = inputs_.size_of(kernel_.points);
    if (!is_extent(points)) throw std::bad_alloc();
    if (points > std::numeric_limits<std::int32_t>::max())
      throw DeviceError(DeviceErrorKind::limit, "kernel " + kernel_.name + " has more than 2147483647 points");
    scattered_.resize(kernel_.scatters.size());
    for (const FragmentGroup& group : kernel_.groups) draw_group(group, extent_of(points));
    for (const FragmentPass& lines : kernel_.lines) go_along_lines(lines);
    for (std::size_t n = 0; n < scattered_.size(); ++n)
      scatter(kernel_.scatters[n], scattered_[n], static_cast<std::uint32_t>(points));
    return std::move(results_);
  }

 private:
  /// Of no numbers there is a texel too: sums of nothing are what they are.
  static PackedExtent extent_of(std::int64_t count) { return packed_extent(std::max<std::int64_t>(1, count)); }

  double bound() const { return static_cast<double>(device_.limits().turns); }
  double turns(const ShaderStage& stage) const {
    const std::function<std::int64_t(const Size&)> size_of = [&](const Size& size) { return inputs_.size_of(size); };
    return turns_of(stage.loops, {1, 1, 1}, {size_of, inputs_.longest_row, {}});
  }

  void check_turns(const ShaderStage& stage) const {
    if (turns(stage) > bound())
      throw DeviceError(DeviceErrorKind::limit, "kernel " + kernel_.name +
                                                    ": an invocation would run too long at these sizes: use "
                                                    "--target=vulkan");
  }

  void draw_group(const FragmentGroup& group, PackedExtent extent) {
    const bool in_parts = kernel_.part_terms > 0 && turns(group.main.stage) > bound();
    if (in_parts && sums_.empty()) sums_ = sum_parts(extent);
    const ShaderStage& main = in_parts ? group.main_of_parts : group.main.stage;
    check_turns(main);
    const std::size_t stored = group.main.targets.size();
    const std::vector<Texture> targets =
        draw(main, extent, stored + group.partials, in_parts ? sums_ : std::vector<Texture>());
    for (std::size_t t = 0; t < stored; ++t) keep(group.main.targets[t], targets[t]);
    if (group.partials > 0) reduce(group, extent, {targets.end() - group.partials, targets.end()});
  }

  void go_along_lines(const FragmentPass& pass) {
    check_turns(pass.stage);
    const std::int64_t lines = inputs_.size_of(kernel_.line_count);
    const std::vector<Texture> results = draw(pass.stage, extent_of(lines), pass.targets.size(), {});
    for (std::size_t r = 0; r < results.size(); ++r) keep(pass.targets[r], results[r]);
  }

  /// Channel by channel, as a point is a whole texel.
  void scatter(const FragmentScatter& how, const Scattered& points, std::uint32_t count) {
    Packed& target = result(how.output);
    if (!target.values) target = scatter_base(how);
    if (count == 0) return;
    std::vector<Texture> targets = {target.values};
    std::vector<BoundResource> resources = {
        {{}, points.position.values}, {{}, points.position.rest}, {{}, points.value.values}};
    if (how.rest) {
      targets.push_back(target.rest);
      resources.push_back({{}, points.value.rest});
    }
    const ShaderStage& stage = how.rest ? program_.scatter_doubles : program_.scatter;
    ScatterParameters parameters{0, static_cast<std::int32_t>(target.values->width()),
                                 static_cast<std::int32_t>(target.values->height())};
    for (parameters.channel = 0; parameters.channel < 4; ++parameters.channel) {
      const auto pipeline =
          device_.render_pipeline(program_.scatter_vertex, stage, static_cast<std::uint32_t>(targets.size()),
                                  {.points = true, .channels = 1u << parameters.channel});
      sink_({{pipeline, resources, std::as_bytes(std::span(&parameters, 1))}, targets, count});
    }
  }

  Packed scatter_base(const FragmentScatter& how) {
    const PackedExtent extent = extent_of(inputs_.size_of(how.count));
    const Packed base = how.base >= 0 ? inputs_.packed(static_cast<std::uint32_t>(how.base)) : Packed{};
    Packed made = {copy_of(base.values, extent)};
    if (how.rest) made.rest = copy_of(base.rest, extent);
    return made;
  }

  /// Of nothing: zeros.
  Texture copy_of(const Texture& texture, PackedExtent extent) {
    return texture ? draw(program_.copy, extent, 1, {texture})[0] : draw(program_.zero, extent, 1, {})[0];
  }

  std::vector<Texture> sum_parts(PackedExtent extent) {
    const std::int64_t terms = inputs_.size_of(kernel_.terms);
    std::vector<Texture> sums;
    for (part_ = 0; part_ * kernel_.part_terms < terms; ++part_)
      sums = draw(part_ == 0 ? kernel_.first_part : kernel_.part, extent, kernel_.part_targets, sums);
    return sums;
  }

  void reduce(const FragmentGroup& group, PackedExtent extent, std::vector<Texture> partials) {
    std::int64_t texels = std::int64_t{extent.width} * extent.height;
    while (texels > folded_texels) {
      texels = (texels + folded_texels - 1) / folded_texels;
      partials = draw(group.fold, packed_extent(4 * texels), partials.size(), partials);
    }
    const std::vector<Texture> sums = draw(group.finish.stage, {}, group.finish.targets.size(), partials);
    for (std::size_t r = 0; r < sums.size(); ++r) keep(group.finish.targets[r], sums[r]);
  }

  Packed& result(std::uint32_t output) {
    if (results_.size() <= output) results_.resize(output + 1);
    return results_[output];
  }

  void keep(FragmentTarget target, const Texture& texture) {
    const auto packed = [&]() -> Packed& {
      if (target.scatter < 0) return result(target.output);
      Scattered& points = scattered_[static_cast<std::size_t>(target.scatter)];
      return target.position ? points.position : points.value;
    };
    (target.rest ? packed().rest : packed().values) = texture;
  }

  Texture texture_of(const Binding& binding, const std::vector<Texture>& partials) const {
    if (binding.kind == ResourceKind::scratch) return partials[binding.index];
    const Packed packed = inputs_.packed(binding.index);
    switch (binding.kind) {
      case ResourceKind::rest: return packed.rest;
      case ResourceKind::row_pointers: return packed.row_pointers;
      case ResourceKind::columns: return packed.columns;
      default: return packed.values;
    }
  }

  std::vector<Texture> draw(const ShaderStage& stage, PackedExtent extent, std::size_t count,
                            const std::vector<Texture>& partials) {
    std::vector<BoundResource> resources;
    for (const Binding& binding : stage.bindings) resources.push_back({{}, texture_of(binding, partials)});
    std::vector<Texture> targets;
    for (std::size_t t = 0; t < count; ++t) targets.push_back(textures_.take(extent));
    const std::vector<std::byte> parameters = parameter_bytes(stage, inputs_, part_);
    const auto pipeline = device_.render_pipeline(program_.vertex, stage, static_cast<std::uint32_t>(count));
    sink_({{pipeline, resources, parameters}, targets});
    return targets;
  }

  const FragmentProgram& program_;
  const FragmentKernel& kernel_;
  const PassInputs& inputs_;
  Device& device_;
  TexturePool& textures_;
  const DrawSink& sink_;
  std::vector<Packed> results_;
  std::vector<Scattered> scattered_;
  std::vector<Texture> sums_;  ///< of the contraction, where it is summed in parts
  std::int64_t part_ = 0;      ///< at hand
};

}  // namespace

std::vector<Packed> draw_kernel(const FragmentProgram& program, const FragmentKernel& kernel, const PassInputs& inputs,
                                Device& device, TexturePool& textures, const DrawSink& draw) {
  return KernelDrawer(program, kernel, inputs, device, textures, draw).run();
}

}  // namespace lac::runtime::vulkan
