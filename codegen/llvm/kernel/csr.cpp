// Products with a matrix in compressed rows: the terms of a row are added one after the other in column order.
//
// A stored zero must contribute nothing, and it does so by itself unless it meets Inf or NaN; then the sum is NaN. So
// rows are summed without looking, and only those whose sums are NaN are summed again with a test of every entry.
//
// Where the runtime has made slices of the matrix (runtime/cpu/row_slices.h), as many rows as a vector has lanes are
// summed side by side, each in the same order.
#include <llvm/IR/Module.h>

#include <cstddef>
#include <optional>
#include <utility>

#include "codegen/llvm/kernel/bounds.h"
#include "codegen/llvm/kernel/product.h"
#include "ir/kernel/factors.h"
#include "ir/plan/abi.h"

namespace lac::codegen {
namespace {

// How far ahead the matrix is fetched: the machine's own prefetching leaves a third of one core's bandwidth unused.
constexpr std::int64_t entries_ahead = 512;
constexpr std::int64_t unroll = 4;  // a power of two

/// The sums of some rows, as a function of their own: what the rest of the kernel keeps in registers would otherwise
/// push row pointers and columns out of theirs (a fifth of the time of a product behind another nest).
class RowSums {
 public:
  /// `stride`: from the results of one sum to those of the next.
  RowSums(KernelFunction& kernel, const WalkPlan& plan, std::int64_t stride)
      : f_(declare(kernel), kernel.kernel(), kernel.target()),
        plan_(plan),
        contraction_(*kernel.nest().contraction),
        stride_(stride) {
    f_.enter(kernel.nest());
    f_.load_slots();
    terms_.emplace(f_, contraction_);
    if (is_plain_product(contraction_)) {
      const auto row_by_row = [&] { each_row([&](Value* row) { return plain_sums(row); }); };
      if (Value* slices = is_product_of_entries(f_.kernel(), contraction_) ? f_.slices(contraction_.matrix) : nullptr)
        f_.when(
            f_.builder().CreateIsNotNull(slices), [&] { each_slice(slices); }, row_by_row);
      else row_by_row();
      sum_again();
    } else {
      each_row([&](Value* row) { return checked_sums(row); });
    }
    f_.builder().CreateRetVoid();
  }

  llvm::Function* function() { return f_.function(); }

