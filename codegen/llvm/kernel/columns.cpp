#include "codegen/llvm/kernel/columns.h"

#include <algorithm>
#include <bit>

#include "codegen/llvm/kernel/body.h"
#include "codegen/llvm/kernel/product.h"
#include "ir/plan/math_functions.h"

namespace lac::codegen {
namespace {

/// Of a register that holds several columns: wider ones have no shuffles that are as quick.
constexpr std::int64_t register_bytes = 32;

/// Columns of `rows` elements of `bytes` that one register holds.
std::int64_t columns_of_register(std::int64_t rows, std::int64_t bytes) {
  const bool fits = std::has_single_bit(static_cast<std::uint64_t>(rows)) && rows * bytes < register_bytes;
  return fits && rows > 1 ? register_bytes / (rows * bytes) : 1;
}

/// The elements [first, first + count) of a small matrix that one vector holds.
struct ColumnVector {
  std::int64_t first = 0;
  unsigned count = 0;
};

/// The one that `position` is in.
ColumnVector column_vector(const Type& matrix, std::int64_t position) {
  const std::int64_t rows = matrix.rows.constant(), cols = matrix.cols.constant(), count = rows * cols;
  std::int64_t length = rows * columns_of_register(rows, byte_size(matrix.element)), begin = 0, end = count;
  if (rows == 1 || rows > kernel_lanes) {
    length = kernel_lanes;
    if (rows > 1) begin = position / rows * rows;
    if (rows > 1) end = begin + rows;
  }
  const std::int64_t first = begin + (position - begin) / length * length;
  return {first, static_cast<unsigned>(std::min(length, end - first))};
}

bool is_constant(const AffineIndex& index) {
  return index.step == AffineIndex::Step::none && index.base.is_constant() && index.i.is_constant() &&
         index.j.is_constant() && index.k.is_constant();
}

bool is_constant(const AccessMap& map, const Type& buffer) {
  return !map.row_gather && !map.col_gather && is_constant(map.row) &&
         (map.linear || (is_constant(map.col) && buffer.rows.is_constant() && buffer.cols.is_constant()));
}

class Columns {
 public:
  explicit Columns(KernelFunction& f)
      : f_(f),
        nest_(f.nest()),
        rows_(nest_.rows.constant()),
        cols_(nest_.cols.constant()),
        body_(f, nest_.body),
        together_(columns_together()) {
    if (nest_.contraction) terms_.emplace(f, *nest_.contraction);
  }

  void emit() {
    if (rows_ == 1) return pieces(cols_, [&](std::int64_t first, unsigned lanes) { point(0, first, lanes); });
    for (std::int64_t j = 0; j < cols_; j += together_) {
      const std::int64_t columns = std::min(together_, cols_ - j);
      if (columns > 1) point(0, j, static_cast<unsigned>(columns * rows_));
      else pieces(rows_, [&](std::int64_t first, unsigned lanes) { point(first, j, lanes); });
    }
  }

 private:
  static void pieces(std::int64_t count, llvm::function_ref<void(std::int64_t, unsigned)> visit) {
    for (std::int64_t first = 0; first < count; first += kernel_lanes)
      visit(first, static_cast<unsigned>(std::min<std::int64_t>(count - first, kernel_lanes)));
  }

  /// Several where all places are known: else neighbours in memory are found along a column only.
  std::int64_t columns_together() const {
    const auto known = [&](const Body& body) {
      return std::ranges::all_of(body, [&](const Instr& instr) {
        return !is_load(instr) || loaded_type(f_.kernel(), instr).is_scalar() ||
               is_constant(instr.map, loaded_type(f_.kernel(), instr));
      });
    };
    const bool stores_known = std::ranges::all_of(nest_.stores, [&](const Store& store) {
      return is_constant(store.map, f_.kernel().outputs[store.output].type);
    });
    if (!known(nest_.body) || !stores_known || (nest_.contraction && !known(nest_.contraction->prologue))) return 1;
    std::int64_t bytes = nest_.contraction ? byte_size(nest_.contraction->element) : 1;
    for (const Store& store : nest_.stores)
      bytes = std::max(bytes, byte_size(f_.kernel().outputs[store.output].type.element));
    return columns_of_register(rows_, bytes);
  }

  void point(std::int64_t i, std::int64_t j, unsigned lanes) {
    Points points;
    points.i = f_.integer(i);
    points.j = f_.integer(j);
    points.step_i = rows_ > 1;
    points.step_j = rows_ == 1;
    points.lanes = lanes;
    if (i + lanes > rows_ && rows_ > 1) points.column = static_cast<unsigned>(rows_);
    if (terms_) points.sums = {sum(points)};
    const std::vector<TypedValue> values = body_.evaluate(points);
    for (const Store& store : nest_.stores)
      emit_store(f_, points, store.output, store.map, gathered_positions(store.map, values), values[store.value.index]);
  }

