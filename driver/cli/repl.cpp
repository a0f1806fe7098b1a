// lac repl: inputs from a terminal or a pipe, commands that begin with a colon.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>

#include "driver/cli/console.h"
#include "driver/cli/line_editor.h"
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"
#include "lac/session.hpp"

namespace lac::cli {

namespace {

constexpr std::string_view help_text =
    ":type NAME|EXPR        element, storage and shape, without running it\n"
    ":dump STAGE EXPR       a stage of its compilation: ast, graph, kernels, plan, llvm, ...\n"
    ":vars                  the variables\n"
    ":load FILE             runs a file\n"
    ":save FILE             writes the inputs that ran as a program\n"
    ":help [NAME]           this, or what a function does\n"
    "clear [-a|-x|-v|-f] [NAME...], who, whos, clc do what they do in Octave; close and more change "
    "nothing here.\n"
    ":quit                  ends the session, as Ctrl-D and exit do\n"
    "Ctrl-C stops what runs; the variables stay as they were before the statement.\n";

/// $XDG_STATE_HOME/lac/history, else ~/.local/state/lac/history; empty without a home.
std::string history_file() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value ? value : "");
  };
  std::filesystem::path folder = variable("XDG_STATE_HOME");
  if (folder.empty() && !variable("HOME").empty()) folder = variable("HOME") / ".local" / "state";
  return folder.empty() ? std::string() : (folder / "lac" / "history").string();
}

std::string in_words(const api::Variable& variable) {
  std::string text = variable.name + ": " + variable.element;
  for (const std::string* part : {&variable.storage, &variable.shape, &variable.properties})
    if (!part->empty()) text += ", " + *part;
  return text + "\n";
}

class Repl {
 public:
  explicit Repl(const CommandLine& line) : line_(line), session_(session_options(line)) {}

  int run() {
    const auto reader =
        make_line_reader(history_file(), [this](const std::string& prefix) { return session_.completions(prefix); });
    session_.load_libraries();
    std::string input;
    while (!status_) {
      bool cancelled = false;
      const std::optional<std::string> next = reader->read(input.empty() ? "lac> " : "...> ", cancelled);
      line_was_ended();
      if (cancelled) {
        input.clear();
        continue;
      }
      if (!next && input.empty()) break;
      input += next ? *next + "\n" : "";
      const bool command = input.starts_with(":");
      if (next && !command && api::needs_more(input)) continue;
      if (input.find_first_not_of(" \t\n") != std::string::npos) {
        reader->remember(input);
        command ? perform(input) : run_statements(input);
      }
      input.clear();
      if (!next) break;
    }
    return finish_output() ? status_.value_or(exit_ok) : exit_failed;
  }

 private:
  /// What is typed finds functions in the working directory.
  static api::Options session_options(const CommandLine& line) {
    api::Options options = line.options;
    list_folder(".", line, options);
    return options;
  }

  using Command = void (Repl::*)(const std::string& rest);

  api::RunOptions run_options() {
    api::RunOptions options;
    options.threads = line_.threads;
    options.out = out;
    options.err = err;
    options.interrupt = &fresh_interrupt_flag();
    options.check_nan = line_.check_nan;
    if (!line_.quiet && can_show_progress()) options.progress = tell_progress;
    options.on_warning = [this](const api::Diagnostic& warning) {
      if (!line_.quiet) err(warning.rendered);
    };
    return options;
  }

  void show_result(const api::SessionResult& result) {
    end_progress();
    show(result.diagnostics, line_);
    if (result.exit_status) status_ = result.exit_status;
    finish_output();
  }

  /// Words of a session at the beginning of the input (`clear all; clc; x = 1`), then the statements behind them.
  void run_statements(std::string input) {
    while (perform_word(input)) {
    }
    if (input.find_first_not_of(" \t\n") != std::string::npos) show_result(session_.run(input, run_options()));
    finish_output();
  }

  /// What Octave's users type before anything else. Takes the first statement away from the input if it is such a
  /// word; a variable of that name, and an assignment to it, are the language's.
  bool perform_word(std::string& input) {
    static const std::map<std::string, Command> words = {
        {"clear", &Repl::clear}, {"clearvars", &Repl::clearvars}, {"who", &Repl::who},     {"whos", &Repl::variables},
        {"clc", &Repl::clc},     {"close", &Repl::nothing},       {"more", &Repl::nothing}};
    const std::size_t end = std::min(input.find_first_of(";,\n"), input.size());
    const std::size_t begin = std::min(input.find_first_not_of(" \t"), end);
    const auto written = split(input.substr(begin, end - begin));
    const std::string &word = written.first, &rest = written.second;
    const auto found = words.find(word);
    const bool named =
        std::ranges::any_of(session_.variables(), [&](const api::Variable& v) { return v.name == word; });
    if (found == words.end() || named || rest.starts_with("=") || rest.starts_with("(")) return false;
    (this->*found->second)(rest);
    input.erase(0, std::min(end + 1, input.size()));
    return true;
  }

