// Products with a matrix stored by diagonals: for a vector of rows, one multiply-add per diagonal, all loads
// contiguous.
#include "codegen/llvm/kernel/bounds.h"
#include "codegen/llvm/kernel/product.h"

namespace lac::codegen {
namespace {

// Beyond this many the diagonals are walked in a loop.
constexpr std::size_t most_unrolled = 32;

class DiagonalProduct final : public Product {
 public:
  DiagonalProduct(KernelFunction& f, const WalkPlan& plan)
      : Product(f, plan), type_(f.kernel().inputs[contraction_.matrix].type) {
    lowest_ = highest_ = f.integer(0);
    for (const Size& offset : type_.offsets) {
      Value* value = f.size(offset);
      lowest_ = f.smaller(lowest_, value);
      highest_ = f.larger(highest_, value);
    }
    if (type_.offsets.size() > most_unrolled) make_table();
  }

  std::int64_t chunk() const override { return 0; }
  void fill(Value*, Value*, Value*) override {}

  Value* interior(Value* first) override {
    auto& b = f_.builder();
    Value* starts_inside = b.CreateICmpSGE(b.CreateAdd(first, lowest_), f_.integer(0));
    Value* last = b.CreateAdd(b.CreateAdd(first, highest_), f_.integer(kernel_lanes - 1));
    return b.CreateAnd(starts_inside, b.CreateICmpSLT(last, f_.size(type_.cols)));
  }

  Sums compute(const Points& points) override {
    auto& b = f_.builder();
    if (!table_) {
      Sums sums = terms_.zeros(kernel_lanes);
      for (std::size_t d = 0; d < type_.offsets.size(); ++d)
        sums = add_diagonal(points, f_.integer(static_cast<std::int64_t>(d)), f_.size(type_.offsets[d]), sums);
      return sums;
    }
    const Terms::Slots slots = terms_.make_slots(kernel_lanes, "sum");
    f_.loop(f_.integer(0), f_.integer(static_cast<std::int64_t>(type_.offsets.size())), 1, [&](Value* d) {
      Value* offset = b.CreateLoad(b.getInt64Ty(), f_.element(b.getInt64Ty(), table_, d));
      terms_.store(add_diagonal(points, d, offset, terms_.load(slots, kernel_lanes)), slots);
    });
    return terms_.load(slots, kernel_lanes);
  }

 private:
  void make_table() {
    auto& b = f_.builder();
    table_ = f_.local(llvm::ArrayType::get(b.getInt64Ty(), type_.offsets.size()), "offsets");
    for (std::size_t d = 0; d < type_.offsets.size(); ++d)
      b.CreateStore(f_.size(type_.offsets[d]),
                    f_.element(b.getInt64Ty(), table_, f_.integer(static_cast<std::int64_t>(d))));
  }

  Sums add_diagonal(const Points& rows, Value* diagonal, Value* offset, const Sums& sums) {
    auto& b = f_.builder();
    Points points = rows;
    points.k = b.CreateAdd(rows.i, offset);
    points.step_k = true;
    if (rows.mask) {
      Value* columns = b.CreateAdd(f_.splat(points.k, kernel_lanes), f_.iota(kernel_lanes));
      Value* inside = b.CreateICmpULT(columns, f_.splat(f_.size(type_.cols), kernel_lanes));
      points.mask = b.CreateAnd(rows.mask, inside);
    }
    Value* position = b.CreateAdd(b.CreateMul(diagonal, f_.size(type_.rows)), rows.i);
    Value* pointer =
        f_.element(memory_type(b.getContext(), type_.element), f_.input_pointer(contraction_.matrix), position);
    if (f_.target().check_bounds) {
      Value* positions = b.CreateAdd(f_.splat(position, kernel_lanes), f_.iota(kernel_lanes));
      check_positions(f_, load_of(f_, contraction_.matrix) + ", its diagonals", positions, points.mask,
                      f_.input_count(contraction_.matrix));
    }
    points.matrix_element = load_contiguous(f_, type_.element, pointer, kernel_lanes, points.mask);
    // Masked lanes were loaded as zero, and zeros do not contribute.
    Value* stored = emit_convert(b, {points.matrix_element, type_.element}, Element::logical);
    return add_terms(points, sums, stored);
  }

  const Type& type_;
  Value* lowest_;
  Value* highest_;
  llvm::AllocaInst* table_ = nullptr;
};

}  // namespace

std::unique_ptr<Product> make_diagonal_product(KernelFunction& f, const WalkPlan& plan) {
  return std::make_unique<DiagonalProduct>(f, plan);
}

}  // namespace lac::codegen
