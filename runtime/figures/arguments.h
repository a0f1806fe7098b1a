// The operands of a drawing command, by the names that the frontend gave them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/result.h"
#include "runtime/figures/figure.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime::figures {

/// Thrown by commands: Octave's message, without "error: ".
struct Refused {
  std::string message;
};

/// "line x y style$ linewidth": the command, and a name for each operand; those that end with '$' are strings.
class Arguments {
 public:
  Arguments(std::string_view command, std::span<const Tensor> operands);

  const std::string& command() const { return command_; }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  bool is_text(std::string_view name) const;
  Grid grid(std::string_view name) const;                   ///< 0x0 where there is none
  std::vector<double> values(std::string_view name) const;  ///< in column-major order
  double number(std::string_view name, double otherwise) const;
  std::string text(std::string_view name) const;  ///< empty where there is none
  /// All strings of that name, in order; each row of one that has several.
  std::vector<std::string> texts(std::string_view name) const;
  std::optional<Color> color(std::string_view name) const;

 private:
  struct Entry {
    std::string name;
    bool is_text;
    const Tensor* value;
  };
  const Entry* find(std::string_view name) const;

  std::string command_;
  std::vector<Entry> entries_;
};

}  // namespace lac::runtime::figures
