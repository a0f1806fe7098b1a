#include "runtime/vulkan/stream/launch.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "ir/plan/texel.h"
#include "ir/support/result.h"
#include "ir/types/extent.h"
#include "runtime/vulkan/device/error.h"
#include "runtime/vulkan/memory/elements.h"
#include "runtime/vulkan/memory/texels.h"

namespace lac::runtime::vulkan {
namespace {

std::int64_t groups_along(const GroupCount& count, const SizeOf& size_of) {
  const std::int64_t elements = std::max<std::int64_t>(0, size_of(count.elements));
  if (!is_extent(elements)) throw std::bad_alloc();
  const std::int64_t wanted = elements / count.per_group + (elements % count.per_group != 0);
  const std::int64_t least = std::max(wanted, count.least);
  return count.most > 0 ? std::min(least, count.most) : least;
}

/// Shaders stride over what their workgroups leave, by at most 2^24 points, so that a position below `most_elements`
/// and a stride still are an int. So many workgroups fill any device.
constexpr std::int64_t most_groups = 16384;
constexpr std::int64_t most_elements = std::numeric_limits<std::int32_t>::max() - (std::int64_t{1} << 24);

/// Scratch below so many bytes grows by doubling; more would ask for what no launch needs.
constexpr std::uint64_t most_rounded_scratch = std::uint64_t{1} << 26;

std::int32_t int32_of(std::int64_t number, const std::string& name) {
  if (!is_extent(std::abs(number))) throw std::bad_alloc();  // on no device
  if (number < -most_elements || number > most_elements)
    throw DeviceError(DeviceErrorKind::limit, "a size of " + std::to_string(number) + " (" + name +
                                                  ") is over the shaders' limit of " + std::to_string(most_elements));
  return static_cast<std::int32_t>(number);
}

DeviceError too_many_turns(const KernelShaders& shaders) {
  return {DeviceErrorKind::limit, shaders.name +
                                      ": an invocation would run too long at these sizes: run with "
                                      "--target=cpu"};
}

/// Those along an axis, or x * y of them.
std::int64_t groups_of(const GroupCounts& groups, std::int32_t axis) {
  const std::array<std::int64_t, 3> counts = {groups.x, groups.y, groups.z};
  return axis < 0 ? counts[0] * counts[1] : counts[static_cast<std::size_t>(axis)];
}

/// The values that the parameters of one launch name.
struct ParameterSource {
  const std::vector<LaunchInput>& inputs;
  const std::vector<LaunchOutput>& outputs;
  const LaunchNumbers& numbers;
  const std::vector<GroupCounts>& groups;

  std::int64_t integer(const ShaderParameter& parameter) const {
    switch (parameter.kind) {
      case ParameterKind::size: return numbers.size_of(parameter.size);
      case ParameterKind::scalar_input: return inputs[parameter.index].slot;
      case ParameterKind::scalar_output: return outputs[parameter.index].slot;
      case ParameterKind::groups: return groups_of(groups[parameter.index], parameter.axis);
      case ParameterKind::scalar: return static_cast<std::int64_t>(inputs[parameter.index].scalar);
      default: throw InternalError("a parameter that is no integer: " + parameter.name);
    }
  }

  std::uint64_t bits(const ShaderParameter& parameter) const {
    const auto number = [&] {
      return parameter.kind == ParameterKind::scalar ? inputs[parameter.index].scalar
                                                     : static_cast<double>(integer(parameter));
    };
    switch (parameter.type) {
      case ParameterType::int32: return std::bit_cast<std::uint32_t>(int32_of(integer(parameter), parameter.name));
      case ParameterType::float32: return std::bit_cast<std::uint32_t>(static_cast<float>(number()));
      case ParameterType::float64: return std::bit_cast<std::uint64_t>(number());
      case ParameterType::uint64: return parameter.kind == ParameterKind::seed ? numbers.seed : numbers.counter;
    }
    throw InternalError("a parameter of unknown type: " + parameter.name);
  }

