// Products with dense operands. Where memory runs along the domain's lane axis (A*x) vectors hold neighbouring results
// and k is a plain loop, in order (of short sums: into several accumulators in turn); where it runs along k (A'*x)
// every result is a dot product over vectors of k, term k in lane k mod 16, lanes added pairwise at the end.
#include <algorithm>

#include "codegen/llvm/kernel/product.h"

namespace lac::codegen {
namespace {

constexpr unsigned masked_vectors = 4;
constexpr unsigned strip_vectors = 2;       // of a strip that several nests share: it may be no longer
constexpr std::int64_t columns_ahead = 16;  // which are then fetched

class DenseProduct : public Product {
 public:
  using Product::Product;

  std::int64_t chunk() const override { return points_ahead(contraction_); }
  Value* interior(Value*) override { return nullptr; }
  Sums compute(const Points&) override { return {}; }

 protected:
  /// Accumulators of all sums.
  using Accumulators = llvm::SmallVector<Terms::Slots, 16>;

  Accumulators make_accumulators(unsigned count) {
    Accumulators made;
    for (unsigned n = 0; n < count; ++n) made.push_back(terms_.make_slots(kernel_lanes, "sum"));
    return made;
  }

  void add_to(const Terms::Slots& accumulator, const Points& points, Value* contributes) {
    terms_.store(add_terms(points, terms_.load(accumulator, kernel_lanes), contributes), accumulator);
  }

  // for (at = first; at < end; ) at full groups of `group` points `whole(at)`, then the rest at steps of `step`.
  void groups(Value* first, Value* end, std::int64_t group, std::int64_t step, llvm::function_ref<void(Value*)> whole,
              llvm::function_ref<void(Value*)> rest) {
    auto& b = f_.builder();
    Value* count = b.CreateSub(end, first);
    Value* grouped = b.CreateSub(count, b.CreateURem(count, f_.integer(group)));
    Value* middle = b.CreateAdd(first, grouped);
    f_.loop(first, middle, group, whole);
    f_.loop(middle, end, step, rest);
  }
};

class LaneProduct final : public DenseProduct {
 public:
  LaneProduct(KernelFunction& f, const WalkPlan& plan) : DenseProduct(f, plan) { make_buffer(chunk_of_blocks()); }

  // Long runs of memory in each of the columns; the results are in the second cache.
  std::int64_t chunk_of_blocks() const override { return goes_by_columns() ? 3840 : chunk(); }

  void fill(Value* first, Value* end, Value* other) override {
    if (goes_by_columns()) return by_columns(first, end, other);
    const bool strips = plan_.blocks == WalkPlan::Blocks::given;
    const unsigned wide = strips ? strip_vectors : vectors_at_once();
    const unsigned masked = strips ? strip_vectors : masked_vectors;
    groups(
        first, end, static_cast<std::int64_t>(wide) * kernel_lanes, masked * kernel_lanes,
        [&](Value* at) { strip(at, first, other, wide, nullptr); },
        [&](Value* at) { strip(at, first, other, masked, end); });
  }

 private:
  // As many results as half the registers hold: the more, the longer the runs of memory that are read.
  unsigned vectors_at_once() const {
    struct Registers {
      unsigned count, bytes;
    };
    static constexpr Registers halves[] = {{8, 16}, {8, 16}, {8, 32}, {16, 64}};
    const auto [count, bytes] = halves[static_cast<int>(f_.target().isa)];
    const unsigned vector = kernel_lanes * static_cast<unsigned>(byte_size(contraction_.element));
    return std::max(1u, count * bytes / (vector * static_cast<unsigned>(terms_.sums())));
  }

  // Where registers hold so few results that a column would be read by pieces that no machine foresees, the results
  // wait in the buffer while some columns at a time go over all of them. Sums are in order of k either way.
  bool goes_by_columns() const {
    constexpr std::int64_t short_piece = 512;  // bytes
    const std::int64_t piece = std::int64_t{vectors_at_once()} * kernel_lanes * byte_size(contraction_.element);
    return plan_.blocks != WalkPlan::Blocks::given && f_.kernel().schedule.sums <= 1 && !f_.unrolls() &&
           piece <= short_piece;
  }

