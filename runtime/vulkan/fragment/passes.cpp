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
 public:
  KernelDrawer(const FragmentProgram& program, const FragmentKernel& kernel, const PassInputs& inputs, Device& device,
               TexturePool& textures, const DrawSink& sink)
      : program_(program), kernel_(kernel), inputs_(inputs), device_(device), textures_(textures), sink_(sink) {}

  std::vector<Packed> run() {
    const std::int64_t points = inputs_.size_of(kernel_.points);
    if (!is_extent(points)) throw std::bad_alloc();
    if (points > std::numeric_limits<std::int32_t>::max())
      throw DeviceError(DeviceErrorKind::limit, "kernel " + kernel_.name + " has more than 2147483647 points");
    const PackedExtent extent = extent_of(points);
    std::vector<Texture> sums;
    const bool in_parts = kernel_.part_terms > 0 && turns(kernel_.main) > bound();
    if (in_parts) sums = sum_parts(extent);
    const ShaderStage& main = in_parts ? kernel_.main_of_parts : kernel_.main;
    if (kernel_.stored.size() + kernel_.partials > 0) check_turns(main);
    const std::size_t count = kernel_.stored.size() + kernel_.partials;
    std::vector<Texture> targets;
    if (count > 0) targets = draw(main, extent, count, sums);
    for (std::size_t s = 0; s < kernel_.stored.size(); ++s) keep(kernel_.stored[s], targets[s]);
    if (kernel_.partials > 0) reduce(extent, {targets.end() - kernel_.partials, targets.end()});
    if (!kernel_.of_lines.empty()) go_along_lines();
    return std::move(results_);
  }

 private:
  /// Of no numbers there is a texel too: sums of nothing are what they are.
  static PackedExtent extent_of(std::int64_t count) { return packed_extent(std::max<std::int64_t>(1, count)); }

  double bound() const { return static_cast<double>(device_.limits().turns); }
  double turns(const ShaderStage& stage) const {
    const std::function<std::int64_t(const Size&)> size_of = [&](const Size& size) { return inputs_.size_of(size); };
    return turns_of(stage.loops, {1, 1, 1}, {size_of, {}, {}});
  }

  void check_turns(const ShaderStage& stage) const {
    if (turns(stage) > bound())
      throw DeviceError(DeviceErrorKind::limit, "kernel " + kernel_.name +
                                                    ": an invocation would run too long at these sizes: use "
                                                    "--target=vulkan");
  }

  void go_along_lines() {
    check_turns(kernel_.lines);
    const std::int64_t lines = inputs_.size_of(kernel_.line_count);
    const std::vector<Texture> results = draw(kernel_.lines, extent_of(lines), kernel_.of_lines.size(), {});
    for (std::size_t r = 0; r < results.size(); ++r) keep(kernel_.of_lines[r], results[r]);
  }

  std::vector<Texture> sum_parts(PackedExtent extent) {
    const std::int64_t terms = inputs_.size_of(kernel_.terms);
    std::vector<Texture> sums;
    for (part_ = 0; part_ * kernel_.part_terms < terms; ++part_)
      sums = draw(part_ == 0 ? kernel_.first_part : kernel_.part, extent, kernel_.part_targets, sums);
    return sums;
  }

  void reduce(PackedExtent extent, std::vector<Texture> partials) {
    while (extent != PackedExtent{}) {
      extent = {(extent.width + 3) / 4, (extent.height + 3) / 4};
      partials = draw(kernel_.fold, extent, partials.size(), partials);
    }
    const std::vector<Texture> sums = draw(kernel_.finish, extent, kernel_.reduced.size(), partials);
    for (std::size_t r = 0; r < sums.size(); ++r) keep(kernel_.reduced[r], sums[r]);
  }

  void keep(FragmentTarget target, const Texture& texture) {
    if (results_.size() <= target.output) results_.resize(target.output + 1);
    (target.rest ? results_[target.output].rest : results_[target.output].values) = texture;
  }

  Texture texture_of(const Binding& binding, const std::vector<Texture>& partials) const {
    if (binding.kind == ResourceKind::scratch) return partials[binding.index];
    const Packed packed = inputs_.packed(binding.index);
    return binding.kind == ResourceKind::rest ? packed.rest : packed.values;
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
  std::int64_t part_ = 0;  ///< at hand
};

}  // namespace

std::vector<Packed> draw_kernel(const FragmentProgram& program, const FragmentKernel& kernel, const PassInputs& inputs,
                                Device& device, TexturePool& textures, const DrawSink& draw) {
  return KernelDrawer(program, kernel, inputs, device, textures, draw).run();
}

}  // namespace lac::runtime::vulkan