  std::vector<std::byte> bytes(const ShaderStage& stage) const {
    std::vector<std::byte> bytes(stage.parameter_bytes);
    for (const ShaderParameter& parameter : stage.parameters) {
      const std::uint64_t word = bits(parameter);  // little-endian, as Vulkan's hosts are
      std::memcpy(bytes.data() + parameter.offset, &word, byte_size(parameter.type));
    }
    return bytes;
  }
};

std::vector<BoundResource> resources(const ShaderStage& stage, const std::vector<LaunchInput>& inputs,
                                     const std::vector<LaunchOutput>& outputs, const BufferRange& arena,
                                     const std::vector<BufferRange>& scratch) {
  std::vector<BoundResource> bound;
  for (const Binding& binding : stage.bindings) switch (binding.kind) {
      case ResourceKind::values:
      case ResourceKind::row_pointers:
      case ResourceKind::columns: bound.push_back(inputs[binding.index].resources[*array_of(binding.kind)]); break;
      case ResourceKind::output: bound.push_back(outputs[binding.index].values); break;
      case ResourceKind::scalars: bound.push_back({arena}); break;
      case ResourceKind::scratch: bound.push_back({scratch[binding.index]}); break;
      case ResourceKind::parameters: break;  // the stream's
      case ResourceKind::rest: throw InternalError("a kernel of buffers with a texture");
      case ResourceKind::control: throw InternalError("a kernel with a buffer of a control shader");
    }
  return bound;
}

}  // namespace

std::array<std::int64_t, 3> group_counts(const ShaderStage& stage, const SizeOf& size_of) {
  std::array<std::int64_t, 3> counts = {};
  std::int64_t before = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    counts[axis] = groups_along(stage.groups[axis], size_of);
    if (const std::int64_t filling = stage.groups[axis].filling; filling > 0)
      counts[axis] = std::min(counts[axis], std::max<std::int64_t>(1, filling / before));
    before *= std::clamp<std::int64_t>(counts[axis], 1, most_groups);
  }
  return counts;
}

LaunchShape launch_shape(const KernelShaders& shaders, const SizeOf& size_of,
                         const std::function<std::int64_t(std::uint32_t)>& longest_row, const DeviceLimits& limits) {
  LaunchShape shape;
  const TurnNumbers numbers = {size_of, longest_row, [&](std::uint32_t stage, std::int32_t axis) {
                                 return groups_of(shape.groups.at(stage), axis);
                               }};
  const auto bound = static_cast<double>(limits.turns);
  for (const ShaderStage& stage : shaders.stages) {
    const std::int64_t most =
        std::min<std::int64_t>(most_groups, *std::min_element(limits.group_count.begin(), limits.group_count.end()));
    std::array<std::int64_t, 3> counts = group_counts(stage, size_of);
    for (std::int64_t& count : counts) count = std::min(count, most);
    counts = groups_within(bound, stage.loops, counts, most, numbers);
    if (std::ranges::find(counts, 0) == counts.end())
      shape.turns = std::max(shape.turns, turns_of(stage.loops, counts, numbers));
    const auto word = [](std::int64_t count) { return static_cast<std::uint32_t>(count); };
    shape.groups.push_back({word(counts[0]), word(counts[1]), word(counts[2])});
  }
  return shape;
}

const std::shared_ptr<Pipeline>& Launcher::pipeline(const ShaderStage& stage,
                                                    const std::vector<BoundResource>& resources) {
  const bool too_wide = std::ranges::any_of(resources, [&](const BoundResource& resource) {
    return resource.buffer.buffer != nullptr && resource.buffer.bytes() > device_.limits().storage_buffer_range;
  });
  const bool by_address = too_wide && by_address_ && device_.info().buffer_addresses;
  const ShaderStage& wanted = by_address ? by_address_(stage) : stage;
  std::shared_ptr<Pipeline>& pipeline = pipelines_[&wanted];
  if (!pipeline) pipeline = device_.pipeline(wanted);
  return pipeline;
}

const ShaderStage* Launcher::stage_of(const Pipeline& pipeline) const {
  const auto found =
      std::ranges::find_if(pipelines_, [&](const auto& entry) { return entry.second.get() == &pipeline; });
  return found == pipelines_.end() ? nullptr : found->first;
}

