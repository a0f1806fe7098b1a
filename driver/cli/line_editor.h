// Lines that a person types, or that come from a pipe.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lac::cli {

class LineReader {
 public:
  virtual ~LineReader() = default;
  /// The next line without its newline; nothing at the end of input. `cancelled` is set when Ctrl-C took it back.
  virtual std::optional<std::string> read(const std::string& prompt, bool& cancelled) = 0;
  /// Keeps an input for the arrow keys and for later sessions.
  virtual void remember(const std::string& input) = 0;
};

/// On a terminal: editing, history (kept in `history_file`, empty: not kept), Tab completes names. Else plain lines,
/// without a prompt.
std::unique_ptr<LineReader> make_line_reader(
    const std::string& history_file, std::function<std::vector<std::string>(const std::string& prefix)> completions);

}  // namespace lac::cli
