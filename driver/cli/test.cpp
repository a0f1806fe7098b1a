// lac test: runs the %! blocks of files, each as a program of its own.
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

#include "driver/cli/console.h"
#include "driver/cli/test_blocks.h"
#include "driver/cli/verbs.h"

namespace lac::cli {

namespace {

/// How one block went.
struct Outcome {
  enum class Status : std::uint8_t { pass, fail, skip } status = Status::pass;
  std::string phase = "run";                 ///< where it failed: compile or run
  std::string reason;                        ///< one line; empty when it passed
  std::vector<api::Diagnostic> diagnostics;  ///< the errors, also of a block that expects one, and warnings instead
  bool interrupted = false;
};
using Status = Outcome::Status;

/// The errors and the run-time warnings of a block that was compiled and run.
struct Ran {
  bool compiled = false;
  bool ok = false;
  bool interrupted = false;
  std::vector<api::Diagnostic> errors;
  std::vector<api::Diagnostic> warnings;
};

std::vector<api::Diagnostic> errors_of(const std::vector<api::Diagnostic>& diagnostics) {
  std::vector<api::Diagnostic> errors;
  for (const api::Diagnostic& each : diagnostics) {
    if (each.severity == api::Severity::error) errors.push_back(each);
  }
  return errors;
}

Ran run_text(std::string text, const std::string& file, const CommandLine& line) {
  Ran ran;
  api::Options program_options = line.options;
  list_folder(folder_of(file), line, program_options);
  api::Program program = api::Program::from_text(std::move(text), file, program_options);
  if (!program.ok()) {
    ran.errors = errors_of(program.diagnostics());
    return ran;
  }
  const api::Checked compiled = program.prepare({});
  ran.compiled = compiled.ok();
  if (!ran.compiled) {
    ran.errors = errors_of(compiled.diagnostics);
    return ran;
  }
  api::RunOptions options;
  options.threads = line.threads;
  options.interrupt = &interrupt_flag();
  options.on_warning = [&](const api::Diagnostic& warning) { ran.warnings.push_back(warning); };
  const api::Result result = program.run({}, options);
  ran.ok = result.ok();
  ran.interrupted = result.outcome() == api::Outcome::interrupted;
  ran.errors = errors_of(result.diagnostics());
  return ran;
}

bool matches(const std::string& message, const std::string& pattern) {
  if (pattern.empty()) return true;
  try {
    return std::regex_search(message, std::regex(pattern));
  } catch (const std::regex_error&) {
    return message.find(pattern) != std::string::npos;
  }
}

bool expected(const TestBlock& block, const std::vector<api::Diagnostic>& said) {
  return std::any_of(said.begin(), said.end(), [&](const api::Diagnostic& each) {
    return (block.id.empty() || each.id == block.id) && matches(each.message, block.pattern);
  });
}

std::string wanted(const TestBlock& block) {
  std::string text = block.kind == BlockKind::error ? "an error" : "a warning";
  if (!block.id.empty()) text += " with the identifier " + block.id;
  if (!block.pattern.empty()) text += " <" + block.pattern + ">";
  return text;
}

/// %!error and %!warning: what was said must be what was expected.
Outcome judge(const TestBlock& block, Ran ran) {
  Outcome outcome;
  outcome.interrupted = ran.interrupted;
  if (!ran.compiled) outcome.phase = "compile";
  const bool error_block = block.kind == BlockKind::error;
  const bool wants_message = error_block || block.kind == BlockKind::warning;
  const bool met = wants_message && expected(block, error_block ? ran.errors : ran.warnings);
  outcome.diagnostics = ran.errors;
  if (met ? error_block || ran.ok : !wants_message && ran.ok) return outcome;
  outcome.status = Status::fail;
  if (wants_message)
    outcome.reason = wanted(block) + " was expected" + (ran.ok && ran.warnings.empty() ? "" : ", not:");
  else outcome.reason = ran.errors.empty() ? "it did not end well" : ran.errors.front().message;
  if (wants_message) {
    outcome.diagnostics.insert(outcome.diagnostics.end(), ran.warnings.begin(), ran.warnings.end());
  }
  return outcome;
}

Outcome run_block(const std::string& text, const std::string& file, const std::vector<api::Function>& functions,
                  const std::vector<TestBlock>& blocks, std::size_t index, const CommandLine& line) {
  const TestBlock& block = blocks[index];
  if (block.kind == BlockKind::skipped) return {Status::skip, "", "%!" + block.word + " is not run", {}, false};
  if (block.kind == BlockKind::unknown)
    return {Status::fail, "compile", "unknown test type '" + block.word + "'", {}, false};
  return judge(block, run_text(program_of(text, functions, blocks, index), file, line));
}

std::string json_text(const std::string& file, const TestBlock& block, const Outcome& outcome) {
  constexpr const char* names[] = {"pass", "fail", "skip"};
  nlohmann::ordered_json entry = {{"file", file},
                                  {"line", block.first_line},
                                  {"kind", block.word},
                                  {"status", names[static_cast<int>(outcome.status)]}};
  if (outcome.status == Status::fail || !outcome.diagnostics.empty()) {
    entry["phase"] = outcome.phase;
    entry["reason"] = outcome.reason;
    entry["messages"] = nlohmann::ordered_json::array();
    for (const api::Diagnostic& each : outcome.diagnostics) entry["messages"].push_back(each.message);
  }
  return entry.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void show_outcome(const std::string& file, const TestBlock& block, const Outcome& outcome, const CommandLine& line) {
  if (line.json) {
    out(json_text(file, block, outcome));
    finish_output();  // whoever reads follows block by block
  } else if (outcome.status == Status::skip && !line.quiet) {
    out(api::printable("----- " + file + ":" + std::to_string(block.first_line) + ": skipped: " + outcome.reason +
                       "\n"));
  } else if (outcome.status == Status::fail) {
    out(api::printable("***** " + file + ":" + std::to_string(block.first_line) + "\n"));
    for (const std::string& source : block.source) out(api::printable("      " + source + "\n"));
    out("!!!!! test failed\n");
    if (outcome.diagnostics.empty() || block.kind != BlockKind::test) out(api::printable(outcome.reason + "\n"));
    for (const api::Diagnostic& each : outcome.diagnostics) out(each.rendered);
  }
}

bool is_run(BlockKind kind) {
  return kind != BlockKind::shared && kind != BlockKind::function && kind != BlockKind::ignored;
}

/// The exit status of one file.
int test_file(const std::string& file, const CommandLine& line) {
  const std::optional<std::string> content = content_of(file);
  if (!content) {
    say("lac: error: cannot read '" + file + "'\n");
    return exit_failed;
  }
  const std::string& text = *content;
  const api::Functions functions = api::functions_of(text, file);
  if (!functions.ok()) {
    show(functions.diagnostics, line);
    return exit_failed;
  }
  const std::vector<TestBlock> blocks = test_blocks(text);
  int passed = 0, failed = 0, skipped = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!is_run(blocks[i].kind)) continue;
    const Outcome outcome = run_block(text, file, functions.list, blocks, i, line);
    if (outcome.interrupted) return exit_interrupted;
    show_outcome(file, blocks[i], outcome, line);
    (outcome.status == Status::pass ? passed : outcome.status == Status::fail ? failed : skipped) += 1;
  }
  if (!line.json) {
    const std::string head = line.files.size() > 1 ? file + ": " : "";
    out(passed + failed + skipped == 0
            ? head + "there are no tests in " + file + "\n"
            : head + "PASSES " + std::to_string(passed) + " out of " + std::to_string(passed + failed) + " tests" +
                  (skipped > 0 ? " (" + std::to_string(skipped) + " skipped)" : "") + "\n");
  }
  return failed == 0 ? exit_ok : exit_failed;
}

}  // namespace

int test_verb(const CommandLine& line) {
  int status = exit_ok;
  for (const std::string& file : line.files) {
    const int one = test_file(file, line);
    if (one == exit_interrupted) return one;
    if (one != exit_ok) status = one;
  }
  return finish_output() ? status : exit_failed;
}

}  // namespace lac::cli