namespace {

std::int64_t scratch_elements(const Scratch& scratch, const SizeOf& size_of, const std::vector<GroupCounts>& groups) {
  std::int64_t elements = size_of(scratch.elements);
  const auto stage = static_cast<std::size_t>(std::max(0, scratch.stage));
  if (scratch.stage >= 0 && scratch.axis >= 0) {
    elements *= groups_of(groups[stage], scratch.axis);
  } else if (scratch.stage >= 0) {
    const GroupCounts& launched = groups[stage];
    for (std::uint32_t count : {launched.x, launched.y, launched.z}) elements *= std::max(1u, count);
  }
  return elements;
}

}  // namespace

std::uint64_t scratch_bytes(const KernelShaders& shaders, const LaunchShape& shape, const SizeOf& size_of) {
  std::uint64_t bytes = 0;
  for (const Scratch& scratch : shaders.scratch)
    bytes += static_cast<std::uint64_t>(scratch_elements(scratch, size_of, shape.groups)) * scratch.element_bytes;
  return bytes;
}

std::vector<BufferRange> Launcher::scratch(const KernelShaders& shaders, const SizeOf& size_of,
                                           const std::vector<GroupCounts>& groups) {
  std::vector<BufferRange> ranges;
  if (scratch_.size() < shaders.scratch.size()) scratch_.resize(shaders.scratch.size());
  for (std::size_t s = 0; s < shaders.scratch.size(); ++s) {
    const Scratch& scratch = shaders.scratch[s];
    const std::int64_t elements = scratch_elements(scratch, size_of, groups);
    static_cast<void>(int32_of(elements, shaders.name + "'s memory"));  // positions in it are an int
    const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(1, elements)) * scratch.element_bytes;
    std::shared_ptr<Buffer>& buffer = scratch_[s];
    if (!buffer || buffer->size() < bytes)
      buffer = device_.make_buffer(bytes < most_rounded_scratch ? std::bit_ceil(bytes) : bytes);
    ranges.push_back({buffer, 0, (bytes + 3) / 4 * 4});
  }
  return ranges;
}

std::vector<BoundStage> Launcher::bind(const KernelShaders& shaders, const std::vector<LaunchInput>& inputs,
                                       const std::vector<LaunchOutput>& outputs, const LaunchNumbers& numbers) {
  const auto longest_row = [&](std::uint32_t input) { return inputs[input].longest_row; };
  const LaunchShape shape = launch_shape(shaders, numbers.size_of, longest_row, device_.limits());
  if (shape.turns > static_cast<double>(device_.limits().turns)) throw too_many_turns(shaders);
  const std::vector<GroupCounts>& groups = shape.groups;
  const std::vector<BufferRange> scratch_ranges = scratch(shaders, numbers.size_of, groups);
  const ParameterSource source{inputs, outputs, numbers, groups};
  std::vector<BoundStage> bound;
  for (std::size_t s = 0; s < shaders.stages.size(); ++s) {
    const ShaderStage& stage = shaders.stages[s];
    std::vector<BoundResource> shown = resources(stage, inputs, outputs, numbers.arena, scratch_ranges);
    const std::shared_ptr<Pipeline>& runs = pipeline(stage, shown);
    bound.push_back({&stage, runs, std::move(shown), source.bytes(stage), groups[s]});
  }
  return bound;
}

void Launcher::record(Stream& stream, const std::vector<BoundStage>& stages, std::uint32_t label) {
  for (const BoundStage& stage : stages)
    if (!stage.empty()) stream.dispatch(stage.dispatch(label), stage.groups);
}

// -- one kernel alone -------------------------------------------------------------------------------------------------

