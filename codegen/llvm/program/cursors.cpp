// Walks to entries of one row of a sparse matrix: what the steps sparse_element and sparse_row_product compute
// (runtime/steps/sparse/sparse_part_steps.cpp), with their bits, in place of a call.
#include <cstddef>
#include <utility>

#include "codegen/llvm/program/host_scalar.h"
#include "codegen/llvm/program/ops.h"

namespace lac::codegen {
namespace {

class Cursor {
 public:
  Cursor(ProgramBuilder& p, const Op& op)
      : p_(p),
        op_(op),
        type_(p.plan.type(op.operands[0])),
        matrix_(p.value(op.operands[0])),
        element_(scalar_type(p.module.getContext(), type_.element)),
        zero_(llvm::ConstantFP::get(element_, 0)) {}

  llvm::Value* element() {
    llvm::Value *i = from_one(1), *j = from_one(2);
    llvm::Value* inside =
        b().CreateAnd(b().CreateICmpULT(i, p_.size(type_.rows)), b().CreateICmpULT(j, p_.size(type_.cols)));
    return where(inside, [&] { return is_csr() ? element_of_csr(i, j) : element_of_diagonals(i, j); });
  }

  llvm::Value* row_product() {
    llvm::Value *i = from_one(1), *first = from_one(2), *count = number(3), *at = from_one(5);
    const Type& vector = p_.plan.type(op_.operands[4]);
    // Where a check will stop the program nobody looks at the result: nothing is read then.
    const auto at_most = [&](llvm::Value* position, llvm::Value* most) {
      return b().CreateAnd(b().CreateICmpSGE(position, p_.int64(0)), b().CreateICmpSLE(position, most));
    };
    llvm::Value* room = b().CreateSub(p_.size(vector.count()), count);
    llvm::Value* inside = b().CreateICmpULT(i, p_.size(type_.rows));
    for (llvm::Value* condition :
         {at_most(first, p_.size(type_.cols)), b().CreateICmpSGE(count, p_.int64(0)), at_most(at, room)})
      inside = b().CreateAnd(inside, condition);
    const Window window{p_.value(op_.operands[4]), b().CreateSub(at, first), first, b().CreateAdd(first, count)};
    return where(inside, [&] { return is_csr() ? product_of_csr(i, window) : product_of_diagonals(i, window); });
  }

 private:
  /// Columns first <= j < last meet x(j + shift).
  struct Window {
    llvm::Value *x, *shift, *first, *last;
  };

  llvm::IRBuilder<>& b() { return p_.builder; }
  bool is_csr() const { return type_.storage == Storage::csr; }

  llvm::Value* number(std::size_t operand) {
    const std::optional<Size> size = known_size(p_.plan, op_.operands[operand]);
    return size ? p_.size(*size) : p_.integer_of(p_.value(op_.operands[operand]));
  }
  llvm::Value* from_one(std::size_t operand) { return b().CreateSub(number(operand), p_.int64(1)); }

  /// What `compute` gives where the condition holds, else `otherwise`; zero.
  template <class F>
  llvm::Value* where(llvm::Value* condition, F&& compute) {
    return where(condition, std::forward<F>(compute), zero_);
  }
  template <class F>
  llvm::Value* where(llvm::Value* condition, F&& compute, llvm::Value* otherwise) {
    llvm::BasicBlock *inside = p_.new_block("inside"), *after = p_.new_block("after"), *from = b().GetInsertBlock();
    b().CreateCondBr(condition, inside, after);
    b().SetInsertPoint(inside);
    llvm::Value* computed = compute();
    llvm::BasicBlock* end = b().GetInsertBlock();
    b().CreateBr(after);
    b().SetInsertPoint(after);
    llvm::PHINode* result = b().CreatePHI(element_, 2);
    result->addIncoming(otherwise, from);
    result->addIncoming(computed, end);
    return result;
  }

  llvm::Value* load(ArrayRole role, llvm::Type* type, llvm::Value* position) {
    if (p_.check_bounds) {
      const std::string access = "load from the " + std::string(name(role));
      p_.check_position(access.c_str(), position, p_.element_count(matrix_, role, type_));
    }
    return b().CreateLoad(type, b().CreateInBoundsGEP(type, p_.array(matrix_, role), position));
  }
  llvm::Value* value_at(llvm::Value* position) { return load(ArrayRole::values, element_, position); }
  llvm::Value* column_at(llvm::Value* position) { return wide(load(ArrayRole::columns, b().getInt32Ty(), position)); }
  llvm::Value* wide(llvm::Value* number) { return b().CreateSExt(number, b().getInt64Ty()); }
  std::pair<llvm::Value*, llvm::Value*> entries(llvm::Value* i) {
    llvm::Value* begin = wide(load(ArrayRole::row_pointers, b().getInt32Ty(), i));
    return {begin, wide(load(ArrayRole::row_pointers, b().getInt32Ty(), b().CreateAdd(i, p_.int64(1))))};
  }

