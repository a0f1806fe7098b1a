// Appends typed ops to a block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph/graph.h"

namespace lac {

/// Appends ops at the end of `block`, each at `location`; both may be changed at any time. Result types come from
/// shape_rules.h; operands that cannot fit are a bug of the caller (InternalError). Sizes that are not provably equal
/// are taken to be equal: the caller puts a `check` before. What needs no op (a transposed scalar, a conversion to the
/// same element, arithmetic on scalar constants) yields an existing value or a constant.
class Builder {
 public:
  /// Builds in the graph's body, which is made if there is none.
  explicit Builder(Graph& graph, LocationId location = {});
  Builder(Graph& graph, BlockId block, LocationId location);

  Graph& graph;
  BlockId block;
  LocationId location;

  // -- values
  ValueId parameter(std::uint32_t index);
  ValueId constant(double number, Element element);  ///< rounded to the element
  ValueId size(const Size& size);                    ///< a constant size becomes an integer constant
  /// rows x cols numbers in column-major order, each rounded to the element; one is a constant.
  ValueId table(std::vector<double> numbers, Element element, std::int64_t rows, std::int64_t cols);
  ValueId text(const std::string& bytes);  ///< a row of as many integers; none: 1x0
  ValueId fill(ValueId scalar, const Size& rows, const Size& cols);
  ValueId iota(Axis axis, const Size& rows, const Size& cols);
  ValueId random(Distribution distribution, const Size& rows, const Size& cols);
  void seed(ValueId number);  ///< an integer scalar: the draws from here on are those of this seed

  // -- elementwise
  ValueId convert(ValueId v, Element element);
  ValueId map(ScalarOp op, const std::vector<ValueId>& operands);
  ValueId map(ScalarOp op, ValueId a) { return map(op, std::vector<ValueId>{a}); }
  ValueId map(ScalarOp op, ValueId a, ValueId b) { return map(op, std::vector<ValueId>{a, b}); }
  ValueId map(ScalarOp op, ValueId a, ValueId b, ValueId c) { return map(op, std::vector<ValueId>{a, b, c}); }

  // -- rearrangement
  ValueId transpose(ValueId v);  ///< of a sparse matrix: the library step
  ValueId reshape(ValueId v, const Size& rows, const Size& cols);
  /// `length` must be given where diagonal_length cannot decide it.
  ValueId diagonal(ValueId v, std::int64_t k, std::optional<Size> length = std::nullopt);
  ValueId index(ValueId v, Subscripts subscripts, const std::vector<ValueId>& vectors, const Size& rows,
                const Size& cols);
  /// What a shift reads along an axis: `count` places from `first` on, which may lie outside.
  struct Window {
    Size first, count;
  };
  ValueId shift(ValueId v, const Window& rows, const Window& cols);
  ValueId update(ValueId base, Subscripts subscripts, const std::vector<ValueId>& vectors, ValueId value);
  ValueId resize(ValueId v, const Size& rows, const Size& cols);
  ValueId concat(const std::vector<ValueId>& values, Axis axis);  ///< converts the operands to their join

  // -- reductions and products
  ValueId reduce(ValueId v, Reduction reduction);
  struct ArgResult {
    ValueId value, index;
  };
  ArgResult arg_reduce(ValueId v, Reduction reduction);
  ValueId scan(ValueId v, Reduction reduction);
  ValueId matmul(ValueId a, ValueId b, Transposes transposes = {});
  std::vector<ValueId> library(LibraryFn fn, const std::vector<ValueId>& operands, const std::vector<Type>& results);

  // -- effects
  void check(ValueId condition, Message message, const std::vector<ValueId>& arguments);
  void warn(ValueId condition, Message message, const std::vector<ValueId>& arguments);
  void print(ValueId v, Display display, const std::vector<ValueId>& range = {});  ///< range: base, increment, limit
  void format(Message message, const std::vector<ValueId>& arguments);
  void output(const std::string& name, ValueId v);

  // -- raw: loop, branch, launch
  ValueId new_value(Type type, std::string name = {});
  BlockId new_block();
  ValueId add_argument(BlockId block, Type type, std::string name = {});
  /// Appends the op as it is; ties its results and its blocks to it. The location is the builder's unless given.
  OpId append(Op op);

 private:
  ValueId emit(OpKind kind, std::vector<ValueId> operands, Attribute attribute, std::optional<Type> stated = {});
  std::vector<ValueId> emit_inferred(OpKind kind, std::vector<ValueId> operands, Attribute attribute);
  void effect(OpKind kind, std::vector<ValueId> operands, Attribute attribute);
};

}  // namespace lac
