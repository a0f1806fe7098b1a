// Lowering: walks the syntax tree once, statement by statement, and has an Emitter append ops. Functions are inlined
// where they are called, so every shape is settled with the caller's shapes at hand.
//
// The members are split over files by chapter: lowerer.cpp (files), parameters.cpp, statements.cpp, branches.cpp,
// loops.cpp, unrolling.cpp, expressions.cpp, element_subscripts.cpp, accessors.cpp, stores.cpp, stacked.cpp,
// stacked_lists.cpp, literals.cpp, subscripts.cpp, calls.cpp, recursion.cpp, arrayfun.cpp, maps.cpp, map_calls.cpp,
// clear.cpp, session.cpp, describe.cpp.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "frontend/lower.h"
#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/names/names.h"
#include "frontend/sema/names/remaining.h"
#include "frontend/sema/program/carried.h"
#include "frontend/sema/recursion/cycle.h"
#include "frontend/sema/recursion/stack_machine.h"
#include "frontend/sema/stacks/stack_form.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/binding.h"
#include "frontend/sema/values/emitter.h"
#include "frontend/sema/values/ranges.h"
#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {

/// Thrown after a diagnostic was added, where going on to the next statement would only make it worse.
struct TooLarge {};

/// Loops of at most so many trips are written out, trip by trip, where that tells which cell or struct a trip is about;
/// the second where nothing else does, for these are of different kinds.
inline constexpr std::int64_t most_unrolled = 32, most_unrolled_for_kinds = 1000;

/// One active function, or the file.
struct Frame : Activation {
  const ast::Block* body = nullptr;
  const ast::Function* function = nullptr;  ///< of which this is a call, if any
  const StackMachine* machine = nullptr;    ///< where functions that call each other were made into one
  Environment env;
  std::set<std::string> assigned;     ///< names that are variables throughout
  std::set<std::string> read_at_end;  ///< outputs
  PersistentMap<std::string, Span> first_assignment;
  Span at = {};                            ///< of the statement at hand, as the stack of an error has it
  const ast::Expr* taken_whole = nullptr;  ///< what the statement at hand assigns or shows: it may be a variant
  const Remaining* remaining = nullptr;    ///< what comes behind the statement at hand
  int nargin = 0, nargout = 0;
  std::vector<std::string> arguments = {};  ///< as Walk::Caller
  std::vector<bool> ignored = {};
  int arms = 0;                               ///< Emitter::arms() where it was called
  std::map<std::string, std::string> shared;  ///< global and persistent variables: the name in the text, the one of all
  std::string scope;                          ///< as VariableInfo::scope; only where variables are described
};

/// Whether it reads a field `stack` of anything.
bool reads_stacks(const ast::Program& program);

class Lowerer final : public Walk, private ErrorSink {
 public:
  /// A variable by the function that it is of, "" for the file, and its name.
  using VariableNames = std::set<std::pair<std::string, std::string>>;

  /// `variants`: variables that may be of several kinds.
  Lowerer(SourceManager& sources, const LowerOptions& options, Diagnostics& diagnostics, VariableNames variants = {});

  std::optional<Lowered> lower_program(const ast::Program& program, const std::vector<ParameterSignature>& signature);
  std::optional<Graph> lower_constant(const ast::Expr& expression);
  /// Variables that would have to be variants for the program to be lowered.
  const VariableNames& wanted_variants() const { return wanted_variants_; }

  // -- Walk
  std::vector<Binding> call_closure(const Closure& closure, std::vector<Binding> args, int nargout, Span span) override;
  Binding value_of_text(const std::string& text, bool sees_variables, Span span) override;
  std::optional<Binding> value_if_any(const std::string& text, Span span) override;
  std::vector<Binding> call_by_name(const std::string& name, std::vector<Binding> args, int nargout,
                                    Span span) override;
  std::vector<Binding> map_function(const Closure& closure, const std::vector<Binding>& arguments, int nargout,
                                    Span span) override;
  std::vector<std::optional<SlotForm>> forms_of(const std::function<std::vector<Binding>()>& call) override;
  std::vector<std::string> identifiers_of_errors() const override;
  std::optional<Binding> last_error() const override { return handled_.empty() ? std::nullopt : handled_.back(); }
  Caller caller() const override {
    return {frame_->name, frame_->nargin, frame_->nargout, frame_->arguments, frame_->ignored};
  }
  std::optional<Signature> signature_of(const Closure& closure, Span span) override;
  ValueId has_value(const std::string& name) override;
  void clear(const std::function<bool(const std::string&)>& selected, OfGlobals globals, Span span) override;
  std::vector<std::string> variable_names() const override;
  Binding variable(const std::string& name, Span span) override { return lookup(name, span); }
  void set_variable(const std::string& name, const Binding& value, Span span) override;
  bool in_loop() const override { return !frame_->loops.empty() || frame_->machine != nullptr; }
  bool defines(const std::string& name) const override {
    return functions_.count(name) != 0 && libraries_.count(name) == 0;
  }

 private:
  struct LoopPlan;
  struct Attempted;
  struct LoopOutcome;
  class LoopAttempt;
  /// Thrown where a loop that is being tried must be written out.
  struct Unroll {
    const LoopAttempt* loop;
  };

