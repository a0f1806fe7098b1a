// Steps on files that a program opens by name: lines, texts and tables of them.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>

#include "ir/graph/path_kind.h"
#include "ir/support/text_scan.h"
#include "runtime/files/files.h"
#include "runtime/files/table.h"
#include "runtime/steps/files/files_of_run.h"
#include "runtime/steps/text/text_output.h"
#include "runtime/steps/text/text_tensor.h"

namespace lac::runtime::steps {
namespace {

constexpr double behind_last_line = -1;  // what fgetl gives there

Output nothing() { return std::vector<Tensor>(); }

Failure failed(std::string_view call, const Failure& failure) {
  return Failure{fmt::format("error: {}: {}", call, failure.message)};
}

std::int64_t number_at(const Input& input, std::size_t i) {
  return static_cast<std::int64_t>(input.operands[i].as_scalar());
}

/// What is left of a line, with the newline at its end.
std::string_view line_of(std::string_view rest) {
  return rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
}

std::string_view without_newline(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

struct Line {
  std::size_t bytes = 0;  ///< in the file
  std::string text = {};
  bool is_there = false;
};

/// number, name of the call
Result<Line> next_line(const Input& input) {
  const std::string call = text_of(input.operands[1]);
  const Result<std::string_view> rest = files_of(input).rest(number_at(input, 0));
  if (!rest) return failed(call, rest.failure());
  if (rest.value().empty()) return Line{};
  const std::string_view line = line_of(rest.value());
  return Line{line.size(), std::string(call == "fgets" ? line : without_newline(line)), true};
}

/// number, template, most values
Result<Scanned> numbers_ahead(const Input& input) {
  const Result<std::string_view> rest = files_of(input).rest(number_at(input, 0));
  if (!rest) return failed("fscanf", rest.failure());
  return scan_text(rest.value(), scan_template(text_of(input.operands[1])).value(),
                   static_cast<std::size_t>(number_at(input, 2)));
}

/// path
Result<std::string> whole_text(const Input& input) {
  Result<std::string> bytes = read_file(text_of(input.operands[0]));
  if (!bytes) return failed("fileread", Failure{"cannot open file"});
  return bytes;
}

/// path, separators, rows and columns left out
Result<Table> table(const Input& input) {
  const std::string path = text_of(input.operands[0]);
  MemoryBudget::Share held;
  const Result<std::string> bytes = read_file(path, &held);
  if (!bytes) return failed("dlmread", Failure{"unable to open file '" + path + "'"});
  const std::int64_t rows = number_at(input, 2), cols = number_at(input, 3);
  if (rows < 0 || cols < 0) return failed("dlmread", Failure{"left (R0) and top (C0) must be positive"});
  return read_table(bytes.value(), text_of(input.operands[1]), static_cast<std::size_t>(rows),
                    static_cast<std::size_t>(cols));
}

/// Of a call whose last operand says whether a failure ends the run.
Output path_outcome(const Input& input, std::string_view call, bool done) {
  if (!done && input.operands.back().as_scalar() != 0)
    return failed(call, Failure{"operation failed: " + files_of(input).problem()});
  return number(input, done ? 0 : 1);
}

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::size_t random_letters = 6;

/// folder, prefix; with blanks where the random letters come
std::string temporary_path(const Input& input) {
  const std::string folder = text_of(input.operands[0]);
  std::error_code none;
  std::filesystem::path where = folder;
  if (folder.empty()) where = std::filesystem::temp_directory_path(none);
  if (none) where = P_tmpdir;
  return (where / (text_of(input.operands[1]) + std::string(random_letters, ' '))).string();
}

}  // namespace

Output file_open(const Input& input) {
  if (input.run == nullptr || input.run->open_files == nullptr)
    return failed("fopen", Failure{"this run holds no files open"});
  const Result<std::int64_t> file = files_of(input).open(text_of(input.operands[0]), text_of(input.operands[1]));
  if (!file) return failed("fopen", file.failure());
  return number(input, static_cast<double>(file.value()));
}

Output file_problem(const Input& input) {
  return std::vector{text_tensor(files_of(input).problem(), input.results[0])};
}
Output file_problem_length(const Input& input) {
  return number(input, static_cast<double>(files_of(input).problem().size()));
}

Output file_close(const Input& input) {
  OpenFiles& files = files_of(input);
  const Result<bool> closed = input.operands.empty() ? files.close_all() : files.close(number_at(input, 0));
  if (!closed) return failed("fclose", closed.failure());
  return nothing();
}

Output file_write(const Input& input) {
  const std::int64_t number = number_at(input, 0);
  const std::string text = text_of(input.operands[1]);
  if (number == 1 || number == 2) {
    show_text(*input.run, number == 1 ? Stream::out : Stream::err, text);
    return nothing();
  }
  const Result<bool> written = files_of(input).write(number, text);
  if (!written) return failed(text_of(input.operands[2]), written.failure());
  return nothing();
}

Output file_is_open(const Input& input) {
  const std::int64_t file = number_at(input, 0);
  return number(input, (file >= 0 && file < OpenFiles::first_number) || files_of(input).is_open(file) ? 1 : 0);
}

Output file_flush(const Input& input) {
  const std::int64_t number = number_at(input, 0);
  if (number == 1 || number == 2) return nothing();
  const Result<bool> flushed = files_of(input).flush(number);
  if (!flushed) return failed("fflush", flushed.failure());
  return nothing();
}

Output file_at_end(const Input& input) {
  const Result<bool> ended = files_of(input).at_end(number_at(input, 0));
  if (!ended) return failed("feof", ended.failure());
  return number(input, ended.value() ? 1 : 0);
}

Output file_rewind(const Input& input) {
  const Result<bool> done = files_of(input).rewind(number_at(input, 0));
  if (!done) return failed("frewind", done.failure());
  return nothing();
}

Output file_line(const Input& input) {
  const Result<Line> line = next_line(input);
  if (!line) return line.failure();
  files_of(input).skip(number_at(input, 0), line.value().bytes);
  if (!line.value().is_there) return number(input, behind_last_line);
  return std::vector{text_tensor(line.value().text, input.results[0])};
}
Output file_line_length(const Input& input) {
  const Result<Line> line = next_line(input);
  if (!line) return line.failure();
  return number(input, line.value().is_there ? static_cast<double>(line.value().text.size()) : 1);
}

Output file_text(const Input& input) {
  const Result<std::string> text = whole_text(input);
  if (!text) return text.failure();
  if (static_cast<std::int64_t>(text.value().size()) != input.results[0].cols)
    return Failure{"error: fileread: the file changed while it was read"};
  return std::vector{text_tensor(text.value(), input.results[0])};
}
Output file_text_length(const Input& input) {
  const Result<std::string> text = whole_text(input);
  if (!text) return text.failure();
  return number(input, static_cast<double>(text.value().size()));
}

Output file_scan_size(const Input& input) {
  const Result<Scanned> found = numbers_ahead(input);
  if (!found) return found.failure();
  const ScanExtents extents = scan_extents(found.value().values.size(), static_cast<std::size_t>(number_at(input, 2)),
                                           static_cast<std::size_t>(number_at(input, 3)));
  std::vector<Tensor> results = sizes(input, extents.rows, extents.cols).take();
  results.push_back(Tensor::scalar(static_cast<double>(found.value().values.size()), input.results[2].element));
  return results;
}
Output file_scan(const Input& input) {
  const Result<Scanned> found = numbers_ahead(input);
  if (!found) return found.failure();
  files_of(input).skip(number_at(input, 0), found.value().end);
  return as_matrix(found.value().values, input);
}

Output file_table_size(const Input& input) {
  const Result<Table> read = table(input);
  if (!read) return read.failure();
  return sizes(input, read.value().rows, read.value().cols);
}
Output file_table(const Input& input) {
  const Result<Table> read = table(input);
  if (!read) return read.failure();
  if (static_cast<std::int64_t>(read.value().values.size()) != input.results[0].rows * input.results[0].cols)
    return Failure{"error: dlmread: the file changed while it was read"};
  return as_matrix(read.value().values, input);
}

Output file_kind(const Input& input) {
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::status(text_of(input.operands[0]), none);
  const PathKind kind = std::filesystem::is_directory(status) ? PathKind::folder
                        : std::filesystem::exists(status)     ? PathKind::file
                                                              : PathKind::nothing;
  return number(input, static_cast<double>(kind));
}

Output file_temporary(const Input& input) {
  std::error_code none;
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letter(0, letters.size() - 1);
  std::string path = temporary_path(input);
  do {
    for (std::size_t i = path.size() - random_letters; i < path.size(); ++i) path[i] = letters[letter(random)];
  } while (std::filesystem::exists(path, none));
  return std::vector{text_tensor(path, input.results[0])};
}
Output file_temporary_length(const Input& input) {
  return number(input, static_cast<double>(temporary_path(input).size()));
}

Output file_remove(const Input& input) {
  const std::string path = text_of(input.operands[0]), call = text_of(input.operands[1]);
  const bool removed = files_of(input).remove(path);
  if (!removed && call == "delete")
    input.warnings.push_back({"Octave:delete:no-such-file", "warning: delete: no such file: " + path});
  return number(input, removed ? 0 : -1);
}

Output file_tell(const Input& input) {
  const Result<std::int64_t> at = files_of(input).tell(number_at(input, 0));
  if (!at) return failed("ftell", at.failure());
  return number(input, static_cast<double>(at.value()));
}

Output file_seek(const Input& input) {
  const auto from = static_cast<OpenFiles::From>(number_at(input, 2));
  const Result<bool> done = files_of(input).seek(number_at(input, 0), number_at(input, 1), from);
  if (!done) return failed("fseek", done.failure());
  return number(input, done.value() ? 0 : -1);
}

Output file_folder(const Input& input) {
  const std::string path = text_of(input.operands[0]), call = text_of(input.operands[1]);
  const bool done = call == "mkdir" ? files_of(input).make_folder(path) : files_of(input).remove_folder(path);
  return path_outcome(input, call, done);
}

Output file_rename(const Input& input) {
  return path_outcome(input, "rename", files_of(input).rename(text_of(input.operands[0]), text_of(input.operands[1])));
}

}  // namespace lac::runtime::steps
