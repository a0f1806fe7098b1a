#include "codegen/llvm/kernel/access.h"

#include <algorithm>
#include <optional>

#include "codegen/llvm/kernel/bounds.h"
#include "codegen/llvm/kernel/columns.h"
#include "codegen/llvm/kernel/streams.h"
#include "ir/plan/plan.h"
#include "ir/plan/walk.h"

namespace lac::codegen {
namespace {

/// An index of every lane: first + l*stride, or `vector` where the lanes are not equally spaced.
struct LaneIndex {
  Value* first = nullptr;
  Size stride = 0;
  Value* stride_value = nullptr;  ///< the same as i64
  Value* vector = nullptr;

  bool uniform() const { return !vector && stride.is(0); }
};

LaneIndex uniform_index(KernelFunction& f, Value* value) { return {value, 0, f.integer(0), nullptr}; }
LaneIndex vector_index(Value* vector) { return {nullptr, 0, nullptr, vector}; }

Value* times(KernelFunction& f, const Size& factor, Value* value) {
  if (factor.is(0)) return f.integer(0);
  return factor.is(1) ? value : f.builder().CreateMul(f.size(factor), value);
}

Value* affine(KernelFunction& f, const AffineIndex& index, const Points& points) {
  Value* sum = f.size(index.base);
  if (!index.i.is(0)) sum = f.builder().CreateAdd(sum, times(f, index.i, points.i));
  if (!index.j.is(0)) sum = f.builder().CreateAdd(sum, times(f, index.j, points.j));
  if (!index.k.is(0)) sum = f.builder().CreateAdd(sum, times(f, index.k, points.k));
  return sum;
}

Value* index_stride_value(KernelFunction& f, const AffineIndex& index, const Points& points) {
  Value* sum = f.integer(0);
  if (points.step_i) sum = f.builder().CreateAdd(sum, f.size(index.i));
  if (points.step_j) sum = f.builder().CreateAdd(sum, f.size(index.j));
  if (points.step_k) sum = f.builder().CreateAdd(sum, f.size(index.k));
  return sum;
}

// first + l*stride as a vector (a scalar for one lane).
Value* spread(KernelFunction& f, Value* first, Value* stride, unsigned lanes) {
  Value* start = f.splat(first, lanes);
  if (lanes == 1) return start;
  return f.builder().CreateAdd(start, f.builder().CreateMul(f.splat(stride, lanes), f.iota(lanes)));
}

Value* all_lanes(KernelFunction& f, const LaneIndex& index, unsigned lanes) {
  return index.vector ? index.vector : spread(f, index.first, index.stride_value, lanes);
}

Value* remainder(KernelFunction& f, Value* a, Value* b) {
  return f.builder().CreateSub(a, f.builder().CreateMul(floor_divide(f, a, b), b));
}

/// All of it is constant.
LaneIndex index_by_columns(KernelFunction& f, const AffineIndex& index, const Points& points) {
  Value* first = affine(f, index, points);
  if (index.i.is(0) && index.j.is(0)) return uniform_index(f, first);
  auto& b = f.builder();
  Value* rows =
      b.CreateMul(f.splat(f.size(index.i), points.lanes), f.lanes_of_columns(points.lanes, points.column, Axis::rows));
  Value* cols =
      b.CreateMul(f.splat(f.size(index.j), points.lanes), f.lanes_of_columns(points.lanes, points.column, Axis::cols));
  return vector_index(b.CreateAdd(f.splat(first, points.lanes), b.CreateAdd(rows, cols)));
}

LaneIndex lane_index(KernelFunction& f, const AffineIndex& index, const TypedValue& gathered, const Points& points) {
  auto& b = f.builder();
  if (gathered.value) {
    Value* position = emit_convert(b, gathered, Element::integer);
    llvm::Type* type = with_lanes(b.getInt64Ty(), points.lanes);
    return vector_index(b.CreateSub(b.CreateFPToSI(position, type), llvm::ConstantInt::get(type, 1)));
  }
  if (points.column > 0) return index_by_columns(f, index, points);
  const LaneIndex result{affine(f, index, points), index_stride(index, points.step_i, points.step_j, points.step_k),
                         index_stride_value(f, index, points), nullptr};
  if (index.step == AffineIndex::Step::none) return result;
  Value* dividend = result.uniform() ? result.first : all_lanes(f, result, points.lanes);
  Value* amount = f.splat(f.size(index.amount), lane_count(dividend));
  Value* stepped =
      index.step == AffineIndex::Step::divide ? floor_divide(f, dividend, amount) : remainder(f, dividend, amount);
  return result.uniform() ? uniform_index(f, stepped) : vector_index(stepped);
}

/// Where the lanes touch a buffer: column-major positions, and which of them are inside it.
struct Place {
  LaneIndex position;
  LaneIndex row, col;       ///< what the position is made of; col is 0 where the map is linear
  Value* inside = nullptr;  ///< <lanes x i1>; null when all are
};

Value* within(KernelFunction& f, const LaneIndex& index, Value* extent, unsigned lanes) {
  auto& b = f.builder();
  if (index.uniform()) return f.splat(b.CreateICmpULT(index.first, extent), lanes);
  return b.CreateICmpULT(all_lanes(f, index, lanes), f.splat(extent, lanes));
}

LaneIndex matrix_position(KernelFunction& f, const LaneIndex& row, const LaneIndex& col, const Size& rows,
                          unsigned lanes) {
  auto& b = f.builder();
  Value* leading = f.size(rows);
  if (row.vector || col.vector) {
    Value* offset = b.CreateMul(all_lanes(f, col, lanes), f.splat(leading, lanes));
    return vector_index(b.CreateAdd(all_lanes(f, row, lanes), offset));
  }
  auto combined = [&](Value* r, Value* c) { return b.CreateAdd(r, b.CreateMul(c, leading)); };
  return {combined(row.first, col.first), row.stride + col.stride * rows, combined(row.stride_value, col.stride_value),
          nullptr};
}

Place place_of(KernelFunction& f, const Points& points, const Type& buffer, const AccessMap& map,
               const GatheredPositions& gathered) {
  Value *rows = f.size(buffer.rows), *cols = f.size(buffer.cols);
  if (map.linear) rows = f.builder().CreateMul(rows, cols);
  const LaneIndex row = lane_index(f, map.row, gathered.row, points);
  const LaneIndex col = map.linear ? uniform_index(f, f.integer(0)) : lane_index(f, map.col, gathered.col, points);
  Place place{map.linear ? row : matrix_position(f, row, col, buffer.rows, points.lanes), row, col};
  if (map.out_of_range != OutOfRange::fill) return place;
  place.inside = within(f, row, rows, points.lanes);
  if (!map.linear) place.inside = f.builder().CreateAnd(place.inside, within(f, col, cols, points.lanes));
  return place;
}

Value* both(KernelFunction& f, Value* a, Value* b) { return a && b ? f.builder().CreateAnd(a, b) : a ? a : b; }

Value* from_memory(KernelFunction& f, Element element, Value* stored) {
  return element == Element::logical ? f.builder().CreateIsNotNull(stored) : stored;
}

Value* to_memory(KernelFunction& f, Element element, Value* value) {
  if (element != Element::logical) return value;
  return f.builder().CreateZExt(value, with_lanes(f.builder().getInt8Ty(), lane_count(value)));
}

Value* load_one(KernelFunction& f, Element element, Value* pointer) {
  llvm::Type* type = memory_type(f.builder().getContext(), element);
  return from_memory(f, element, f.builder().CreateAlignedLoad(type, pointer, element_align(element)));
}

Value* pointers(KernelFunction& f, llvm::Type* type, Value* base, const Place& place, unsigned lanes) {
  return f.element(type, base, all_lanes(f, place.position, lanes));
}

/// Lanes [0, count) and no others, where that is known here.
std::optional<unsigned> known_lanes(Value* mask) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  if (constant == nullptr) return std::nullopt;
  const unsigned lanes = lane_count(mask);
  unsigned count = 0;
  while (count < lanes && constant->getAggregateElement(count) && constant->getAggregateElement(count)->isOneValue())
    ++count;
  for (unsigned lane = count; lane < lanes; ++lane)
    if (!constant->getAggregateElement(lane) || !constant->getAggregateElement(lane)->isNullValue())
      return std::nullopt;
  return count;
}

/// The position of one lane (i64).
Value* position_of(KernelFunction& f, const Place& place, unsigned lane) {
  auto& b = f.builder();
  if (place.position.vector) return b.CreateExtractElement(place.position.vector, std::uint64_t{lane});
  return b.CreateAdd(place.position.first, b.CreateMul(place.position.stride_value, f.integer(lane)));
}

/// Lane by lane: all that LLVM can keep in registers of what has constant places.
Value* load_lanes(KernelFunction& f, Element element, Value* base, const Place& place, unsigned lanes, unsigned known,
                  double fill) {
  auto& b = f.builder();
  llvm::Type* type = memory_type(b.getContext(), element);
  Value* vector = memory_number(with_lanes(type, lanes), fill);
  for (unsigned lane = 0; lane < known; ++lane) {
    Value* pointer = f.element(type, base, position_of(f, place, lane));
    vector =
        b.CreateInsertElement(vector, b.CreateAlignedLoad(type, pointer, element_align(element)), std::uint64_t{lane});
  }
  return from_memory(f, element, vector);
}

Value* load_gathered(KernelFunction& f, Element element, Value* base, const Place& place, unsigned lanes, Value* mask,
                     double fill) {
  llvm::Type* type = memory_type(f.builder().getContext(), element);
  llvm::Type* vector = with_lanes(type, lanes);
  Value* passthrough = memory_number(vector, fill);
  if (!mask) mask = llvm::Constant::getAllOnesValue(with_lanes(f.builder().getInt1Ty(), lanes));
  if (const std::optional<unsigned> known = known_lanes(mask); f.unrolls() && known)
    return load_lanes(f, element, base, place, lanes, *known, fill);
  Value* stored = f.builder().CreateMaskedGather(vector, pointers(f, type, base, place, lanes), element_align(element),
                                                 mask, passthrough);
  return from_memory(f, element, stored);
}

// One point: a plain load, or a branch around it where it may lie outside.
Value* load_single(KernelFunction& f, Element element, Value* base, const Place& place, double fill) {
  auto& b = f.builder();
  llvm::Type* type = memory_type(b.getContext(), element);
  Value* pointer = f.element(type, base, place.position.vector ? place.position.vector : place.position.first);
  if (!place.inside) return load_one(f, element, pointer);
  auto* one = llvm::FixedVectorType::get(type, 1);
  Value* mask = b.CreateInsertElement(llvm::PoisonValue::get(llvm::FixedVectorType::get(b.getInt1Ty(), 1)),
                                      place.inside, std::uint64_t{0});
  Value* stored = b.CreateMaskedLoad(one, pointer, element_align(element), mask, memory_number(one, fill));
  return from_memory(f, element, b.CreateExtractElement(stored, std::uint64_t{0}));
}

// The positions inside the buffer, and rows and columns inside the matrix where the map says that they are.
void check_place(KernelFunction& f, const std::string& access, const Points& points, const Type& buffer,
                 const AccessMap& map, const Place& place, Value* mask, Value* count) {
  if (!f.target().check_bounds) return;
  const auto check = [&](const std::string& text, const LaneIndex& index, Value* limit) {
    if (index.uniform()) check_positions(f, text, index.first, nullptr, limit);
    else check_positions(f, text, all_lanes(f, index, points.lanes), mask, limit);
  };
  if (place.inside && place.position.uniform())
    check_positions(f, access, f.splat(place.position.first, points.lanes), mask, count);
  else check(access, place.position, count);
  if (map.linear || points.flat || map.out_of_range != OutOfRange::impossible) return;
  check(access + ", its row", place.row, f.size(buffer.rows));
  check(access + ", its column", place.col, f.size(buffer.cols));
}

struct Source {
  const Type& type;
  Value* base;
  std::string access;  ///< for messages
  Value* count;
};

/// Asks for lines of the next page: there the machine's own foresight ends, and with several columns at a time it takes
/// a while to begin anew. Not for those exactly a page ahead: they share a set of the first cache with what is in use,
/// as the columns of a matrix of 2^k rows do, and the sets are full with two parts of complex numbers. Of parts of a
/// vector that are less than a line, the one that begins it asks.
void fetch_page_ahead(KernelFunction& f, Value* first, const Points& points, std::int64_t bytes_each) {
  constexpr std::int64_t page = 4096, line = 64, ahead = page - 15 * line;
  if (points.before * bytes_each % line != 0) return;
  fetch(f, f.builder().CreateGEP(f.builder().getInt8Ty(), first, f.integer(ahead)), points.lanes * bytes_each);
}

/// Asks for the cache lines of the vector at points.later_k: no machine foresees short pieces of one column after the
/// other.
void fetch_later(KernelFunction& f, const Points& points, const Source& from, const AccessMap& map,
                 const GatheredPositions& gathered) {
  auto& b = f.builder();
  Points later = points;
  later.k = points.later_k;
  llvm::Type* element = memory_type(b.getContext(), from.type.element);
  fetch(f, f.element(element, from.base, place_of(f, later, from.type, map, gathered).position.first),
        points.lanes * byte_size(from.type.element));
}

/// The elements ks behind that of k = 0 (is_product_of_entries).
Value* load_at_entries(KernelFunction& f, const Points& points, const Source& from, const AccessMap& map) {
  auto& b = f.builder();
  llvm::Type* element = memory_type(b.getContext(), from.type.element);
  const Place first = place_of(f, points, from.type, map, {});
  Value* base = f.element(element, from.base, first.position.first);
  llvm::Type* vector = with_lanes(element, points.lanes);
  Value* stored = b.CreateMaskedGather(vector, f.element(element, base, points.ks), element_align(from.type.element),
                                       points.mask, memory_number(vector, 0));
  return from_memory(f, from.type.element, stored);
}

Value* load_from(KernelFunction& f, const Points& points, const Source& from, const AccessMap& map,
                 const GatheredPositions& gathered) {
  const bool reads_at_k = !map.row.k.is(0) || (!map.linear && !map.col.k.is(0));
  if (points.ks && reads_at_k) return load_at_entries(f, points, from, map);
  const auto& [type, base, access, count] = from;
  const Place place = place_of(f, points, type, map, gathered);
  Value* mask = both(f, points.mask, place.inside);
  check_place(f, access, points, type, map, place, mask, count);
  if (points.lanes == 1) return load_single(f, type.element, base, place, map.fill);

  if (points.column > 0 && is_small_matrix(type))
    if (const auto known = known_positions(place.position.vector, mask, points.lanes))
      return from_memory(f, type.element, load_known(f, type, base, *known, map.fill));
  llvm::Type* element = memory_type(f.builder().getContext(), type.element);
  if (!place.position.vector && place.position.stride.is(1)) {
    Value* at = f.element(element, base, place.position.first);
    if (points.later_k) fetch_later(f, points, from, map, gathered);
    if (points.leads) fetch_page_ahead(f, at, points, byte_size(type.element));
    return load_contiguous(f, type.element, at, points.lanes, mask, map.fill);
  }
  if (place.position.uniform() && !place.inside)
    return f.splat(load_one(f, type.element, f.element(element, base, place.position.first)), points.lanes);
  return load_gathered(f, type.element, base, place, points.lanes, mask, map.fill);
}

}  // namespace

