// Lowering: walks the syntax tree once, statement by statement, and appends ops. Functions are inlined where they are
// called, so every shape is settled with the caller's shapes at hand.
//
// The members are split over files by chapter: lowerer.cpp (files, parameters, places), sizes.cpp, statements.cpp,
// branches.cpp, loops.cpp, expressions.cpp, literals.cpp, strings.cpp, operators.cpp, sparse.cpp, structured.cpp,
// structured_sparse.cpp, indexing.cpp, calls.cpp, arrayfun.cpp, session.cpp, builtins_*.cpp.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/lower.h"
#include "frontend/sema/names/names.h"
#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/facts.h"
#include "ir/graph/builder.h"
#include "ir/graph/checkpoint.h"
#include "ir/graph/intervals.h"

namespace lac::frontend {

/// Thrown after a diagnostic was added; caught at the statement.
struct LowerError {};

/// Thrown after a diagnostic was added, where going on to the next statement would only make it worse.
struct TooLarge {};

/// Thrown after a check that always stops the program was added: nothing more of this arm or body is reached.
struct Unreachable {};

/// One active function, or the file.
struct Frame {
  std::string name;  ///< empty at file level
  const ast::Block* body = nullptr;
  const ast::Function* function = nullptr;  ///< of which this is a call, if any
  Environment env;
  std::set<std::string> assigned;     ///< names that are variables throughout
  std::set<std::string> read_at_end;  ///< outputs
  LocationId caller = {};
  Span call_span;
  PersistentMap<std::string, Span> first_assignment;
  int nargin = 0, nargout = 0;
  std::vector<std::int64_t> loops;  ///< as Location::loops, of the statement that is being lowered
  std::string scope;                ///< as VariableInfo::scope; only where variables are described
};

class Lowerer {
 public:
  Lowerer(SourceManager& sources, const LowerOptions& options, Diagnostics& diagnostics);

  std::optional<Lowered> lower_program(const ast::Program& program, const std::vector<ParameterSignature>& signature);
  std::optional<Graph> lower_constant(const ast::Expr& expression);

  // -- lowerer.cpp: places and errors
  [[noreturn]] void fail(Span span, std::string message, std::vector<Note> notes = {});
  LocationId locate(Span span);
  /// Source text as written, shortened, for messages.
  std::string written(Span span) const;
  const Type& type(ValueId value) const { return graph.type(value); }
  std::string shape_text(ValueId value) const;

  // -- sizes.cpp
  bool encloses(BlockId block) const;
  Size max0(const Size& size);
  Size larger(const Size& a, const Size& b);
  /// yes or no, whichever holds at run time.
  Size chosen(ValueId condition, const Size& yes, const Size& no);
  Size chosen_any(ValueId condition, const Size& yes, const Size& no);  ///< of positions, which may be negative
  /// min(extent, 1): how long a reduction along an axis leaves it where Octave leaves what has no elements.
  Size at_most_one(const Size& extent);
  /// A scalar as a size; a real is checked to be an integer at run time. Negative sizes count as 0 where `clamp`.
  Size to_size(ValueId value, Span span, bool clamp);
  ValueId equal_sizes(const Size& a, const Size& b);
  ValueId is_zero_by_zero(const Type& t);  ///< logical; a constant where the shape tells
  /// The sizes must be equal: nothing when provable, an error when impossible, else a run-time check.
  void require_equal(const Size& a, const Size& b, Span span, const std::string& what, const std::vector<Size>& shown,
                     const std::string& format);
  void require(ValueId condition, const std::string& format, const std::vector<ValueId>& arguments,
               const std::string& id = {});
  /// Octave converts no NaN to a truth value.
  void require_no_nan(ValueId value);
  /// A value that must be 1x1 (checked at run time where its shape is).
  ValueId as_scalar(ValueId value, Span span, const std::string& what);
  ValueId as_integer(ValueId scalar, const std::string& format);
  std::optional<double> constant_of(ValueId value) const { return constant_value(graph, value); }

