#include "driver/core/module.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <new>

#include "frontend/evaluated/evaluated.h"
#include "frontend/parser.h"
#include "frontend/usage.h"
#include "runtime/files/data/data_file.h"
#include "runtime/files/files.h"
#include "runtime/tensor/memory.h"

namespace lac::driver {

namespace {

std::string stem(const std::string& path) { return std::filesystem::path(path).stem().string(); }

std::optional<frontend::LowerOptions::Found> read_function(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  Result<std::string> text = runtime::read_file(path.string());
  if (!text) return std::nullopt;
  return frontend::LowerOptions::Found{path.string(), text.take()};
}

}  // namespace

std::optional<frontend::LowerOptions::Found> FunctionFinder::find(const std::string& name) const {
  for (const auto& [path, text] : extra) {
    if (stem(path) == name) return frontend::LowerOptions::Found{path, text};
  }
  for (const std::string& directory : directories) {
    const std::filesystem::path folder = directory == "." ? std::filesystem::path() : std::filesystem::path(directory);
    const std::filesystem::path path = folder / (name + ".la");
    std::error_code error;
    if (std::filesystem::equivalent(path, program, error)) continue;
    if (auto found = read_function(path)) return found;
  }
  for (const LibraryText& entry : solver_library()) {
    if (entry.name == name) return frontend::LowerOptions::Found{std::string(entry.path), std::string(entry.text)};
  }
  for (const std::string& directory : directories) {  // not read: for a message that says so
    const std::filesystem::path path = std::filesystem::path(directory) / (name + ".m");
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return frontend::LowerOptions::Found{path.string(), {}};
  }
  return std::nullopt;
}

std::unique_ptr<Module> parse_module(std::string name, std::string text, FunctionFinder finder) {
  const double start = now_ms();
  auto module = std::make_unique<Module>();
  module->finder = std::move(finder);
  module->finder.program = name;
  const FileId file = module->sources.add(std::move(name), std::move(text));
  module->program = frontend::parse(file, module->sources, module->diagnostics);
  if (module->program) frontend::put_evaluated_texts(*module->program, module->sources, module->diagnostics);
  if (module->program && !module->diagnostics.has_errors()) {
    module->interface = frontend::interface_of(*module->program, module->sources, module->diagnostics);
    if (!module->diagnostics.has_errors())
      frontend::warn_of_usage(*module->program, module->sources, module->diagnostics);
  }
  module->parse_ms = now_ms() - start;
  return module;
}

const std::vector<frontend::ast::ExprPtr>* dimensions_of(const Module& module, std::string_view parameter) {
  for (const frontend::ast::Statement& statement : module.program->statements) {
    const auto* param = std::get_if<frontend::ast::Param>(&statement.node);
    if (param && param->name.text == parameter) return param->dims ? &*param->dims : nullptr;
  }
  return nullptr;
}

namespace {

// Looks at the first line alone, and never at what could wait for a writer.
std::optional<Storage> storage_of_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path);
  std::string banner(128, '\0');
  file.read(banner.data(), static_cast<std::streamsize>(banner.size()));
  banner.resize(static_cast<std::size_t>(file.gcount()));
  banner.resize(std::min(banner.find('\n'), banner.size()));
  const bool market = banner.starts_with("%%MatrixMarket");
  return market && banner.find("coordinate") != std::string::npos ? Storage::csr : Storage::dense;
}

constexpr std::int64_t most_bytes = std::int64_t{1} << 28;   ///< of a file that compiling has time for
constexpr std::int64_t most_memory = std::int64_t{1} << 31;  ///< for what the file holds
constexpr std::int64_t most_values = 10000;                  ///< matrices and strings, each of which a step has to load

/// What the program may load of it: another value is told by its problem.
FileForm loadable(FileForm form) {
  for (NamedForm& variable : form.variables) {
    if (leaf_count(variable.form) > most_values) {
      variable.form = {};
      variable.problem = "made of more than " + std::to_string(most_values) + " matrices and strings";
    }
    variable.form = generalised(std::move(variable.form));
  }
  return form;
}

Result<FileForm> form_within(const std::string& path, std::int64_t memory) {
  const runtime::MemoryBudget::Scope limited(std::make_shared<runtime::MemoryBudget>(memory));
  try {
    const Result<runtime::DataFile> file = runtime::read_data(path);
    if (!file) return file.failure();
    return loadable(runtime::form_of(file.value()));
  } catch (const std::bad_alloc&) {
    return Failure{path + ": what it holds takes more than " + std::to_string(memory) +
                   " bytes, which is all there is to look at it"};
  }
}

/// Reads all of a regular file.
Result<FileForm> form_of_file(const std::string& path, std::int64_t memory_limit) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return Failure{path + ": it is a directory, and no file"};
  if (!std::filesystem::is_regular_file(path, error)) return Failure{"it does not exist yet"};
  if (std::filesystem::file_size(path, error) > static_cast<std::uintmax_t>(most_bytes))
    return Failure{"it is larger than 256 MB"};
  return form_within(path, memory_limit > 0 ? std::min(memory_limit, most_memory) : most_memory);
}

}  // namespace

frontend::LowerOptions lower_options(const Module& module, Element precision, bool files, std::int64_t memory_limit) {
  frontend::LowerOptions options;
  options.precision = precision;
  for (const LibraryText& entry : solver_library()) options.library_functions.emplace_back(entry.name);
  options.find_function = [&module](const std::string& name) { return module.finder.find(name); };
  if (files) options.storage_of_file = storage_of_file;
  if (files)
    options.form_of_file = [memory_limit](const std::string& path) { return form_of_file(path, memory_limit); };
  return options;
}

std::string directory_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

double now_ms() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(since).count();
}

}  // namespace lac::driver