  /// Columns ascend in a row: the first that is not below j is looked for by halves.
  llvm::Value* element_of_csr(llvm::Value* i, llvm::Value* j) {
    const auto [begin, end] = entries(i);
    llvm::BasicBlock *from = b().GetInsertBlock(), *header = p_.new_block("halve"), *half = p_.new_block("half"),
                     *found = p_.new_block("found");
    b().CreateBr(header);
    b().SetInsertPoint(header);
    llvm::PHINode *low = b().CreatePHI(b().getInt64Ty(), 2), *high = b().CreatePHI(b().getInt64Ty(), 2);
    low->addIncoming(begin, from);
    high->addIncoming(end, from);
    b().CreateCondBr(b().CreateICmpSLT(low, high), half, found);
    b().SetInsertPoint(half);
    llvm::Value* middle = b().CreateLShr(b().CreateAdd(low, high), p_.int64(1));
    llvm::Value* below = b().CreateICmpSLT(column_at(middle), j);
    llvm::Value* next_low = b().CreateSelect(below, b().CreateAdd(middle, p_.int64(1)), low);
    llvm::Value* next_high = b().CreateSelect(below, high, middle);
    low->addIncoming(next_low, b().GetInsertBlock());
    high->addIncoming(next_high, b().GetInsertBlock());
    b().CreateBr(header);
    b().SetInsertPoint(found);
    return where(b().CreateICmpSLT(low, end),
                 [&] { return where(b().CreateICmpEQ(column_at(low), j), [&] { return value_at(low); }); });
  }

  llvm::Value* place_on(std::size_t diagonal, llvm::Value* i) {
    return b().CreateAdd(b().CreateMul(p_.int64(static_cast<std::int64_t>(diagonal)), p_.size(type_.rows)), i);
  }

  llvm::Value* element_of_diagonals(llvm::Value* i, llvm::Value* j) {
    llvm::Value *place = p_.int64(-1), *offset = b().CreateSub(j, i);
    for (std::size_t d = 0; d < type_.offsets.size(); ++d)
      place = b().CreateSelect(b().CreateICmpEQ(offset, p_.size(type_.offsets[d])), place_on(d, i), place);
    return where(b().CreateICmpSGE(place, p_.int64(0)), [&] { return value_at(place); });
  }

  /// sum, and what the entry at column j adds: nothing if it is zero.
  llvm::Value* add_entry(llvm::Value* sum, llvm::Value* j, llvm::Value* position, const Window& window) {
    llvm::Value* value = value_at(position);
    llvm::Value* x = p_.load_element(window.x, type_.element, b().CreateAdd(j, window.shift));
    llvm::Value* added = b().CreateFAdd(sum, b().CreateFMul(value, x));
    return b().CreateSelect(b().CreateFCmpOEQ(value, zero_), sum, added);
  }

  llvm::Value* product_of_csr(llvm::Value* i, const Window& window) {
    const auto [begin, end] = entries(i);
    llvm::BasicBlock *from = b().GetInsertBlock(), *header = p_.new_block("entry"), *read = p_.new_block("column"),
                     *before = p_.new_block("before"), *done = p_.new_block("done");
    b().CreateBr(header);
    b().SetInsertPoint(header);
    llvm::PHINode *entry = b().CreatePHI(b().getInt64Ty(), 2), *sum = b().CreatePHI(element_, 2);
    entry->addIncoming(begin, from);
    sum->addIncoming(zero_, from);
    b().CreateCondBr(b().CreateICmpSLT(entry, end), read, done);
    b().SetInsertPoint(read);
    llvm::Value* j = column_at(entry);
    b().CreateCondBr(b().CreateICmpSLT(j, window.last), before, done);  // columns ascend
    b().SetInsertPoint(before);
    llvm::Value* so_far = where(
        b().CreateICmpSGE(j, window.first), [&] { return add_entry(sum, j, entry, window); }, sum);
    entry->addIncoming(b().CreateAdd(entry, p_.int64(1)), b().GetInsertBlock());
    sum->addIncoming(so_far, b().GetInsertBlock());
    b().CreateBr(header);
    b().SetInsertPoint(done);
    p_.quiet.spend(b().CreateSub(entry, begin));
    return sum;
  }

  llvm::Value* product_of_diagonals(llvm::Value* i, const Window& window) {
    llvm::Value* sum = zero_;
    for (std::size_t d = 0; d < type_.offsets.size(); ++d) {
      llvm::Value* j = b().CreateAdd(i, p_.size(type_.offsets[d]));
      llvm::Value* shown = b().CreateAnd(b().CreateICmpSGE(j, window.first), b().CreateICmpSLT(j, window.last));
      llvm::Value* inside = b().CreateAnd(shown, b().CreateICmpULT(j, p_.size(type_.cols)));
      sum = where(
          inside, [&] { return add_entry(sum, j, place_on(d, i), window); }, sum);
    }
    return sum;
  }

  ProgramBuilder& p_;
  const Op& op_;
  const Type& type_;
  llvm::Value* matrix_;
  llvm::Type* element_;
  llvm::Value* zero_;
};

}  // namespace

void emit_cursor(ProgramBuilder& p, OpId id) {
  const Op& op = p.plan.ops[id];
  Cursor cursor(p, op);
  const bool element = attribute<LibraryFn>(op) == LibraryFn::sparse_element;
  p.define(op.results[0], element ? cursor.element() : cursor.row_product());
}

}  // namespace lac::codegen
