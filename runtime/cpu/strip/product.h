// The contraction of a kernel over strips, in the order of summation of codegen/llvm/kernel_*product.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/plan/walk.h"
#include "runtime/cpu/strip/body.h"

namespace lac::runtime {

/// One sum of a contraction. Decided once for a nest.
class StripProduct {
 public:
  StripProduct(const Kernel& kernel, const Nest& nest, std::size_t sum, const WalkPlan& plan,
               const SlotNumbers& numbers, VectorIsa isa);

  std::int64_t ahead() const { return ahead_; }
  Element element() const { return element_; }

  /// One launch.
  class State {
   public:
    State(const StripProduct& product, const std::uint64_t* slots, Scratch& scratch);

    /// c at the points [first, end) of the lane axis, end - first <= ahead().
    void fill(std::int64_t first, std::int64_t end, std::int64_t other);
    /// What was filled, from `offset` on.
    const void* at(std::int64_t offset) const;
    /// c at these points, where `ahead()` is 0.
    const void* compute(const StripPoints& points);

   private:
    template <class T>
    void fill_as(std::int64_t first, std::int64_t end, std::int64_t other);
    template <class T>
    T row_sum(std::int64_t row, std::int64_t other);
    template <class T>
    T row_sum_of_terms(const StripPoints& row, std::int64_t begin, std::int64_t end, bool look);
    template <class T>
    void lane_sums(std::int64_t first, std::int64_t end, std::int64_t other);
    template <class T>
    T dot(std::int64_t at, std::int64_t other);
    template <class T>
    void diagonals(const StripPoints& points);
    /// sum[l] += the term at the points, where contributes[l] is not 0 (null: everywhere).
    template <class T>
    void add_terms(const StripPoints& points, const std::uint8_t* contributes, T* sum);
    StripPoints points_at(std::int64_t lane, std::int64_t other) const;

    const StripProduct& product_;
    const std::uint64_t* slots_;
    Scratch& scratch_;
    StripBody::State prologue_;
    void* buffer_;
  };

 private:
  /// A load of a plain dense element, whose position is linear in i, j and k.
  struct Factor {
    std::int32_t slot = 0;
    StripMap map = {};
    bool is_element = false;  ///< the matrix element

    std::int64_t position(const std::uint64_t* slots, std::int64_t i, std::int64_t j, std::int64_t k) const;
  };
  std::optional<Factor> factor(const Kernel& kernel, const Instr& instr, const SlotNumbers& numbers) const;
  void find_factors(const Kernel& kernel, const Body& prologue, const Instr& term, const SlotNumbers& numbers);

  const WalkPlan& plan_;
  Storage storage_;
  Element element_, matrix_element_ = Element::real;
  DenseForm form_ = DenseForm::lanes;
  std::int32_t sums_;  ///< accumulators of a point
  std::int64_t ahead_;
  bool fused_;                          ///< the machine has fma
  bool is_product_;                     ///< the term is one multiplication
  bool is_plain_;                       ///< is_plain_product
  std::optional<Factor> left_, right_;  ///< both, where the loops of sums.h do the work
  std::int32_t matrix_slot_ = -1;
  SlotNumber extent_, rows_, cols_;
  std::vector<SlotNumber> offsets_;
  StripBody prologue_;
  std::int32_t term_ = 0, term_left_ = 0, term_right_ = 0;  ///< registers
};

}  // namespace lac::runtime
