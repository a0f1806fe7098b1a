// What a launch moves and computes, as arithmetic over extents. Each element counts once per launch, however many loads
// read it; a gathered or divided index may touch anything, at most as many elements as the domain has points.
#include <cstddef>

#include "codegen/llvm/program_ops.h"

namespace lac::codegen {
namespace {

/// The coordinates that an access depends on.
struct Reach {
  bool i = false, j = false, k = false;
  void add(const AffineIndex& index) {
    i |= !index.i.is(0);
    j |= !index.j.is(0);
    k |= !index.k.is(0);
  }
  void add(const AccessMap& map) {
    if (map.row_gather || map.col_gather) i = j = true;
    if (!map.row_gather) add(map.row);
    if (!map.linear && !map.col_gather) add(map.col);
  }
};

class WorkEmitter {
 public:
  WorkEmitter(ProgramBuilder& p, const Kernel& kernel, const std::vector<ValueId>& operands)
      : p_(p), kernel_(kernel), operands_(operands) {}

  void emit() {
    abi_field_ = {{offsetof(abi::Work, matrix_read), p_.int64(0)},
                  {offsetof(abi::Work, vector_read), p_.int64(0)},
                  {offsetof(abi::Work, matrix_written), p_.int64(0)},
                  {offsetof(abi::Work, vector_written), p_.int64(0)},
                  {offsetof(abi::Work, flops), p_.int64(0)}};
    for (std::uint32_t input = 0; input < kernel_.inputs.size(); ++input) read(input);
    for (std::uint32_t output = 0; output < kernel_.outputs.size(); ++output) written(output);
    count_flops();
    for (const auto& [offset, total] : abi_field_)
      p_.builder.CreateStore(total, p_.builder.CreateConstInBoundsGEP1_64(p_.builder.getInt8Ty(), p_.work, offset));
  }

 private:
  enum Field { matrix_read, vector_read, matrix_written, vector_written, flops };

  void add(Field field, llvm::Value* amount) {
    llvm::Value*& total = abi_field_[field].second;
    total = p_.builder.CreateAdd(total, amount);
  }

  static bool is_matrix(const Type& type) { return type.is_sparse() || !type.is_vector(); }

  Size points(const Reach& reach) const {
    Size points = 1;
    if (reach.i) points = points * kernel_.rows;
    if (reach.j) points = points * kernel_.cols;
    if (reach.k && kernel_.contraction) {
      const Contraction& sum = *kernel_.contraction;
      points = points * (sum.storage == Storage::dense ? sum.extent : kernel_.inputs[sum.matrix].type.cols);
    }
    return points;
  }

  llvm::Value* touched_bytes(const Type& type, const Reach& reach) {
    const Size touched = points(reach), all = type.count();
    llvm::Value* elements = p_.size(all);
    if (touched != all) elements = p_.builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, p_.size(touched), elements);
    return p_.builder.CreateMul(elements, p_.int64(byte_size(type.element)));
  }

  llvm::Value* nonzeros(std::uint32_t input) {
    const Type& type = kernel_.inputs[input].type;
    if (type.storage == Storage::diagonal)
      return p_.size(type.rows * Size(static_cast<std::int64_t>(type.offsets.size())));
    llvm::IRBuilder<>& b = p_.builder;
    llvm::Value* pointers = p_.field(p_.value(operands_[input]), offsetof(abi::Buffer, row_pointers), b.getPtrTy());
    llvm::Value* last = b.CreateInBoundsGEP(b.getInt32Ty(), pointers, p_.size(type.rows));
    return b.CreateSExt(b.CreateLoad(b.getInt32Ty(), last), b.getInt64Ty());
  }

  llvm::Value* sparse_bytes(std::uint32_t input) {
    const Type& type = kernel_.inputs[input].type;
    const bool csr = type.storage == Storage::csr;
    llvm::IRBuilder<>& b = p_.builder;
    llvm::Value* bytes = b.CreateMul(nonzeros(input), p_.int64(byte_size(type.element) + (csr ? 4 : 0)));
    return csr ? b.CreateAdd(bytes, p_.size((type.rows + Size(1)) * Size(4))) : bytes;
  }

  void read(std::uint32_t input) {
    const Type& type = kernel_.inputs[input].type;
    if (type.is_scalar()) return;
    if (type.is_sparse()) return add(matrix_read, sparse_bytes(input));
    Reach reach;
    bool loaded = false;
    const auto scan = [&](const Body& body) {
      for (const Instr& instr : body)
        if (instr.kind == InstrKind::load && instr.argument == input) {
          reach.add(instr.map);
          loaded = true;
        }
    };
    scan(kernel_.body);
    if (kernel_.contraction) scan(kernel_.contraction->prologue);
    if (loaded) add(is_matrix(type) ? matrix_read : vector_read, touched_bytes(type, reach));
  }

  void written(std::uint32_t output) {
    const Type& type = kernel_.outputs[output].type;
    if (type.is_scalar()) return;
    Reach reach;
    bool stored = false;
    for (const Store& store : kernel_.stores)
      if (store.output == output) {
        reach.add(store.map);
        stored = true;
      }
    const Field field = is_matrix(type) ? matrix_written : vector_written;
    if (stored) return add(field, touched_bytes(type, reach));
    add(field, p_.size(type.count() * Size(byte_size(type.element))));  // a reduction along an axis
  }

  void count_flops() {
    std::int64_t per_point = static_cast<std::int64_t>(kernel_.reductions.size());
    for (const Instr& instr : kernel_.body) per_point += instr.kind == InstrKind::apply;
    const Size domain = kernel_.rows * kernel_.cols;
    add(flops, p_.size(domain * Size(per_point)));
    if (!kernel_.contraction) return;
    const Contraction& sum = *kernel_.contraction;
    if (sum.storage == Storage::dense) return add(flops, p_.size(domain * sum.extent * Size(2)));
    add(flops, p_.builder.CreateMul(nonzeros(sum.matrix), p_.size(kernel_.cols * Size(2))));
  }

  ProgramBuilder& p_;
  const Kernel& kernel_;
  const std::vector<ValueId>& operands_;
  std::vector<std::pair<std::size_t, llvm::Value*>> abi_field_;
};

}  // namespace

void emit_work(ProgramBuilder& p, const Kernel& kernel, const std::vector<ValueId>& operands) {
  WorkEmitter(p, kernel, operands).emit();
}

}  // namespace lac::codegen