 private:
  /// Slots; rows from, to; index of the other axis; where the sums go.
  static llvm::Function* declare(KernelFunction& kernel) {
    auto& b = kernel.builder();
    llvm::Type* arguments[] = {b.getPtrTy(), b.getInt64Ty(), b.getInt64Ty(), b.getInt64Ty(), b.getPtrTy()};
    auto* function = llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), arguments, false),
                                            llvm::Function::InternalLinkage, kernel.kernel().name + "_rows",
                                            *kernel.function()->getParent());
    function->setDoesNotThrow();
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addParamAttr(4, llvm::Attribute::NoAlias);
    return function;
  }

  Value* index_at(ArrayRole role, Value* position) {
    auto& b = f_.builder();
    const std::uint32_t matrix = contraction_.matrix;
    check_array_position(f_, matrix, role, position);
    Value* index = b.CreateLoad(b.getInt32Ty(), f_.element(b.getInt32Ty(), f_.array(matrix, role), position));
    return b.CreateSExt(index, b.getInt64Ty());
  }

  Value* first() { return f_.argument(1); }
  Value* end() { return f_.argument(2); }
  Value* result(std::size_t sum, Value* row) {
    auto& b = f_.builder();
    Value* offset = b.CreateSub(row, first());
    if (sum > 0) offset = b.CreateAdd(offset, f_.integer(static_cast<std::int64_t>(sum) * stride_));
    return f_.element(terms_->sum_type(1), f_.argument(4), offset);
  }
  void store(const Sums& sums, Value* row) {
    for (std::size_t n = 0; n < sums.size(); ++n) f_.builder().CreateStore(sums[n], result(n, row));
  }

  void each_row(llvm::function_ref<Sums(Value*)> sums) {
    f_.loop(first(), end(), 1, [&](Value* row) { store(sums(row), row); });
  }

  /// Rows a vector at a time, where they lie so (abi::Slices).
  void each_slice(Value* slices) {
    auto& b = f_.builder();
    const auto field = [&](std::size_t offset) {
      return b.CreateLoad(b.getPtrTy(), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), slices, offset));
    };
    slices_ = {field(offsetof(abi::Slices, starts)), field(offsetof(abi::Slices, columns)),
               field(offsetof(abi::Slices, values))};
    f_.loop(b.CreateAnd(first(), f_.integer(-lanes)), end(), lanes, [&](Value* row) {
      Value* rows = b.CreateAdd(f_.splat(row, kernel_lanes), f_.iota(kernel_lanes));
      Value* wanted = b.CreateAnd(b.CreateICmpSGE(rows, f_.splat(first(), kernel_lanes)),
                                  b.CreateICmpSLT(rows, f_.splat(end(), kernel_lanes)));
      const Sums sums = slice_sums(row, wanted);
      for (std::size_t n = 0; n < sums.size(); ++n)
        store_contiguous(f_, contraction_.element, result(n, row), sums[n], wanted);
    });
  }

  /// The sums of the rows of the slice that begins with `row`, of those that are wanted.
  Sums slice_sums(Value* row, Value* wanted) {
    auto& b = f_.builder();
    llvm::Type* counts = with_lanes(b.getInt32Ty(), kernel_lanes);
    const auto pointers_from = [&](Value* from) {
      Value* place = f_.element(b.getInt32Ty(), f_.array(contraction_.matrix, ArrayRole::row_pointers), from);
      return b.CreateMaskedLoad(counts, place, llvm::Align(4), wanted, llvm::Constant::getNullValue(counts));
    };
    Value* lengths = b.CreateSub(pointers_from(b.CreateAdd(row, f_.integer(1))), pointers_from(row));
    Value* start = f_.element(b.getInt64Ty(), slices_.starts, b.CreateSDiv(row, f_.integer(lanes)));
    Value* begin = b.CreateLoad(b.getInt64Ty(), start);
    Value* behind = b.CreateLoad(b.getInt64Ty(), f_.element(b.getInt64Ty(), start, f_.integer(1)));
    const Terms::Slots sums = terms_->make_slots(kernel_lanes, "slice_sums");
    llvm::AllocaInst* number = f_.local(b.getInt32Ty(), "entry");
    b.CreateStore(b.getInt32(0), number);
    f_.loop(begin, behind, lanes, [&](Value* entry) {
      Value* n = b.CreateLoad(b.getInt32Ty(), number);
      b.CreateStore(b.CreateAdd(n, b.getInt32(1)), number);
      add_entries(row, entry, b.CreateICmpSLT(f_.splat(n, kernel_lanes), lengths), sums);
    });
    return terms_->load(sums, kernel_lanes);
  }

  /// One entry of each of the rows that have it.
  void add_entries(Value* row, Value* entry, Value* mask, const Terms::Slots& slots) {
    auto& b = f_.builder();
    const Element element = f_.kernel().inputs[contraction_.matrix].type.element;
    llvm::Type* type = memory_type(b.getContext(), element);
    fetch_ahead(slices_.columns, slices_.values, entry, lanes);
    Points points = domain_points(plan_, row, f_.argument(3), kernel_lanes, mask);
    points.k = f_.integer(0);
    points.ks = b.CreateAlignedLoad(with_lanes(b.getInt32Ty(), kernel_lanes),
                                    f_.element(b.getInt32Ty(), slices_.columns, entry), llvm::Align(4));
    points.matrix_element =
        load_contiguous(f_, element, f_.element(type, slices_.values, entry), kernel_lanes, nullptr);
    const Sums before = terms_->load(slots, kernel_lanes);
    Sums after = terms_->add(points, before);
    for (std::size_t n = 0; n < after.size(); ++n) after[n] = b.CreateSelect(mask, after[n], before[n]);
    terms_->store(after, slots);
  }

  /// The sums that are NaN, found a vector at a time.
  void sum_again() {
    auto& b = f_.builder();
    f_.loop(first(), end(), kernel_lanes, [&](Value* row) {
      Value* rows = b.CreateAdd(f_.splat(row, kernel_lanes), f_.iota(kernel_lanes));
      Value* is_row = b.CreateICmpSLT(rows, f_.splat(end(), kernel_lanes));
      Value* found = llvm::ConstantInt::getFalse(is_row->getType());
      for (std::size_t n = 0; n < terms_->sums(); ++n) {
        Value* sums = load_contiguous(f_, contraction_.element, result(n, row), kernel_lanes, nullptr);
        found = b.CreateOr(found, b.CreateAnd(b.CreateFCmpUNO(sums, sums), is_row));
      }
      f_.when(b.CreateOrReduce(found), [&] {
        Value* behind = f_.smaller(b.CreateAdd(row, f_.integer(kernel_lanes)), end());
        f_.loop(row, behind, 1, [&](Value* each) {
          Value* is_nan = b.getFalse();
          for (std::size_t n = 0; n < terms_->sums(); ++n) {
            Value* sum = b.CreateLoad(terms_->sum_type(1), result(n, each));
            is_nan = b.CreateOr(is_nan, b.CreateFCmpUNO(sum, sum));
          }
          f_.when(is_nan, [&] { store(checked_sums(each), each); });
        });
      });
    });
  }

  /// [begin, end) of a row's entries.
  std::pair<Value*, Value*> entries_of(Value* row) {
    Value* next = f_.builder().CreateAdd(row, f_.integer(1));
    return {index_at(ArrayRole::row_pointers, row), index_at(ArrayRole::row_pointers, next)};
  }

  Sums checked_sums(Value* row) {
    const auto [begin, end] = entries_of(row);
    const Terms::Slots sums = terms_->make_slots(1, "row_sum");
    f_.loop(begin, end, 1, [&](Value* entry) { add_entry(row, entry, sums, true); });
    return terms_->load(sums, 1);
  }

  Sums plain_sums(Value* row) {
    auto& b = f_.builder();
    const auto entries = entries_of(row);
    Value *begin = entries.first, *end = entries.second;
    const Terms::Slots sums = terms_->make_slots(1, "row_sum");
    Value* count = b.CreateSub(end, begin);
    Value* middle = b.CreateAdd(begin, b.CreateAnd(count, f_.integer(-unroll)));
    Value* columns = f_.array(contraction_.matrix, ArrayRole::columns);
    Value* values = f_.input_pointer(contraction_.matrix);
    f_.when(b.CreateICmpEQ(begin, middle), [&] { fetch_ahead(columns, values, begin, unroll); });
    f_.loop(begin, middle, unroll, [&](Value* entry) {
      fetch_ahead(columns, values, entry, unroll);
      for (std::int64_t n = 0; n < unroll; ++n) add_entry(row, b.CreateAdd(entry, f_.integer(n)), sums, false);
    });
    f_.loop(middle, end, 1, [&](Value* entry) { add_entry(row, entry, sums, false); });
    return terms_->load(sums, 1);
  }

  /// Asks for what so many entries will want.
  void fetch_ahead(Value* columns, Value* values, Value* begin, std::int64_t entries) {
    auto& b = f_.builder();
    const Element element = f_.kernel().inputs[contraction_.matrix].type.element;
    Value* entry = b.CreateAdd(begin, f_.integer(entries_ahead));
    fetch(f_, f_.element(b.getInt32Ty(), columns, entry), entries * 4);
    fetch(f_, f_.element(memory_type(b.getContext(), element), values, entry), entries * byte_size(element));
  }

  void add_entry(Value* row, Value* entry, const Terms::Slots& slots, bool check) {
    auto& b = f_.builder();
    const std::uint32_t matrix = contraction_.matrix;
    const Element element = f_.kernel().inputs[matrix].type.element;
    Points point = domain_points(plan_, row, f_.argument(3), 1, nullptr);
    point.k = index_at(ArrayRole::columns, entry);
    check_array_position(f_, matrix, ArrayRole::values, entry);
    llvm::Type* type = memory_type(b.getContext(), element);
    point.matrix_element = load_contiguous(f_, element, f_.element(type, f_.input_pointer(matrix), entry), 1, nullptr);
    Value* stored = check ? emit_convert(b, {point.matrix_element, element}, Element::logical) : nullptr;
    const Sums before = terms_->load(slots, 1);
    Sums after = terms_->add(point, before);
    if (check)
      for (std::size_t n = 0; n < after.size(); ++n) after[n] = b.CreateSelect(stored, after[n], before[n]);
    terms_->store(after, slots);
  }

  static constexpr auto lanes = static_cast<std::int64_t>(kernel_lanes);

  KernelFunction f_;
  const WalkPlan& plan_;
  const Contraction& contraction_;
  std::int64_t stride_;
  std::optional<Terms> terms_;  ///< behind the slots, which it reads
  struct {
    Value *starts = nullptr, *columns = nullptr, *values = nullptr;
  } slices_;
};

class CsrProduct final : public Product {
 public:
  CsrProduct(KernelFunction& f, const WalkPlan& plan)
      : Product(f, plan), rows_(RowSums(f, plan, buffer_length(points_ahead(*f.nest().contraction))).function()) {
    make_buffer(points_ahead(contraction_));
  }

  std::int64_t chunk() const override { return points_ahead(contraction_); }

  void fill(Value* first, Value* end, Value* other) override {
    auto& b = f_.builder();
    check_buffer(b.CreateSub(b.CreateSub(end, first), f_.integer(1)), 1);
    b.CreateCall(rows_, {f_.argument(0), first, end, other, buffer()});
  }

  Value* interior(Value*) override { return nullptr; }
  Sums compute(const Points&) override { return {}; }

 private:
  llvm::Function* rows_;
};

}  // namespace

std::unique_ptr<Product> make_csr_product(KernelFunction& f, const WalkPlan& plan) {
  return std::make_unique<CsrProduct>(f, plan);
}

}  // namespace lac::codegen