void fetch(KernelFunction& f, Value* first, std::int64_t bytes) {
  constexpr std::int64_t line = 64;
  auto& b = f.builder();
  for (std::int64_t byte = 0; byte < bytes; byte += line) {
    Value* place = b.CreateGEP(b.getInt8Ty(), first, f.integer(byte));
    b.CreateIntrinsic(llvm::Intrinsic::prefetch, {place->getType()},
                      {place, b.getInt32(0), b.getInt32(3), b.getInt32(1)});  // to read, into all caches, data
  }
}

llvm::Constant* memory_number(llvm::Type* type, double value) {
  llvm::Type* scalar = type->getScalarType();
  llvm::Constant* number =
      scalar->isIntegerTy() ? llvm::ConstantInt::get(scalar, value != 0 ? 1 : 0) : llvm::ConstantFP::get(scalar, value);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? llvm::ConstantVector::getSplat(vector->getElementCount(), number) : number;
}

Value* floor_divide(KernelFunction& f, Value* a, Value* b) {
  // Exact: a correctly rounded quotient of integers below 2^53 never reaches the next integer. No machine divides
  // vectors of integers.
  auto& builder = f.builder();
  llvm::Type* real = with_lanes(builder.getDoubleTy(), lane_count(a));
  Value* quotient = builder.CreateFDiv(builder.CreateSIToFP(a, real), builder.CreateSIToFP(b, real));
  return builder.CreateFPToSI(builder.CreateUnaryIntrinsic(llvm::Intrinsic::floor, quotient), a->getType());
}

