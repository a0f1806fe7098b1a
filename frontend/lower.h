// From a syntax tree to the Graph: names, types and shapes are settled here, functions are inlined.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/ast/ast.h"
#include "ir/graph/graph.h"
#include "ir/support/data_form.h"
#include "ir/support/diagnostics.h"
#include "ir/support/result.h"

namespace lac::frontend {

struct Aggregate;

/// What is known of one parameter when a program is specialised. Two bindings with equal signatures run the same
/// compiled program: sizes and integer values of at least 2 are symbols, 0 and 1 (and negative values) are constants.
/// Where symbols leave shapes open (Lowered::open_shapes), larger integers may be constants too.
struct ParameterSignature {
  enum class Kind : std::uint8_t {
    unbound,           ///< the default applies; an error when there is none
    integer_symbol,    ///< a scalar integer >= 2
    integer_constant,  ///< a scalar integer, most often < 2: `value`
    real_scalar,
    logical_scalar,
    matrix,
  };
  Kind kind = Kind::unbound;
  std::int64_t value = 0;             ///< integer_constant
  bool logical = false;               ///< matrix of logical elements
  bool single = false;                ///< single elements whatever the program's precision; only in a session
  Storage storage = Storage::dense;   ///< matrix
  std::int64_t rows = 2, cols = 2;    ///< matrix: 0, 1, or 2 standing for a symbol
  std::vector<std::int64_t> offsets;  ///< matrix, diagonal storage

  friend bool operator==(const ParameterSignature&, const ParameterSignature&) = default;
};

/// One `param` line, for binding and for --help.
struct ParameterInfo {
  std::string name;
  Span span;
  bool is_matrix = false;               ///< has dims
  std::string dims;                     ///< "(n, n)" as written; empty for a scalar
  std::vector<std::string> properties;  ///< "sparse", "spd", ... as written
  bool claims_sparse = false;
  Properties claims;
  ast::ExprPtr default_value;     ///< null when the parameter must be given
  bool constant_default = false;  ///< the default mentions no other name: evaluate it and bind it
  std::string default_text;
  std::string comment;
};

struct Interface {
  std::vector<ParameterInfo> parameters;
  std::vector<std::string> outputs;
  std::optional<Element> precision;  ///< from a `precision` line
  std::string help;                  ///< the file's opening comment
};

/// Reads param, output and precision lines; diagnoses unknown properties, duplicates and misplaced lines.
Interface interface_of(const ast::Program& program, const SourceManager& sources, Diagnostics& diagnostics);

struct VariableInfo;

/// A variable that one input of a session leaves to the next.
struct SessionVariable {
  enum class Kind : std::uint8_t { matrix, text, function, aggregate };
  /// What is known of a matrix beyond its elements.
  enum class Structure : std::uint8_t { none, diagonal, permutation };
  std::string name;
  Kind kind = Kind::matrix;
  Structure structure = Structure::none;
  std::string parameter;         ///< matrix, text that is not known: the parameter, and later the output, that holds it
  ParameterSignature signature;  ///< of that parameter
  std::string text;              ///< text that is known; of a handle `@name`: the name; of a matrix: its integer class
  bool double_quoted = false;
  const ast::AnonymousFunction* anonymous = nullptr;  ///< borrowed: the trees of a session live as long as it does
  std::vector<SessionVariable> captured;  ///< of an anonymous function; the leaves of a struct or a cell array
  std::shared_ptr<const Aggregate> form;  ///< of those
  bool is_cell = false, is_complex = false;
  Span span;              ///< of a function: where it was written
  std::string condition;  ///< an output that is false where the run gave the variable no value; empty: it has one
};

/// What a program that is one input of a session starts from and leaves behind.
struct Session {
  std::vector<SessionVariable> variables;
  std::map<std::string, std::int64_t> sizes;  ///< what size symbols are now, by name, for messages
  std::vector<SessionVariable> kept;          ///< set by `lower`: the variables that the input sets, `ans` among them
  std::vector<std::string> cleared;           ///< set by `lower`: those that have no value any more
};

struct LowerOptions {
  Element precision = Element::real;
  /// The text of NAME.la for a function that the file does not define, with the path to show; nullopt: not found.
  /// It looks beside the file, in -I folders, then in the solver library.
  struct Found {
    std::string path;
    std::string text;
    friend bool operator==(const Found&, const Found&) = default;
  };
  std::function<std::optional<Found>(const std::string& name)> find_function;
  std::vector<std::string> library_functions = {};  ///< names that find_function knows, for suggestions
  bool check_domain = false;  ///< where Octave would turn complex: an error of the run, not a warning
  bool describe = false;      ///< fill Lowered::variables with the variables of functions too
  /// How the matrix in a file that exists is stored: csr for Matrix Market coordinate files.
  std::function<std::optional<Storage>(const std::string& path)> storage_of_file = {};
  /// The variables in a file, with extents generalised; a failure says why they cannot be known.
  std::function<Result<FileForm>(const std::string& path)> form_of_file = {};
  /// Called for each mention of a variable, in functions too, with the place of its name. Attempts that are taken back
  /// are told as well, and bodies once for each specialisation: the last call for a place is the final one.
  std::function<void(Span, const VariableInfo&)> on_variable = {};
  Session* session = nullptr;  ///< the program is an input of this session; its variables stand for the parameters
};

/// A variable at the end of its scope, for `lac check`.
struct VariableInfo {
  std::string scope;  ///< "f(n x 1, scalar)": a function and what it was specialised to; empty at file level
  std::string name;
  std::string type;        ///< all of it, as in the text of a Graph
  std::string element;     ///< "real", "single", "integer", "logical", "string", "function"
  std::string storage;     ///< "dense", "csr", "diagonal"; empty for what is no matrix
  std::string shape;       ///< "n x k (k <= 30)"; "scalar"
  std::string properties;  ///< "symmetric spd"
  Span span;               ///< of its first assignment
};

struct Lowered {
  Graph graph;
  std::vector<VariableInfo> variables;
  std::vector<ParameterSignature> signature;  ///< that it is specialised for
  /// In how many places the text leaves open which shape an operation has: extents that are equal or 1 as the run
  /// finds.
  std::size_t open_shapes = 0;
};

/// `signature` has one entry per parameter of the interface, in order. Graph::parameters lists the bound ones, in
/// order; their types have the symbols. nullopt when errors were reported.
std::optional<Lowered> lower(const ast::Program& program, const std::vector<ParameterSignature>& signature,
                             SourceManager& sources, const LowerOptions& options, Diagnostics& diagnostics);

/// A Graph without parameters whose output "value" is the expression: NAME=VALUE constants and defaults.
std::optional<Graph> lower_constant(const ast::Expr& expression, SourceManager& sources, const LowerOptions& options,
                                    Diagnostics& diagnostics);

}  // namespace lac::frontend
