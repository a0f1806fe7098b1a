// What the kernels, steps and loops of one run did.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/graph/graph.h"
#include "ir/plan/abi.h"
#include "ir/plan/shader.h"
#include "runtime/stats.h"
#include "runtime/steps/library.h"
#include "runtime/tensor/tensor.h"
#include "runtime/trace.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::runtime::vulkan {

/// One entry of the statistics for each kind of stage that a launch has: what the kernel moves counts for its main
/// stages, times for each. The number of an entry, plus 1, is the label of its dispatches; 0: none.
struct KernelLabels {
  std::array<std::uint32_t, 4> by_kind = {};  ///< by StageKind

  std::uint32_t of(StageKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
};

class StatisticsBook {
 public:
  explicit StatisticsBook(const Graph& plan);
  /// The labels of a launch's stages, one launch counted. Locations are those of the first call; the shaders of a step
  /// are no kernel's.
  KernelLabels launched(const KernelShaders& shaders, KernelId kernel, const std::vector<LocationId>& locations);
  void add_work(const KernelLabels& labels, const abi::Work& work);
  /// A host step.
  void add_step(const Op& op, std::span<const Tensor> operands, std::span<const ResultType> results, double ms);
  /// Of a loop that the host ran by compiled code.
  void add_native(const Statistics& statistics);
  void add_trips(LocationId loop, std::int64_t trips);
  /// The counts so far of everything that has them, without times.
  using Mark = std::vector<std::array<std::int64_t, 6>>;
  Mark mark() const;
  /// As if nothing had been counted since: what was recorded and did not run.
  void rewind(const Mark& mark);
  void add_times(const std::vector<LabelTime>& times);
  /// What the labels of dispatches stand for.
  void name_spans(Trace& trace) const;
  TransferStatistics& transfers() { return statistics_.transfers; }
  MemoryStatistics& memory() { return statistics_.memory; }
  Statistics take() { return std::move(statistics_); }

 private:
  std::uint32_t entry(std::string name, KernelKind kind, const std::vector<LocationId>& locations);
  KernelStatistics& at(std::uint32_t label) { return statistics_.kernels[label - 1]; }

  Statistics statistics_;
  std::map<LocationId, LocationId> loop_of_;  ///< the innermost around an op, by their places
  std::map<const KernelShaders*, KernelLabels> labels_;
  std::map<ValueId, std::uint32_t> step_labels_;                                            ///< by the first result
  std::map<std::tuple<KernelKind, std::string, LocationId>, std::uint32_t> native_labels_;  ///< the name of a kernel or
                                                                                            ///< step, and its place
};

}  // namespace lac::runtime::vulkan
