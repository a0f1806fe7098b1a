// The body of a kernel, or the prologue of its contraction, as a list of steps over strips.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/cpu/strip/access.h"
#include "runtime/cpu/strip/operations.h"

namespace lac::runtime {

/// What functions of mathematics are called as: SLEEF's over vectors, libm's one by one.
enum class StripMath : std::uint8_t { vectors, scalars };

class StripBody {
 public:
  /// Of the nest that owns `body`; not kept.
  StripBody(const Kernel& kernel, const Nest& nest, const Body& body, const SlotNumbers& numbers, VectorIsa isa,
            StripMath math);

  std::size_t registers() const { return kinds_.size(); }

  /// The registers of one launch: memory for `lanes` points in each, those that are the same for all points filled.
  class State {
   public:
    State(const StripBody& body, const std::uint64_t* slots, std::int64_t lanes, Scratch& scratch);

    /// Computes all registers at the points.
    void evaluate(const StripPoints& points);
    const std::uint64_t* slots() const { return slots_; }
    void* const* registers() const { return registers_; }
    Scratch& scratch() const { return scratch_; }

   private:
    const StripBody& body_;
    const std::uint64_t* slots_;
    Scratch& scratch_;
    void** registers_;
  };

  /// The register of an instruction's value, as its element is held.
  std::int32_t register_of(InstrId id) const { return values_[id.index]; }
  Register kind_of(InstrId id) const { return kinds_[static_cast<std::size_t>(values_[id.index])]; }
  /// The value held as `kind`; conversions are made before State is.
  std::int32_t converted(InstrId id, Register kind);

 private:
  friend class State;
  struct Step {
    enum class Kind : std::uint8_t { constant, size, scalar_input, load, index, element, contraction, call };
    Kind kind = Kind::call;
    bool uniform = false;
    std::int32_t out = 0;
    std::int32_t in[3] = {};
    Operation operation = {};
    double number = 0;
    SlotNumber slot = {};
    Element element = Element::real;
    Axis axis = Axis::rows;
    std::uint32_t sum = 0;
    StripMap map = {};
  };

  std::int32_t add_register(Register kind);
  std::int32_t add(Step step, Register kind, Register wanted);
  void add(const Kernel& kernel, const Nest& nest, const Instr& instr, bool uniform, const SlotNumbers& numbers);
  void add_load(const Kernel& kernel, const Instr& instr, bool uniform, const SlotNumbers& numbers);
  void add_apply(const Instr& instr, bool uniform);
  std::int32_t convert(std::int32_t from, Register to);
  bool is_uniform(std::int32_t id) const { return uniform_[static_cast<std::size_t>(id)]; }

  const Body* source_;  ///< while steps are added
  VectorIsa isa_;
  StripMath math_;
  SlotNumber rows_;
  std::vector<Step> steps_;
  std::vector<Register> kinds_;
  std::vector<bool> uniform_;         ///< of registers
  std::vector<std::int32_t> values_;  ///< by instruction
  std::vector<Element> elements_;     ///< by instruction
};

}  // namespace lac::runtime
