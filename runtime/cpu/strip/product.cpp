#include "runtime/cpu/strip/product.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ir/kernel/factors.h"
#include "ir/support/result.h"
#include "runtime/cpu/strip/sums.h"

namespace lac::runtime {
namespace {

// Entries or values of k whose terms are computed together.
constexpr std::int64_t most_terms = 256;

std::int64_t whole_vectors(std::int64_t count) { return (count + kernel_lanes - 1) / kernel_lanes * kernel_lanes; }

template <class T>
T multiply_add(bool fused, T a, T b, T c) {
  add_products(fused, &a, 0, &b, 0, &c, 1);
  return c;
}

// csr goes through its entries one by one, as scalar code does.
StripMath math_of(Storage storage) { return storage == Storage::csr ? StripMath::scalars : StripMath::vectors; }

}  // namespace

StripProduct::StripProduct(const Kernel& kernel, const Nest& nest, std::size_t sum, const WalkPlan& plan,
                           const SlotNumbers& numbers, VectorIsa isa)
    : plan_(plan),
      storage_(nest.contraction->storage),
      element_(nest.contraction->element),
      sums_(std::max(kernel.schedule.sums, 1)),
      ahead_(points_ahead(*nest.contraction)),
      fused_(has_fma(isa)),
      is_product_(is_product_term(*nest.contraction, sum)),
      is_plain_(storage_ == Storage::csr && is_plain_product(*nest.contraction)),
      prologue_(kernel, nest, nest.contraction->prologue, numbers, isa, math_of(storage_)) {
  if (element_ == Element::logical) throw InternalError("a contraction of truth values");
  if (storage_ == Storage::dense) {
    form_ = dense_form(kernel, nest, plan);
    extent_ = numbers.of(nest.contraction->extent);
  } else {
    const Type& type = kernel.inputs[nest.contraction->matrix].type;
    matrix_slot_ = static_cast<std::int32_t>(numbers.layout().inputs[nest.contraction->matrix]);
    matrix_element_ = type.element;
    rows_ = numbers.of(type.rows);
    cols_ = numbers.of(type.cols);
    for (const Size& offset : type.offsets) offsets_.push_back(numbers.of(offset));
  }
  const Register kind = register_of(element_);
  const Body& prologue = nest.contraction->prologue;
  const InstrId value = nest.contraction->values[sum];
  if (is_product_) {
    const Instr& term = prologue[value];
    term_left_ = prologue_.converted(term.operands[0], kind);
    term_right_ = prologue_.converted(term.operands[1], kind);
    find_factors(kernel, prologue, term, numbers);
  } else {
    term_ = prologue_.converted(value, kind);
  }
}

std::optional<StripProduct::Factor> StripProduct::factor(const Kernel& kernel, const Instr& instr,
                                                         const SlotNumbers& numbers) const {
  if (instr.element != element_) return std::nullopt;
  if (instr.kind == InstrKind::matrix_element) {
    if (register_of(matrix_element_) != register_of(element_)) return std::nullopt;
    return Factor{0, {}, true};
  }
  if (!is_load(instr)) return std::nullopt;
  const Type& type = loaded_type(kernel, instr);
  const AccessMap& map = instr.map;
  const bool linear_position = !map.row_gather && !map.col_gather && map.out_of_range == OutOfRange::impossible &&
                               map.row.step == AffineIndex::Step::none && map.col.step == AffineIndex::Step::none;
  if (type.is_scalar() || !linear_position || register_of(type.element) != register_of(element_)) return std::nullopt;
  return Factor{numbers.slot_of(instr), StripMap(map, type, numbers, {}), false};
}

void StripProduct::find_factors(const Kernel& kernel, const Body& prologue, const Instr& term,
                                const SlotNumbers& numbers) {
  auto left = factor(kernel, prologue[term.operands[0]], numbers);
  auto right = factor(kernel, prologue[term.operands[1]], numbers);
  if (!left || !right) return;
  if (right->is_element) std::swap(left, right);  // a product does not know its order
  if (right->is_element || (storage_ != Storage::dense) != left->is_element) return;
  left_ = left;
  right_ = right;
}

std::int64_t StripProduct::Factor::position(const std::uint64_t* slots, std::int64_t i, std::int64_t j,
                                            std::int64_t k) const {
  const auto index = [&](const StripIndex& at) {
    return at.base.in(slots) + at.i.in(slots)*i + at.j.in(slots)*j + at.k.in(slots)*k;
  };
  return index(map.row) + (map.linear ? 0 : index(map.col) * map.rows.in(slots));
}

StripProduct::State::State(const StripProduct& product, const std::uint64_t* slots, Scratch& scratch)
    : product_(product),
      slots_(slots),
      scratch_(scratch),
      prologue_(product.prologue_, slots, most_terms, scratch),
      buffer_(scratch.take(static_cast<std::size_t>((std::max(product.ahead_, most_terms) + most_terms) *
                                                    byte_size(register_of(product.element_))))) {}

const void* StripProduct::State::at(std::int64_t offset) const {
  return static_cast<const std::byte*>(buffer_) + offset * byte_size(register_of(product_.element_));
}

StripPoints StripProduct::State::points_at(std::int64_t lane, std::int64_t other) const {
  StripPoints points;
  points.i = product_.plan_.lanes_along_cols ? other : lane;
  points.j = product_.plan_.lanes_along_cols ? lane : other;
  points.flat = product_.plan_.flat;
  return points;
}

void StripProduct::State::fill(std::int64_t first, std::int64_t end, std::int64_t other) {
  if (register_of(product_.element_) == Register::single) fill_as<float>(first, end, other);
  else fill_as<double>(first, end, other);
}

template <class T>
void StripProduct::State::fill_as(std::int64_t first, std::int64_t end, std::int64_t other) {
  if (product_.storage_ == Storage::dense && product_.form_ == DenseForm::lanes) return lane_sums<T>(first, end, other);
  T* sums = static_cast<T*>(buffer_);
  for (std::int64_t at = first; at < end; ++at)
    sums[at - first] = product_.storage_ == Storage::csr ? row_sum<T>(at, other) : dot<T>(at, other);
}

template <class T>
void StripProduct::State::add_terms(const StripPoints& points, const std::uint8_t* contributes, T* sum) {
  prologue_.evaluate(points);
  const auto values = [&](std::int32_t id) { return static_cast<const T*>(prologue_.registers()[id]); };
  const T* left = values(product_.is_product_ ? product_.term_left_ : product_.term_);
  const T* right = values(product_.is_product_ ? product_.term_right_ : product_.term_);
  for (std::int64_t l = 0; l < points.live; ++l) {
    if (contributes != nullptr && contributes[l] == 0) continue;
    sum[l] = product_.is_product_ ? multiply_add(product_.fused_, left[l], right[l], sum[l]) : sum[l] + left[l];
  }
}

// -- csr --------------------------------------------------------------------------------------------------------------

template <class T>
T StripProduct::State::row_sum(std::int64_t row, std::int64_t other) {
  const auto* row_pointers = reinterpret_cast<const std::int32_t*>(slots_[product_.matrix_slot_]);
  const std::int64_t begin = row_pointers[row], end = row_pointers[row + 1];
  const StripPoints points = points_at(row, other);
  if (!product_.left_) {
    if (!product_.is_plain_) return row_sum_of_terms<T>(points, begin, end, true);
    const T sum = row_sum_of_terms<T>(points, begin, end, false);
    return std::isnan(sum) ? row_sum_of_terms<T>(points, begin, end, true) : sum;
  }
  const auto* columns = reinterpret_cast<const std::int32_t*>(slots_[product_.matrix_slot_ + 1]);
  const T* values = reinterpret_cast<const T*>(slots_[product_.matrix_slot_ + 2]);
  const Factor& factor = *product_.right_;
  const std::int64_t first = factor.position(slots_, points.i, points.j, 0);
  const std::int64_t step = factor.position(slots_, points.i, points.j, 1) - first;
  const T* x = reinterpret_cast<const T*>(slots_[factor.slot]) + first;
  const T sum = add_row(product_.fused_, values + begin, columns + begin, end - begin, x, step, T(0));
  if (!std::isnan(sum)) return sum;
  return add_row_entries(product_.fused_, values + begin, columns + begin, end - begin, x, step, T(0));
}

template <class T>
T StripProduct::State::row_sum_of_terms(const StripPoints& row, std::int64_t begin, std::int64_t end, bool look) {
  const ScratchScope scope(scratch_);
  const auto* columns = reinterpret_cast<const std::int32_t*>(slots_[product_.matrix_slot_ + 1]);
  const auto* values = reinterpret_cast<const std::byte*>(slots_[product_.matrix_slot_ + 2]);
  const std::int64_t bytes = lac::byte_size(product_.matrix_element_);
  auto* ks = scratch_.take<std::int64_t>(most_terms);
  auto* elements = static_cast<std::byte*>(scratch_.take(static_cast<std::size_t>(most_terms * 8)));
  T sum = 0;
  for (std::int64_t at = begin; at < end; at += most_terms) {
    StripPoints points = row;
    points.lanes = points.live = std::min(end - at, most_terms);
    for (std::int64_t l = 0; l < points.lanes; ++l) ks[l] = columns[at + l];
    std::copy(values + at * bytes, values + (at + points.lanes) * bytes, elements);
    const auto is_zero = [&](std::int64_t l) {
      if (bytes == 8) return reinterpret_cast<const double*>(elements)[l] == 0;
      if (bytes == 4) return reinterpret_cast<const float*>(elements)[l] == 0;
      return elements[l] == std::byte{0};
    };
    points.ks = ks;
    points.matrix_element = elements;
    prologue_.evaluate(points);
    const auto numbers = [&](std::int32_t id) { return static_cast<const T*>(prologue_.registers()[id]); };
    const T* left = numbers(product_.is_product_ ? product_.term_left_ : product_.term_);
    const T* right = numbers(product_.is_product_ ? product_.term_right_ : product_.term_);
    for (std::int64_t l = 0; l < points.lanes; ++l) {
      if (look && is_zero(l)) continue;
      sum = product_.is_product_ ? multiply_add(product_.fused_, left[l], right[l], sum) : sum + left[l];
    }
  }
  return sum;
}

// -- dense ------------------------------------------------------------------------------------------------------------

template <class T>
void StripProduct::State::lane_sums(std::int64_t first, std::int64_t end, std::int64_t other) {
  T* sums = static_cast<T*>(buffer_);
  const std::int64_t count = end - first, extent = product_.extent_.in(slots_);
  std::fill(sums, sums + count, T(0));
  const ScratchScope scope(scratch_);
  std::array<T*, most_sums> accumulators = {sums};
  for (std::int32_t n = 1; n < product_.sums_; ++n) {
    accumulators[n] = scratch_.take<T>(whole_vectors(count));
    std::fill(accumulators[n], accumulators[n] + count, T(0));
  }
  const auto sum_of = [&](std::int64_t k) { return accumulators[static_cast<std::size_t>(k % product_.sums_)]; };
  StripPoints points = points_at(first, other);
  (product_.plan_.lanes_along_cols ? points.step_j : points.step_i) = 1;
  if (product_.left_) {
    const auto walk = [&](const Factor& factor) {
      struct Walk {
        const T* at;
        std::int64_t lane, k;
      };
      const std::int64_t here = factor.position(slots_, points.i, points.j, 0);
      return Walk{reinterpret_cast<const T*>(slots_[factor.slot]) + here,
                  factor.position(slots_, points.i + points.step_i, points.j + points.step_j, 0) - here,
                  factor.position(slots_, points.i, points.j, 1) - here};
    };
    auto a = walk(*product_.left_), b = walk(*product_.right_);
    if (b.lane == 1 && a.lane == 0) std::swap(a, b);
    for (std::int64_t k = 0; k < extent; ++k)
      add_products(product_.fused_, a.at + k * a.k, a.lane, b.at + k * b.k, b.lane, sum_of(k), count);
  } else {
    points.live = count;
    points.lanes = whole_vectors(count);
    for (points.k = 0; points.k < extent; ++points.k) add_terms(points, nullptr, sum_of(points.k));
  }
  add_pairwise(product_.sums_, [&](std::int32_t to, std::int32_t from) {
    for (std::int64_t l = 0; l < count; ++l) accumulators[to][l] += accumulators[from][l];
  });
}

template <class T>
T StripProduct::State::dot(std::int64_t at, std::int64_t other) {
  T lanes[kernel_lanes] = {};
  const std::int64_t extent = product_.extent_.in(slots_);
  StripPoints points = points_at(at, other);
  const auto add_part = [&](std::int64_t k, std::int64_t count) {
    if (!product_.left_) {
      points.k = k;
      points.step_k = 1;
      points.live = count;
      points.lanes = kernel_lanes;
      return add_terms(points, nullptr, lanes);
    }
    const auto from = [&](const Factor& factor) {
      const std::int64_t here = factor.position(slots_, points.i, points.j, k);
      return std::pair(reinterpret_cast<const T*>(slots_[factor.slot]) + here,
                       factor.position(slots_, points.i, points.j, k + 1) - here);
    };
    const auto [a, step_a] = from(*product_.left_);
    const auto [b, step_b] = from(*product_.right_);
    add_products(product_.fused_, a, step_a, b, step_b, lanes, count);
  };
  for (std::int64_t k = 0; k < extent; k += kernel_lanes) add_part(k, std::min<std::int64_t>(extent - k, kernel_lanes));
  for (unsigned half = kernel_lanes / 2; half >= 1; half /= 2)
    for (unsigned l = 0; l < half; ++l) lanes[l] = lanes[l] + lanes[l + half];
  return lanes[0];
}

// -- diagonals --------------------------------------------------------------------------------------------------------

const void* StripProduct::State::compute(const StripPoints& points) {
  if (register_of(product_.element_) == Register::single) diagonals<float>(points);
  else diagonals<double>(points);
  return buffer_;
}

template <class T>
void StripProduct::State::diagonals(const StripPoints& rows) {
  T* sums = static_cast<T*>(buffer_);
  std::fill(sums, sums + rows.lanes, T(0));
  const std::int64_t leading = product_.rows_.in(slots_), cols = product_.cols_.in(slots_);
  for (std::size_t d = 0; d < product_.offsets_.size(); ++d) {
    const std::int64_t offset = product_.offsets_[d].in(slots_);
    // Rows whose column exists.
    const std::int64_t first = std::clamp<std::int64_t>(-(rows.i + offset), 0, rows.live);
    const std::int64_t end = std::clamp<std::int64_t>(cols - (rows.i + offset), first, rows.live);
    const std::int64_t place = static_cast<std::int64_t>(d) * leading + rows.i;
    if (product_.left_) {
      const Factor& factor = *product_.right_;
      const std::int64_t i = rows.i + first, k = i + offset;
      const std::int64_t here = factor.position(slots_, i, rows.j, k);
      if (factor.position(slots_, i + 1, rows.j, k + 1) - here == 1) {
        add_diagonal(product_.fused_, reinterpret_cast<const T*>(slots_[product_.matrix_slot_]) + place + first,
                     reinterpret_cast<const T*>(slots_[factor.slot]) + here, sums + first, end - first);
        continue;
      }
    }
    const ScratchScope scope(scratch_);
    StripPoints points = rows;
    points.k = rows.i + offset;
    points.step_k = 1;
    auto* contributes = scratch_.take<std::uint8_t>(rows.lanes);
    auto* inside = scratch_.take<std::uint8_t>(rows.lanes);
    for (std::int64_t l = 0; l < rows.lanes; ++l) inside[l] = static_cast<std::uint8_t>(l >= first && l < end);
    points.mask = inside;
    void* elements = scratch_.take(static_cast<std::size_t>(rows.lanes * 8));
    StripMap map;
    const StripPlace contiguous{{place, 1, nullptr, false}, nullptr};
    load(product_.matrix_element_, reinterpret_cast<const void*>(slots_[product_.matrix_slot_]), map, contiguous,
         points, elements);
    const void* in[] = {elements};
    const Register kind = register_of(product_.matrix_element_);
    if (const StripFunction truth = conversion(kind, Register::truth)) truth(nullptr, in, contributes, rows.lanes);
    else std::copy_n(static_cast<const std::uint8_t*>(elements), rows.lanes, contributes);
    points.matrix_element = elements;
    add_terms(points, contributes, sums);
  }
}

}  // namespace lac::runtime
