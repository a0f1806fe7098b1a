// What a launch moves and computes (ir/plan/work.h), as arithmetic over extents.
#include "ir/plan/work.h"

#include <array>
#include <cstddef>

#include "codegen/llvm/program/ops.h"

namespace lac::codegen {
namespace {

struct Field {
  std::int64_t abi::Work::*member;
  std::size_t offset;
};
constexpr std::array fields = {Field{&abi::Work::matrix_read, offsetof(abi::Work, matrix_read)},
                               Field{&abi::Work::vector_read, offsetof(abi::Work, vector_read)},
                               Field{&abi::Work::matrix_written, offsetof(abi::Work, matrix_written)},
                               Field{&abi::Work::vector_written, offsetof(abi::Work, vector_written)},
                               Field{&abi::Work::flops, offsetof(abi::Work, flops)}};

/// The number of stored values of a csr matrix: its last row pointer.
llvm::Value* stored_values(ProgramBuilder& p, const Type& type, ValueId matrix) {
  llvm::IRBuilder<>& b = p.builder;
  llvm::Value* pointers = p.array(p.value(matrix), ArrayRole::row_pointers);
  if (p.check_bounds)
    p.check_position("load of the last row pointer", p.size(type.rows),
                     p.element_count(p.value(matrix), ArrayRole::row_pointers, type));
  llvm::Value* last = b.CreateInBoundsGEP(b.getInt32Ty(), pointers, p.size(type.rows));
  return b.CreateSExt(b.CreateLoad(b.getInt32Ty(), last), b.getInt64Ty());
}

}  // namespace

void emit_work(ProgramBuilder& p, const Kernel& kernel, const std::vector<ValueId>& operands) {
  llvm::IRBuilder<>& b = p.builder;
  const std::vector<WorkTerm> terms = work_terms(kernel);
  for (const Field& field : fields) {
    llvm::Value* total = p.int64(0);
    for (const WorkTerm& term : terms) {
      if (term.field != field.member) continue;
      llvm::Value* amount = p.size(term.amount);
      if (term.limit) amount = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, amount, p.size(*term.limit));
      if (term.stored_of)
        amount = b.CreateMul(amount, stored_values(p, kernel.inputs[*term.stored_of].type, operands[*term.stored_of]));
      total = b.CreateAdd(total, amount);
    }
    b.CreateStore(total, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), p.work, field.offset));
  }
}

}  // namespace lac::codegen
