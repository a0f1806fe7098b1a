// How the library fills the value types of the public header.
#pragma once

#include <string>
#include <vector>

#include "driver/core/values.h"
#include "driver/include/lac/lac.hpp"
#include "runtime/run.h"

namespace lac::api {

/// One argument as the host gave it; files and expressions are read when a run needs them.
struct ArgumentEntry {
  enum class Kind { tensor, text, file, malformed };
  std::string name;
  Kind kind = Kind::text;
  std::string text;  ///< the text, the path, or what is malformed
  runtime::Tensor tensor;
};

struct Arguments::Impl {
  std::vector<ArgumentEntry> entries;
};

struct ArgumentsAccess {
  /// Reads files and evaluates expressions, for this run.
  static std::vector<driver::GivenArgument> read(const Arguments& arguments, driver::HostRun& run);
};

struct Matrix::Impl {
  std::string name;
  runtime::Tensor tensor;
};

struct MatrixAccess {
  static Matrix make(std::string name, runtime::Tensor tensor);
};

struct ResultAccess {
  static void fail(Result& result, Outcome outcome, std::vector<Diagnostic> diagnostics);
  static void fill(Result& result, Outcome outcome, std::vector<Diagnostic> diagnostics, std::vector<Matrix> inputs,
                   runtime::RunResult&& run, Statistics statistics);
  static void trace(Result& result, std::string json);
  static void figures(Result& result, std::vector<Figure> figures);
  static void limit(Result& result, Limit limit);
  static void warnings_left_out(Result& result, std::int64_t count);
  static void describe(Result& result, std::string target, std::string precision);
};

}  // namespace lac::api
