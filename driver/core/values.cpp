#include "driver/core/values.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "driver/core/host_run.h"
#include "frontend/parser.h"
#include "runtime/files/files.h"

namespace lac::driver {

namespace {

constexpr std::array<std::string_view, 7> file_extensions = {".mtx", ".npy", ".csv", ".npz", ".mat", ".gz", ".rsa"};

bool ends_with_any_case(const std::string& text, std::string_view suffix) {
  if (text.size() <= suffix.size()) return false;
  return std::equal(suffix.begin(), suffix.end(), text.end() - static_cast<std::ptrdiff_t>(suffix.size()),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

/// Bytes whose format their content shows.
Result<GivenValue> value_of_bytes(Result<std::string> bytes, const std::string& name, std::string origin) {
  if (!bytes) return bytes.failure();
  const Result<runtime::FileFormat> format = runtime::format_of_bytes(bytes.value(), name);
  if (!format) return format.failure();
  Result<runtime::Tensor> tensor = runtime::parse_tensor(format.value(), bytes.value(), name);
  if (!tensor) return tensor.failure();
  return GivenValue{tensor.take(), std::move(origin)};
}

/// `n=2^: expected an expression after '^', found the end of the line`.
Failure expression_failure(const std::string& name, const std::string& text, const Diagnostics& diagnostics,
                           const std::string& otherwise) {
  std::string message = name + "=" + text + ": ";
  message += diagnostics.items().empty() ? otherwise : diagnostics.items().front().message;
  std::error_code error;
  if (std::filesystem::is_regular_file(text, error)) {
    message += " (a matrix file needs the extension .mtx, .npy or .csv, or @ before its name)";
  }
  return Failure{std::move(message)};
}

Result<GivenValue> value_of_expression(const std::string& name, const std::string& text, HostRun& run) {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file = sources.add(name + "=", text);
  const frontend::ast::ExprPtr expression = frontend::parse_expression(file, sources, diagnostics);
  if (!expression) return expression_failure(name, text, diagnostics, "not an expression");
  const auto compute = [&](const Graph& graph) { return run.compute(graph, HostRun::Memory::free, false); };
  const frontend::LowerOptions options{Element::real, [](const std::string&) { return std::nullopt; }};
  Result<runtime::Tensor> tensor = evaluate_constant(*expression, sources, options, compute, diagnostics);
  if (!tensor) return expression_failure(name, text, diagnostics, tensor.failure().message);
  return GivenValue{tensor.take(), "given as " + text};
}

}  // namespace

Result<std::string> read_standard_input() {
  std::string bytes;
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count == 0) return bytes;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failure{std::string("standard input: ") + std::strerror(errno)};
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

bool names_a_file(const std::string& text) {
  if (text == "-" || (!text.empty() && text.front() == '@')) return true;
  return std::any_of(file_extensions.begin(), file_extensions.end(),
                     [&](std::string_view extension) { return ends_with_any_case(text, extension); });
}

Result<GivenValue> value_of_file(const std::string& path) {
  Result<runtime::Tensor> tensor = runtime::read_tensor(path);
  if (!tensor) return tensor.failure();
  return GivenValue{tensor.take(), "read from \"" + path + "\""};
}

Result<GivenValue> value_of_text(const std::string& name, const std::string& text, HostRun& run) {
  if (text.empty()) return Failure{name + "= gives no value"};
  if (text == "-") return value_of_bytes(read_standard_input(), "standard input", "read from standard input");
  if (text.front() == '@') {
    const std::string path = text.substr(1);
    if (runtime::format_of_path(path)) return value_of_file(path);
    return value_of_bytes(runtime::read_file(path), path, "read from \"" + path + "\"");
  }
  return names_a_file(text) ? value_of_file(text) : value_of_expression(name, text, run);
}

Result<runtime::Tensor> evaluate_constant(const frontend::ast::Expr& expression, SourceManager& sources,
                                          const frontend::LowerOptions& options, const Compute& compute,
                                          Diagnostics& diagnostics) {
  const std::optional<Graph> graph = frontend::lower_constant(expression, sources, options, diagnostics);
  if (!graph) return Failure{"not a constant expression"};
  runtime::RunResult result = compute(*graph);
  if (!result.status.ok()) {
    diagnostics.error(expression.span, result.status.message.starts_with("error: ") ? result.status.message.substr(7)
                                                                                    : result.status.message);
    return Failure{result.status.message};
  }
  if (result.outputs.empty()) return Failure{"not a constant expression"};
  return std::move(result.outputs.front().second);
}

}  // namespace lac::driver
