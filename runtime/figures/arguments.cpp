#include "runtime/figures/arguments.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "runtime/figures/style.h"
#include "runtime/steps/text/text_tensor.h"

namespace lac::runtime::figures {

Arguments::Arguments(std::string_view command, std::span<const Tensor> operands) {
  std::istringstream words{std::string(command)};
  words >> command_;
  std::string word;
  for (const Tensor& operand : operands) {
    words >> word;
    const bool is_text = word.ends_with('$');
    if (is_text) word.pop_back();
    entries_.push_back({word, is_text, &operand});
  }
}

const Arguments::Entry* Arguments::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  return found == entries_.end() ? nullptr : &*found;
}

bool Arguments::is_text(std::string_view name) const {
  const Entry* entry = find(name);
  return entry != nullptr && entry->is_text;
}

Grid Arguments::grid(std::string_view name) const {
  const Entry* entry = find(name);
  if (entry == nullptr) return {};
  const Tensor& value = *entry->value;
  Grid grid{value.rows(), value.cols(), {}};
  grid.values.reserve(static_cast<std::size_t>(value.count()));
  for (std::int64_t j = 0; j < value.cols(); ++j)
    for (std::int64_t i = 0; i < value.rows(); ++i) grid.values.push_back(value.at(i, j));
  return grid;
}

std::vector<double> Arguments::values(std::string_view name) const { return grid(name).values; }

double Arguments::number(std::string_view name, double otherwise) const {
  const Entry* entry = find(name);
  return entry == nullptr || entry->value->empty() ? otherwise : entry->value->at(0, 0);
}

std::string Arguments::text(std::string_view name) const {
  const Entry* entry = find(name);
  return entry == nullptr || !entry->is_text ? "" : text_of(*entry->value);
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
  std::vector<std::string> all;
  for (const Entry& entry : entries_) {
    if (entry.name != name || !entry.is_text) continue;
    for (std::string& row : text_rows(*entry.value)) all.push_back(std::move(row));
    if (entry.value->empty()) all.emplace_back();
  }
  return all;
}

std::optional<Color> Arguments::color(std::string_view name) const {
  const Entry* entry = find(name);
  if (entry == nullptr) return std::nullopt;
  if (entry->is_text) {
    const std::string text = text_of(*entry->value);
    if (text == "none" || text == "flat" || text == "interp" || text == "auto") return std::nullopt;
    const auto color = color_named(text);
    if (!color) throw Refused{"invalid value for color property \"" + std::string(name) + "\" (value = " + text + ")"};
    return color;
  }
  const std::vector<double> rgb = values(name);
  if (rgb.size() != 3) throw Refused{"invalid value for color property \"" + std::string(name) + "\""};
  const auto byte = [](double share) {
    return static_cast<std::uint8_t>(share > 0 ? std::lround(std::min(share, 1.0) * 255) : 0);
  };
  return Color{byte(rgb[0]), byte(rgb[1]), byte(rgb[2])};
}

}  // namespace lac::runtime::figures
