#include "driver/cli/line_editor.h"

#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <clocale>
#include <filesystem>
#include <iostream>

#include "driver/cli/console.h"

namespace lac::cli {

namespace {

class PlainReader final : public LineReader {
 public:
  std::optional<std::string> read(const std::string&, bool& cancelled) override {
    cancelled = false;
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    if (line.ends_with('\r')) line.pop_back();
    return line;
  }
  void remember(const std::string&) override {}
};

class TerminalReader final : public LineReader {
 public:
  TerminalReader(std::string file, std::function<std::vector<std::string>(const std::string&)> completions)
      : file_(std::move(file)), completions_(std::move(completions)) {
    std::setlocale(LC_CTYPE, "");  // wide characters; numbers stay as they are
    edit_ = el_init("lac", stdin, stdout, stderr);
    history_ = history_init();
    HistEvent event;
    history(history_, &event, H_SETSIZE, 2000);
    history(history_, &event, H_SETUNIQUE, 1);
    if (!file_.empty()) history(history_, &event, H_LOAD, file_.c_str());
    el_set(edit_, EL_CLIENTDATA, this);
    el_set(edit_, EL_PROMPT, prompt);
    el_set(edit_, EL_EDITOR, "emacs");
    el_set(edit_, EL_HIST, history, history_);
    el_set(edit_, EL_ADDFN, "lac-cancel", "take the line back", cancel);
    el_set(edit_, EL_ADDFN, "lac-complete", "complete a name", complete);
    el_set(edit_, EL_BIND, "^I", "lac-complete", NULL);
    el_set(edit_, EL_BIND, "^R", "em-inc-search-prev", NULL);
    el_source(edit_, nullptr);                     // ~/.editrc
    el_set(edit_, EL_SETTY, "-d", "-isig", NULL);  // Ctrl-C is a key while a line is edited, a signal while it runs
    el_set(edit_, EL_BIND, "^C", "lac-cancel", NULL);
  }
  TerminalReader(const TerminalReader&) = delete;
  TerminalReader& operator=(const TerminalReader&) = delete;
  ~TerminalReader() override {
    history_end(history_);
    el_end(edit_);
  }

  std::optional<std::string> read(const std::string& prompt_text, bool& cancelled) override {
    prompt_ = prompt_text;
    cancelled_ = false;
    finish_output();
    // libedit shows the prompt before it takes the terminal; a Ctrl-C between the two would be a signal.
    const std::atomic<bool>& interrupted = fresh_interrupt_flag();
    el_set(edit_, EL_PREP_TERM, 1);
    int count = 0;
    const char* line = el_gets(edit_, &count);
    cancelled = cancelled_ || (!line && interrupted.load());
    if (cancelled) return std::string();
    if (!line || count <= 0) return std::nullopt;
    std::string text(line, static_cast<std::size_t>(count));
    if (text.ends_with('\n')) text.pop_back();
    return text;
  }

  // The file holds every input at once, so that a session that is killed leaves its history.
  void remember(const std::string& input) override {
    HistEvent event;
    history(history_, &event, H_ENTER, input.c_str());
    if (file_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(file_).parent_path(), error);
    history(history_, &event, H_SAVE, file_.c_str());
  }

 private:
  static TerminalReader& self(EditLine* edit) {
    void* data = nullptr;
    el_get(edit, EL_CLIENTDATA, &data);
    return *static_cast<TerminalReader*>(data);
  }
  static char* prompt(EditLine* edit) { return self(edit).prompt_.data(); }
  static unsigned char cancel(EditLine* edit, int) {
    self(edit).cancelled_ = true;
    return CC_NEWLINE;
  }
  static unsigned char complete(EditLine* edit, int) {
    const LineInfo* line = el_line(edit);
    const char* begin = line->cursor;
    while (begin > line->buffer && (std::isalnum(static_cast<unsigned char>(begin[-1])) != 0 || begin[-1] == '_'))
      --begin;
    const std::string prefix(begin, line->cursor);
    if (prefix.empty()) return CC_ERROR;
    const std::vector<std::string> names = self(edit).completions_(prefix);
    if (names.empty()) return CC_ERROR;
    // Names are in order: what the first and the last share, all share.
    const auto [end, other] =
        std::mismatch(names.front().begin(), names.front().end(), names.back().begin(), names.back().end());
    const std::string common(names.front().begin(), end);
    if (common.size() > prefix.size()) {
      el_insertstr(edit, common.substr(prefix.size()).c_str());
      return CC_REFRESH;
    }
    if (names.size() == 1) return CC_NORM;
    out("\n");
    for (const std::string& name : names) out(name + "  ");
    out("\n");
    finish_output();
    return CC_REDISPLAY;
  }

  EditLine* edit_ = nullptr;
  History* history_ = nullptr;
  std::string file_, prompt_;
  std::function<std::vector<std::string>(const std::string&)> completions_;
  bool cancelled_ = false;
};

}  // namespace

std::unique_ptr<LineReader> make_line_reader(
    const std::string& history_file, std::function<std::vector<std::string>(const std::string& prefix)> completions) {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) return std::make_unique<PlainReader>();
  return std::make_unique<TerminalReader>(history_file, std::move(completions));
}

}  // namespace lac::cli