Value* first_lanes(KernelFunction& f, Value* count, unsigned lanes) {
  auto& b = f.builder();
  llvm::SmallVector<std::uint32_t, 16> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane) numbers.push_back(lane);
  Value* iota = llvm::ConstantDataVector::get(b.getContext(), numbers);
  return b.CreateICmpULT(iota, f.splat(b.CreateTrunc(count, b.getInt32Ty()), lanes));
}

Value* coordinates(KernelFunction& f, Value* first, bool steps, unsigned lanes) {
  auto& b = f.builder();
  Value* start = f.splat(b.CreateSIToFP(first, b.getDoubleTy()), lanes);
  if (!steps || lanes == 1) return start;
  return b.CreateFAdd(start, b.CreateSIToFP(f.iota(lanes), with_lanes(b.getDoubleTy(), lanes)));
}

namespace {

/// 0, 1, ... below `count`, then `count` itself: an index of another vector's first lane.
llvm::SmallVector<int, 16> in_order(unsigned count, unsigned lanes) {
  llvm::SmallVector<int, 16> order;
  for (unsigned lane = 0; lane < lanes; ++lane) order.push_back(static_cast<int>(std::min(lane, count)));
  return order;
}

/// The first `known` elements, which are all that is touched, and `rest` in the other lanes.
Value* load_first(KernelFunction& f, llvm::Type* type, Value* pointer, llvm::Align align, unsigned known, double rest) {
  auto& b = f.builder();
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
  if (known == 0) return memory_number(type, rest);
  llvm::Type* part = llvm::FixedVectorType::get(type->getScalarType(), known);
  return b.CreateShuffleVector(b.CreateAlignedLoad(part, pointer, align), memory_number(part, rest),
                               in_order(known, lanes));
}

}  // namespace