  /// A sum of zeros is +0, as one that starts at 0. The last accumulator does, which has the fewest terms.
  Value* sum(Points points) {
    const std::int64_t extent = nest_.contraction->extent.constant();
    const auto count = static_cast<std::int64_t>(f_.kernel().schedule.sums);
    llvm::SmallVector<Value*, most_sums> sums(static_cast<std::size_t>(count), nullptr);
    sums.back() = terms_->zero(points.lanes);
    for (std::int64_t k = 0; k < extent; ++k) {
      points.k = f_.integer(k);
      Value*& accumulator = sums[static_cast<std::size_t>(k % count)];
      accumulator = terms_->add(points, {accumulator})[0];
    }
    add_pairwise(static_cast<std::int32_t>(count),
                 [&](std::int32_t to, std::int32_t from) { sums[to] = f_.builder().CreateFAdd(sums[to], sums[from]); });
    return sums[0];
  }

  KernelFunction& f_;
  const Nest& nest_;
  std::int64_t rows_, cols_;
  BodyEmitter body_;
  std::optional<Terms> terms_;
  std::int64_t together_;
};

/// Scalars and vectors of one lane ask libm, others SLEEF.
bool calls_functions(const Body& body) {
  return std::ranges::any_of(
      body, [](const Instr& instr) { return instr.kind == InstrKind::apply && math_function(instr.op) != nullptr; });
}

}  // namespace

bool goes_by_columns(const KernelFunction& f) {
  const Nest& nest = f.nest();
  const bool sums_known = !nest.contraction || f.kernel().schedule.sums > 0;
  const bool functions =
      calls_functions(nest.body) || (nest.contraction && calls_functions(nest.contraction->prologue));
  return f.unrolls() && nest.reductions.empty() && sums_known && !functions;
}

void emit_columns(KernelFunction& f) { Columns(f).emit(); }

std::optional<KnownPositions> known_positions(const Value* positions, const Value* mask, unsigned lanes) {
  const auto* vector = llvm::dyn_cast_if_present<llvm::Constant>(positions);
  const auto* exists = llvm::dyn_cast_if_present<llvm::Constant>(mask);
  if (vector == nullptr || (mask != nullptr && exists == nullptr)) return std::nullopt;
  KnownPositions known;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto* position = llvm::dyn_cast_if_present<llvm::ConstantInt>(vector->getAggregateElement(lane));
    const llvm::Constant* here = exists ? exists->getAggregateElement(lane) : nullptr;
    if (position == nullptr) return std::nullopt;
    known.push_back(here && here->isNullValue() ? -1 : position->getSExtValue());
  }
  return known;
}

bool are_neighbours(const KnownPositions& positions) {
  for (std::size_t lane = 0; lane < positions.size(); ++lane)
    if (positions[lane] != positions[0] + static_cast<std::int64_t>(lane)) return false;
  return positions[0] >= 0;
}

Value* load_known(KernelFunction& f, const Type& matrix, Value* base, const KnownPositions& positions, double fill) {
  auto& b = f.builder();
  const auto lanes = static_cast<unsigned>(positions.size());
  llvm::Type* type = memory_type(b.getContext(), matrix.element);
  const auto load = [&](std::int64_t first, unsigned count) {
    return b.CreateAlignedLoad(with_lanes(type, count), f.element(type, base, f.integer(first)),
                               element_align(matrix.element));
  };
  if (are_neighbours(positions)) return load(positions[0], lanes);
  Value* result = memory_number(with_lanes(type, lanes), fill);
  llvm::SmallVector<std::int64_t, 8> seen;
  for (const std::int64_t position : positions) {
    if (position < 0) continue;
    const ColumnVector held = column_vector(matrix, position);
    if (std::ranges::find(seen, held.first) != seen.end()) continue;
    seen.push_back(held.first);
    llvm::SmallVector<int, 16> wanted, merged;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const std::int64_t offset = positions[lane] - held.first;
      const bool here = positions[lane] >= 0 && offset >= 0 && offset < held.count;
      wanted.push_back(here ? static_cast<int>(offset) : llvm::PoisonMaskElem);
      merged.push_back(static_cast<int>(here ? lanes + lane : lane));
    }
    Value* vector = load(held.first, held.count);
    Value* parts = held.count == 1 ? b.CreateVectorSplat(lanes, vector) : b.CreateShuffleVector(vector, wanted);
    result = b.CreateShuffleVector(result, parts, merged);
  }
  return result;
}

}  // namespace lac::codegen