namespace {

std::shared_ptr<Buffer> buffer_with(Device& device, Stream& stream, std::span<const std::byte> bytes) {
  std::shared_ptr<Buffer> buffer = device.make_buffer(bytes.size());
  if (!bytes.empty()) stream.upload(bytes, {buffer, 0, bytes.size()});
  return buffer;
}

/// Whether the shaders have this input or output as an image.
bool is_image(const KernelShaders& shaders, ResourceKind kind, std::size_t index) {
  for (const ShaderStage& stage : shaders.stages)
    for (const Binding& binding : stage.bindings)
      if (binding.kind == kind && binding.index == index && binding.layout == Layout::texel) return true;
  return false;
}

LaunchInput upload_input(Device& device, Stream& stream, const KernelInput& input, const Tensor& tensor, bool image) {
  LaunchInput bound;
  if (input.type.is_scalar()) {
    bound.scalar = tensor.as_scalar();
    return bound;
  }
  if (image) {
    std::shared_ptr<Image>& texels = bound.resources[ArrayRole::values].image;
    texels = make_texels(device, folds(input.type), tensor.rows(), tensor.cols());
    upload_texels(stream, tensor, folds(input.type), texels);
    return bound;
  }
  std::vector<std::byte> converted;
  bound.longest_row = longest_row(tensor);
  for (const StorageArray& array : format(tensor.storage()).arrays)
    bound.resources[array.role].buffer.buffer = buffer_with(device, stream, to_device(tensor, array, converted));
  return bound;
}

}  // namespace

std::vector<Tensor> run_kernel(Device& device, const Kernel& kernel, const KernelShaders& shaders,
                               const std::vector<Tensor>& inputs, const SizeOf& size_of, StageByAddress by_address) {
  Stream stream(device);
  Launcher launcher(device, std::move(by_address));
  static_assert(arrivals_slot == 0);
  const std::size_t slots = 1 + kernel.inputs.size() + kernel.outputs.size();
  const BufferRange arena{device.make_buffer(slots * scalar_slot_bytes)};
  std::vector<LaunchInput> bound_inputs;
  std::vector<std::uint64_t> words(slots, 0);
  for (std::size_t n = 0; n < inputs.size(); ++n) {
    bound_inputs.push_back(
        upload_input(device, stream, kernel.inputs[n], inputs[n], is_image(shaders, ResourceKind::values, n)));
    bound_inputs.back().slot = static_cast<std::int32_t>(1 + n);  // for shaders that read it from the arena
    if (kernel.inputs[n].type.is_scalar()) words[1 + n] = to_slot(inputs[n].as_scalar(), kernel.inputs[n].type.element);
  }
  stream.upload(std::as_bytes(std::span(words)), arena);
  std::vector<LaunchOutput> bound_outputs;
  std::vector<Tensor> results;
  for (const KernelOutput& output : kernel.outputs) {
    LaunchOutput bound;
    bound.slot = static_cast<std::int32_t>(1 + kernel.inputs.size() + bound_outputs.size());
    results.push_back(Tensor::dense(output.type.element, size_of(output.type.rows), size_of(output.type.cols)));
    const Tensor& start = output.base < 0 ? results.back() : inputs[static_cast<std::size_t>(output.base)];
    std::vector<std::byte> converted;
    if (is_image(shaders, ResourceKind::output, bound_outputs.size()))
      bound.values.image = make_texels(device, folds(output.type), start.rows(), start.cols());
    else if (!output.type.is_scalar())
      bound.values.buffer.buffer = buffer_with(device, stream, to_device(start, converted));
    bound_outputs.push_back(bound);
  }
  Launcher::record(stream, launcher.bind(shaders, bound_inputs, bound_outputs, {size_of, arena}));
  for (std::size_t n = 0; n < results.size(); ++n) {
    const Type& type = kernel.outputs[n].type;
    std::vector<std::byte> bytes(type.is_scalar()
                                     ? scalar_slot_bytes
                                     : static_cast<std::size_t>(results[n].stored() * device_bytes(type.element)));
    if (bytes.empty()) continue;
    if (const std::shared_ptr<Image>& image = bound_outputs[n].values.image) {
      download_texels(stream, image, folds(type), results[n]);
      continue;
    }
    if (!type.is_scalar()) {
      stream.read({bound_outputs[n].values.buffer.buffer, 0, bytes.size()}, bytes);
      from_device(bytes, results[n]);
      continue;
    }
    stream.read({arena.buffer, static_cast<std::uint64_t>(bound_outputs[n].slot) * scalar_slot_bytes, bytes.size()},
                bytes);
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    results[n].set_stored_value(0, from_slot(word, type.element));
  }
  return results;
}

}  // namespace lac::runtime::vulkan