  // -- lowerer.cpp
  struct Snapshot {
    Emitter::Snapshot emitter;
    Environment env;
    PersistentMap<std::string, Span> first_assignment;
    PersistentMap<std::string, std::pair<std::size_t, std::vector<VariableInfo>>> described;
    std::size_t guards;
  };
  Snapshot save() const;
  void restore(const Snapshot& snapshot);
  void enter_file(const ast::Program& program, Frame& file);
  bool lower_statements(const ast::Program& program);
  void lower_outputs();
  void activate(Frame* active);

  // -- parameters.cpp
  ValueId add_parameter(Parameter parameter, const ParameterSignature& signature);
  Size undeclared_size(const std::string& name, std::int64_t given, SymbolOrigin origin);
  void lower_parameter(const ast::Param& node, const ParameterInfo& info, const ParameterSignature& signature);
  void lower_default(const ast::Param& node);
  Size declared_size(const ast::Expr& dim, std::int64_t given, SymbolOrigin origin, std::uint32_t parameter);

  // -- statements.cpp
  using Tail = std::function<void()>;
  /// Statements from `from` on; then, where the flow gets there, `tail`.
  void lower_list(const ast::Block& block, std::size_t from = 0, const Tail& tail = {});
  void lower_statement(const ast::Statement& statement);
  void leave_out();
  void lower_assign(const ast::Assign& node, Span span);
  Binding lower_assignment(const ast::Assignment& node, Span span);
  void lower_update(const ast::Assign& node, Span span);
  void lower_deletion(const ast::Assign& node);
  std::vector<ast::Accessor> single_steps(const Binding& base, const std::string& name, const ast::Accessor& step);
  std::vector<ast::LValue> each_target(const ast::LValue& target);
  std::optional<Binding> values_for(const ast::Expr& written, const Size& count);
  bool lower_to_all_structs(const ast::Assign& node, Span span);
  void lower_several(const ast::Assign& node, Span span);
  void lower_expression_statement(const ast::ExprStatement& node);
  /// Gives the value to the targets of `x = y = e` behind the first.
  void assign_chained(const ast::Assign& node, const Binding& value);
  void assign(const ast::LValue& target, Binding value, bool print);
  Binding complex_base_of_store(const ast::LValue& target);
  Binding base_of_store(const ast::LValue& target);
  Binding new_base(const std::string& name, const Binding& value);
  Binding with_part(const ast::LValue& target, const Binding& value);
  void assign_name(const std::string& name, Binding value);
  [[noreturn]] void stop_as_undefined(const std::string& name, Span span);
  void require_parts(const std::string& name, const Binding& value, Span span);
  Binding lookup(const std::string& name, Span span);
  std::vector<Note> undefined_notes(const std::string& name) const;
  ValueId alive();  ///< logical scalar: neither break, continue nor return has happened

  // -- branches.cpp
  void lower_if(const ast::If& node, std::size_t arm, const Tail& rest_of_one_arm);
  /// Lowers two arms into a branch on `condition` and joins what they changed.
  void branch(ValueId condition, const std::function<void()>& then_arm, const std::function<void()>& else_arm,
              Span span);
  /// The same where an arm evaluates a condition, which may step variables.
  ValueId branch_truth(ValueId condition, const std::function<ValueId()>& then_arm,
                       const std::function<ValueId()>& else_arm);
  void lower_switch(const ast::Switch& node, Span span);
  void lower_cases(const ast::Switch& node, const Binding& value, std::size_t index);
  ValueId is_case(const Binding& value, const Binding& label, Span span);
  ValueId condition(const ast::Expr& expr);
  /// The condition of an if or a while, where, as in Octave, | and & are || and && if their left operand is a scalar:
  /// `if nargin < 2 | isempty(x)`.
  ValueId branch_condition(const ast::Expr& expr);
  /// Notes what the condition says of sizes where it holds, or does not. Whether it says something.
  bool note_condition(const ast::Expr& condition, bool holds);
  bool note_comparison(const ast::Binary& node);
  void note_multiple(ValueId condition, bool holds);
  std::optional<Size> size_told_by(const ast::Expr& expr);
  void note_elements(const std::string& function, const std::string& variable);
  bool has_fields_alike(const std::string& variable) const;
  std::optional<Binding> short_circuit_of_elements(const ast::Expr& expr);
  /// `truth_of` lowers the right operand, where it is needed.
  using TruthOf = ValueId (Lowerer::*)(const ast::Expr&);
  ValueId short_circuit(const ast::Binary& node, ValueId left, TruthOf truth_of);

  /// Whether the place is in a file that comes with lac.
  bool of_library(Span span) const;
  Environment joined(ValueId condition, const std::array<BlockId, 2>& blocks, const Environment& before,
                     const std::array<Environment, 2>& after, Span span);

