// The walker of plans: what every value is and where, and the handlers of ops. Internal to runtime/vulkan; the loops on
// the device (region.h) run bodies through it too, with a Recorder of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/graph/outer_uses.h"
#include "ir/plan/plan.h"
#include "ir/plan/shader.h"
#include "runtime/run.h"
#include "runtime/steps/host_step.h"
#include "runtime/vulkan/machine/run.h"
#include "runtime/vulkan/machine/scalars.h"
#include "runtime/vulkan/machine/statistics.h"
#include "runtime/vulkan/machine/values.h"
#include "runtime/vulkan/stream/launch.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::runtime::vulkan {

/// A value of the plan: a number that the host computes, a scalar that kernels compute or carry, or a matrix, which
/// several names may show under shapes of their own. Cheap to copy: a copy shows the same buffers.
struct Value {
  std::optional<double> number = {};
  ScalarRef scalar = {};
  MatrixRef matrix = {};
  std::int64_t rows = 1, cols = 1;
  bool open = false;  ///< in a shader pack: a number that the host would compute from what kernels make

  explicit operator bool() const { return number || scalar || matrix || open; }
};

struct LoopMemory;  // region_memory.h

/// Where the commands of ops go: the stream, or a chunk of a loop.
class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void launch(const std::vector<BoundStage>& stages, const KernelLabels& labels) = 0;
  /// Bytes of one buffer to another; sizes are multiples of 4.
  virtual void copy(const BufferRange& from, const BufferRange& to) = 0;
  /// Zeros.
  virtual void clear(const BufferRange& range) = 0;
};

class Machine {
 public:
  Machine(const VulkanProgram& program, const std::vector<Tensor>& parameters, const RunOptions& options,
          const VulkanRunOptions& vulkan, Device& device);
  /// Throws DeviceError; everything else is in the result.
  RunResult run();

  // -- for loops on the device

  const Plan& plan() const { return plan_; }
  const ShaderProgram& shaders() const { return shaders_; }
  const RunOptions& options() const { return options_; }
  Device& device() { return device_; }
  Stream& stream() { return stream_; }
  Launcher& launcher() { return launcher_; }
  Matrices& matrices() { return matrices_; }
  Arena& scalars() { return scalars_; }
  StatisticsBook& statistics() { return statistics_; }
  std::vector<std::int64_t>& trips() { return trips_; }
  std::shared_ptr<LoopMemory>& loop_memory(OpId loop) { return loop_memories_[loop]; }
  std::uint64_t& random_counter() { return result_.random.draws; }
  RandomState& random() { return result_.random; }
  std::int64_t device_memory() const { return vulkan_.device_memory; }
  PackRecorder* pack() const { return vulkan_.pack; }
  /// A pack cannot have it: ends the run with a message.
  [[noreturn]] void refuse_in_pack(const std::string& what);
  /// What the run does and the pack does not.
  void remark_in_pack(const std::string& text);
  /// Whether texts are nobody's: remarked then.
  bool leaves_text_to_pack();
  /// A number that the host counts with the trips of a loop: first + trips * step, where `trips` lies in its state.
  struct Counted {
    BufferRange state;
    double first = 0, step = 0;
  };
  void count_in_pack(ValueId id, Counted counted) { counted_.emplace(id, std::move(counted)); }
  void set_location(LocationId location) { location_ = location; }

  /// Until the next call commands go to `recorder`; null: to the stream.
  void set_recorder(Recorder* recorder) { recorder_ = recorder; }
  void copy_bytes(const BufferRange& from, const BufferRange& to);

  void run_block(BlockId block);
  void run_op(OpId op);

  /// Throws InternalError where the value has none.
  const Value& value(ValueId id) const;
  bool has(ValueId id) const { return static_cast<bool>(values_[id.index]); }
  void define(ValueId id, Value value);
  /// Reads of a device scalar wait for it (and count as a readback).
  double number(ValueId id);
  /// The number where the host has it already.
  std::optional<double> known(ValueId id) const;
  /// Of a scalar for someone who else takes its slot: one that is open is refused.
  std::optional<double> known_or_refuse(const Value& value);
  std::int64_t size_of(const Size& size) const { return size_of_(size); }
  const SizeOf& sizes() const { return size_of_; }
  /// Of a matrix; 0 of what is none, or dense.
  std::int64_t longest_row(ValueId id) const;
  /// Whether a launch is in the tail of another, which does it.
  bool is_in_tail(OpId launch) const { return in_tails_.contains(launch); }
  /// What the launch and its tail come from.
  const std::vector<LocationId>& locations(OpId launch);
  /// Whether the op is a step that the device would do here, or no step.
  bool fits_device(OpId op);
  ResultType type_of(ValueId id) const;
  /// A scalar with a slot, whatever it was before; the value keeps it.
  ScalarRef scalar(ValueId id);
  /// The value as one of the type of `target`: a matrix of one element becomes a scalar and the other way round.
  Value in_form_of(ValueId target, Value value);
  /// All at once, as a back edge does: matrices change hands, scalars are shared.
  void move_values(const std::vector<ValueId>& from, const std::vector<ValueId>& to, std::size_t from_first,
                   std::size_t to_first);
  /// Octave's truth, of a scalar or a matrix.
  bool is_true(ValueId id);
  /// A copy on the host that outlives the value.
  Tensor tensor(ValueId id);
  void poll_interrupt(LocationId loop);
  void begin_trip(LocationId loop);  ///< the innermost of `trips`

