// The walker of plans on vulkan-fragment. Values are never changed in place: a result is a texture of its own, whatever
// the plan says about taking over. Internal to runtime/vulkan.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/steps/host_step.h"
#include "runtime/vulkan/fragment/fragment.h"
#include "runtime/vulkan/fragment/passes.h"

namespace lac::runtime::vulkan {

class FragmentMachine {
 public:
  FragmentMachine(const FragmentPlan& program, const std::vector<Tensor>& parameters, const RunOptions& options,
                  const FragmentRunOptions& fragment, Device& device);
  RunResult run();

 private:
  /// A number that the host knows, or numbers on the host, in a texture, or in both.
  struct Value {
    std::optional<double> number = {};
    std::shared_ptr<Tensor> tensor = {};
    Packed packed = {};
    std::int64_t rows = 1, cols = 1;

    explicit operator bool() const { return number || tensor || packed.values; }
  };
  using Values = std::vector<Value>;

  void run_block(BlockId block);
  void run_op(const Op& op, OpId id);
  void scalar_op(const Op& op);
  void index(const Op& op);
  void reshape(const Op& op);
  void host_step(const Op& op);
  void branch(const Op& op);
  void launch(const Op& op);

  void loop(const Op& op, OpId id);
  std::int64_t host_loop(const Op& op, double limit);
  void count_trips(LocationId loop, std::int64_t trips);

  struct Chunk;  ///< of a loop on the device: see loop.cpp
  std::int64_t device_loop(const Op& op, double limit);
  void record_trip(const Op& op, std::int64_t trip, Chunk& chunk);
  void close_trip(const Op& op, Chunk& chunk);

  const Value& value(ValueId id) const;
  void define(ValueId id, Value value);
  double number(ValueId id);
  bool is_true(ValueId id);
  Tensor tensor(ValueId id);
  const Packed& packed(ValueId id);
  Values values_of(const std::vector<ValueId>& ids, std::size_t first) const;
  void define_all(const std::vector<ValueId>& ids, std::size_t first, const Values& values);
  ResultType type_of(ValueId id);
  std::int64_t size_of(const Size& size);
  std::int64_t symbol_value(SymbolId id);
  [[noreturn]] void stop(RunCode code, std::string message, std::string id = {});
  void check_nan(const Op& op);
  void finish_statistics(double ms);

  const Plan& plan_;
  const FragmentProgram& passes_;
  const std::vector<Tensor>& parameters_;
  const RunOptions& options_;
  FragmentRunOptions fragment_;
  Device& device_;
  Stream stream_;
  TexturePool textures_;
  Values values_;
  Chunk* chunk_ = nullptr;  ///< draws go to it, else to the stream
  LocationId location_;
  std::vector<std::int64_t> trips_;
  RunResult result_ = begin_run(options_);
  StepRun steps_;
  std::vector<std::int64_t> launches_;  ///< by kernel
  std::int64_t polls_ = 0;
};

}  // namespace lac::runtime::vulkan