  // -- variants.cpp
  using OfKind = std::function<void(const Binding&)>;
  bool varies(const std::string& name) const;
  bool is_variant(const std::string& name) const;
  void want_variant(const std::string& name);
  [[noreturn]] void fail_as_poisoned(const std::string& name, const Binding& binding, Span span);
  void vary_in_both(std::array<Environment, 2>& after, const std::array<BlockId, 2>& blocks);
  void with_each_kind(const Binding& variant, const std::string& name, Span span, const OfKind& use);
  void narrowed(const std::string& name, Span span, const std::function<void()>& use);
  std::optional<std::string> variant_read_by(const ast::Expr& expr) const;
  std::optional<std::string> variant_read_by(const ast::Statement& statement) const;
  void lower_by_kinds(const ast::Statement& statement);
  void lower_by_results(const ast::Statement& statement);
  /// The result of a call within an expression; of one kind, or an error.
  void refuse_variant(const Binding& result, Span span);
  bool acts_before(const ast::Expr& call, const ast::Statement& statement, const Snapshot& start);
  bool reads_changed(const ast::Expr& call, const ast::Statement& statement, const Environment& before) const;
  [[noreturn]] void refuse_order(const ast::Expr& call);
  Binding result_within(const ast::Expr& call, Binding result);
  ValueId truth_by_kinds(const std::string& name, const ast::Expr& expr, TruthOf truth_of);

  // -- errors.cpp
  struct Caught;
  struct Catching;
  struct Tried;
  void lower_try(const ast::Try& node, Span span);
  /// Lowers the body of a try, or of an arm in one. An error leaves the variables as they are then, with its marks.
  void catching(const std::function<void()>& body, Span span);
  /// Whether the active function was called, perhaps through others, in the body of a try.
  bool called_in_try() const;
  void check(ValueId holds, const Message& message, const std::vector<ValueId>& arguments) override;
  void check_uncaught(ValueId holds, Message message, const std::vector<ValueId>& arguments, const std::string& reason);
  ValueId text_of(const Message& message, const std::vector<ValueId>& arguments);
  /// An active function and where it is.
  struct ErrorPlace {
    std::string file, name;
    LineColumn at;
    friend bool operator==(const ErrorPlace& a, const ErrorPlace& b) {
      return a.file == b.file && a.name == b.name && a.at.line == b.at.line && a.at.column == b.at.column;
    }
  };
  struct ThrownMessage {
    Message message;
    bool of_run;                          ///< the run has made its text
    std::vector<ErrorPlace> places = {};  ///< the innermost first; none: not known, or nobody asks
  };
  void note_place(const ast::Expr& expr);
  void note_place(const ast::Statement& statement);
  std::vector<ErrorPlace> places_of_calls() const;
  const ast::Function* function_around(Span at) const;
  std::vector<ErrorPlace> places_in(const Binding& error) const;
  Binding stack_of(const std::vector<ErrorPlace>& places);
  void open_guard(ValueId holds, Environment failed);
  void close_guards(Catching& here, Span span);
  void pass_on_error();
  void throw_reported(std::size_t reported);
  void stop_in_recursion(std::size_t reported);
  Caught take_error();
  void lower_cleanup(const ast::Try& node, Span span);
  /// The body of a try: what it left of an error.
  Caught lower_tried(const ast::Block& body, Tried& tried, Span span);
  void throw_caught(const Caught& caught, const Tried& tried);
  Binding error_record(const Caught& caught, const Tried& tried);
  std::size_t guards_at_hand() const;
  void forget_guards(std::size_t left);

  // -- loops.cpp
  void lower_conditional(LoopKind kind, const ast::Block& body, const ast::Expr& condition, Span span);
  void lower_for(const ast::For& node, Span span);
  void go_over_elements(LoopPlan& plan, const Binding& all);
  void go_over_columns(LoopPlan& plan, ValueId columns, bool is_text);
  bool endless(LoopPlan& plan, const RangeParts& parts, Span span);
  void lower_loop(const LoopPlan& plan);
  void lower_unrolled(const LoopPlan& plan);
  bool lower_unrolled_without_errors(const LoopPlan& plan);
  const std::map<std::string, int>& reads_in(const ast::Block& block);

  // -- loop_outcomes.cpp
  std::string entry_of(const LoopPlan& plan);
  std::shared_ptr<const LoopOutcome> known_outcome(const std::string& entry) const;
  void keep_outcome(const std::string& entry, LoopOutcome outcome);
  Binding without_trips(const LoopPlan& plan);
  Attempted try_loop(const LoopPlan& plan, const CarriedTypes& types, const std::map<std::string, Type>& after_first);
  void lower_peeled(const LoopPlan& plan);
  void go_over_fields(LoopPlan& plan, const ast::For& node);
  void go_over_complex(LoopPlan& plan, const Binding& columns);
  void note_last(const LoopPlan& plan, const Size& trip);
  void go_over_integers(LoopPlan& plan, IntegerClass integer_class);
  void widen_before(const LoopPlan& plan, const Attempted& attempted);
  void vary_before(const Attempted& attempted);
  void stack_before(const LoopPlan& plan, const Attempted& attempted);
  void put_fields_before(const LoopPlan& plan, const Attempted& attempted);
  /// Whether what the loop leaves in the variable may be read behind it.
  bool read_outside(const std::string& name, const ast::Block& loop_body);

  // -- unrolling.cpp
  /// Throws Unroll where the value hangs on the trip of a loop around that has at most so many trips, a constant
  /// number.
  void unroll_where_it_tells(ValueId value, std::int64_t most);