Value* load_contiguous(KernelFunction& f, Element element, Value* pointer, unsigned lanes, Value* mask,
                       double passthrough) {
  llvm::Type* type = with_lanes(memory_type(f.builder().getContext(), element), lanes);
  const llvm::Align align = element_align(element);
  if (const std::optional<unsigned> known = mask && f.unrolls() ? known_lanes(mask) : std::nullopt)
    return from_memory(f, element, load_first(f, type, pointer, align, *known, passthrough));
  Value* stored = mask ? f.builder().CreateMaskedLoad(type, pointer, align, mask, memory_number(type, passthrough))
                       : static_cast<Value*>(f.builder().CreateAlignedLoad(type, pointer, align));
  return from_memory(f, element, stored);
}

void store_contiguous(KernelFunction& f, Element element, Value* pointer, Value* value, Value* mask) {
  Value* stored = to_memory(f, element, value);
  if (const std::optional<unsigned> known = mask && f.unrolls() ? known_lanes(mask) : std::nullopt) {
    if (*known > 0)
      f.builder().CreateAlignedStore(f.builder().CreateShuffleVector(stored, in_order(*known, *known)), pointer,
                                     element_align(element));
    return;
  }
  if (mask) f.builder().CreateMaskedStore(stored, pointer, element_align(element), mask);
  else f.builder().CreateAlignedStore(stored, pointer, element_align(element));
}

