// Text that a run keeps instead of showing it: evalc("..."), s = disp(x).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lac::runtime {

/// What is shown goes to the text that was begun last; captures lie in each other.
class CapturedText {
 public:
  void begin() { texts_.emplace_back(); }
  bool is_open() const { return !texts_.empty(); }
  void add(std::string_view text) { texts_.back() += text; }
  /// Of the last one; empty where none is open.
  std::size_t length() const { return texts_.empty() ? 0 : texts_.back().size(); }
  std::string end() {
    if (texts_.empty()) return {};
    std::string text = std::move(texts_.back());
    texts_.pop_back();
    return text;
  }

 private:
  std::vector<std::string> texts_;
};

}  // namespace lac::runtime
