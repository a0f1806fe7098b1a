// The contraction of a kernel: sums c(i, j) over k of values of a prologue, for vectors of neighbouring points.
#pragma once

#include <memory>
#include <optional>

#include "codegen/llvm/kernel/body.h"
#include "ir/plan/walk.h"

namespace lac::codegen {

/// Turns coordinates along the lane axis and the other axis into points of the domain.
Points domain_points(const WalkPlan& plan, Value* lane, Value* other, unsigned lanes, Value* mask);

/// The terms of a contraction.
class Terms {
 public:
  Terms(KernelFunction& f, const Contraction& contraction);

  /// accumulator + term of each sum at these points, by fma where the term is a product; the term alone where the
  /// accumulator is null.
  Sums add(const Points& points, const Sums& accumulators);
  std::size_t sums() const { return contraction_.values.size(); }
  llvm::Type* sum_type(unsigned lanes) const;
  Value* zero(unsigned lanes) const { return llvm::ConstantFP::get(sum_type(lanes), 0); }
  Sums zeros(unsigned lanes) const { return Sums(sums(), zero(lanes)); }

  /// Sums in memory, from 0 on.
  using Slots = llvm::SmallVector<llvm::AllocaInst*, 2>;
  Slots make_slots(unsigned lanes, llvm::StringRef name);
  Sums load(const Slots& slots, unsigned lanes);
  void store(const Sums& sums, const Slots& slots);

 private:
  Value* add(const std::vector<TypedValue>& values, std::size_t sum, Value* accumulator);

  KernelFunction& f_;
  const Contraction& contraction_;
  BodyEmitter prologue_;
};

/// One way to compute a contraction. Either vector by vector, while the domain is walked (`interior` then says which
/// vectors need no masks), or ahead for up to `chunk` points into a buffer.
class Product {
 public:
  virtual ~Product() = default;

  /// Points to compute ahead; 0: vector by vector.
  virtual std::int64_t chunk() const = 0;
  /// Points to compute ahead of several blocks of the lane axis, where that is more.
  virtual std::int64_t chunk_of_blocks() const { return chunk(); }
  /// Ahead: the sums at the points [first, end) of the lane axis, end - first <= chunk, into the buffer from 0 on.
  virtual void fill(Value* first, Value* end, Value* other) = 0;
  /// Ahead: so many results from `offset` on.
  Sums buffered(Value* offset, unsigned lanes = kernel_lanes);

  /// Vector by vector: whether no point of the full vector at `first` needs a mask (i1).
  virtual Value* interior(Value* first) = 0;
  /// Vector by vector: the sums at these points. Without a mask the vector is in the interior.
  virtual Sums compute(const Points& points) = 0;

 protected:
  Product(KernelFunction& f, const WalkPlan& plan);

  /// Terms::add where `contributes` (i1 per lane, or null for all).
  Sums add_terms(const Points& points, const Sums& accumulators, Value* contributes);
  llvm::Type* sum_type(unsigned lanes) const { return terms_.sum_type(lanes); }
  Value* zero(unsigned lanes) const { return terms_.zero(lanes); }
  void store_to_buffer(std::size_t sum, Value* value, Value* offset);
  void make_buffer(std::int64_t points);
  /// Under CodegenOptions::check_bounds: that it has these elements.
  void check_buffer(Value* offset, unsigned elements);
  Value* buffer() { return buffer_; }
  /// Of one sum: of the points ahead and up to `overshoot` more, which nobody reads. Then come those of the next sum.
  /// Large ones are pages apart: where the last bits of addresses were others, loads of one would wait for stores to
  /// another.
  static std::int64_t buffer_length(std::int64_t points) {
    constexpr std::int64_t page = 1024;  // elements
    const std::int64_t length = points + overshoot;
    return length < page ? length : (length + page - 1) / page * page;
  }
  static constexpr std::int64_t overshoot = 4 * kernel_lanes;

  KernelFunction& f_;
  const WalkPlan& plan_;
  const Contraction& contraction_;

  Terms terms_;

 private:
  Value* in_buffer(std::size_t sum, Value* offset);

  llvm::AllocaInst* buffer_ = nullptr;
  std::int64_t buffer_length_ = 0;
};

/// The product for the kernel's contraction. Emits its set-up here.
std::unique_ptr<Product> make_product(KernelFunction& f, const WalkPlan& plan);

std::unique_ptr<Product> make_diagonal_product(KernelFunction& f, const WalkPlan& plan);
std::unique_ptr<Product> make_csr_product(KernelFunction& f, const WalkPlan& plan);
std::unique_ptr<Product> make_dense_product(KernelFunction& f, const WalkPlan& plan);

}  // namespace lac::codegen
