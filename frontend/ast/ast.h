// The abstract syntax tree: plain values with a span on every node, built by the grammar and never changed after.
//
// Nodes say what was written, not what it means: `f(x)` is an Index whether f is a variable or a function, and a name
// is an Identifier until sema has seen the scope. What the language refuses by syntax never gets here.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "frontend/ast/operators.h"
#include "ir/support/source.h"

namespace lac::frontend::ast {

struct Expr;
/// Shared and immutable: an anonymous function can be kept, and inlined many times, without a copy.
using ExprPtr = std::shared_ptr<const Expr>;

/// A word of the program and its place.
struct Name {
  std::string text;
  Span span;
};

// --- Expressions -----------------------------------------------------------------------------------------------------

struct Number {
  double value = 0;
};

struct ImaginaryNumber {
  double value = 0;  ///< of `2i`: 2
};

struct IntegerNumber {  ///< `0x1f`, `0b101s8`
  double value = 0;
  int bits = 8;  ///< 8, 16, 32 or 64
  bool is_signed = false;
};

struct String {
  std::string text;  ///< decoded: escapes resolved in "..." and doubled quotes undone
  bool double_quoted = false;
};

struct Identifier {
  std::string name;
};

/// The `:` of `A(:, k)`; only as an argument of an Index.
struct Colon {};

/// The `end` of `x(end - 1)`; only inside the arguments of an Index.
struct End {};

/// `first:last` or `first:step:last`.
struct Range {
  ExprPtr first;
  ExprPtr step;  ///< null when not written
  ExprPtr last;
};

struct Unary {
  UnaryOp op = UnaryOp::plus;
  Span op_span;
  ExprPtr operand;
};

struct Postfix {
  PostfixOp op = PostfixOp::hermitian;
  Span op_span;
  ExprPtr operand;
};

struct Binary {
  BinaryOp op = BinaryOp::add;
  Span op_span;
  ExprPtr left;
  ExprPtr right;
};

/// `callee(args...)`: indexing or a call. `f()` has no arguments; chained `f(x)(2)` is an Index of an Index.
struct Index {
  ExprPtr callee;
  std::vector<ExprPtr> args;
  Span args_span;  ///< from '(' to ')'
};

/// `c{args...}`: the contents of cells.
struct BraceIndex {
  ExprPtr callee;
  std::vector<ExprPtr> args;
  Span args_span;  ///< from '{' to '}'
};

/// `s.name` and `s.(e)`.
struct Field {
  ExprPtr base;
  Name name;        ///< empty where it is computed
  ExprPtr dynamic;  ///< of `s.(e)`; else null
};

/// `[a, b; c]`. `[]` has no rows; empty rows are dropped, as in Octave.
struct Matrix {
  std::vector<std::vector<ExprPtr>> rows;
};

/// `{a, b; c}`, likewise.
struct Cell {
  std::vector<std::vector<ExprPtr>> rows;
};

/// A name that a function takes or leaves out (`~`).
struct Parameter {
  Name name;
  bool ignored = false;        ///< written `~`; the name is then "~"
  ExprPtr default_value = {};  ///< `n = 1`, of named functions; null when none
};

/// `@(x, y) body`.
struct AnonymousFunction {
  std::vector<Parameter> params;
  ExprPtr body;
};

/// `@name`.
struct FunctionHandle {
  Name name;
};

/// `x = e` or `x += e` within an expression, where it stands in parentheses or as an argument: `(k = k + 1) < n`.
struct Assignment {
  ExprPtr target;              ///< a variable or a part of one
  std::optional<BinaryOp> op;  ///< of a compound assignment
  Span op_span;                ///< of '=' or '+='
  ExprPtr value;
};

/// `(e)`. Kept since parentheses matter: `(x)(2)`, `a(1)` versus `(a)(1)`, and the printing of names.
struct Paren {
  ExprPtr inner;
};

struct Expr {
  using Node = std::variant<Number, ImaginaryNumber, IntegerNumber, String, Identifier, Colon, End, Range, Unary,
                            Postfix, Binary, Index, BraceIndex, Field, Matrix, Cell, AnonymousFunction, FunctionHandle,
                            Assignment, Paren>;
  Span span;  ///< the whole expression as written
  Node node;
  std::uint32_t height = 1;  ///< longest path to a leaf; bounded by the grammar, so that recursion over a tree is safe
};

/// The expression without the parentheses around it.
const Expr& strip_parens(const Expr& expr);

// --- Statements ------------------------------------------------------------------------------------------------------

struct Statement;
using Block = std::vector<Statement>;

/// One step into a value: `(args)`, `{args}`, `.name` or `.(e)`.
struct Accessor {
  enum class Kind { parens, braces, field };

