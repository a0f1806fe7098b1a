// The Kernel: one fused macro shader, free of any target: a loop nest over a domain, or several, one after the other.
//
// For every point (i, j) of a nest's domain (0-based, i < rows, j < cols), the body is evaluated once: straight-line
// SSA over scalar functions. With a contraction, for every point first
//     c(i, j) = sum over k of prologue(i, j, k)
// and so for each value of the prologue that is summed: products with one matrix go over it once.
// where k runs over [0, extent) (dense), or over the stored entries of row i of the matrix input (csr, diagonal), whose
// column is k and whose value is the instruction `matrix_element`. The body reads sums as instructions `contraction`.
// A stored zero contributes nothing in csr and diagonal storage.
// A point loads before it stores; points run in any order. So an input that an output takes over (Output::base) is read
// only where no other point stores (ir/kernel/overlap.h); the verifier checks that.
//
// Several nests share one axis of their domains (Nest::strips), and what a nest reads of the results of those before it
// (`reload`) is at its own place on that axis. So they mean what they mean one after the other, and may all go over one
// strip of the axis before the next strip: what they read of a matrix comes from memory once. The last of two may read
// beside its own place what the first stores (a stencil of a value that the kernel computes, or a product of a csr
// matrix with it): it follows at that distance (reach).
//
// Rounding: each instruction rounds to its element; nothing is contracted, except the contraction's and reductions'
// own multiply-adds. The order of summation is the schedule's and part of the Kernel: bit-equal for any thread count
// and vector width.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph/attributes.h"
#include "ir/kernel/schedule.h"

namespace lac {

using InstrId = Id<struct InstrTag>;

/// base + i*I + j*J + k*K in the domain's coordinates I, J and the contraction's K; then optionally divided (floor) or
/// taken modulo `amount`.
struct AffineIndex {
  enum class Step : std::uint8_t { none, divide, modulo };
  Size base = 0, i = 0, j = 0, k = 0;
  Step step = Step::none;
  Size amount = 1;
  friend bool operator==(const AffineIndex&, const AffineIndex&) = default;
};

enum class OutOfRange : std::uint8_t { impossible, fill };

/// Where a load or store touches its buffer. `linear`: `row` is a column-major position and `col` is unused.
/// A gather instruction's value (a 1-based position) replaces the affine index of its axis.
struct AccessMap {
  bool linear = false;
  AffineIndex row, col;
  InstrId row_gather = {}, col_gather = {};
  OutOfRange out_of_range = OutOfRange::impossible;
  double fill = 0;
  friend bool operator==(const AccessMap&, const AccessMap&) = default;

  static AccessMap identity();
  static AccessMap scalar();  ///< always element (0, 0)
};

enum class InstrKind : std::uint8_t {
  constant,        ///< number
  size,            ///< a Size as an integer
  index,           ///< the coordinate on `axis`: rows I, cols J, all K (contraction only); 0-based integer
  load,            ///< inputs[argument] through map; a scalar input has AccessMap::scalar()
  reload,          ///< outputs[argument] through map, as a nest before this one stored it
  matrix_element,  ///< the stored value at hand (sparse contraction's prologue only)
  contraction,     ///< c(i, j), the sum number `argument`
  convert,         ///< operands[0] to `element`
  apply,           ///< op over operands
};

struct Instr {
  InstrKind kind = InstrKind::constant;
  Element element = Element::real;
  ScalarOp op = ScalarOp::add;
  std::array<InstrId, 3> operands = {};
  double number = 0;
  Size size = 0;
  Axis axis = Axis::rows;
  std::uint32_t argument = 0;
  AccessMap map = {};
  friend bool operator==(const Instr&, const Instr&) = default;
};

using Body = IdVector<InstrId, Instr>;  ///< operands come before their users

struct Contraction {
  static constexpr std::size_t most_sums = 4;
  Storage storage = Storage::dense;
  std::uint32_t matrix = 0;  ///< sparse: the input whose rows are walked (its Type has the offsets)
  Size extent = 0;           ///< dense: the range of k
  Size reach = 0;            ///< csr: no entry's |k - i| is larger; 0: not known
  Body prologue;
  std::vector<InstrId> values = {};  ///< in the prologue: the term of each sum, 1 to most_sums
  Element element = Element::real;
};

struct KernelInput {
  Type type;
  std::string name;
};

struct KernelOutput {
  Type type;
  std::string name;
  std::int32_t base = -1;  ///< the input whose elements the output starts from (an update); -1: written whole
};

/// body value -> element `map` of an output. Of several points that store to one position the last in column-major
/// order of the domain wins.
struct Store {
  std::uint32_t output = 0;
  AccessMap map = {};
  InstrId value = {};
};

/// body value, reduced along `reduction.axis` of the domain. For arg reductions `index_output` receives the 1-based
/// position of the first extreme element along the axis (column-major position for Axis::all); NaN is skipped.
struct KernelReduction {
  Reduction reduction;
  InstrId value = {};
  std::uint32_t output = 0;
  std::int32_t index_output = -1;
};

struct Nest {
  Size rows = 1, cols = 1;
  std::optional<Contraction> contraction;
  Body body;
  std::vector<Store> stores;
  std::vector<KernelReduction> reductions;
  Axis strips = Axis::all;  ///< of several nests: the axis of this one's domain (rows or cols) that they share
};

/// The last of its nests (the only one of most kernels), and what all share.
struct Kernel : Nest {
  std::string name;
  std::vector<LocationId> locations;  ///< of the ops that were fused
  std::vector<KernelInput> inputs;
  std::vector<KernelOutput> outputs;
  std::vector<Nest> ahead;  ///< the nests before it
  Schedule schedule;
};

/// All nests, in their order.
std::vector<const Nest*> nests(const Kernel& kernel);

/// Whether the instruction reads memory, and what of.
bool is_load(const Instr& instr);
const Type& loaded_type(const Kernel& kernel, const Instr& instr);

/// Whether it computes one point of dense matrices, without a sum: what a scheduler may make scalar code.
bool is_one_point(const Kernel& kernel);

/// The axis that a reduction really runs along: all where the other extent is 1.
Axis effective_axis(const Kernel& kernel, Axis axis);

/// Every Size a kernel mentions.
void for_each_size(const Kernel& kernel, const std::function<void(const Size&)>& visit);

}  // namespace lac