  // Few results are in registers.
  void by_columns(Value* first, Value* end, Value* other) {
    auto& b = f_.builder();
    constexpr unsigned at_once = 4;
    constexpr std::int64_t fewest = 4 * kernel_lanes;
    Value *none = f_.integer(0), *count = b.CreateSub(end, first);
    f_.when(
        b.CreateICmpSGE(count, f_.integer(fewest)),
        [&] {
          const Sums zeros = terms_.zeros(kernel_lanes);
          f_.loop(none, count, kernel_lanes, [&](Value* offset) { store_all(zeros, offset); });
          groups(
              none, f_.size(contraction_.extent), at_once, 1,
              [&](Value* k) { columns(k, at_once, first, count, other); },
              [&](Value* k) { columns(k, 1, first, count, other); });
        },
        [&] { f_.loop(first, end, kernel_lanes, [&](Value* at) { strip(at, first, other, 1, end); }); });
  }

  // The terms of columns [k, k + at_once) to the results [first, first + count). What reads memory ahead foresees lines
  // that come in their order: vectors are as long as a line, and no other order is left to who arranges the loads.
  void columns(Value* k, unsigned at_once, Value* first, Value* count, Value* other) {
    auto& b = f_.builder();
    constexpr unsigned line = 64;  // bytes
    const unsigned lanes = line / static_cast<unsigned>(byte_size(contraction_.element));
    const auto vector = [&](Value* offset, Value* mask) {
      Points points = domain_points(plan_, b.CreateAdd(first, offset), other, lanes, mask);
      Sums sums = buffered(offset, lanes);
      for (unsigned n = 0; n < at_once; ++n) {
        points.k = b.CreateAdd(k, f_.integer(n));
        sums = add_terms(points, sums, nullptr);
      }
      store_all(sums, offset);
    };
    Value* whole = b.CreateAnd(count, f_.integer(-static_cast<std::int64_t>(lanes)));
    f_.loop(f_.integer(0), whole, lanes, [&](Value* offset) { vector(offset, nullptr); });
    f_.when(b.CreateICmpSLT(whole, count), [&] { vector(whole, first_lanes(f_, b.CreateSub(count, whole), lanes)); });
  }

  void store_all(const Sums& sums, Value* offset) {
    for (std::size_t n = 0; n < sums.size(); ++n) store_to_buffer(n, sums[n], offset);
  }

  // Results [at, at + vectors * kernel_lanes), those below `end` where it is given.
  void strip(Value* at, Value* first, Value* other, unsigned vectors, Value* end) {
    auto& b = f_.builder();
    const auto count = static_cast<unsigned>(std::max(f_.kernel().schedule.sums, 1));
    const Accumulators accumulators = make_accumulators(vectors * count);  // those of a vector one after the other
    llvm::SmallVector<Points, 16> points;
    for (unsigned n = 0; n < vectors; ++n) {
      Value* lane = b.CreateAdd(at, f_.integer(static_cast<std::int64_t>(n) * kernel_lanes));
      Value* rest = end ? f_.larger(b.CreateSub(end, lane), f_.integer(0)) : nullptr;
      points.push_back(
          domain_points(plan_, lane, other, kernel_lanes, rest ? first_lanes(f_, rest, kernel_lanes) : nullptr));
    }
    terms(count, [&](Value* k, unsigned accumulator) {
      for (unsigned n = 0; n < vectors; ++n) {
        points[n].k = k;
        if (plan_.blocks == WalkPlan::Blocks::given) {
          Value* last = b.CreateSub(f_.size(contraction_.extent), f_.integer(1));
          points[n].later_k = f_.smaller(b.CreateAdd(k, f_.integer(columns_ahead)), last);
        }
        add_to(accumulators[n * count + accumulator], points[n], nullptr);
      }
    });
    for (unsigned n = 0; n < vectors; ++n) {
      Value* lane = plan_.lanes_along_cols ? points[n].j : points[n].i;
      for (std::size_t sum = 0; sum < terms_.sums(); ++sum)
        store_to_buffer(sum, total(llvm::ArrayRef(accumulators).slice(n * count, count), sum),
                        b.CreateSub(lane, first));
    }
  }