  [[noreturn]] void stop(RunCode code, std::string message, std::string id = {});

 private:
  using Handler = void (Machine::*)(OpId, const Op&);
  static const Handler handlers[];

  void run_body();
  void refuse(OpId id, const Op& op);

  void parameter(OpId id, const Op& op);
  void constant(OpId id, const Op& op);
  void size(OpId id, const Op& op);
  void convert(OpId id, const Op& op);
  void map(OpId id, const Op& op);
  void index(OpId id, const Op& op);
  void reshape(OpId id, const Op& op);
  void step(OpId id, const Op& op);
  void condition(OpId id, const Op& op);
  void loop(OpId id, const Op& op);
  void branch(OpId id, const Op& op);
  void launch(OpId id, const Op& op);
  bool runs_natively(OpId id, const Op& op);
  double cost_of_moving(const Op& op, const OuterUses::Uses& uses) const;
  void native_loop(OpId id, const Op& op);
  void copy(OpId id, const Op& op);
  void release(OpId id, const Op& op);

  void host_step(OpId id, const Op& op);
  bool is_left_to_pack(const Op& op);
  bool is_known_in_pack(const Op& op) const;
  bool is_here(ValueId id) const;
  void refuse_host_step_in_pack(const Op& op);
  void refuse_host_loop_in_pack(OpId id, ValueId goes_on);
  void input_of_pack(const Op& op);
  void output_of_pack(const Op& op);
  void run_step(const Op& op, const std::vector<Tensor>& operands);
  std::int64_t position(const Op& op);

  const KernelShaders* fitting_shaders(OpId id, const KernelShaders& shaders, bool shares);
  bool grow(const Op& op);
  void launch_shaders(OpId id, const KernelShaders& shaders, const Kernel* kernel, const KernelLabels& labels);
  bool grows_on(const Op& op) const;
  std::vector<Value> prepared_results(const Op& op, const Kernel* kernel, std::vector<MatrixUse>& uses);
  std::vector<Value> launch_results(const Op& op, const Kernel* kernel, std::vector<MatrixUse>& uses, bool room);
  Value scalar_result(const Op& op, std::size_t result, std::int32_t base);
  LaunchInput launch_input(ValueId id, bool in_arena);
  void record(const std::vector<BoundStage>& stages, const KernelLabels& labels);

  std::int64_t symbol_value(SymbolId id);
  Value matrix_from_scalar(ValueId target, const Value& value);
  Value scalar_from_matrix(ValueId target, const Value& value);
  MatrixRef copied(const MatrixRef& matrix);
  double element(const Value& value, std::int64_t position);
  Value take(ValueId id);
  void drop(ValueId id);
  void drop_taken_over(const Op& op);
  void check_nan(const Op& op);
  void finish_statistics();

  const Plan& plan_;
  const std::set<OpId> in_tails_ = ops_in_tails(plan_);
  const ShaderProgram& shaders_;
  std::function<const KernelShaders&(OpId)> split_;
  const CpuProgram* native_;
  OuterUses outer_;
  const std::vector<Tensor>& parameters_;
  const RunOptions& options_;
  const VulkanRunOptions& vulkan_;
  Device& device_;
  bool device_loops_;  ///< false: the host drives all
  SizeOf size_of_;
  Stream stream_;
  Launcher launcher_;
  Matrices matrices_;  // these two outlive the values
  Arena scalars_;
  std::vector<Value> values_;
  std::set<ValueId> views_;  ///< names of buffers that other values own
  std::map<OpId, std::shared_ptr<LoopMemory>> loop_memories_;
  std::map<OpId, std::vector<LocationId>> locations_;  ///< of launches that have tails
  Recorder* recorder_ = nullptr;
  std::int32_t unsubmitted_ = 0;
  std::map<ValueId, Counted> counted_;        ///< of a pack
  std::set<const Matrix*> pack_inputs_ = {};  ///< those that stay on the host too, for nobody to read
  std::vector<Value> pack_outputs_;           ///< no other value takes their places
  LocationId location_;                       ///< of the op at hand
  std::vector<std::int64_t> trips_;           ///< of the loops being run, from 1
  RunResult result_ = begin_run(options_);
  StepRun steps_;
  StatisticsBook statistics_;
};

}  // namespace lac::runtime::vulkan
