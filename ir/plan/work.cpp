#include "ir/plan/work.h"

#include <algorithm>

namespace lac {
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

class Count {
 public:
  using SizeOf = std::function<std::int64_t(const Size&)>;
  using Stored = std::function<std::int64_t(std::uint32_t)>;

  Count(const Kernel& kernel, const SizeOf& size_of, const Stored& stored)
      : kernel_(kernel), size_of_(size_of), stored_(stored) {}

  abi::Work run() {
    for (std::uint32_t input = 0; input < kernel_.inputs.size(); ++input) read(input);
    for (std::uint32_t output = 0; output < kernel_.outputs.size(); ++output) written(output);
    count_flops();
    return work_;
  }

 private:
  static bool is_matrix(const Type& type) { return type.is_sparse() || !type.is_vector(); }

  std::int64_t points(const Reach& reach) const {
    std::int64_t points = 1;
    if (reach.i) points *= size_of_(kernel_.rows);
    if (reach.j) points *= size_of_(kernel_.cols);
    if (reach.k && kernel_.contraction) {
      const Contraction& sum = *kernel_.contraction;
      points *= size_of_(sum.storage == Storage::dense ? sum.extent : kernel_.inputs[sum.matrix].type.cols);
    }
    return points;
  }

  std::int64_t touched_bytes(const Type& type, const Reach& reach) const {
    return std::min(points(reach), size_of_(type.count())) * byte_size(type.element);
  }

  std::int64_t nonzeros(std::uint32_t input) const {
    const Type& type = kernel_.inputs[input].type;
    if (type.storage == Storage::csr) return stored_(input);
    return size_of_(type.rows) * static_cast<std::int64_t>(type.offsets.size());
  }

  std::int64_t sparse_bytes(std::uint32_t input) const {
    const Type& type = kernel_.inputs[input].type;
    if (type.storage == Storage::diagonal) return nonzeros(input) * byte_size(type.element);
    return nonzeros(input) * (byte_size(type.element) + 4) + (size_of_(type.rows) + 1) * 4;
  }

  void read(std::uint32_t input) {
    const Type& type = kernel_.inputs[input].type;
    if (type.is_scalar()) return;
    if (type.is_sparse()) {
      work_.matrix_read += sparse_bytes(input);
      return;
    }
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
    if (loaded) (is_matrix(type) ? work_.matrix_read : work_.vector_read) += touched_bytes(type, reach);
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
    const std::int64_t all = size_of_(type.count()) * byte_size(type.element);  // of a reduction along an axis
    (is_matrix(type) ? work_.matrix_written : work_.vector_written) += stored ? touched_bytes(type, reach) : all;
  }

  void count_flops() {
    auto per_point = static_cast<std::int64_t>(kernel_.reductions.size());
    for (const Instr& instr : kernel_.body) per_point += instr.kind == InstrKind::apply;
    const std::int64_t domain = size_of_(kernel_.rows) * size_of_(kernel_.cols);
    work_.flops += domain * per_point;
    if (!kernel_.contraction) return;
    const Contraction& sum = *kernel_.contraction;
    work_.flops += sum.storage == Storage::dense ? domain * size_of_(sum.extent) * 2
                                                 : nonzeros(sum.matrix) * size_of_(kernel_.cols) * 2;
  }

  const Kernel& kernel_;
  const SizeOf& size_of_;
  const Stored& stored_;
  abi::Work work_;
};

}  // namespace

abi::Work launch_work(const Kernel& kernel, const std::function<std::int64_t(const Size&)>& size_of,
                      const std::function<std::int64_t(std::uint32_t)>& stored) {
  return Count(kernel, size_of, stored).run();
}

}  // namespace lac
