#include "runtime/vulkan/machine/statistics.h"

#include <utility>

#include "ir/support/result.h"
#include "runtime/steps/step_work.h"

namespace lac::runtime::vulkan {
namespace {

KernelKind kind_of(StageKind stage) {
  switch (stage) {
    case StageKind::main: return KernelKind::main;
    case StageKind::combine: return KernelKind::combine;
    case StageKind::control: return KernelKind::control;
    case StageKind::copy: return KernelKind::copy;
  }
  throw InternalError("a stage of no kind");
}

}  // namespace

StatisticsBook::StatisticsBook(const Graph& plan) {
  // Loops around come first, so those inside have the last word.
  for_each_op(plan, plan.body, [&](OpId loop) {
    if (plan.ops[loop].kind != OpKind::loop) return;
    for_each_op(plan, plan.ops[loop].blocks[0],
                [&](OpId op) { loop_of_[plan.ops[op].location] = plan.ops[loop].location; });
  });
}

std::uint32_t StatisticsBook::entry(std::string name, KernelKind kind, const std::vector<LocationId>& locations) {
  KernelStatistics& kernel = statistics_.kernels.emplace_back();
  kernel.name = std::move(name);
  kernel.kind = kind;
  kernel.locations = locations;
  for (const LocationId place : locations)
    if (const auto loop = loop_of_.find(place); loop != loop_of_.end()) kernel.loop = loop->second;
  return static_cast<std::uint32_t>(statistics_.kernels.size());
}

KernelLabels StatisticsBook::launched(const KernelShaders& shaders, KernelId kernel,
                                      const std::vector<LocationId>& locations) {
  KernelLabels& labels = labels_[&shaders];
  for (const ShaderStage& stage : shaders.stages) {
    std::uint32_t& label = labels.by_kind[static_cast<std::size_t>(stage.kind)];
    if (label != 0) continue;
    label = entry(shaders.name, kind_of(stage.kind), locations);
    if (kernel.valid()) at(label).id = kernel_id(kernel.index);
  }
  for (std::uint32_t label : labels.by_kind)
    if (label != 0) ++at(label).launches;
  return labels;
}

void StatisticsBook::add_work(const KernelLabels& labels, const abi::Work& work) {
  const std::uint32_t label = labels.of(StageKind::main);
  if (label == 0) return;
  KernelStatistics& kernel = at(label);
  kernel.bytes_read += work.matrix_read + work.vector_read;
  kernel.bytes_written += work.matrix_written + work.vector_written;
  kernel.matrix_bytes += work.matrix_read + work.matrix_written;
  kernel.vector_bytes += work.vector_read + work.vector_written;
  kernel.flops += work.flops;
}

void StatisticsBook::add_step(const Op& op, std::span<const Tensor> operands, std::span<const ResultType> results,
                              double ms) {
  std::uint32_t& label = step_labels_[op.results.empty() ? ValueId{} : op.results[0]];
  if (label == 0) label = entry(step_name(op.kind, op.attribute), KernelKind::library, {op.location});
  abi::Work work;
  add_step_work(work, operands, results);
  KernelLabels labels;
  labels.by_kind[static_cast<std::size_t>(StageKind::main)] = label;
  add_work(labels, work);
  ++at(label).launches;
  at(label).ms += ms;
}

// By whoever ran them, kernels are part of the loop's own code: `main` is what dispatches are.
void StatisticsBook::add_native(const Statistics& statistics) {
  for (const KernelStatistics& each : statistics.kernels) {
    if (each.launches == 0) continue;
    const KernelKind kind = each.kind == KernelKind::main ? KernelKind::straight : each.kind;
    const LocationId place = each.locations.empty() ? LocationId{} : each.locations.front();
    std::uint32_t& label = native_labels_[{kind, each.id.empty() ? each.name : each.id, place}];
    if (label == 0) {
      label = entry(each.name, kind, each.locations);
      at(label).id = each.id;
      at(label).loop = each.loop;
    }
    KernelStatistics& sum = at(label);
    sum.launches += each.launches;
    sum.bytes_read += each.bytes_read;
    sum.bytes_written += each.bytes_written;
    sum.matrix_bytes += each.matrix_bytes;
    sum.vector_bytes += each.vector_bytes;
    sum.flops += each.flops;
    sum.ms += each.ms;
  }
  for (const LoopStatistics& loop : statistics.loops)
    if (loop.trips > 0) add_trips(loop.location, loop.trips);
}

void StatisticsBook::add_trips(LocationId location, std::int64_t trips) {
  for (LoopStatistics& loop : statistics_.loops)
    if (loop.location == location) {
      loop.trips += trips;
      return;
    }
  statistics_.loops.push_back({location, trips});
}

StatisticsBook::Mark StatisticsBook::mark() const {
  Mark mark;
  for (const KernelStatistics& kernel : statistics_.kernels)
    mark.push_back({kernel.launches, kernel.bytes_read, kernel.bytes_written, kernel.matrix_bytes, kernel.vector_bytes,
                    kernel.flops});
  return mark;
}

void StatisticsBook::rewind(const Mark& mark) {
  for (std::size_t n = 0; n < statistics_.kernels.size(); ++n) {
    KernelStatistics& kernel = statistics_.kernels[n];
    const Mark::value_type counts = n < mark.size() ? mark[n] : Mark::value_type{};
    kernel.launches = counts[0];
    kernel.bytes_read = counts[1];
    kernel.bytes_written = counts[2];
    kernel.matrix_bytes = counts[3];
    kernel.vector_bytes = counts[4];
    kernel.flops = counts[5];
  }
}

void StatisticsBook::name_spans(Trace& trace) const {
  for (std::uint32_t n = 0; n < statistics_.kernels.size(); ++n) {
    const KernelStatistics& kernel = statistics_.kernels[n];
    const LocationId location = kernel.locations.empty() ? LocationId{} : kernel.locations.front();
    trace.name_on_device(
        n + 1,
        {kernel.id,
         kernel.kind == KernelKind::main ? kernel.name : kernel.name + " (" + std::string(name(kernel.kind)) + ")",
         location});
  }
}

void StatisticsBook::add_times(const std::vector<LabelTime>& times) {
  for (const LabelTime& time : times)
    if (time.label != 0) at(time.label).ms += time.ms;
}

}  // namespace lac::runtime::vulkan
