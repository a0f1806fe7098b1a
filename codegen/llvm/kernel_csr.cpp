// Products with a matrix in compressed rows: the terms of a row are added one after the other in column order.
//
// A stored zero must contribute nothing, and it does so by itself unless it meets Inf or NaN; then the sum is NaN. So
// rows are summed without looking, and only a row whose sum is NaN is summed again with a test of every entry.
#include "codegen/llvm/kernel_bounds.h"
#include "codegen/llvm/kernel_product.h"
#include "ir/kernel/factors.h"

namespace lac::codegen {
namespace {

// How far ahead the matrix is fetched: the machine's own prefetching leaves a third of one core's bandwidth unused.
constexpr std::int64_t entries_ahead = 512;
constexpr std::int64_t unroll = 4;  // a power of two

class CsrProduct final : public Product {
 public:
  CsrProduct(KernelFunction& f, const WalkPlan& plan) : Product(f, plan) { make_buffer(); }

  std::int64_t chunk() const override { return points_ahead(contraction_); }

  void fill(Value* first, Value* end, Value* other) override {
    f_.loop(first, end, 1, [&](Value* row) {
      Value* sum = row_sum(row, other);
      store_to_buffer(sum, f_.builder().CreateSub(row, first));
    });
  }

  Value* interior(Value*) override { return nullptr; }
  Value* compute(const Points&) override { return nullptr; }

 private:
  Value* index_at(ArrayRole role, Value* position) {
    auto& b = f_.builder();
    const std::uint32_t matrix = contraction_.matrix;
    check_array_position(f_, matrix, role, position);
    Value* index = b.CreateLoad(b.getInt32Ty(), f_.element(b.getInt32Ty(), f_.array(matrix, role), position));
    return b.CreateSExt(index, b.getInt64Ty());
  }

  Value* row_sum(Value* row, Value* other) {
    auto& b = f_.builder();
    Value* begin = index_at(ArrayRole::row_pointers, row);
    Value* end = index_at(ArrayRole::row_pointers, b.CreateAdd(row, f_.integer(1)));
    llvm::AllocaInst* sum = f_.local(sum_type(1), "row_sum");
    auto checked = [&] {
      b.CreateStore(zero(1), sum);
      f_.loop(begin, end, 1, [&](Value* entry) { add_entry(row, other, entry, sum, true); });
    };
    if (!is_plain_product(contraction_)) {
      checked();
      return b.CreateLoad(sum_type(1), sum);
    }
    b.CreateStore(zero(1), sum);
    prefetch(begin);
    Value* count = b.CreateSub(end, begin);
    Value* middle = b.CreateAdd(begin, b.CreateAnd(count, f_.integer(-unroll)));
    f_.loop(begin, middle, unroll, [&](Value* entry) {
      for (std::int64_t n = 0; n < unroll; ++n) add_entry(row, other, b.CreateAdd(entry, f_.integer(n)), sum, false);
    });
    f_.loop(middle, end, 1, [&](Value* entry) { add_entry(row, other, entry, sum, false); });
    Value* total = b.CreateLoad(sum_type(1), sum);
    f_.when(b.CreateFCmpUNO(total, total), checked);
    return b.CreateLoad(sum_type(1), sum);
  }

  void prefetch(Value* begin) {
    auto& b = f_.builder();
    const std::uint32_t matrix = contraction_.matrix;
    Value* entry = b.CreateAdd(begin, f_.integer(entries_ahead));
    llvm::Type* type = memory_type(b.getContext(), f_.kernel().inputs[matrix].type.element);
    Value* pointers[] = {f_.element(b.getInt32Ty(), f_.array(matrix, ArrayRole::columns), entry),
                         f_.element(type, f_.input_pointer(matrix), entry)};
    for (Value* pointer : pointers)  // to read, into every cache level, data
      b.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.getPtrTy()},
                        {pointer, b.getInt32(0), b.getInt32(3), b.getInt32(1)});
  }

  void add_entry(Value* row, Value* other, Value* entry, llvm::AllocaInst* sum, bool check) {
    auto& b = f_.builder();
    const std::uint32_t matrix = contraction_.matrix;
    const Element element = f_.kernel().inputs[matrix].type.element;
    Points point = domain_points(plan_, row, other, 1, nullptr);
    point.k = index_at(ArrayRole::columns, entry);
    check_array_position(f_, matrix, ArrayRole::values, entry);
    llvm::Type* type = memory_type(b.getContext(), element);
    point.matrix_element = load_contiguous(f_, element, f_.element(type, f_.input_pointer(matrix), entry), 1, nullptr);
    Value* stored = check ? emit_convert(b, {point.matrix_element, element}, Element::logical) : nullptr;
    b.CreateStore(add_term(point, b.CreateLoad(sum_type(1), sum), stored), sum);
  }
};

}  // namespace

std::unique_ptr<Product> make_csr_product(KernelFunction& f, const WalkPlan& plan) {
  return std::make_unique<CsrProduct>(f, plan);
}

}  // namespace lac::codegen
