// The contraction of a kernel: c(i, j) = sum over k of a prologue, for vectors of neighbouring points.
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

  /// accumulator + prologue at these points, by fma where the prologue is a product; the term alone without one.
  Value* add(const Points& points, Value* accumulator);
  llvm::Type* sum_type(unsigned lanes) const;
  Value* zero(unsigned lanes) const { return llvm::ConstantFP::get(sum_type(lanes), 0); }

 private:
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
  /// Ahead: c at the points [first, end) of the lane axis, end - first <= chunk, into buffer()[0...].
  virtual void fill(Value* first, Value* end, Value* other) = 0;
  /// Ahead: kernel_lanes results from `offset` on.
  Value* buffered(Value* offset);

  /// Vector by vector: whether no point of the full vector at `first` needs a mask (i1).
  virtual Value* interior(Value* first) = 0;
  /// Vector by vector: c at these points. Without a mask the vector is in the interior.
  virtual Value* compute(const Points& points) = 0;

 protected:
  Product(KernelFunction& f, const WalkPlan& plan);

  /// Terms::add where `contributes` (i1 per lane, or null for all).
  Value* add_term(const Points& points, Value* accumulator, Value* contributes);
  llvm::Type* sum_type(unsigned lanes) const { return terms_.sum_type(lanes); }
  Value* zero(unsigned lanes) const { return terms_.zero(lanes); }
  Value* store_to_buffer(Value* sum, Value* offset);
  /// For chunk() results and up to `overshoot` more, which nobody reads.
  void make_buffer();
  /// Under CodegenOptions::check_bounds: that it has these elements.
  void check_buffer(Value* offset, unsigned elements);
  Value* buffer() { return buffer_; }
  static constexpr std::int64_t overshoot = 4 * kernel_lanes;

  KernelFunction& f_;
  const WalkPlan& plan_;
  const Contraction& contraction_;

 private:
  Terms terms_;
  llvm::AllocaInst* buffer_ = nullptr;
};

/// The product for the kernel's contraction. Emits its set-up here.
std::unique_ptr<Product> make_product(KernelFunction& f, const WalkPlan& plan);

std::unique_ptr<Product> make_diagonal_product(KernelFunction& f, const WalkPlan& plan);
std::unique_ptr<Product> make_csr_product(KernelFunction& f, const WalkPlan& plan);
std::unique_ptr<Product> make_dense_product(KernelFunction& f, const WalkPlan& plan);

}  // namespace lac::codegen
