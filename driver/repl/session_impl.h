// What a session holds, and how an input becomes programs.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "driver/core/backend.h"
#include "driver/core/host_run.h"
#include "driver/repl/values.h"
#include "lac/session.hpp"

namespace lac::api {

struct Session::Impl {
  Options options;
  driver::Module module;  ///< its sources are those of all inputs; its program is the statement at hand
  std::unique_ptr<driver::Backend> backend;
  lac::Element precision = lac::Element::real;
  std::map<std::string, driver::SessionValue> values;
  std::map<std::string, frontend::ast::Function> functions;
  std::list<frontend::ast::Program> trees;  ///< of all inputs: handles refer to them
  std::string accepted;                     ///< the statements that ran
  std::optional<runtime::RandomState> random;
  runtime::WarningSwitches warnings_off;
  runtime::ShownDigits digits = runtime::ShownDigits::few;
  runtime::figures::Figures figures;
  runtime::OpenFiles open_files;
  int inputs = 0;
  std::jthread loading;  ///< of libraries

  /// Null when errors were reported.
  const frontend::ast::Program* parse(const std::string& input, std::string name, Diagnostics& found);
  /// Makes the statement, with the session's functions, the program of `module`.
  void put(const frontend::ast::Statement& statement);
  frontend::Session session_for(const frontend::ast::Block& statements) const;
  /// The one statement that is asked about, ready to be lowered; nothing after a message.
  std::optional<frontend::Session> query(const std::string& input, std::vector<Diagnostic>& diagnostics,
                                         Diagnostics& found);
  driver::CompileRequest request(frontend::Session& session);

  SessionResult run(const std::string& input, const RunOptions& run_options, const std::string& name);
  /// Runs `action`; what the compiler throws is reported and ends the statement, not the session.
  bool guarded(std::vector<Diagnostic>& diagnostics, const std::function<bool()>& action);
  /// Reports an error and is false.
  bool fail(std::vector<Diagnostic>& diagnostics, Span span, const std::string& message);

 private:
  /// What the statements of one input share.
  struct Running {
    driver::HostRun& host;
    const RunOptions& wanted;
  };
  bool run_statement(const frontend::ast::Statement& statement, const Running& running, SessionResult& result);
  bool run_lowered(const frontend::ast::Statement& statement, const Running& running, SessionResult& result);
  bool run_param(const frontend::ast::Statement& statement, const Running& running, SessionResult& result);
  runtime::RunResult execute(const driver::Specialisation& code, const std::vector<runtime::Tensor>& tensors,
                             const Running& running, SessionResult& result);
  void define_size(const std::string& name, const std::string& matrix, std::size_t axis, double extent);
  bool fit_sizes(const frontend::ast::Param& param, SessionResult& result);
  void remember(const frontend::ast::Statement& statement);
};

}  // namespace lac::api