  Kind kind = Kind::parens;
  std::vector<ExprPtr> args;  ///< of parentheses and braces
  Name field;                 ///< empty where it is computed
  ExprPtr dynamic;            ///< of `.(e)`; else null
  Span span;
};

/// The accessor that an Index, a BraceIndex or a Field is, with what it is of; nothing for any other expression.
struct Access {
  const ExprPtr* base = nullptr;
  Accessor accessor;
};
std::optional<Access> access_of(const Expr& expr);

/// Whether an expression may stand for several values: c{...} or s.x.
bool is_list(const Expr& expr);

/// One target of an assignment: `x`, `x(i, j)`, `s.x(2)`, `c{k}` or `~`.
struct LValue {
  Name name;
  std::optional<std::vector<ExprPtr>> args;  ///< present for a target with one accessor `(...)`; `x()`: an empty list
  std::vector<Accessor> path;                ///< the accessors of all others
  bool ignored = false;                      ///< `~`; the name is then "~"
  Span span;                                 ///< name and accessors

  bool is_part() const { return args || !path.empty(); }  ///< a part of the variable is assigned
};
/// The target with one more accessor.
LValue extended(LValue target, Accessor step);
/// The target without the last accessor of its path.
LValue without_last(const LValue& target);
/// What an expression assigns to, where it is a variable or a part of one.
std::optional<LValue> target_of(const Expr& expr);
/// The expression that reads a target.
ExprPtr expression_of(const LValue& target);
/// Calls `visit` with each expression in the accessors of a target.
void for_each_subscript(const LValue& target, const std::function<void(const ExprPtr&)>& visit);

struct ExprStatement {
  ExprPtr expr;
  bool print = false;  ///< no ';' follows
};

/// `x = e`, `x(i) = e`, `x += e`, `[a, ~, c] = f(x)`, `x = y = e`.
struct Assign {
  std::vector<LValue> targets;  ///< one, or several from the bracket form
  std::vector<LValue> chained;  ///< of `x = y(i) = e`: y(i); each gets the value of e, the rightmost first
  bool bracketed = false;       ///< written `[...] = ...`, also with one target
  std::optional<BinaryOp> op;   ///< the operator of a compound assignment; needs one target, not bracketed
  Span op_span;                 ///< of '=' or '+='
  ExprPtr value;
  bool print = false;
};

/// `x++`, `--x` as a whole statement. Without ';' Octave prints `ans = ` the old value (`x++`) or the new one (`++x`).
struct IncDec {
  LValue target;
  bool increment = true;
  bool prefix = false;
  Span op_span;
  bool print = false;
};

struct IfArm {
  Span span;          ///< of the keyword (`if`, `elseif`, `else`)
  ExprPtr condition;  ///< null for `else`, which is the last arm
  Block body;
};

struct If {
  std::vector<IfArm> arms;
};

struct SwitchCase {
  Span span;      ///< of the keyword (`case`, `otherwise`)
  ExprPtr label;  ///< null for `otherwise`, which is the last case
  Block body;
};

/// `switch value, case label, body ..., otherwise, body, end`: the first case whose label is the value, or has it among
/// its cells.
struct Switch {
  ExprPtr value;
  std::vector<SwitchCase> cases;
};

struct While {
  ExprPtr condition;
  Block body;
};

/// `do body until condition`: the body runs at least once, the loop ends when the condition holds.
struct DoUntil {
  Block body;
  ExprPtr condition;
};

/// `for variable = range, body, end`: over the columns of `range`. `for [variable, key] = s`: over the fields of a
/// struct.
struct For {
  LValue variable;
  std::optional<LValue> key;
  ExprPtr range;
  Block body;
};

/// `try body catch error, handler end`, `unwind_protect body unwind_protect_cleanup handler end`.
struct Try {
  Block body;
  Name error;  ///< the variable that gets what was thrown; empty where none does
  Block handler;
  bool cleans_up = false;  ///< the handler runs in any case, and what was thrown goes on behind it
};

struct Break {};
struct Continue {};
struct Return {};

/// `param A(n, n) sparse spd % comment`, `param tol = 1e-6`. Only at the top level of a file.
struct Param {
  Name name;
  std::optional<std::vector<ExprPtr>> dims;  ///< absent for a scalar; present with at least one size expression
  std::vector<Name> properties;              ///< the words as written; sema knows which exist
  ExprPtr default_value;                     ///< null when none
  std::string comment;                       ///< text of the trailing comment without its '%', trimmed
};

/// `output x k`. Only at the top level of a file.
struct Output {
  std::vector<Name> names;
};

/// `precision single`. Only at the top level of a file.
struct Precision {
  Name name;
};

/// `global a b = 1`, `persistent n = 0`.
struct Declaration {
  struct Variable {
    Name name;
    ExprPtr value;  ///< that it begins with; null for []
  };
  bool is_global = false;
  std::vector<Variable> variables;
};

struct Statement {
  using Node = std::variant<ExprStatement, Assign, IncDec, If, Switch, While, DoUntil, For, Try, Break, Continue,
                            Return, Param, Output, Precision, Declaration>;
  Span span;  ///< without the separator that ends it
  Node node;
};

/// `function [outs] = name(params) body end`.
struct Function {
  Span span;       ///< the whole definition
  Span signature;  ///< `[outs] = name(params)`
  Name name;
  std::vector<Parameter> params;
  std::vector<Name> outs;
  Block body;
};

/// One file. Statements and functions each in source order; spans tell how they interleave.
struct Program {
  FileId file;
  Block statements;
  std::vector<Function> functions;
  std::string help;  ///< the comment block that opens the file, without its '%' signs
};

}  // namespace lac::frontend::ast
