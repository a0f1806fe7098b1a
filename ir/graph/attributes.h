// What ops carry besides operands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/scalar/scalar_op.h"
#include "ir/types/type.h"

namespace lac {

using OpId = Id<struct OpTag>;
using BlockId = Id<struct BlockTag>;
using KernelId = Id<struct KernelTag>;
using LocationId = Id<struct LocationTag>;

enum class Axis : std::uint8_t { rows, cols, all };
std::string_view name(Axis axis);

enum class ReduceOp : std::uint8_t { sum, prod, min, max, any, all };
std::string_view name(ReduceOp op);
/// The element of a reduction of `element`: any and all are logical; logicals are counted, as integers.
Element reduced_element(ReduceOp op, Element element);
/// The value of an empty reduction, and the neutral operand: 0, 1, NaN (min, max skip NaN), 0, 1.
double identity(ReduceOp op);
/// One step, on values held in double.
double combine(ReduceOp op, double accumulator, double value);

/// Reduces along `axis`: rows gives 1 x n, cols gives m x 1, all gives a scalar.
struct Reduction {
  ReduceOp op = ReduceOp::sum;
  Axis axis = Axis::rows;
  friend bool operator==(const Reduction&, const Reduction&) = default;
};

enum class SubscriptKind : std::uint8_t { all, range, vector };

/// One subscript. Everything is 0-based here. A scalar subscript is a range of count 1 and step 1.
struct Subscript {
  SubscriptKind kind = SubscriptKind::all;
  Size first = 0;  ///< range: first, first + step, ...
  Size step = 1;
  Size count = 0;  ///< number of positions (all kinds)
  friend bool operator==(const Subscript&, const Subscript&) = default;
};

/// Either one linear subscript (column-major position) or one per axis. An operand of kind `vector` holds 1-based
/// positions (any dense numeric matrix, read in column-major order). Positions are in range and integers: lowering
/// puts a `check` before where that is not provable. In an update with repeated positions the last value wins.
struct Subscripts {
  std::vector<Subscript> axes;  ///< 1: linear; 2: rows, cols
  bool linear() const { return axes.size() == 1; }
  friend bool operator==(const Subscripts&, const Subscripts&) = default;
};

struct Transposes {
  bool left = false;
  bool right = false;
  friend bool operator==(const Transposes&, const Transposes&) = default;
};

enum class LibraryFn : std::uint8_t {
#define LAC_LIBRARY(name, fewest, most, results, code, voice) name,
#include "ir/graph/library.def"
#undef LAC_LIBRARY
};
std::string_view name(LibraryFn fn);

/// The elements of a table in column-major order, shared by all copies of the op. Equal where they have the same bits:
/// NaN equals itself, 0 and -0 differ.
struct Numbers {
  std::shared_ptr<const std::vector<double>> values = std::make_shared<std::vector<double>>();
  friend bool operator==(const Numbers& a, const Numbers& b);
};

/// What `random` draws. `seed` draws nothing: what follows starts at the first draw of the seed that its operand says.
enum class Distribution : std::uint8_t { uniform, normal, seed };

enum class Stream : std::uint8_t { out, err };

/// A printf template and its arguments: literals where given, else the next operand (a scalar or matrix, all elements
/// in column-major order). Templates are as written in the source; escapes are already processed.
struct Message {
  Stream stream = Stream::out;
  std::string id;  ///< of errors and warnings: "Octave:some-id"; may be empty
  std::string format;
  std::vector<std::optional<std::string>> arguments;
  friend bool operator==(const Message&, const Message&) = default;
};

/// What Octave knows of a value beyond its numbers, where that changes what it shows.
enum class DisplayForm : std::uint8_t {
  full,
  range,     ///< a range that was never changed: base, increment and limit are further operands
  text,      ///< the operand holds character codes
  diagonal,  ///< of Octave's diagonal type: eye(n), diag(v)
  permutation,
  complex,           ///< the operands are the real and the imaginary parts
  complex_diagonal,  ///< likewise, of Octave's diagonal type
  kept_complex,      ///< likewise, and no number less where all imaginary parts are zero: what `complex` has made
  integer,           ///< of an integer class
};

struct Display {
  std::string name;  ///< empty for disp; of an element that the run finds with %d, the last operand
  DisplayForm form = DisplayForm::full;
  std::uint32_t indent = 0;  ///< blanks before every line that is not empty: of what is in a struct or a cell
  friend bool operator==(const Display&, const Display&) = default;
};

enum class LoopKind : std::uint8_t { for_range, while_true, do_until };

struct LoopInfo {
  LoopKind kind = LoopKind::for_range;
  std::string variable;  ///< of a for loop, for messages
  friend bool operator==(const LoopInfo&, const LoopInfo&) = default;
};

struct ParameterIndex {
  std::uint32_t index = 0;
  friend bool operator==(const ParameterIndex&, const ParameterIndex&) = default;
};

using Attribute =
    std::variant<std::monostate, double, std::int64_t, std::string, ScalarOp, Size, Axis, Reduction, Subscripts,
                 Transposes, LibraryFn, Distribution, Message, Display, LoopInfo, ParameterIndex, KernelId, Numbers>;

}  // namespace lac