  // -- element_subscripts.cpp
  /// What `end` means: the extents of what is indexed, the subscript's position and how many there are.
  struct EndContext {
    Size rows, cols;
    std::size_t position, count;
    Size extent() const;
  };
  /// One subscript of a struct array or a cell array.
  struct ElementSubscript {
    std::vector<std::int64_t> at = {};  ///< from 0 on
    std::int64_t rows = 1, cols = 1;    ///< of what names them
    bool all = false;                   ///< `:`
    ValueId position = {};              ///< from 1 on, where the run finds it; invalid elsewhere
    ValueId several = {};               ///< or a vector of positions, or a mask, that the run finds
  };
  /// A subscript as it stands in the text, or one value of a list there.
  struct WrittenSubscript {
    const ast::Expr* expr;
    std::optional<Binding> value;  ///< of a list
    bool is_all() const;           ///< `:`
  };
  static std::string extents_of_region(const std::vector<ElementSubscript>& subscripts);
  std::vector<WrittenSubscript> written_subscripts(const std::vector<ast::ExprPtr>& args);
  ValueId subscript_value(const WrittenSubscript& subscript);
  ElementSubscript element_subscript(const std::string& name, const WrittenSubscript& subscript, const EndContext& end);
  std::vector<ElementSubscript> element_subscripts(const Aggregate& aggregate, const std::string& name,
                                                   const std::vector<ast::ExprPtr>& args, Span span);
  ValueId element_position(const Aggregate& aggregate, const std::string& name,
                           const std::vector<ElementSubscript>& subscripts, Span span, bool assigning = false);
  bool found_by_run(const Aggregate& aggregate, const std::vector<ElementSubscript>& subscripts,
                    bool assigning = false);
  static std::vector<ElementSubscript> along_vector(const Aggregate& a,
                                                    const std::vector<ElementSubscript>& subscripts);
  static std::pair<std::int64_t, std::int64_t> linear_extents(const Aggregate& a, const ElementSubscript& subscript);
  Binding elements_at(const Binding& base, const std::string& name, const std::vector<ElementSubscript>& subscripts,
                      Span span);
  Binding chosen(ValueId condition, const std::function<Binding()>& yes, const std::function<Binding()>& no);
  std::vector<std::int64_t> candidates(const Aggregate& aggregate,
                                       const std::vector<ElementSubscript>& subscripts) const;
  Binding element_chosen(const std::vector<std::int64_t>& elements, ValueId position,
                         const std::function<Binding(std::int64_t)>& item);
  std::vector<std::vector<ElementSubscript>> one_by_one(const Aggregate& cells,
                                                        const std::vector<ElementSubscript>& subscripts);
  void take_single(ElementSubscript& subscript, const std::string& name, Span span);
  /// An error that is certain where it is lowered: the program's, or its run's where it may not get there.
  [[noreturn]] void stop(Span span, const std::string& message);

  // -- accessors.cpp
  [[noreturn]] void refuse_access(const Binding& value, const ast::Accessor& step);
  [[noreturn]] void refuse_several(const std::string& name, Span span);
  std::string field_name(const ast::Accessor& step);
  Binding checked(Binding leaf, const std::string& name);
  Binding checked_member(const Slot& field, std::size_t element, const std::string& name);
  /// A field that the run names: the contents of all fields, and which is meant, 0 where there is none.
  struct NamedField {
    Binding contents;
    ValueId position;  ///< 0: there is no such field
    Binding name;
  };
  std::optional<NamedField> field_of_run(const Binding& base, const ast::Accessor& step);
  std::vector<Binding> field_of(const Binding& base, const std::string& name, const ast::Accessor& step);
  std::vector<Binding> contents_of(const Binding& base, const std::string& name, const ast::Accessor& step);
  std::vector<Binding> contents_at(const Binding& base, const std::string& name,
                                   std::vector<ElementSubscript> subscripts, Span span);
  Binding stacked_contents(const Binding& base, const std::string& name,
                           const std::vector<ElementSubscript>& subscripts, Span span);
  Binding elements_of(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args, Span span);
  std::vector<Binding> lower_access(const ast::Expr& expr, const ast::Access& access, int nargout, Span span);
  /// The values of an argument, an element of a matrix or of a cell array: several where it is a list, as c{:}.
  std::vector<Binding> lower_values(const ast::Expr& expr);
  void require_values(const Binding& value, const std::string& name);
  /// The same of what is shown: of a struct the fields that are there.
  void require_shown(const Binding& value, const std::string& name);
  void require_stacks(const Aggregate& stacked, const std::string& name);

