#include "runtime/cpu/strip/access.h"

#include <cmath>
#include <cstring>

namespace lac::runtime {
namespace {

StripIndex decoded(const AffineIndex& index, const SlotNumbers& numbers) {
  StripIndex result{numbers.of(index.base), numbers.of(index.i),      numbers.of(index.j),
                    numbers.of(index.k),    numbers.of(index.amount), index.step};
  result.moves_i = !index.i.is(0);
  result.moves_j = !index.j.is(0);
  result.moves_k = !index.k.is(0);
  return result;
}

std::int64_t remainder_of(std::int64_t a, std::int64_t b) { return a - floor_divide(a, b) * b; }

class Placer {
 public:
  Placer(const StripPoints& points, const std::uint64_t* slots, void* const* registers, Scratch& scratch)
      : points_(points), slots_(slots), registers_(registers), scratch_(scratch) {}

  template <class F>
  LaneIndex each(F&& value) {
    auto* vector = scratch_.take<std::int64_t>(points_.lanes);
    for (std::int64_t l = 0; l < points_.lanes; ++l) vector[l] = value(l);
    return {0, 0, vector, false};
  }

  LaneIndex index(const StripIndex& index) {
    if (index.gather >= 0) return gathered(static_cast<const double*>(registers_[index.gather]));
    const LaneIndex plain = affine(index);
    if (index.step == AffineIndex::Step::none) return plain;
    const std::int64_t amount = index.amount.in(slots_);
    const auto stepped = [&](std::int64_t dividend) {
      return index.step == AffineIndex::Step::divide ? floor_divide(dividend, amount) : remainder_of(dividend, amount);
    };
    if (plain.uniform) return {stepped(plain.first), 0, nullptr, true};
    return each([&](std::int64_t l) { return stepped(plain.at(l)); });
  }

  LaneIndex position(const LaneIndex& row, const LaneIndex& col, std::int64_t leading) {
    if (row.vector || col.vector) return each([&](std::int64_t l) { return row.at(l) + col.at(l) * leading; });
    return {row.first + col.first * leading, row.stride + col.stride * leading, nullptr, row.uniform && col.uniform};
  }

  const std::uint8_t* inside(const LaneIndex& row, std::int64_t rows, const LaneIndex& col, std::int64_t cols) {
    auto* inside = scratch_.take<std::uint8_t>(points_.lanes);
    const auto within = [](std::int64_t index, std::int64_t extent) {
      return static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(extent);
    };
    for (std::int64_t l = 0; l < points_.lanes; ++l)
      inside[l] = static_cast<std::uint8_t>(within(row.at(l), rows) && within(col.at(l), cols));
    return inside;
  }

 private:
  LaneIndex affine(const StripIndex& index) {
    const std::int64_t i = index.i.in(slots_), j = index.j.in(slots_), k = index.k.in(slots_);
    const std::int64_t first = index.base.in(slots_) + i * points_.i + j * points_.j;
    if (points_.ks != nullptr && index.moves_k) return each([&](std::int64_t l) { return first + k * points_.ks[l]; });
    const bool moves = (points_.step_i != 0 && index.moves_i) || (points_.step_j != 0 && index.moves_j) ||
                       (points_.step_k != 0 && index.moves_k);
    return {first + k * points_.k, points_.step_i * i + points_.step_j * j + points_.step_k * k, nullptr, !moves};
  }

  // Lanes that do not exist may hold anything.
  LaneIndex gathered(const double* positions) {
    return each([&](std::int64_t l) {
      const double position = positions[l];
      return position > -0x1p62 && position < 0x1p62 ? static_cast<std::int64_t>(position) - 1 : INT64_MIN;
    });
  }