  // -- statements.cpp
  using Tail = std::function<void()>;
  /// Statements from `from` on; then, where the flow gets there, `tail`.
  void lower_list(const ast::Block& block, std::size_t from = 0, const Tail& tail = {});
  void lower_statement(const ast::Statement& statement);
  void lower_assign(const ast::Assign& node, Span span);
  /// Gives the value to the targets of `x = y = e` behind the first.
  void assign_chained(const ast::Assign& node, const Binding& value);
  void assign(const ast::LValue& target, Binding value, bool print);
  void assign_name(const std::string& name, Binding value);
  void print_binding(const std::string& name, const Binding& binding);
  void show(ValueId value, const std::string& name);  ///< a matrix; without a name as disp does
  Binding lookup(const std::string& name, Span span);
  std::vector<Note> undefined_notes(const std::string& name) const;
  void warn_of_arrays_as_truth() { arrays_warn_ = true; }
  ValueId alive();  ///< logical scalar: neither break, continue nor return has happened

  // -- branches.cpp
  void lower_if(const ast::If& node, std::size_t arm, const Tail& rest_of_one_arm);
  /// Lowers two arms into a branch on `condition` and joins what they changed.
  void branch(ValueId condition, const std::function<void()>& then_arm, const std::function<void()>& else_arm,
              Span span);
  /// Lowers what may not run at all; reading an undefined variable in it is left to the run.
  void reachable(const std::function<void()>& body);
  /// What is said where a value fits a place in no other way than by being 1x1.
  struct Misfit {
    bool certain = false;
    std::string format;
    std::vector<Size> shown = {};  ///< the extents in `format`
    std::string id = {};
  };
  /// A value for a place of rows x cols: filled where it turns out to be 1x1, else what `otherwise` makes of it.
  ValueId filling(ValueId value, const Size& rows, const Size& cols, const Misfit& misfit,
                  const std::function<ValueId()>& otherwise);
  ValueId branch_value(ValueId condition, const std::function<ValueId()>& then_arm,
                       const std::function<ValueId()>& else_arm);
  ValueId truth(ValueId value, Span span);
  ValueId condition(const ast::Expr& expr);
  /// The condition of an if or a while, where, as in Octave, | and & are || and && if their left operand is a scalar:
  /// `if nargin < 2 | isempty(x)`.
  ValueId branch_condition(const ast::Expr& expr);
  std::optional<ValueId> short_circuit_of_elements(const ast::Expr& expr);
  /// `truth_of` lowers the right operand, where it is needed.
  ValueId short_circuit(const ast::Binary& node, ValueId left, ValueId (Lowerer::*truth_of)(const ast::Expr&));

  // -- loops.cpp
  void lower_conditional(LoopKind kind, const ast::Block& body, const ast::Expr& condition, Span span);
  void lower_for(const ast::For& node, Span span);

  // -- expressions.cpp
  Binding lower_expr(const ast::Expr& expr);
  ValueId lower_value(const ast::Expr& expr);
  ValueId as_value(const Binding& value, const ast::Expr& expr);
  std::vector<Binding> lower_multi(const ast::Expr& expr, int nargout);
  ValueId lower_number(double value);
  /// first:step:last as scalars. One without elements makes a range without elements: `some` is false then.
  struct RangeParts {
    ValueId first, step, last;
    ValueId some;  ///< logical scalar
  };
  RangeParts range_parts(const ast::Range& node);
  /// A range whose parts are exact integers, without materialising it.
  std::optional<RangeFact> exact_range(const RangeParts& parts);
  /// Any other range that is a subscript, rounded as Octave does: nothing where its step may be no integer.
  std::optional<RangeFact> subscript_range(const RangeParts& parts, const std::string& invalid);
  /// What is no integer in a range that is a subscript is rounded, with Octave's warning.
  void warn_of_rounded_range(ValueId whole);
  ValueId range_value(const RangeParts& parts, Span span);
  ValueId make_range(const RangeParts& parts, Span span);
  Element element_of_number(double value) const;
  ValueId range_count(ValueId first, ValueId step, ValueId last, double tolerance);
  ValueId range_part(const ast::Expr& expr, const std::string& what, ValueId* some = nullptr);
  ValueId step_variable(const ast::LValue& target, bool up, bool after, Span op_span);
  ValueId step_variable(const ast::Expr& operand, bool up, bool after, Span op_span);