  // add(k, accumulator) of all k, in order.
  void terms(unsigned count, llvm::function_ref<void(Value*, unsigned)> add) {
    auto& b = f_.builder();
    const auto several = [&](Value* k, unsigned from) {
      for (unsigned n = 0; n < from; ++n) add(n == 0 ? k : b.CreateAdd(k, f_.integer(n)), n);
    };
    if (count == 1) return f_.loop(f_.integer(0), f_.size(contraction_.extent), 1, [&](Value* k) { add(k, 0); });
    const std::int64_t extent = contraction_.extent.constant(), rest = extent % count;
    f_.loop(f_.integer(0), f_.integer(extent - rest), count, [&](Value* k) { several(k, count); });
    several(f_.integer(extent - rest), static_cast<unsigned>(rest));
  }

  Value* total(llvm::ArrayRef<Terms::Slots> accumulators, std::size_t sum) {
    llvm::SmallVector<Value*, most_sums> sums(accumulators.size(), nullptr);
    for (std::size_t n = 0; n < sums.size(); ++n) sums[n] = terms_.load(accumulators[n], kernel_lanes)[sum];
    add_pairwise(static_cast<std::int32_t>(sums.size()),
                 [&](std::int32_t to, std::int32_t from) { sums[to] = f_.builder().CreateFAdd(sums[to], sums[from]); });
    return sums[0];
  }
};

class DotProduct final : public DenseProduct {
 public:
  DotProduct(KernelFunction& f, const WalkPlan& plan) : DenseProduct(f, plan) { make_buffer(chunk()); }

  void fill(Value* first, Value* end, Value* other) override {
    constexpr unsigned at_once = 4;
    groups(
        first, end, at_once, 1, [&](Value* at) { dots(at, first, other, at_once); },
        [&](Value* at) { dots(at, first, other, 1); });
  }

 private:
  void dots(Value* at, Value* first, Value* other, unsigned count) {
    auto& b = f_.builder();
    const Accumulators accumulators = make_accumulators(count);
    Value* extent = f_.size(contraction_.extent);
    Value* full = b.CreateAnd(extent, f_.integer(-static_cast<std::int64_t>(kernel_lanes)));
    auto step = [&](Value* k, Value* mask) {
      for (unsigned n = 0; n < count; ++n) {
        Points points = domain_points(plan_, b.CreateAdd(at, f_.integer(n)), other, kernel_lanes, mask);
        points.step_i = points.step_j = false;
        points.k = k;
        points.step_k = true;
        add_to(accumulators[n], points, mask);
      }
    };
    f_.loop(f_.integer(0), full, kernel_lanes, [&](Value* k) { step(k, nullptr); });
    f_.when(b.CreateICmpSLT(full, extent),
            [&] { step(full, first_lanes(f_, b.CreateSub(extent, full), kernel_lanes)); });
    for (unsigned n = 0; n < count; ++n) {
      Value* offset = b.CreateSub(b.CreateAdd(at, f_.integer(n)), first);
      const Sums sums = terms_.load(accumulators[n], kernel_lanes);
      for (std::size_t sum = 0; sum < sums.size(); ++sum) store_to_buffer(sum, pairwise(sums[sum]), offset);
    }
  }

  Value* pairwise(Value* vector) {
    auto& b = f_.builder();
    for (unsigned half = kernel_lanes / 2; half >= 1; half /= 2) {
      llvm::SmallVector<int, 16> low, high;
      for (unsigned lane = 0; lane < half; ++lane) {
        low.push_back(static_cast<int>(lane));
        high.push_back(static_cast<int>(lane + half));
      }
      vector = b.CreateFAdd(b.CreateShuffleVector(vector, low), b.CreateShuffleVector(vector, high));
    }
    return b.CreateExtractElement(vector, std::uint64_t{0});
  }
};

}  // namespace

std::unique_ptr<Product> make_dense_product(KernelFunction& f, const WalkPlan& plan) {
  if (dense_form(f.kernel(), f.nest(), plan) == DenseForm::dots) return std::make_unique<DotProduct>(f, plan);
  return std::make_unique<LaneProduct>(f, plan);
}

}  // namespace lac::codegen