  const StripPoints& points_;
  const std::uint64_t* slots_;
  void* const* registers_;
  Scratch& scratch_;
};

// As memory holds it: a truth value is any byte but 0.
template <class T>
T read(const T* at) {
  if constexpr (sizeof(T) == 1) return static_cast<T>(*at != 0);
  else return *at;
}

template <class T>
void load_as(const void* base, double fill_number, const StripPlace& place, const StripPoints& points, void* out) {
  const T* from = static_cast<const T*>(base);
  T* to = static_cast<T*>(out);
  const LaneIndex& position = place.position;
  if (position.uniform && position.vector == nullptr && place.inside == nullptr) {
    const T value = read(from + position.first);
    for (std::int64_t l = 0; l < points.lanes; ++l) to[l] = value;
    return;
  }
  const T fill = sizeof(T) == 1 ? static_cast<T>(fill_number != 0) : static_cast<T>(fill_number);
  if (points.all() && place.inside == nullptr) {
    if (position.vector != nullptr) {
      for (std::int64_t l = 0; l < points.lanes; ++l) to[l] = read(from + position.vector[l]);
    } else if (position.stride == 1) {
      for (std::int64_t l = 0; l < points.lanes; ++l) to[l] = read(from + position.first + l);
    } else {
      for (std::int64_t l = 0; l < points.lanes; ++l) to[l] = read(from + position.first + l * position.stride);
    }
    return;
  }
  for (std::int64_t l = 0; l < points.lanes; ++l) {
    const bool reads = points.is_live(l) && (place.inside == nullptr || place.inside[l] != 0);
    to[l] = reads ? read(from + position.at(l)) : fill;
  }
}

template <class T>
void store_as(void* base, const StripPlace& place, const StripPoints& points, const void* values) {
  T* to = static_cast<T*>(base);
  const T* from = static_cast<const T*>(values);
  const LaneIndex& position = place.position;
  if (points.mask == nullptr && position.vector == nullptr && position.stride == 1) {
    std::memcpy(to + position.first, from, static_cast<std::size_t>(points.live) * sizeof(T));
    return;
  }
  for (std::int64_t l = 0; l < points.live; ++l)
    if (points.is_live(l)) to[position.at(l)] = from[l];
}

}  // namespace

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  // Of lanes that do not exist anything may come here.
  const double quotient = std::floor(static_cast<double>(a) / static_cast<double>(b));
  return quotient > -0x1p62 && quotient < 0x1p62 ? static_cast<std::int64_t>(quotient) : INT64_MIN;
}

StripMap::StripMap(const AccessMap& map, const Type& buffer, const SlotNumbers& numbers,
                   const std::function<std::int32_t(InstrId)>& gather_register)
    : row(decoded(map.row, numbers)),
      col(decoded(map.col, numbers)),
      linear(map.linear),
      out_of_range(map.out_of_range),
      fill(map.fill),
      rows(numbers.of(buffer.rows)),
      cols(numbers.of(buffer.cols)) {
  if (map.row_gather) row.gather = gather_register(map.row_gather);
  if (map.col_gather) col.gather = gather_register(map.col_gather);
}

StripPlace place_of(const StripMap& map, const StripPoints& points, const std::uint64_t* slots, void* const* registers,
                    Scratch& scratch) {
  Placer placer(points, slots, registers, scratch);
  const std::int64_t buffer_rows = map.rows.in(slots), cols = map.linear ? 1 : map.cols.in(slots);
  const std::int64_t rows = map.linear ? buffer_rows * map.cols.in(slots) : buffer_rows;
  const LaneIndex row = placer.index(map.row);
  const LaneIndex col = map.linear ? LaneIndex{0, 0, nullptr, true} : placer.index(map.col);
  StripPlace place{map.linear ? row : placer.position(row, col, buffer_rows)};
  if (map.out_of_range == OutOfRange::fill) place.inside = placer.inside(row, rows, col, cols);
  return place;
}

void load(Element element, const void* base, const StripMap& map, const StripPlace& place, const StripPoints& points,
          void* out) {
  switch (register_of(element)) {
    case Register::real: return load_as<double>(base, map.fill, place, points, out);
    case Register::single: return load_as<float>(base, map.fill, place, points, out);
    case Register::truth: break;
  }
  load_as<std::uint8_t>(base, map.fill, place, points, out);
}

void store(Element element, void* base, const StripPlace& place, const StripPoints& points, const void* values) {
  switch (register_of(element)) {
    case Register::real: return store_as<double>(base, place, points, values);
    case Register::single: return store_as<float>(base, place, points, values);
    case Register::truth: break;
  }
  store_as<std::uint8_t>(base, place, points, values);
}

}  // namespace lac::runtime
