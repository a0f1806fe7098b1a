// plot, bar, contour, surf, ...: what draws data.
#include <algorithm>
#include <array>

#include "frontend/sema/builtins/drawing.h"
#include "ir/support/text_edit.h"

namespace lac::frontend {
namespace {

/// What of the axes is logarithmic after semilogx, ...
struct Lines {
  std::string_view name, command, logarithmic;
  std::size_t most;  ///< matrices of one line: x, y; x, y, z
  bool begins;       ///< a new picture
};

constexpr Lines lines[] = {
    {"plot", "line", "", 2, true},     {"semilogx", "line", "x", 2, true}, {"semilogy", "line", "y", 2, true},
    {"loglog", "line", "xy", 2, true}, {"plot3", "plot3", "", 3, true},    {"line", "line", "", 2, false},
    {"stairs", "stairs", "", 2, true}, {"stem", "stem", "", 2, true},
};

void add_style(Call& call, std::size_t i, Drawing& drawing) {
  if (!call.args[i].is_known_text()) return drawing.add("style", i);
  const std::string& text = call.text(i);
  const std::size_t name = text.find(';');
  drawing.add_text("style", text.substr(0, name));
  if (name == std::string::npos) return;  // 'r;name;': for the legend
  drawing.add_text("displayname", text.substr(name + 1, text.rfind(';') - name - 1));
}

bool begins_properties(const Call& call, std::size_t i) {
  return call.is_text(i) && call.args[i].is_known_text() && is_property(lower_case(call.args[i].text));
}

void check_style(const Call& call, std::size_t i) {
  if (call.args[i].is_known_text() && !is_line_style(call.args[i].text))
    call.fail("'" + call.args[i].text + "' is neither a line style such as 'r--o' nor a property such as 'linewidth'");
}

// Groups of x, y and a style, or of y alone; properties at the end are of all.
std::vector<Binding> draw_lines(Call& call) {
  skip_handle(call);
  const Lines& kind = *std::ranges::find(lines, call.name, &Lines::name);
  std::size_t end = 0;
  while (end < call.count() && !begins_properties(call, end)) ++end;
  if (end == 0) call.fail("there is nothing to draw");
  if (kind.begins) begin_plot(call);
  if (!kind.logarithmic.empty()) {
    Drawing scale(call, "scale");
    for (const char letter : kind.logarithmic) scale.add_text("log", std::string(1, letter));
    scale.emit();
  }
  for (std::size_t i = 0; i < end;) {
    std::size_t matrices = 0;
    while (matrices < kind.most && i + matrices < end && !call.is_text(i + matrices)) ++matrices;
    if (kind.command == "stem" && i + matrices < end && !call.is_text(i + matrices))
      call.fail("can not define Z for 2-D stem plot");
    for (std::size_t k = 0; kind.command == "stem" && k < matrices; ++k)
      if (!call.args[i + k].is_matrix() && !call.args[i + k].is_integer()) call.fail("X and Y must be numeric");
    if (matrices == 0 || (kind.most == 3 && matrices != 3)) call.fail("the style stands behind the data that it is of");
    Drawing drawing(call, kind.command);
    constexpr std::string_view names[] = {"x", "y", "z"};
    for (std::size_t k = 0; k < matrices; ++k) drawing.add(names[matrices == 1 ? 1 : k], i + k);
    i += matrices;
    if (i < end && call.is_text(i)) {
      check_style(call, i);
      add_style(call, i++, drawing);
    }
    add_properties(call, end, drawing);
    drawing.emit();
  }
  return handles(call);
}

/// A mark by what its matrices are, for each number of them; words that it knows besides.
struct Form {
  std::string_view name, command;
  std::array<std::string_view, 5> operands;
  std::string_view words;  ///< between blanks
  std::string_view word_role;
};

constexpr Form forms[] = {
    {"area", "area", {"y", "x y", "x y level"}, "", ""},
    {"bar", "bar", {"y", "x y", "x y width"}, " stacked grouped hist histc ", "how"},
    {"barh", "barh", {"y", "x y", "x y width"}, " stacked grouped ", "how"},
    {"contour", "contour", {"z", "z levels", "x y z", "x y z levels"}, "", ""},
    {"contourf", "contourf", {"z", "z levels", "x y z", "x y z levels"}, "", ""},
    {"errorbar", "errorbar", {"", "y low", "x y low", "x y low high"}, "", ""},
    {"hist", "hist", {"y", "y centers", "y centers norm"}, "", ""},
    {"image", "image", {"z", "", "x y z"}, "", ""},
    {"imagesc", "image", {"z", "z limits", "x y z", "x y z limits"}, "", ""},
    {"mesh", "mesh", {"z", "", "x y z"}, "", ""},
    {"pcolor", "pcolor", {"z", "", "x y z"}, "", ""},
    {"quiver", "quiver", {"", "u v", "u v scale", "x y u v", "x y u v scale"}, "", ""},
    {"scatter", "scatter", {"", "x y", "x y size", "x y size shade"}, " filled ", "filled"},
    {"scatter3", "scatter", {"", "", "x y z", "x y z size", "x y z size shade"}, " filled ", "filled"},
    {"surf", "surf", {"z", "", "x y z"}, "", ""},
};

std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> all;
  while (!words.empty()) {
    const std::size_t blank = words.find(' ');
    all.emplace_back(words.substr(0, blank));
    words.remove_prefix(blank == std::string_view::npos ? words.size() : blank + 1);
  }
  return all;
}

std::string forms_text(const Form& form) {
  std::string text;
  for (const std::string_view operands : form.operands) {
    if (operands.empty()) continue;
    text += (text.empty() ? "" : ", ") + std::string(form.name) + "(";
    for (const std::string& name : split(operands)) text += (text.back() == '(' ? "" : ", ") + name;
    text += ")";
  }
  return text;
}

std::vector<Binding> draw_form(Call& call) {
  skip_handle(call);
  const Form& form = *std::ranges::find(forms, call.name, &Form::name);
  if (call.name == "hist" && call.nargout > 0)
    return call.walk.call_by_name("hist_by_counts", call.args, call.nargout, call.span);
  std::size_t matrices = 0;
  while (matrices < call.count() && !call.is_text(matrices)) ++matrices;
  const std::string_view operands =
      matrices >= 1 && matrices <= form.operands.size() ? form.operands[matrices - 1] : std::string_view();
  if (operands.empty()) call.fail("its forms are " + forms_text(form));
  const auto is_real = [](const Binding& arg) { return arg.is_matrix() || arg.is_integer(); };
  if (call.name == "area" &&
      !std::all_of(call.args.begin(),
                   call.args.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(matrices, 2)), is_real))
    call.fail("X and Y must be real vectors or matrices");
  begin_plot(call);
  Drawing drawing(call, form.command);
  const std::vector<std::string> names = split(operands);
  for (std::size_t k = 0; k < matrices; ++k) drawing.add(names[k], k);
  if (call.name == "imagesc") drawing.add_text("scaled", "on");
  std::size_t i = matrices;
  for (; i < call.count() && !begins_properties(call, i); ++i) {
    const std::string word = call.args[i].is_known_text() ? lower_case(call.text(i)) : "";
    if (!word.empty() && form.words.find(" " + word + " ") != std::string_view::npos) {
      drawing.add_text(form.word_role, word);
      continue;
    }
    check_style(call, i);
    add_style(call, i, drawing);
  }
  add_properties(call, i, drawing);
  drawing.emit();
  return handles(call);
}