  // -- literals.cpp
  Binding lower_matrix(const ast::Matrix& node, Span span);
  std::optional<ValueId> table_of_numbers(const ast::Matrix& node);
  /// rows x cols of scalars in column-major order.
  ValueId literal(const std::vector<ValueId>& items, std::int64_t rows, std::int64_t cols);
  /// The numbers of a value that is made of constants, in column-major order.
  std::optional<std::vector<double>> numbers_of(ValueId value) const;
  /// The elements of a matrix that the program writes out, in column-major order.
  std::optional<std::vector<ValueId>> written_elements(ValueId value);
  ValueId concatenate(std::vector<ValueId> parts, Axis axis, Span span);
  std::optional<ValueId> joined_tables(const std::vector<ValueId>& parts, Axis axis);
  Size extent_of_first(const std::vector<ValueId>& values, bool along_cols);

  // -- strings.cpp
  /// The characters of a string as a row of integers.
  ValueId codes(const Binding& text);
  /// What a step that has a `..._length` partner makes: `rows` lines of a length that the run tells.
  Binding text_step(LibraryFn fn, LibraryFn length, const std::vector<ValueId>& operands, const Size& rows,
                    bool double_quoted);
  Binding join_strings(const std::vector<Binding>& parts, Span span);   ///< ["a" s]
  Binding stack_strings(const std::vector<Binding>& parts, Span span);  ///< ["ab"; s]
  ValueId same_strings(const Binding& a, const Binding& b);             ///< logical
  /// sprintf with the template at `args[at]`; `caller` is named in messages.
  Binding formatted(const std::string& caller, const std::vector<Binding>& args, std::size_t at);

  // -- operators.cpp
  /// A comparison of integer scalars that their sizes decide.
  std::optional<bool> decided(ScalarOp op, ValueId a, ValueId b);
  ValueId elementwise(ScalarOp op, std::vector<ValueId> operands, Span span, const std::string& name);
  ValueId binary(ast::BinaryOp op, ValueId a, ValueId b, Span span);
  /// domain.cpp: warns, once for each place, where Octave would turn complex; nothing where that is provably not so.
  void guard_domain(ScalarOp op, const std::vector<ValueId>& operands, Span span);
  /// The same where an operand is sparse and so is the result.
  void guard_sparse_domain(ScalarOp op, const std::vector<ValueId>& operands, Span span);
  /// The same as an error, for realsqrt and reallog.
  void require_real(ScalarOp op, ValueId operand, const std::string& name);
  ValueId multiply(ValueId a, ValueId b, Span span);
  ValueId left_divide(ValueId a, ValueId b, Span span);
  /// A \ b by the library. Where solves are collected: without a warning, and what tells that A was singular.
  ValueId solve(ValueId a, ValueId b, const Type& result);
  ValueId power(ValueId a, ValueId b, bool matrix, Span span);
  ValueId transpose(ValueId value);
  ValueId negate(ValueId value, Span span);
  ValueId nothing() { return builder.fill(builder.constant(0, graph.precision), 0, 0); }  ///< []
  /// Keeps `offsets` ascending; false when the order depends on the symbols.
  bool insert_offset(std::vector<Size>& offsets, const Size& offset) const;
  /// Where the shapes of the operands at hand come from: at most three notes.
  std::vector<Note> shape_notes(Span error) const;
  /// "nonconformant arguments (operator *: A is 2x3, p is 2x1)"; the format takes the four extents at run time.
  std::string nonconformant(const std::string& name, ValueId a, ValueId b) const;
  std::string nonconformant_format(const std::string& name) const;
  std::string nonconformant_text(const std::string& name, const std::string& a, const std::string& b,
                                 bool as_format) const;

