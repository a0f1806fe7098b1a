#include "frontend/sema/builtins/drawing.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

constexpr std::string_view handle_remedy =
    "a handle of graphics is not a value: say what a line looks like where it is drawn, plot(x, y, 'linewidth', 2), "
    "and what axes look like by set(gca, ...)";

struct Property {
  std::string_view name;  ///< in lower case
  std::string_view role;  ///< in commands; empty: passed over
};

constexpr Property properties[] = {
    {"barwidth", "barwidth"},
    {"basevalue", "basevalue"},
    {"color", "color"},
    {"displayname", "displayname"},
    {"edgecolor", "edgecolor"},
    {"facealpha", "facealpha"},
    {"facecolor", "facecolor"},
    {"fontsize", "fontsize"},
    {"horizontalalignment", "horizontalalignment"},
    {"linestyle", "linestyle"},
    {"linewidth", "linewidth"},
    {"marker", "marker"},
    {"markeredgecolor", "markeredgecolor"},
    {"markerfacecolor", "markerfacecolor"},
    {"markersize", "markersize"},
    {"rotation", "rotation"},
    {"verticalalignment", "verticalalignment"},
    // of screens and fonts
    {"autoscale", ""},
    {"fontangle", ""},
    {"fontname", ""},
    {"fontweight", ""},
    {"interpreter", ""},
    {"visible", ""},
};

bool only_has(std::string_view text, std::string_view letters) {
  return text.find_first_not_of(letters) == std::string_view::npos;
}

const Property* find_property(const std::string& name) {
  const auto* found = std::ranges::find(properties, name, &Property::name);
  return found == std::end(properties) ? nullptr : found;
}

}  // namespace

void Drawing::add(std::string_view name, std::size_t i) {
  if (call_.is_text(i)) add_texts(name, call_.args[i]);
  else add(name, call_.dense(i));
}

void Drawing::add(std::string_view name, ValueId value) {
  words_ += " " + std::string(name);
  operands_.push_back(value);
}

void Drawing::add_text(std::string_view name, const std::string& text) {
  words_ += " " + std::string(name) + "$";
  operands_.push_back(call_.emit.builder.text(text));
}

void Drawing::add_texts(std::string_view name, const Binding& binding) {
  if (binding.is_cell() && !binding.aggregate->stacked) {
    for (const Slot& slot : binding.aggregate->slots)
      for (const Binding& item : slot.items) add_texts(name, item);
    return;
  }
  if (!binding.is_text()) call_.fail("strings are expected for " + std::string(name));
  words_ += " " + std::string(name) + "$";
  operands_.push_back(codes(call_.emit, binding));
}

void Drawing::emit() {
  std::vector<ValueId> all = {call_.emit.builder.text(words_)};
  all.insert(all.end(), operands_.begin(), operands_.end());
  call_.emit.builder.library(LibraryFn::draw, all, {});
}

Handle handle_at(const Call& call, std::size_t i) {
  if (i >= call.count() || call.args[i].kind != Binding::Kind::poisoned) return Handle::none;
  return call.args[i].text == "gca" ? Handle::axes : call.args[i].text == "gcf" ? Handle::figure : Handle::other;
}

void skip_handle(Call& call) {
  const Handle handle = handle_at(call, 0);
  if (handle == Handle::none) return;
  if (handle == Handle::other) call.fail(std::string(handle_remedy));
  call.args.erase(call.args.begin());
}

std::vector<Binding> handles(const Call& call) {
  Binding handle;
  handle.poison = handle_remedy;
  if (call.nargout > 0)
    call.emit.unsaid = Diagnostic{Severity::error, call.span, 0, call.name + ": " + handle.poison, {}};
  return std::vector<Binding>(static_cast<std::size_t>(call.nargout), handle);
}

bool is_property(const std::string& name) { return find_property(name) != nullptr; }

std::string_view role_of_property(const std::string& name) {
  const Property* found = find_property(name);
  return found == nullptr ? std::string_view() : found->role;
}

bool is_line_style(std::string_view text) {
  return only_has(text.substr(0, text.find(';')), "-:.krgbymcw+o*xsd^v><ph");
}

void add_properties(Call& call, std::size_t i, Drawing& drawing) {
  for (; i < call.count(); i += 2) {
    const std::string name = lower_case(call.text(i));
    if (!is_property(name)) call.fail("the property '" + call.text(i) + "' is outside the language");
    if (i + 1 >= call.count()) call.fail("the property '" + call.text(i) + "' has no value");
    if (const std::string_view role = role_of_property(name); !role.empty()) drawing.add(role, i + 1);
  }
}

void begin_plot(Call& call) { Drawing(call, "newplot").emit(); }

}  // namespace lac::frontend
