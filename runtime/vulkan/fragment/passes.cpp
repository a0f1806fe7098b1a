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

  std::vector<Texture> run() {
    const std::int64_t points = inputs_.size_of(kernel_.points);
    if (points < 1)
      throw DeviceError(DeviceErrorKind::limit, "kernel " + kernel_.name + ": vulkan-fragment has no empty matrices");
    if (!is_extent(points)) throw std::bad_alloc();
    if (points > std::numeric_limits<std::int32_t>::max())
      throw DeviceError(DeviceErrorKind::limit, "kernel " + kernel_.name + " has more than 2147483647 points");
    const PackedExtent extent = packed_extent(points);
    std::vector<Texture> sums;
    const bool in_parts = kernel_.part_terms > 0 && turns(kernel_.main) > bound();
    if (in_parts) sums = sum_parts(extent);
    const ShaderStage& main = in_parts ? kernel_.main_of_parts : kernel_.main;
    if (turns(main) > bound())
      throw DeviceError(DeviceErrorKind::limit, "kernel " + kernel_.name +
                                                    ": an invocation would run too long at these sizes: use "
                                                    "--target=vulkan");
    std::vector<Texture> targets = draw(main, extent, kernel_.stored.size() + kernel_.partials, sums);
    for (std::size_t s = 0; s < kernel_.stored.size(); ++s) keep(kernel_.stored[s], targets[s]);
    if (kernel_.partials > 0) reduce(extent, {targets.end() - kernel_.partials, targets.end()});
    return std::move(results_);
  }

 private:
  double bound() const { return static_cast<double>(device_.limits().turns); }
  double turns(const ShaderStage& stage) const {
    const std::function<std::int64_t(const Size&)> size_of = [&](const Size& size) { return inputs_.size_of(size); };
    return turns_of(stage.loops, {1, 1, 1}, {size_of, {}, {}});
  }

  std::vector<Texture> sum_parts(PackedExtent extent) {
    const std::int64_t terms = inputs_.size_of(kernel_.terms);
    std::vector<Texture> sums;
    for (part_ = 0; part_ * kernel_.part_terms < terms; ++part_)
      sums = draw(part_ == 0 ? kernel_.first_part : kernel_.part, extent, 1, sums);
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

  void keep(std::uint32_t output, const Texture& texture) {
    if (results_.size() <= output) results_.resize(output + 1);
    results_[output] = texture;
  }

  std::vector<Texture> draw(const ShaderStage& stage, PackedExtent extent, std::size_t count,
                            const std::vector<Texture>& partials) {
    std::vector<BoundResource> resources;
    for (const Binding& binding : stage.bindings)
      resources.push_back(
          {{}, binding.kind == ResourceKind::scratch ? partials[binding.index] : inputs_.texture(binding.index)});
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
  std::vector<Texture> results_;
  std::int64_t part_ = 0;  ///< at hand
};

}  // namespace

std::vector<Texture> draw_kernel(const FragmentProgram& program, const FragmentKernel& kernel, const PassInputs& inputs,
                                 Device& device, TexturePool& textures, const DrawSink& draw) {
  return KernelDrawer(program, kernel, inputs, device, textures, draw).run();
}

}  // namespace lac::runtime::vulkan