  // -- stacked.cpp
  /// One struct of an array that is stacked.
  struct StackedElement {
    Binding all;
    std::string name;
    ValueId position;
  };
  /// What may be stacked: structs whose fields are matrices of one constant shape, or whatever a row can hold.
  enum class Stacking : std::uint8_t { columns, rows };
  std::optional<Binding> stacked(const Binding& base, Stacking how);
  Binding stacked_as(const Binding& base, const RowForm& form);
  std::optional<RowForm> stacked_form(const Binding& base, const Binding& other) const;
  void add_stacked_parts(const Binding& before, const Binding& after, bool arm, StackedPart& place,
                         StackedParts& parts) const;
  StackedParts stacked_parts(const Binding& before, const Binding& after, bool arm = false) const;
  Binding kept_stacked(const Binding& end, const Binding& old);
  Binding with_stacked(const Binding& base, const StackedParts& parts);
  bool go_on_stacked(const Binding& a, const Binding& b) const;
  void stack_in_both(std::array<Environment, 2>& after, const std::array<BlockId, 2>& blocks);
  bool map_in_rows_in_both(Binding (&left)[2], std::array<Environment, 2>& after, const std::array<BlockId, 2>& blocks,
                           const std::string& name);
  void widen_in_both(std::array<Environment, 2>& after, const std::array<BlockId, 2>& blocks);
  Size stacked_place(const Binding& all, const Slot& slot, const std::string& name, ValueId position);
  Binding item_at(const Binding& all, const Slot& slot, const std::string& name, ValueId position);
  Binding element_at(const Binding& all, const std::string& name, ValueId position);
  Binding padded(const Binding& all);
  Binding with_what_is_not_given(const Binding& all, const std::string& name, const std::string& given,
                                 ValueId position, const Size& count_before);
  ValueId stacked_positions(const Binding& all, const std::string& name, const ElementSubscript& subscript);
  Binding elements_gathered(const Binding& all, ValueId positions, Span span);
  Binding without_several(const Binding& all, const std::string& name, const ElementSubscript& subscript, Span span);
  std::optional<Binding> with_item_at(const Binding& base, const std::string& name, const std::string& field,
                                      ValueId position, const Binding& value, Span span);
  bool takes(const std::string& name, const Slot& slot, const SlotForm& form) const;
  bool is_given_in_order(const Binding& base, ValueId position);
  Binding with_field_for(const Binding& base, const std::string& field, ValueId position, const Binding& value);
  std::optional<Binding> with_column(const Binding& base, const std::string& name, const std::string& field,
                                     ValueId position, const Binding& value, Span span);
  Binding part_stored(const Binding& base, const std::string& name, const std::string& field, ValueId position,
                      std::span<const ast::Accessor> rest, const Binding& value);
  std::optional<Binding> store_in_stack(const Binding& base, const std::string& name, ValueId position,
                                        std::span<const ast::Accessor> rest, const Binding& value, Span span);
  Binding without_element(const Binding& base, const std::string& name, ValueId position);
  std::optional<StackedElement> stacked_element(const ast::Expr& expr);
  ValueId position_of(const ElementSubscript& subscript, const std::string& name, Span span);

  // -- cell_tables.cpp
  std::optional<std::vector<Binding>> stacked_columns(const Binding& table, const std::vector<std::int64_t>& columns);
  Binding table_rows(const Binding& table, const std::vector<Binding>& columns, const std::string& name,
                     ValueId positions);
  std::optional<Binding> rows_of_table(const Binding& base, const std::string& name,
                                       const std::vector<ElementSubscript>& subscripts, Span span);
  std::optional<Binding> table_without_row(const Binding& base, const std::string& name,
                                           const std::vector<ElementSubscript>& subscripts, Span span);

  // -- stacked_lists.cpp
  std::vector<Binding> lower_item(const ast::Expr& item);
  /// A list of values of which the run finds how many there are.
  struct StackedList {
    Slot slot;
    std::string name;
  };
  bool names_several(const ast::Expr& subscript) const;
  std::optional<StackedList> stacked_list(const ast::Expr& item);
  Binding cells_of(const StackedList& list);
  Binding joined_stack(const StackedList& list, Span span);
  Binding with_shared_fields(const Binding& structs);
  std::optional<std::vector<Binding>> call_with_list(const std::string& name, const std::vector<ast::ExprPtr>& args,
                                                     int nargout, Span span);

  // -- stores.cpp
  bool is_nothing(const Binding* base) const;
  Binding store(const Binding* base, const std::string& name, std::span<const ast::Accessor> path,
                const Binding& value);
  Binding store_into(const Binding* item, const std::string& name, std::span<const ast::Accessor> rest,
                     const Binding& value);
  Binding store_field(const Binding* base, const std::string& name, const ast::Accessor& step,
                      std::span<const ast::Accessor> rest, const Binding& value);
  Binding store_contents(const Binding* base, const std::string& name, const ast::Accessor& step,
                         std::span<const ast::Accessor> rest, const Binding& value);
  std::optional<Binding> store_in_row(const Binding& cell, const std::string& name,
                                      const std::vector<ElementSubscript>& written, std::span<const ast::Accessor> rest,
                                      const Binding& value, Span span);
  Binding store_cells(const Binding& all, const std::string& name, const std::vector<std::int64_t>& elements,
                      const Binding& value, Span span);
  Binding store_in_several(const Binding& all, ValueId positions, const Binding& value, Span span);
  [[noreturn]] void refuse_other_form(const std::string& name, const Binding& value, Span span);
  Binding store_elements(const Binding* base, const std::string& name, const ast::Accessor& step,
                         std::span<const ast::Accessor> rest, const Binding& value);
  Binding without_elements(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                           Span span);
  Binding store_where_found(const Binding& base, const std::vector<std::int64_t>& elements, ValueId position,
                            const std::function<Binding(const Binding& one)>& made);
  Binding with_element(Binding base, std::int64_t element, const Binding& one);
  std::pair<std::int64_t, std::int64_t> grown(const Aggregate& aggregate, const std::string& name,
                                              const std::vector<ElementSubscript>& subscripts, Span span);
  std::vector<std::int64_t> grow_to(Binding& base, const std::string& name,
                                    const std::vector<ElementSubscript>& subscripts, Span span);