// fill and patch: groups of x, y and a colour.
std::vector<Binding> draw_polygons(Call& call) {
  skip_handle(call);
  std::size_t end = 0;
  while (end < call.count() && !(end % 3 == 0 && begins_properties(call, end))) ++end;
  if (end == 0 || end % 3 != 0) call.fail("x, y and a colour are expected: " + call.name + "(x, y, 'r')");
  if (call.name == "fill") begin_plot(call);
  for (std::size_t i = 0; i < end; i += 3) {
    Drawing drawing(call, "polygon");
    drawing.add_text("call", call.name);
    drawing.add("x", i);
    drawing.add("y", i + 1);
    drawing.add("shade", i + 2);
    add_properties(call, end, drawing);
    drawing.emit();
  }
  return handles(call);
}

std::vector<Binding> draw_text(Call& call) {
  skip_handle(call);
  std::size_t matrices = 0;
  while (matrices < call.count() && matrices < 3 && call.args[matrices].is_matrix()) ++matrices;
  if (matrices < 2 || matrices == call.count()) call.fail("x, y and a string are expected");
  Drawing drawing(call, "text");
  constexpr std::string_view names[] = {"x", "y", "z"};
  for (std::size_t k = 0; k < matrices; ++k) drawing.add(names[k], k);
  drawing.add_texts("text", call.args[matrices]);
  add_properties(call, matrices + 1, drawing);
  drawing.emit();
  return handles(call);
}

}  // namespace

std::span<const Builtin> plot_builtins() {
  static constexpr auto entries = [] {
    std::array<Builtin, std::size(lines) + std::size(forms) + 3> all = {};
    std::size_t next = 0;
    for (const Lines& each : lines) all[next++] = {each.name, 1, -1, 1, draw_lines};
    for (const Form& each : forms) all[next++] = {each.name, 1, -1, 2, draw_form};
    all[next++] = {"fill", 3, -1, 1, draw_polygons};
    all[next++] = {"patch", 3, -1, 1, draw_polygons};
    all[next++] = {"text", 3, -1, 1, draw_text};
    return all;
  }();
  return entries;
}

}  // namespace lac::frontend
