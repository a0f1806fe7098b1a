// What ops are appended with: the Graph and the block at hand, what is known of its values, the place in the source for
// messages, and sizes. Everything that turns values into values is a function over an Emitter, in the header of its
// chapter; none of them knows the tree or the variables of the program.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "frontend/lower.h"
#include "frontend/sema/values/facts.h"
#include "ir/graph/builder.h"
#include "ir/graph/checkpoint.h"
#include "ir/graph/intervals.h"

namespace lac::frontend {

/// A template that prints this text.
std::string as_format(const std::string& text);

/// Thrown after a diagnostic was added; caught at the statement.
struct LowerError {};

/// Thrown after a check that always stops the program was added: nothing more of this arm or body is reached.
struct Unreachable {};

/// Thrown inside of a `try` where an error is certain: nothing more of this list or arm is reached.
struct Thrown {};

/// What takes errors where a program catches them; elsewhere they end the run.
class ErrorSink {
 public:
  virtual void check(ValueId holds, const Message& message, const std::vector<ValueId>& arguments) = 0;

 protected:
  ~ErrorSink() = default;
};

/// A function that is being lowered, or the file, as far as places and messages tell of it.
struct Activation {
  std::string name;  ///< empty at file level
  LocationId caller = {};
  Span call_span;
  std::vector<std::int64_t> loops;    ///< as Location::loops, of the statement that is being lowered
  const Activation* outer = nullptr;  ///< what called it
};

/// The operands of the binary operator at hand, for messages.
struct OperandsAtHand {
  Span left = {}, right = {}, op = {};
  Span whole = {};  ///< what a message about the operator underlines
  ValueId left_value = {}, right_value = {};
};

class Emitter {
 public:
  Emitter(SourceManager& sources, const LowerOptions& options, Diagnostics& diagnostics);
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  // -- places and errors
  [[noreturn]] void fail(Span span, std::string message, std::vector<Note> notes = {});
  LocationId locate(Span span);
  /// What is appended from here on stands at this place.
  void at(Span span) { builder.location = locate(span); }
  Span place() const { return builder.location ? graph.locations[builder.location].span : Span{}; }

  /// Whether a text may be the -1 that fgetl gives behind the last line (sema/builtins/files.h).
  bool lines_may_end = false;

  // -- values
  const Type& type(ValueId value) const { return graph.type(value); }
  /// The class in which floating arithmetic with such elements is done.
  Element floating(Element element) const { return is_floating(element) ? element : graph.precision; }
  std::optional<double> constant_of(ValueId value) const { return constant_value(graph, value); }
  ValueId nothing() { return builder.fill(builder.constant(0, graph.precision), 0, 0); }  ///< []
  /// Stops the program where the condition is false. The format takes the arguments, which are scalars.
  void require(ValueId condition, const std::string& format, const std::vector<ValueId>& arguments,
               const std::string& id = {});

  /// Whether what is wrong with certainty is left to the run: a try catches it, and only the run knows these sizes,
  /// which the message shows.
  bool is_caught_with(const std::vector<Size>& shown) const;

  /// Where the condition is false, the run finds what is outside the language and stops: no try catches that.
  void refuse_unless(ValueId condition, const std::string& complaint);

  void check(ValueId holds, const Message& message, const std::vector<ValueId>& arguments);

  /// Stops the program where the scalar, which the format takes, is NaN, unless it never is.
  void require_number(ValueId scalar, const std::string& format, const std::string& id = {});

  // -- sizes
  /// An integer scalar as a size; notes what its definition says of where it lies.
  Size bounded_size(ValueId integer);
  Size max0(const Size& size);
  Size larger(const Size& a, const Size& b);
  Size minimum(const Size& a, const Size& b);
  /// yes or no, whichever holds at run time.
  Size chosen(ValueId condition, const Size& yes, const Size& no);
  Size chosen_any(ValueId condition, const Size& yes, const Size& no);  ///< of positions, which may be negative
  /// min(extent, 1): how long a reduction along an axis leaves it where Octave leaves what has no elements.
  Size at_most_one(const Size& extent);
  ValueId equal_sizes(const Size& a, const Size& b);
  ValueId is_zero_by_zero(const Type& t);  ///< logical; a constant where the shape tells

  // -- blocks
  /// What is appended goes to `block`, one level further in, until `leave` goes back to what was at hand.
  struct Around {
    BlockId block;
    std::size_t open;
    Checked checked;
  };
  Around enter(BlockId block);
  void leave(Around around);
  /// Runs `body` appending to `block`, one level further in; the block at hand comes back however that ends.
  void inside(BlockId block, const std::function<void()>& body);
  /// Lowers what may not run at all: where it always stops the program, what comes behind that is left out.
  void reachable(const std::function<void()>& body);
  /// Whether what is lowered now may not run at all, through all calls.
  bool conditional() const { return arms_ > 0; }
  int arms() const { return arms_; }  ///< how many arms and loop bodies there are around it
  /// While it lives, what is lowered may not run at all.
  class Conditionally {
   public:
    explicit Conditionally(Emitter& emitter) : arms_(emitter.arms_) { ++arms_; }
    ~Conditionally() { --arms_; }
    Conditionally(const Conditionally&) = delete;
    Conditionally& operator=(const Conditionally&) = delete;

   private:
    int& arms_;
  };

  /// What an attempt is taken back to. Cheap whatever the size of the program: loops take many.
  struct Snapshot {
    Checkpoint graph;
    Facts facts;
    BlockId block;
    LocationId location;
    std::vector<BlockId> open_blocks;
    std::size_t diagnostics;
    PersistentMap<std::string, SymbolId> clamp_symbols;
  };
  Snapshot save() const;
  void restore(const Snapshot& snapshot);

  Graph graph;
  Intervals intervals{graph};
  Intervals of_numbers = Intervals::of_numbers(graph);
  Builder builder;
  Facts facts;
  SourceManager& sources;
  const LowerOptions& options;
  Diagnostics& diagnostics;

  const Activation* active = nullptr;
  OperandsAtHand operands;
  ErrorSink* errors = nullptr;  ///< inside of a `try`
  BlockId failed_in;            ///< where `fail` was called last
  /// Why a value that the statement at hand made has no use: said where something stops at it without a word.
  std::optional<Diagnostic> unsaid;
  bool arrays_warn = false;               ///< warning("on", "Octave:array-as-logical") was seen
  std::set<std::string> warnings_asked;   ///< by warning("query", ID), where it may not run at all
  std::set<std::string> warnings_of_run;  ///< switched where it may not run at all
  std::size_t tables_joined = 0;          ///< elements of tables that were joined into others
  std::size_t open_shapes = 0;            ///< as Lowered::open_shapes, with attempts that are taken back

  /// The solves that `try_solve` has lowered into its own block; those of loops and arms in it are not collected.
  struct TriedSolves {
    BlockId block;
    std::vector<ValueId> singular;  ///< logical scalars
  };
  std::vector<TriedSolves> tried_solves;  ///< innermost last

 private:
  std::vector<BlockId> open_blocks_;  ///< the enclosing blocks of builder.block, outermost first
  /// max(size, 0) as a symbol, made once per size and block: by the text of both.
  PersistentMap<std::string, SymbolId> clamp_symbols_;
  int arms_ = 0;  ///< arms and loop bodies around what is being lowered
};

}  // namespace lac::frontend