  // -- expressions.cpp
  Binding lower_expr(const ast::Expr& expr);
  ValueId lower_value(const ast::Expr& expr);
  ValueId as_value(const Binding& value, const ast::Expr& expr);
  /// The operand of an operator: of a string its character codes.
  Binding lower_operand(const ast::Expr& expr);
  [[noreturn]] void refuse_operator(const std::string& arity, std::string_view op, const std::vector<Binding>& operands,
                                    Span span);
  std::vector<Binding> lower_multi(const ast::Expr& expr, int nargout);
  Binding lower_range(const ast::Range& node, Span span);
  Binding lower_unary(const ast::Unary& node, Span span);
  Binding integer_unary(const Binding& operand, ast::UnaryOp op, Span span);
  Binding lower_postfix(const ast::Postfix& node, Span span);
  Binding transposed(const Binding& operand, const ast::Expr& expr, bool conjugates);
  Binding lower_binary(const ast::Binary& node, Span span);
  /// `at_hand` has the places; the values of real matrices are added for messages.
  Binding operated(ast::BinaryOp op, const Binding& left, const Binding& right, OperandsAtHand at_hand);
  ValueId lower_end(Span span);
  Binding capture(const ast::AnonymousFunction& node, Span span);
  /// With `of_text` its parts may be characters: whether one is.
  RangeParts range_parts(const ast::Range& node, bool* of_text = nullptr);
  ValueId range_part(const ast::Expr& expr, const std::string& what, RangeParts& parts, bool* of_text);
  Binding step_variable(const ast::LValue& target, bool up, bool after, Span op_span);
  Binding step_variable(const ast::Expr& operand, bool up, bool after, Span op_span);

  // -- literals.cpp
  Binding lower_matrix(const ast::Matrix& node, Span span);
  std::vector<std::vector<Binding>> lower_elements(const ast::Matrix& node);
  Binding with_all_fields(const Binding& value, const std::string& complaint);
  Binding join_rows(const std::vector<Binding>& parts, Axis axis, Span span);
  Binding join_arrays(const std::vector<std::vector<Binding>>& elements, Span span);
  Binding join_aggregates(const std::vector<std::vector<Binding>>& elements, Span span);
  std::optional<Binding> joined_by_name(const std::string& name, const std::vector<Binding>& args, Span span);
  ValueId join_values(const std::vector<std::vector<ValueId>>& elements, Span span);
  Binding join_integers(const std::vector<std::vector<Binding>>& elements, Span span);
  Binding join_complex(const std::vector<std::vector<Binding>>& elements, Span span);
  std::optional<ValueId> table_of_numbers(const ast::Matrix& node);
  Binding lower_cell(const ast::Cell& node, Span span);
  void know_lists(std::vector<std::vector<Binding>>& lines, Span span);
  std::optional<std::vector<Binding>> parts_of_table(const std::vector<Binding>& parts, Axis axis);
  Binding join_cells(const std::vector<Binding>& parts, Axis axis, Span span);

  // -- subscripts.cpp
  ResolvedSubscripts resolve(ValueId value, const std::string& name, const std::vector<ast::ExprPtr>& args,
                             SubscriptUse use, Span span);
  void resolve_each(SubscriptResolver& resolver, const std::vector<Size>& extents,
                    const std::vector<WrittenSubscript>& written);
  ValueId index_value(ValueId value, const std::string& name, const std::vector<ast::ExprPtr>& args, Span span);
  Binding assign_index(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                       const Binding& value, Span span);
  Binding index_complex(const Binding& value, const std::string& name, const std::vector<ast::ExprPtr>& args,
                        Span span);
  Binding assign_complex(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                         const Binding& value, Span span);
  Binding assign_integer(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                         const Binding& value, Span span);
  Binding delete_elements(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                          Span span);

  // -- shared.cpp
  void begin_shared(const std::string& function, const ast::Block& body);
  void lower_declaration(const ast::Declaration& node, Span span);
  void give_back(Frame& frame);
  void clear_shared(const std::string& name, OfGlobals globals, Span span);
  void forget(const std::set<std::string>& names);
  void enter_with_shared(Frame& outer, Frame& inner);
  void leave_with_shared(Frame& inner, Frame& outer);
  std::set<std::string> shared_that_change() const;
  /// Ends with a message where a global or persistent variable is not as it was.
  void require_order(const ast::LValue& target, const Environment& before);
  bool changed_shared(const Environment& before) const;
  void require_shared_unchanged(const Environment& before, Span span, const std::string& where);
  /// The variables of a function that a try calls, as they are at an error in it.
  void keep_shared(Environment& failed) const;