  /// ":type x" calls the command `type` with "x".
  void perform(const std::string& input) {
    static const std::map<std::string, Command> commands = {
        {":type", &Repl::type}, {":dump", &Repl::dump}, {":vars", &Repl::variables}, {":load", &Repl::load},
        {":save", &Repl::save}, {":help", &Repl::help}, {":quit", &Repl::quit},
    };
    const auto [word, rest] = split(input);
    const auto found = commands.find(word);
    if (found == commands.end()) say("error: there is no command '" + word + "'; :help lists them\n");
    else (this->*found->second)(rest);
    finish_output();
  }

  /// The first word, and what follows it without blanks at its ends.
  static std::pair<std::string, std::string> split(const std::string& text) {
    constexpr const char* blanks = " \t\n";
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    const std::size_t begin = std::min(text.find_first_not_of(blanks, end), text.size());
    std::string rest = text.substr(begin);
    rest.erase(rest.find_last_not_of(blanks) + 1);
    return {text.substr(0, end), rest};
  }

  void type(const std::string& rest) {
    if (rest.empty()) return err("error: :type NAME|EXPR\n");
    const api::Checked checked = session_.type(rest);
    show(checked.diagnostics, line_);
    for (const api::Variable& variable : checked.variables) out(in_words(variable));
  }
  void dump(const std::string& rest) {
    const auto [stage, expression] = split(rest);
    if (expression.empty()) return err("error: :dump STAGE EXPR\n");
    const api::Emitted emitted = session_.emit(stage, expression);
    show(emitted.diagnostics, line_);
    if (emitted.ok()) out(emitted.text);
  }
  void variables(const std::string&) {
    for (const api::Variable& variable : session_.variables()) out(in_words(variable));
    for (const std::string& name : session_.functions()) out(name + ": function of this session\n");
  }
  void load(const std::string& rest) {
    if (rest.empty()) return err("error: :load FILE\n");
    show_result(session_.run_file(rest, run_options()));
  }
  void save(const std::string& rest) {
    if (rest.empty()) return err("error: :save FILE\n");
    write_report(rest, session_.program());
  }
  void help(const std::string& rest) {
    if (rest.empty()) return out(help_text);
    const api::Emitted found = session_.help(rest);
    show(found.diagnostics, line_);
    out(found.text);
  }
  void quit(const std::string&) { status_ = exit_ok; }

  using Names = std::vector<std::string>;

  static Names words_of(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
  }
  void clear_all(const Names&) {
    session_.forget();
    session_.forget_functions();
  }
  void clear_variables(const Names& names) { session_.forget(names); }
  void clear_functions(const Names& names) { session_.forget_functions(names); }
  void clear_others(const Names& names) { session_.forget_all_but(names); }

  /// Octave's: the first word may say what the others name; without such a word they name both, and none all variables.
  void clear(const std::string& rest) {
    using Clear = void (Repl::*)(const Names&);
    static const std::map<std::string, Clear> kinds = {{"all", &Repl::clear_all},
                                                       {"-all", &Repl::clear_all},
                                                       {"-a", &Repl::clear_all},
                                                       {"-exclusive", &Repl::clear_others},
                                                       {"-x", &Repl::clear_others},
                                                       {"variables", &Repl::clear_variables},
                                                       {"-variables", &Repl::clear_variables},
                                                       {"-v", &Repl::clear_variables},
                                                       {"functions", &Repl::clear_functions},
                                                       {"-functions", &Repl::clear_functions},
                                                       {"-f", &Repl::clear_functions}};
    Names names = words_of(rest);
    const auto kind = names.empty() ? kinds.end() : kinds.find(names.front());
    if (kind != kinds.end()) names.erase(names.begin());
    if (knows_options("clear", names,
                      "-all, -exclusive, -functions and -variables, one at a time and before the names")) {
      if (kind != kinds.end()) return (this->*kind->second)(names);
      session_.forget(names);
      if (!names.empty()) session_.forget_functions(names);
    }
  }
  void clearvars(const std::string& rest) {
    Names names = words_of(rest);
    const bool except = !names.empty() && names.front() == "-except";
    if (except) names.erase(names.begin());
    if (knows_options("clearvars", names, "-except, before the names"))
      except ? session_.forget_all_but(names) : session_.forget(names);
  }
  /// False, with a message, where an option is left among the names.
  static bool knows_options(const std::string& word, const Names& names, const std::string& known) {
    const auto option = std::ranges::find_if(names, [](const std::string& name) { return name.starts_with("-"); });
    if (option == names.end()) return true;
    say("error: " + word + ": '" + *option + "' is not understood here, and nothing was cleared: it takes " + known +
        "\n");
    return false;
  }
  void who(const std::string&) {
    std::string line;
    for (const api::Variable& variable : session_.variables()) line += (line.empty() ? "" : "  ") + variable.name;
    if (!line.empty()) out(line + "\n");
  }
  void clc(const std::string&) {
    if (::isatty(STDOUT_FILENO) != 0) out("\033[H\033[2J");
  }
  void nothing(const std::string&) {}

  const CommandLine& line_;
  api::Session session_;
  std::optional<int> status_;
};

}  // namespace

int repl_verb(const CommandLine& line) { return Repl(line).run(); }

}  // namespace lac::cli
