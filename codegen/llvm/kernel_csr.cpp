// Products with a matrix in compressed rows: the terms of a row are added one after the other in column order.
#include "codegen/llvm/kernel_product.h"

namespace lac::codegen {
namespace {

// Rows computed ahead: enough that the vector code which reads the results does not wait for the last scalar stores.
constexpr std::int64_t rows_ahead = 128;

class CsrProduct final : public Product {
 public:
  CsrProduct(KernelFunction& f, const WalkPlan& plan) : Product(f, plan) { make_buffer(); }

  std::int64_t chunk() const override { return rows_ahead; }

  void fill(Value* first, Value* end, Value* other) override {
    f_.loop(first, end, 1, [&](Value* row) {
      Value* sum = row_sum(row, other);
      store_to_buffer(sum, f_.builder().CreateSub(row, first));
    });
  }

  Value* interior(Value*) override { return nullptr; }
  Value* compute(const Points&) override { return nullptr; }

 private:
  Value* index_at(Value* pointer, Value* position) {
    auto& b = f_.builder();
    Value* index = b.CreateLoad(b.getInt32Ty(), f_.element(b.getInt32Ty(), pointer, position));
    return b.CreateSExt(index, b.getInt64Ty());
  }

  Value* row_sum(Value* row, Value* other) {
    auto& b = f_.builder();
    const std::uint32_t matrix = contraction_.matrix;
    const Element element = f_.kernel().inputs[matrix].type.element;
    Value* begin = index_at(f_.csr_row_pointers(matrix), row);
    Value* end = index_at(f_.csr_row_pointers(matrix), b.CreateAdd(row, f_.integer(1)));
    llvm::AllocaInst* sum = f_.local(sum_type(1), "row_sum");
    b.CreateStore(zero(1), sum);
    f_.loop(begin, end, 1, [&](Value* entry) {
      Points point = domain_points(f_, plan_, row, other, 1, nullptr);
      point.k = index_at(f_.csr_columns(matrix), entry);
      llvm::Type* type = memory_type(b.getContext(), element);
      point.matrix_element =
          load_contiguous(f_, element, f_.element(type, f_.input_pointer(matrix), entry), 1, nullptr);
      Value* stored = emit_convert(b, {point.matrix_element, element}, Element::logical);
      b.CreateStore(add_term(point, b.CreateLoad(sum_type(1), sum), stored), sum);
    });
    return b.CreateLoad(sum_type(1), sum);
  }
};

}  // namespace

std::unique_ptr<Product> make_csr_product(KernelFunction& f, const WalkPlan& plan) {
  return std::make_unique<CsrProduct>(f, plan);
}

}  // namespace lac::codegen