Value* emit_load(KernelFunction& f, const Points& points, std::uint32_t input, const AccessMap& map,
                 const GatheredPositions& gathered) {
  const Type& type = f.kernel().inputs[input].type;
  return load_from(f, points, {type, f.input_pointer(input), load_of(f, input), f.input_count(input)}, map, gathered);
}

Value* emit_reload(KernelFunction& f, const Points& points, std::uint32_t output, const AccessMap& map,
                   const GatheredPositions& gathered) {
  const Type& type = f.kernel().outputs[output].type;
  return load_from(f, points, {type, f.output_pointer(output), reload_of(f, output), f.output_count(output)}, map,
                   gathered);
}

void emit_store(KernelFunction& f, const Points& points, std::uint32_t output, const AccessMap& map,
                const GatheredPositions& gathered, TypedValue value) {
  auto& b = f.builder();
  const Type& type = f.kernel().outputs[output].type;
  const Place place = place_of(f, points, type, map, gathered);
  Value* converted = emit_convert(b, value, type.element);
  llvm::Type* element = memory_type(b.getContext(), type.element);
  Value* base = f.output_pointer(output);
  check_place(f, store_to(f, output), points, type, map, place, points.mask, f.output_count(output));
  if (points.lanes == 1 || (!place.position.vector && place.position.stride.is(1))) {
    Value* first = place.position.vector ? place.position.vector : place.position.first;
    Value* at = f.element(element, base, first);
    Value* streams = points.mask || points.lanes < kernel_lanes ? nullptr : f.streams(output);
    if (streams) store_streaming(f, streams, at, to_memory(f, type.element, converted), element_align(type.element));
    else store_contiguous(f, type.element, at, converted, points.mask);
    return;
  }
  const unsigned lanes = points.lanes;
  if (const auto known = known_positions(place.position.vector, points.mask, lanes);
      points.column > 0 && known && are_neighbours(*known))
    return store_contiguous(f, type.element, f.element(element, base, f.integer(known->front())), converted, nullptr);
  if (const std::optional<unsigned> known = points.mask ? known_lanes(points.mask) : lanes; f.unrolls() && known) {
    Value* stored = to_memory(f, type.element, converted);
    for (unsigned lane = 0; lane < *known; ++lane)
      b.CreateAlignedStore(b.CreateExtractElement(stored, std::uint64_t{lane}),
                           f.element(element, base, position_of(f, place, lane)), element_align(type.element));
    return;
  }
  b.CreateMaskedScatter(to_memory(f, type.element, converted), pointers(f, element, base, place, points.lanes),
                        element_align(type.element), points.mask);
}

}  // namespace lac::codegen