  // -- maps.cpp
  class MapView;
  struct MapKind {
    std::string key_type, value_type;
    bool is_numeric() const { return key_type != "char"; }
  };
  /// `old`: the map that it takes the place of, if any.
  Binding construct_map(std::vector<Binding> args, const Binding* old, Span span);
  Binding map_by_pairs(std::vector<Binding> args, const Binding* old, Span span);
  Binding empty_map(MapKind kind, const Binding* old, Span span);
  bool is_held_elsewhere(const Binding& map, const std::string& name) const;
  Binding cells_of_elements(const Binding& matrix, Span span);
  std::optional<Binding> map_as_rows(const Binding& contents, Span span);
  std::optional<Binding> reconstructed_map(const ast::Assign& node);
  std::optional<std::vector<Binding>> call_of_map(const std::string& name, const std::vector<Binding>& args,
                                                  int nargout, Span span);
  bool may_be_map(const ast::Expr& expr);
  std::optional<std::vector<Binding>> map_access(const ast::Expr& callee, const std::vector<ast::ExprPtr>* args,
                                                 Span span);
  Binding read_map(const Binding& map, const std::vector<ast::ExprPtr>& args, Span span);
  void store_map(const Binding& map, std::span<const ast::Accessor> path, const Binding& value);
  void show(const std::string& name, const Binding& value);

  // -- arrays.cpp
  Binding index_array(const Binding& value, const std::string& name, const std::vector<ast::ExprPtr>& args, Span span);
  Binding assign_array(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                       const Binding& value, Span span);
  Binding delete_in_array(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                          Span span);

  // -- calls.cpp
  std::vector<Binding> index_binding(const Binding& value, const std::string& name,
                                     const std::vector<ast::ExprPtr>& args, int nargout, Span span);
  std::vector<Binding> call(const ast::Expr& callee, const std::vector<ast::ExprPtr>& args, int nargout, Span span);
  std::vector<Binding> call_named(const std::string& name, const std::vector<ast::ExprPtr>& args, int nargout,
                                  Span span, Span name_span);
  std::vector<Binding> call_bound(const std::string& name, std::vector<Binding> args, int nargout, Span span,
                                  Span name_span);
  const Builtin* array_function(const std::string& name, const std::vector<Binding>& args, int nargout) const;
  /// A dense matrix of more elements than the language counts.
  bool nothing_holds(const Binding& value) const;
  Binding asked_where_given(const std::string& name, std::vector<Binding> args, std::size_t at, Span span);
  std::vector<Binding> call_builtin(const Builtin& builtin, const std::string& name, std::vector<Binding> args,
                                    int nargout, Span span, const std::vector<ast::ExprPtr>* written);
  [[noreturn]] void refuse_unknown(const std::string& name, bool called, Span span);
  std::vector<Binding> in_frame(Frame& inner, Span span, const std::function<std::vector<Binding>()>& body);
  std::vector<Binding> call_function(const ast::Function& function, std::vector<Binding> args, int nargout, Span span);
  /// Lowers the body of the function in the place of the call. Of a stack machine the cell arrays begin, and `numbers`
  /// gets what they turn out to hold.
  std::vector<Binding> call_once(const ast::Function& function, std::vector<Binding> args, int nargout, Span span,
                                 const StackMachine* machine = nullptr, NumberClasses* numbers = nullptr);

  // -- recursion.cpp
  /// Thrown where the run decides how deep the function calls itself.
  struct DeepAsTheRunDecides {
    const ast::Function* function;
  };
  struct Recursive;
  Recursive& recursion_of(const ast::Function& function);
  std::vector<Binding> call_recursive(const ast::Function& function, std::vector<Binding> args, int nargout, Span span);
  std::optional<std::vector<Binding>> call_stack_machine(const ast::Function& function,
                                                         const std::vector<Binding>& args, int nargout, Span span,
                                                         std::vector<Diagnostic>& complaints);
  std::vector<Binding> call_written_out(const ast::Function& function, const std::vector<Binding>& args, int nargout,
                                        Span span, const std::vector<Diagnostic>& complaints);
  const StackMachine* stack_machine(const ast::Function& function, const std::vector<Binding>& args,
                                    const NumberClasses& numbers);
  std::string written_name(const std::string& name) const;  ///< of a variable of the active function: in the text
  NumberClasses numbers_that_wait(const StackMachine& machine) const;
  void limit_recursion(const ast::Function& function, Span span);
  void refuse_call(const ast::Function& function, std::size_t args, int nargout, Span span);
  void refuse_poisoned(const Binding& result, Span span);
  std::vector<Binding> results_of(const ast::Function& function, int nargout, Span span);
  bool is_of_language(const std::string& name, Span written) const;
  const ast::Function* own_function(const std::string& name, Span written) const;
  const ast::Function* find_function(const std::string& name);
  std::vector<Binding> lower_arguments(const std::vector<ast::ExprPtr>& args);
  /// Ends the lowering of a program that inlining or peeling makes too large; called where either is about to go on.
  void limit_size(Span span, const std::string& called);

