#include "ir/plan/work.h"

#include <algorithm>

#include "ir/types/extent.h"

namespace lac {
namespace {

using abi::Work;

/// The coordinates that accesses depend on, and the columns where that is none.
struct Reach {
  bool one_column;  ///< of the domain: j is 0
  bool i = false, j = false, k = false;
  std::vector<Size> columns = {};

  void add(const AffineIndex& index) {
    i |= !index.i.is(0);
    j |= !one_column && !index.j.is(0);
    k |= !index.k.is(0);
  }
  void add(const AccessMap& map) {
    if (map.row_gather || map.col_gather) i = j = true;
    if (!map.row_gather) add(map.row);
    if (map.linear || map.col_gather) return;
    add(map.col);
    const AffineIndex& at = map.col;
    const bool fixed = at.i.is(0) && (one_column || at.j.is(0)) && at.k.is(0);
    if (fixed && std::ranges::find(columns, map.col.base) == columns.end()) columns.push_back(map.col.base);
  }
};

class Terms {
 public:
  explicit Terms(const Kernel& kernel) : kernel_(kernel) {}

  std::vector<WorkTerm> run() {
    for (std::uint32_t input = 0; input < kernel_.inputs.size(); ++input) read(input);
    for (std::uint32_t output = 0; output < kernel_.outputs.size(); ++output) written(output);
    count_flops();
    return std::move(terms_);
  }

 private:
  using Field = std::int64_t Work::*;

  static bool is_matrix(const Type& type) { return type.is_sparse() || !type.is_vector(); }
  static Size bytes(const Type& type) { return byte_size(type.element); }

  Size points(const Nest& nest, const Reach& reach) const {
    Size points = 1;
    if (reach.i) points = points * nest.rows;
    if (reach.j) points = points * nest.cols;
    if (reach.k && nest.contraction) {
      const Contraction& sum = *nest.contraction;
      points = points * (sum.storage == Storage::dense ? sum.extent : kernel_.inputs[sum.matrix].type.cols);
    }
    if (!reach.j && !reach.columns.empty()) points = points * Size(static_cast<std::int64_t>(reach.columns.size()));
    return points;
  }

  /// `some` elements of a buffer that has no fewer.
  void touched(Field field, const Type& type, const Size& some) {
    const Size all = type.count();
    if (some == all) terms_.push_back({field, all * bytes(type)});
    else terms_.push_back({field, some * bytes(type), all * bytes(type)});
  }

  /// What all nests touch together is no more than the sum of what each does; one that touches everything says it all.
  Size touched_by_nests(const Type& type, const std::function<bool(const Nest&, Reach&)>& scan) const {
    Size sum = 0;
    for (const Nest* nest : nests(kernel_)) {
      Reach reach{nest->cols.is(1)};
      if (!scan(*nest, reach)) continue;
      const Size some = points(*nest, reach);
      if (some == type.count()) return some;
      sum = sum + some;
    }
    return sum;
  }

  /// `each` for every stored value.
  void stored(Field field, std::uint32_t input, const Size& each) {
    const Type& type = kernel_.inputs[input].type;
    if (format(type.storage).is_counted_at_run) return terms_.push_back({field, each, {}, input});
    terms_.push_back({field, stored_elements(type) * each});
  }

  void read(std::uint32_t input) {
    const Type& type = kernel_.inputs[input].type;
    if (type.is_scalar()) return;
    if (type.is_sparse()) {
      Size each(0), by_rows(0);
      for (const StorageArray& array : format(type.storage).arrays) {
        const Size of_element = array.index_bytes > 0 ? Size(array.index_bytes) : bytes(type);
        Size& sum = array.extent == ArrayExtent::stored ? each : by_rows;
        sum = sum + of_element;
      }
      stored(&Work::matrix_read, input, each);
      if (!by_rows.is(0)) terms_.push_back({&Work::matrix_read, (type.rows + Size(1)) * by_rows});
      return;
    }
    const auto scan = [&](const Nest& nest, Reach& reach) {
      bool loaded = false;
      const auto scan_body = [&](const Body& body) {
        for (const Instr& instr : body)
          if (instr.kind == InstrKind::load && instr.argument == input) {
            reach.add(instr.map);
            loaded = true;
          }
      };
      scan_body(nest.body);
      if (nest.contraction) scan_body(nest.contraction->prologue);
      return loaded;
    };
    const Size some = touched_by_nests(type, scan);
    if (!some.is(0)) touched(is_matrix(type) ? &Work::matrix_read : &Work::vector_read, type, some);
  }

  void written(std::uint32_t output) {
    const Type& type = kernel_.outputs[output].type;
    if (type.is_scalar()) return;
    const auto scan = [&](const Nest& nest, Reach& reach) {
      bool stores = false;
      for (const Store& store : nest.stores)
        if (store.output == output) {
          reach.add(store.map);
          stores = true;
        }
      return stores;
    };
    const Field field = is_matrix(type) ? &Work::matrix_written : &Work::vector_written;
    const Size some = touched_by_nests(type, scan);
    if (!some.is(0)) return touched(field, type, some);
    terms_.push_back({field, type.count() * bytes(type)});  // a reduction along an axis
  }

  void count_flops() {
    for (const Nest* nest : nests(kernel_)) count_flops(*nest);
  }

  void count_flops(const Nest& nest) {
    auto per_point = static_cast<std::int64_t>(nest.reductions.size());
    for (const Instr& instr : nest.body) per_point += instr.kind == InstrKind::apply;
    const Size domain = nest.rows * nest.cols;
    terms_.push_back({&Work::flops, domain * Size(per_point)});
    if (!nest.contraction) return;
    const Contraction& sum = *nest.contraction;
    const Size each(2 * static_cast<std::int64_t>(sum.values.size()));
    if (sum.storage == Storage::dense) terms_.push_back({&Work::flops, domain * sum.extent * each});
    else stored(&Work::flops, sum.matrix, nest.cols * each);
  }

  const Kernel& kernel_;
  std::vector<WorkTerm> terms_;
};

}  // namespace

std::vector<WorkTerm> work_terms(const Kernel& kernel) { return Terms(kernel).run(); }

Work launch_work(const Kernel& kernel, const std::function<std::int64_t(const Size&)>& size_of,
                 const std::function<std::int64_t(std::uint32_t)>& stored) {
  Work work;
  for (const WorkTerm& term : work_terms(kernel)) {
    std::int64_t amount = size_of(term.amount);
    if (term.limit) amount = std::min(amount, size_of(*term.limit));
    if (term.stored_of && __builtin_mul_overflow(amount, stored(*term.stored_of), &amount)) amount = beyond_extents;
    work.*term.field += amount;
  }
  return work;
}

}  // namespace lac