  // -- sparse.cpp
  ValueId dense(ValueId value);
  ValueId to_csr(ValueId value);
  /// One or two operands, at least one of them sparse.
  ValueId sparse_elementwise(ScalarOp op, std::vector<ValueId> operands, Span span, const std::string& name);
  bool stays_sparse(ScalarOp op, ValueId a, ValueId b);
  void require_same_shape(ValueId a, ValueId b, Span span, const std::string& name);
  ValueId sparse_sum(bool subtract, ValueId a, ValueId b, Span span);
  ValueId sparse_product(ValueId a, ValueId b);
  ValueId divide_by_one(ValueId a, ValueId s, Span span, const std::string& name);
  ValueId sparse_left_divide(ValueId a, ValueId b);
  ValueId sparse_concatenate(const std::vector<ValueId>& parts, Axis axis, Span span);
  /// One subscript as a value: positions from 1 (a matrix or a 1x1), or all of the axis where there is no value.
  struct Positions {
    ValueId value;
    Size count;
  };
  ValueId sparse_region(ValueId a, const Positions& rows, const Positions& cols);
  ValueId sparse_elements(ValueId a, const Positions& positions, const Size& rows, const Size& cols);
  ValueId sparse_reshape(ValueId a, const Size& rows, const Size& cols);
  /// The non-zeros of a sparse matrix, column by column: columns of positions from 1, and the values.
  struct SparseEntries {
    ValueId rows, cols, values;
    Size count;
  };
  SparseEntries sparse_entries(ValueId a);
  ValueId sparse_positions(ValueId a);  ///< what find gives
  ValueId sparse_truth(ValueId a);

  // -- structured.cpp: matrices that are known by their diagonal or by a permutation
  /// rows x cols with `diagonal` (n x 1, n = min(rows, cols)) on the main diagonal. Known as such from then on.
  ValueId diagonal_matrix(ValueId diagonal, const Size& rows, const Size& cols);
  /// The same elements as an ordinary matrix: full(A).
  ValueId without_structure(ValueId value);
  /// P with P*A = A(positions, :), where `positions` holds 1..n in some order.
  ValueId permutation_matrix(ValueId positions, Element element);
  std::optional<ValueId> diagonal_of(ValueId value) const;
  /// eye(n)(p, :) or eye(n)(:, p) for a p that holds 1..n in some order, known as such from then on.
  std::optional<ValueId> permuted_identity(ValueId value, const Subscripts& subscripts,
                                           const std::vector<ValueId>& vectors);
  bool is_permutation(ValueId index, const Size& n) const;
  /// The operation where an operand is known by its diagonal or as a permutation, in O(elements of the result); nothing
  /// otherwise. Shapes are known to fit.
  std::optional<ValueId> scaled_diagonal(ScalarOp op, ValueId a, ValueId b, Span span);  ///< one is 1x1
  std::optional<ValueId> structured_block(ValueId value, const Subscripts& where);       ///< A(1:k, 1:l)
  std::optional<ValueId> structured_product(ValueId a, ValueId b, Span span);
  std::optional<ValueId> structured_left_division(ValueId a, ValueId b, Span span);
  std::optional<ValueId> structured_sum(bool subtract, ValueId a, ValueId b, Span span);
  std::optional<ValueId> structured_transpose(ValueId value);
  std::optional<ValueId> structured_power(ValueId base, ValueId exponent, Span span);
  ValueId matrix_power(ValueId a, ValueId b, Span span);  ///< one of the operands is not 1x1
  Size minimum(const Size& a, const Size& b);

  // -- structured_sparse.cpp: such matrices beside sparse ones; the results are sparse where Octave's are
  /// A matrix that is known by its diagonal or as a permutation, as a sparse one; nothing otherwise.
  std::optional<ValueId> sparse_of_structure(ValueId value);
  std::optional<ValueId> sparse_of_diagonal(ValueId value);
  /// a .* b for a sparse and a structured matrix: O(stored), with NaN where zeros meet Inf or NaN.
  std::optional<ValueId> structured_sparse_times(ValueId a, ValueId b, Span span);
  std::optional<ValueId> structured_sparse_product(ValueId a, ValueId b, Span span);
  std::optional<ValueId> structured_sparse_division(ValueId a, ValueId b, Span span);  ///< a \ b, a structured

  // -- subscripts.cpp
  ValueId find_positions(ValueId mask);
  /// The extents of a vector of `count` elements: a row where `t` is one (and not 1x1), else a column.
  std::pair<Size, Size> laid_like(const Type& t, const Size& count);
  /// `remedy` is said behind the message, of stores.
  void require_below(ValueId index, const Size& extent, const std::string& where, const Type& t,
                     const std::string& remedy = {});
  void check_positions(ValueId index, const Size& extent, const std::string& name, std::size_t axis, std::size_t count,
                       const Type& t, const std::string& remedy = {});
  Size growth_by(ValueId index, const Size& extent);

