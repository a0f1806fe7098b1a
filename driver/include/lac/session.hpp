// An interactive session: inputs are compiled and run one after the other, and variables and functions stay.
//
//     lac::api::Session session;
//     session.run("x = 1:3;", options);
//     session.run("y = 2 * x", options);      // prints y through options.out
//
// Every statement is a program of its own in which the session's variables are parameters: it is compiled for their
// elements, storage and shapes, as `lac run` does for its arguments.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lac/lac.hpp"

namespace lac::api {

/// How an input ended. After an error or an interrupt the statements before it have happened, and the one that failed
/// has changed no variable.
struct SessionResult {
  Outcome outcome = Outcome::ok;
  /// Errors, and warnings that RunOptions::on_warning did not get, as many as a Result keeps.
  std::vector<Diagnostic> diagnostics;
  std::int64_t warnings_left_out = 0;  ///< how many neither has
  std::optional<int> exit_status;      ///< the status that the input gave to `exit`
  Limit limit = Limit::none;           ///< the limit of RunOptions that ended the input
  bool ok() const { return outcome == Outcome::ok; }
};

/// Whether an input needs more lines: a block, a bracket or a block comment is open, or the last line is continued.
bool needs_more(const std::string& input);

/// Not thread-safe. Nothing is printed but through RunOptions.
class Session {
 public:
  /// As for a Program; the natural precision is double, or what a `precision` line says. Functions are looked for in
  /// Options::include_directories, after those of the session; with Options::files also beside the files that ran.
  explicit Session(Options options = {});
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  /// Loads, beside whatever goes on, the libraries that a first solve would wait for. Returns at once; what it cannot
  /// do is done, or said, when it is needed.
  void load_libraries();

  /// Runs statements and keeps functions. `name` is what messages call the text ("input 3" where it is empty). A
  /// `param` line takes the variable of its name, else its default; `output` lines change nothing.
  /// Of the options, `seed` is that of the session's beginning; the limits are of the whole input, and a sink that
  /// throws ends the statement at hand.
  SessionResult run(const std::string& input, const RunOptions& options, const std::string& name = {});
  SessionResult run_file(const std::string& path, const RunOptions& options);

  /// Drops the variables of these names, in which * and ? stand for any characters and any one; none: all.
  void forget(const std::vector<std::string>& names = {});
  /// Drops all variables but these, likewise.
  void forget_all_but(const std::vector<std::string>& names);
  /// Drops functions that inputs defined, likewise.
  void forget_functions(const std::vector<std::string>& names = {});

  /// All variables, by name; shapes are those of the values.
  std::vector<Variable> variables() const;
  /// The value of a variable that is a matrix.
  std::optional<Matrix> value(const std::string& name) const;
  /// The functions that inputs defined.
  std::vector<std::string> functions() const;

  /// Types of what the input would set, without running it; of an expression that is `ans`.
  Checked type(const std::string& input);
  /// A stage of `stages()` for one statement or expression.
  Emitted emit(std::string_view what, const std::string& input);
  /// The call forms of a function and what it does.
  Emitted help(const std::string& name) const;
  /// Names that begin so: variables, functions of the session, built-ins, the library.
  std::vector<std::string> completions(const std::string& prefix) const;

  /// The inputs that ran without an error, as a program that does the same.
  std::string program() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lac::api