  // -- arrayfun.cpp
  struct ElementFunction;
  struct ElementCall;
  std::vector<Binding> call_element(const ElementFunction& function, const std::vector<ValueId>& parts);
  ElementCall call_on_element(const ElementFunction& function, const std::vector<ValueId>& arguments);
  std::vector<ValueId> map_whole(const ElementCall& trial, const std::vector<ValueId>& arguments, const Type& shape);
  std::vector<Binding> map_by_statements(const ElementFunction& function, const ElementCall& trial,
                                         const std::vector<Element>& elements, const std::vector<Binding>& given);
  std::vector<Binding> call_on_first(const ElementFunction& function, const std::vector<ValueId>& arguments);
  std::vector<ValueId> map_by_loop(const ElementFunction& function, const std::vector<ValueId>& arguments,
                                   const std::vector<Element>& elements);

  // -- session.cpp
  Binding resume(const SessionVariable& variable);
  ValueId with_structure(ValueId value, SessionVariable::Structure structure);
  SessionVariable keep(const std::string& name, const std::string& path, const Binding& binding, Span span);
  void start_session(Session& session);
  /// The variables that differ from `before` become outputs.
  void end_session(Session& session, const Environment& before);

  // -- describe.cpp
  /// Records the variables of the active function or file, for `lac check`.
  void describe(const std::string& scope);
  /// Tells LowerOptions::on_variable of the variable whose name begins the span.
  void mention(const std::string& name, Span span);
  std::vector<VariableInfo> variables() const;

  Emitter emit_;
  Frame* frame_ = nullptr;

  std::vector<EndContext> ends_;
  std::vector<Tried*> tries_;                    ///< the bodies of try that are being lowered, innermost last
  std::vector<std::optional<Binding>> handled_;  ///< what the errors said whose handlers are being lowered
  std::vector<Catching*> catching_;              ///< and the arms in them
  std::vector<ThrownMessage> thrown_;            ///< what errors say, by their codes
  bool errors_have_text_ = false;                ///< some of them say what the run has made of strings
  std::vector<const LoopAttempt*> attempts_;     ///< the loops that are being tried, innermost last
  std::map<std::string, ast::ExprPtr> texts_;    ///< expressions that were given as strings
  bool has_shared_ = false;                      ///< the program has global or persistent variables, or maps
  std::map<std::string, MapKind> map_kinds_;     ///< of each containers.Map, by the name of its contents
  std::set<std::string> changed_maps_;           ///< contents that loops were found to change
  std::set<std::string> begun_shared_;           ///< those of which a declaration has said what they begin with
  std::set<std::string> assigned_shared_;        ///< global and persistent variables that functions have
  std::map<std::string, const ast::Function*> functions_;  ///< of the program, and those that files are named after
  /// Of files that were read: those beside the one that a file is named after are its own.
  std::map<std::uint32_t, std::map<std::string, const ast::Function*>> functions_of_files_;
  std::map<std::string, std::shared_ptr<ast::Program>> libraries_;
  std::vector<Frame*> stack_;
  bool reads_stacks_ = false;                           ///< the program asks for the places of errors
  const std::vector<ErrorPlace>* passed_on_ = nullptr;  ///< those of an error that is thrown again
  std::vector<std::pair<std::string, Span>> outputs_;
  /// The variables of each scope, and how many scopes had been described before.
  PersistentMap<std::string, std::pair<std::size_t, std::vector<VariableInfo>>> described_;
  std::size_t described_scopes_ = 0;
  CallGraph call_graph_{
      [this](const std::string& name, const ast::Function& in) { return own_function(name, in.span); }};
  std::map<const ast::Function*, std::shared_ptr<Recursive>> recursions_;
  std::map<const ast::Block*, std::map<std::string, int>> reads_;            ///< how often a block reads names
  std::map<std::pair<const ast::Block*, std::string>, bool> read_behind_;    ///< what read_outside found, by loop body
  std::map<std::string, std::shared_ptr<const LoopOutcome>> loop_outcomes_;  ///< of loops lowered, by entry_of
  const Interface* interface_ = nullptr;
  const std::vector<ParameterSignature>* signature_ = nullptr;
  std::uint32_t bound_parameters_ = 0;
  const std::vector<ast::ExprPtr>* written_arguments_ = nullptr;  ///< of the call being made, for messages
  std::vector<std::string> argument_names_;                       ///< of the call being made, as Walk::Caller
  std::pair<Span, std::vector<bool>> ignored_;                    ///< of the call at this place, as Walk::Caller
  VariableNames variants_, wanted_variants_;
  bool left_out_ = false;  ///< an attempt lacks a statement, and nothing is reported
  /// A call within a statement, whose result is a variant: what it gives comes first, and the statement then once for
  /// each kind.
  struct ResultVaries {
    const ast::Expr* call;
  };
  struct Place {  ///< of a statement
    const Frame* frame;
    int arms;
    bool operator==(const Place&) const = default;
  };
  std::vector<Place> statements_by_results_;  ///< innermost last
  /// Poisoned: the statement is lowered up to that call.
  std::map<std::pair<const Frame*, const ast::Expr*>, Binding> results_at_hand_;
  std::set<std::string> missing_;       ///< names that were read while undefined, since the loop at hand began
  std::set<std::string> begun_;         ///< names whose first value was made by assigning elements, likewise
  std::size_t statements_in_vain_ = 0;  ///< see loop_attempt.cpp
  std::size_t statements_lowered_ = 0;  ///< in calls and loops, those of attempts that were taken back too
  std::size_t text_size_ = 0;           ///< bytes of the file
};

}  // namespace lac::frontend