  // -- indexing.cpp
  ValueId index_value(ValueId value, const std::string& name, const std::vector<ast::ExprPtr>& args, Span span);
  std::pair<Size, Size> shape_of_picked(const Type& t, const Size& index_rows, const Size& index_cols,
                                        const Size& count);

  // -- indexed_assignment.cpp
  Size unless_empty(const Type& t, const Size& extent, const Size& across);
  ValueId as_truth(ValueId value);
  std::pair<Size, Size> grown_by_one_index(Type t, const std::string& name, const Size& wanted);
  Binding assign_index(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                       const Binding& value, Span span);

  // -- calls.cpp
  std::vector<Binding> call(const ast::Expr& callee, const std::vector<ast::ExprPtr>& args, int nargout, Span span);
  std::vector<Binding> call_named(const std::string& name, const std::vector<ast::ExprPtr>& args, int nargout,
                                  Span span, Span name_span);
  std::vector<Binding> call_bound(const std::string& name, std::vector<Binding> args, int nargout, Span span,
                                  Span name_span);
  std::vector<Binding> in_frame(Frame& inner, Span span, const std::function<std::vector<Binding>()>& body);
  std::vector<Binding> call_closure(const Closure& closure, std::vector<Binding> args, int nargout, Span span);
  std::vector<Binding> call_function(const ast::Function& function, std::vector<Binding> args, int nargout, Span span);
  const ast::Function* find_function(const std::string& name);
  /// Whether the program itself defines this function.
  bool defines(const std::string& name) const { return functions_.count(name) != 0 && libraries_.count(name) == 0; }
  std::vector<Binding> lower_arguments(const std::vector<ast::ExprPtr>& args);

  // -- arrayfun.cpp
  /// `closure` on every element of arguments of one shape; results have that shape.
  std::vector<Binding> map_function(const Closure& closure, const std::vector<ValueId>& arguments, int nargout,
                                    Span span);

  Graph graph;
  Intervals intervals{graph};
  Builder builder;
  Facts facts;
  Frame* frame = nullptr;
  SourceManager& sources;
  const LowerOptions& options;
  Diagnostics& diagnostics;

  /// What `end` means: the indexed value, the subscript's position and how many there are.
  struct EndContext {
    ValueId value;
    std::size_t position, count;
  };
  std::vector<EndContext> ends;

  /// The solves that `try_solve` has lowered into its own block; those of loops and arms in it are not collected.
  struct TriedSolves {
    BlockId block;
    std::vector<ValueId> singular;  ///< logical scalars
  };
  std::vector<TriedSolves> tried_solves;  ///< innermost last

  /// The enclosing blocks of builder.block, outermost first.
  std::vector<BlockId> open_blocks;
  /// Runs `body` appending to `block`, one level further in.
  void inside(BlockId block, const std::function<void()>& body);

 private:
  /// The variables of each scope, and how many scopes had been described before.
  using Described = PersistentMap<std::string, std::pair<std::size_t, std::vector<VariableInfo>>>;

  /// What an attempt is taken back to. Cheap whatever the size of the program: loops take many.
  struct Snapshot {
    Checkpoint graph;
    Facts facts;
    Environment env;
    BlockId block;
    LocationId location;
    std::vector<BlockId> open_blocks;
    std::size_t diagnostics;
    PersistentMap<std::string, SymbolId> clamp_symbols;
    PersistentMap<std::string, Span> first_assignment;
    Described described;
  };
  struct LoopPlan;
  struct CarriedInfo;
  class LoopAttempt;

  Snapshot save() const;
  void restore(const Snapshot& snapshot);

  // -- session.cpp
  Binding resume(const SessionVariable& variable);
  ValueId with_structure(ValueId value, SessionVariable::Structure structure);
  SessionVariable keep(const std::string& name, const std::string& path, const Binding& binding, Span span);
  void start_session(Session& session);
  /// The variables that differ from `before` become outputs.
  void end_session(Session& session, const Environment& before);

