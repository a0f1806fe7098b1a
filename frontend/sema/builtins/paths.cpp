// fullfile, fileparts, mkdir, rename, ...: names of files and folders.
#include <algorithm>

#include "frontend/sema/builtins/files.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

Binding known(std::string text) { return Binding::string(std::move(text), false); }

void require_texts(Call& call, const std::string& complaint) {
  for (std::size_t i = 0; i < call.count(); ++i)
    if (!call.is_text(i)) call.fail(complaint);
}

std::vector<Binding> separator(Call&) { return {known("/")}; }

std::string joined(const std::vector<Binding>& parts) {
  std::string path;
  for (const Binding& part : parts)
    if (!part.text.empty()) path += (path.empty() ? "" : "/") + part.text;
  path.erase(std::unique(path.begin(), path.end(), [](char a, char b) { return a == '/' && b == '/'; }), path.end());
  return path;
}

// fullfile(folder, ..., name): slashes between, one where there were several
std::vector<Binding> full_file(Call& call) {
  require_texts(call, "input must either be strings or cell strings");
  if (std::ranges::all_of(call.args, &Binding::is_known_text)) return {known(joined(call.args))};
  return call.walk.call_by_name("fullfile_by_run", call.args, 1, call.span);
}

// [folder, name, extension] = fileparts(path)
std::vector<Binding> file_parts(Call& call) {
  require_texts(call, "FILENAME must be a single string");
  if (!call.args[0].is_known_text())
    return call.walk.call_by_name("fileparts_by_run", call.args, std::max(call.nargout, 1), call.span);
  const std::string& path = call.args[0].text;
  const std::size_t slash = path.rfind('/'), name = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = std::min(path.find_last_of('.'), path.size());
  const std::size_t end = dot < name ? path.size() : dot;
  return {known(path.substr(0, slash == 0  ? 1
                               : name == 0 ? 0
                                           : slash)),
          known(path.substr(name, end - name)), known(path.substr(end))};
}

/// What a step on names that gives a PathResult has done, in the way of Octave: a status, and why not.
std::vector<Binding> outcome(Call& call, ValueId problem_found, const std::vector<ValueId>& statuses) {
  Emitter& e = call.emit;
  const ValueId done = e.builder.map(ScalarOp::logical_not, e.builder.convert(problem_found, Element::logical));
  std::vector<Binding> results = one(e.builder.map(ScalarOp::select, {done, statuses[0], statuses[1]}));
  if (call.nargout > 1)
    results.push_back(text_step_or_nothing(e, LibraryFn::file_problem, LibraryFn::file_problem_length, {}, 1, false));
  return results;
}

ValueId step(Call& call, LibraryFn fn, const std::vector<ValueId>& operands) {
  return call.emit.builder.library(fn, operands, {Type::scalar(Element::integer)})[0];
}

/// Without results a failure is an error.
ValueId says_so(Call& call) { return call.emit.builder.constant(call.nargout == 0 ? 1 : 0, Element::integer); }

// [done, problem] = mkdir(path), mkdir(parent, name); rmdir(path)
std::vector<Binding> folder_step(Call& call) {
  require_texts(call, "the name of the folder must be a string");
  if (call.count() == 2 && call.name == "rmdir")
    call.fail("folders are removed when they are empty alone: delete the files in it first");
  if (call.count() == 2) call.args = {call.walk.call_by_name("fullfile", call.args, 1, call.span).front()};
  Builder& b = call.emit.builder;
  const ValueId failed = step(call, LibraryFn::file_folder, {path_of(call, 0), b.text(call.name), says_so(call)});
  std::vector<Binding> results =
      outcome(call, failed, {b.constant(1, Element::logical), b.constant(0, Element::logical)});
  return call.nargout == 0 ? std::vector<Binding>() : results;
}

// [status, problem] = rename(old, new)
std::vector<Binding> rename_file(Call& call) {
  require_texts(call, "OLD and NEW must be strings");
  Builder& b = call.emit.builder;
  const ValueId failed = step(call, LibraryFn::file_rename, {path_of(call, 0), path_of(call, 1), says_so(call)});
  std::vector<Binding> results =
      outcome(call, failed, {b.constant(0, Element::integer), b.constant(-1, Element::integer)});
  return call.nargout == 0 ? std::vector<Binding>() : results;
}

}  // namespace

std::span<const Builtin> path_builtins() {
  static constexpr Builtin entries[] = {
      {"filesep", 0, 0, 1, separator}, {"fullfile", 0, -1, 1, full_file}, {"fileparts", 1, 1, 3, file_parts},
      {"mkdir", 1, 2, 2, folder_step}, {"rmdir", 1, 2, 2, folder_step},   {"rename", 2, 2, 2, rename_file},
  };
  return entries;
}

}  // namespace lac::frontend