  ValueId add_parameter(Parameter parameter, const ParameterSignature& signature);
  Size undeclared_size(const std::string& name, std::int64_t given, SymbolOrigin origin);
  void lower_parameter(const ast::Param& node, const ParameterInfo& info, const ParameterSignature& signature);
  Size declared_size(const ast::Expr& dim, std::int64_t given, SymbolOrigin origin, std::uint32_t parameter);

  // -- describe.cpp
  /// Records the variables of the active function or file, for `lac check`.
  void describe(const std::string& scope);
  /// Tells LowerOptions::on_variable of the variable whose name begins the span.
  void mention(const std::string& name, Span span);
  std::vector<VariableInfo> variables() const;
  std::string specialisation(const std::string& function, const std::vector<Binding>& args);
  VariableInfo description(const Binding& binding);
  std::string readable(const Size& size, std::string& bounds);
  std::string readable_shape(const Type& t);

  bool endless(LoopPlan& plan, const RangeParts& parts, Span span);
  void lower_loop(LoopPlan& plan);
  Binding without_trips(const LoopPlan& plan);
  bool try_loop(LoopPlan& plan, std::map<std::string, CarriedInfo>& carried);
  void lower_peeled(LoopPlan& plan);
  bool read_outside(const std::string& name, const ast::Block& loop_body);

  struct MergeArm;
  void merge(const Environment& before, MergeArm& then_arm, MergeArm& else_arm, ValueId condition, Span span);

  struct ElementCall;
  ElementCall call_on_element(const Closure& closure, const std::vector<ValueId>& arguments, int nargout, Span span);
  std::vector<Binding> map_whole(const ElementCall& trial, const std::vector<ValueId>& arguments, const Type& shape);
  std::vector<Binding> call_on_first(const Closure& closure, const std::vector<ValueId>& arguments, int nargout,
                                     Span span);
  std::vector<Binding> map_by_loop(const Closure& closure, const std::vector<ValueId>& arguments,
                                   const std::vector<Element>& elements, int nargout, Span span);

  struct ResolvedSubscripts;
  ResolvedSubscripts resolve(ValueId value, const std::string& name, const std::vector<ast::ExprPtr>& args,
                             bool assigning, Span span);
  std::vector<Positions> positions_of(const ResolvedSubscripts& resolved);
  ValueId sparse_transpose_row(ValueId a, ValueId column);

  std::map<std::string, const ast::Function*> functions_;
  std::map<std::string, std::shared_ptr<ast::Program>> libraries_;
  std::vector<Frame*> stack_;
  std::vector<std::pair<std::string, Span>> outputs_;
  Described described_;
  std::size_t described_scopes_ = 0;
  std::map<const ast::Block*, std::map<std::string, int>> reads_;  ///< how often a block reads names
  const Interface* interface_ = nullptr;
  const std::vector<ParameterSignature>* signature_ = nullptr;
  std::uint32_t bound_parameters_ = 0;
  /// max(size, 0) as a symbol, made once per size and block: by the text of both.
  PersistentMap<std::string, SymbolId> clamp_symbols_;
  /// The operands of the binary operator at hand, for messages.
  struct Operands {
    Span left = {}, right = {}, op = {};
    Span whole = {};  ///< what a message about the operator underlines
    ValueId left_value = {}, right_value = {};
  };
  std::vector<Note> shape_notes(Span error, ValueId a, ValueId b) const;
  void add_shape_note(std::vector<Note>& notes, const std::string& name, ValueId value, Span error) const;
  Operands operands_;
  const std::vector<ast::ExprPtr>* written_arguments_ = nullptr;  ///< of the call being made, for messages
  std::set<std::string> missing_;  ///< names that were read while undefined, since the loop at hand began
  std::set<std::string> begun_;    ///< names whose first value was made by assigning elements, likewise
  bool arrays_warn_ = false;       ///< warning("on", "Octave:array-as-logical") was seen
  /// Ends the lowering of a program that inlining or peeling makes too large; called where either is about to go on.
  void limit_size(Span span, const std::string& called);
  std::size_t statements_lowered_ = 0;  ///< in calls and loops, those of attempts that were taken back too
  std::size_t text_size_ = 0;           ///< bytes of the file
  std::size_t tables_joined_ = 0;       ///< elements of tables that were joined into others
  int conditional_ = 0;                 ///< arms and loop bodies around what is being lowered, through all calls
};

}  // namespace lac::frontend
