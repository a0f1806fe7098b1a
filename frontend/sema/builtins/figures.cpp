// figure, axis, title, legend, print, ...: words about figures and axes.
#include <algorithm>
#include <cmath>

#include "frontend/sema/builtins/drawing.h"
#include "ir/support/text_edit.h"

namespace lac::frontend {
namespace {

/// Words between blanks, for messages.
std::string listed(std::string_view words) { return " " + std::string(words.substr(1, words.size() - 2)); }

bool is_one_of(std::string_view word, std::string_view words) {
  return words.find(" " + std::string(word) + " ") != std::string_view::npos;
}

ValueId number_of_figure(Call& call) {
  return call.emit.builder.library(LibraryFn::current_figure, {}, {Type::scalar(Element::integer)})[0];
}

// -- figures

constexpr std::string_view of_screens =
    " name numbertitle visible units color papersize paperposition paperunits paperpositionmode paperorientation "
    "renderer windowstyle menubar toolbar windowstate inverthardcopy ";

/// Pairs of a figure from argument i on; what only a screen shows is passed over.
void add_figure_properties(Call& call, std::size_t i, Drawing& drawing) {
  for (; i < call.count(); i += 2) {
    const std::string name = lower_case(call.text(i));
    if (i + 1 >= call.count()) call.fail("the property '" + name + "' has no value");
    if (name == "position") drawing.add("position", i + 1);
    else if (!is_one_of(name, of_screens)) call.fail("the property '" + name + "' of figures is outside the language");
  }
}

std::vector<Binding> figure(Call& call) {
  Drawing drawing(call, "figure");
  const bool numbered = call.count() > 0 && !call.is_text(0);
  if (numbered) {
    const auto number = call.emit.constant_of(call.scalar(0));
    if (number && (*number < 1 || *number != std::trunc(*number)))
      call.fail("N must be figure handle or figure number");
    drawing.add("number", call.scalar(0));
  }
  add_figure_properties(call, numbered ? 1 : 0, drawing);
  drawing.emit();
  if (call.nargout == 0) return {};
  return one(number_of_figure(call));
}

std::vector<Binding> gcf(Call& call) { return one(number_of_figure(call)); }

std::vector<Binding> gca(Call& call) {
  std::vector<Binding> all = handles(call);
  all.resize(1, Binding());
  all[0].text = "gca";
  if (all[0].poison.empty()) all[0].poison = "gca is no value: it stands in set(gca, ...)";
  return all;
}

std::vector<Binding> close(Call& call) {
  Drawing drawing(call, "close");
  if (call.count() > 1 && !(call.text(0) == "all" && (call.text(1) == "hidden" || call.text(1) == "force")))
    call.fail("second argument must be \"hidden\" or \"force\"");
  if (call.is_text(0)) {
    if (call.text(0) != "all" && call.text(0) != "force")
      call.fail("'" + call.text(0) + "' is outside the language: close, close(n) and close all");
    drawing.add("which", std::size_t{0});
  } else if (call.count() > 0) {
    drawing.add("number", call.scalar(0));
  }
  drawing.emit();
  return {};
}

std::vector<Binding> clf(Call& call) {
  Drawing(call, "clf").emit();
  return {};
}

std::vector<Binding> cla(Call& call) {
  Drawing(call, "cla").emit();
  return {};
}

std::vector<Binding> nothing(Call&) { return {}; }

// -- axes

std::vector<Binding> subplot(Call& call) {
  Drawing drawing(call, "subplot");
  if (call.count() == 1) {  // subplot(211)
    const std::int64_t digits = call.is_text(0) ? std::atoi(call.text(0).c_str()) : call.constant_integer(0, "RCN");
    if (digits < 111 || digits > 999) call.fail("argument RCN has to be between 111 and 999");
    const auto digit = [&](std::int64_t value) {
      return call.emit.builder.constant(static_cast<double>(value), Element::integer);
    };
    drawing.add("rows", digit(digits / 100));
    drawing.add("cols", digit(digits / 10 % 10));
    drawing.add("index", digit(digits % 10));
  } else {
    if (call.count() != 3) call.fail("ROWS, COLS and INDEX are expected");
    drawing.add("rows", call.scalar(0));
    drawing.add("cols", call.scalar(1));
    drawing.add("index", std::size_t{2});
  }
  drawing.emit();
  return handles(call);
}

struct Switch {
  std::string_view name, words;
};

constexpr Switch switches[] = {{"hold", " on off all "},
                               {"grid", " on off minor "},
                               {"box", " on off "},
                               {"colorbar", " off east eastoutside "},
                               {"shading", " flat interp faceted "}};

// hold on, grid off, ...: without a word the other state.
std::vector<Binding> switch_state(Call& call) {
  skip_handle(call);
  const Switch& kind = *std::ranges::find(switches, call.name, &Switch::name);
  Drawing drawing(call, call.name);
  if (call.count() > 0) {
    if (call.name == "shading" && !call.is_text(0)) call.fail("MODE must be a valid string");
    const std::string word = lower_case(call.text(call.name == "colorbar" && call.count() > 1 ? 1 : 0));
    if (!is_one_of(word, kind.words))
      call.fail("'" + word + "' is outside the language; it knows" + listed(kind.words));
    drawing.add_text("state", word == "all" ? "on" : word);
  }
  drawing.emit();
  return handles(call);
}

constexpr std::string_view axis_words = " equal image square normal tight auto on off xy ij ";

std::vector<Binding> axis(Call& call) {
  skip_handle(call);
  Drawing drawing(call, "axis");
  for (std::size_t i = 0; i < call.count(); ++i) {
    if (!call.is_text(i)) {
      drawing.add("limits", i);
      continue;
    }
    const std::string word = lower_case(call.text(i));
    if (!is_one_of(word, axis_words))
      call.fail("'" + word + "' is outside the language; it knows" + listed(axis_words));
    drawing.add_text("word", word);
  }
  drawing.emit();
  return {};
}

// xlim, ylim, zlim
std::vector<Binding> limits(Call& call) {
  skip_handle(call);
  if (call.count() != 1) call.fail("[low, high] is expected");
  Drawing drawing(call, "limits");
  drawing.add_text("axis", call.name.substr(0, 1));
  drawing.add("limits", std::size_t{0});
  drawing.emit();
  return {};
}

std::vector<Binding> color_limits(Call& call) {
  skip_handle(call);
  if (call.count() != 1) call.fail("[low, high] is expected");
  Drawing drawing(call, "caxis");
  drawing.add("limits", std::size_t{0});
  drawing.emit();
  return {};
}

std::vector<Binding> colormap(Call& call) {
  skip_handle(call);
  if (call.count() != 1) call.fail("a name or a matrix with three columns is expected");
  Drawing drawing(call, "colormap");
  drawing.add("map", std::size_t{0});
  drawing.emit();
  return {};
}

std::vector<Binding> view(Call& call) {
  skip_handle(call);
  Drawing drawing(call, "view");
  if (call.count() == 2) {
    const ValueId azimuth = call.emit.builder.convert(call.scalar(0), call.emit.graph.precision);
    const ValueId elevation = call.emit.builder.convert(call.scalar(1), call.emit.graph.precision);
    drawing.add("angles", call.emit.builder.library(LibraryFn::literal, {azimuth, elevation},
                                                    {Type::matrix(call.emit.graph.precision, 1, 2)})[0]);
  } else {
    drawing.add("angles", std::size_t{0});
  }
  drawing.emit();
  return {};
}

// title, xlabel, ylabel, zlabel
std::vector<Binding> caption(Call& call) {
  skip_handle(call);
  if (call.count() == 0) call.fail("a string is expected");
  Drawing drawing(call, "caption");
  drawing.add_text("of", call.name);
  drawing.add_texts("text", call.args[0]);
  add_properties(call, 1, drawing);
  drawing.emit();
  return handles(call);
}

constexpr std::string_view legend_states = " show off hide boxon boxoff toggle ";
constexpr std::string_view locations =
    " north south east west northeast northwest southeast southwest best northeastoutside eastoutside "
    "southeastoutside ";

std::vector<Binding> legend(Call& call) {
  skip_handle(call);
  Drawing drawing(call, "legend");
  for (std::size_t i = 0; i < call.count(); ++i) {
    const std::string word = call.is_text(i) && call.args[i].is_known_text() ? lower_case(call.text(i)) : "";
    if (i == 0 && call.count() == 1 && is_one_of(word, legend_states)) {
      drawing.add_text("state", word);
    } else if (word == "location" && i + 1 < call.count()) {
      const std::string place = lower_case(call.text(++i));
      if (!is_one_of(place, locations))
        call.fail("the location '" + place + "' is outside the language; it knows" + listed(locations));
      drawing.add_text("location", place);
    } else if (is_one_of(word, " fontsize interpreter orientation numcolumns box autoupdate ") &&
               i + 1 < call.count()) {
      ++i;  // passed over
    } else {
      drawing.add_texts("name", call.args[i]);
    }
  }
  drawing.emit();
  return handles(call);
}

constexpr std::string_view of_axes =
    " fontsize xscale yscale zscale xdir ydir zdir xtick ytick ztick xticklabel yticklabel zticklabel xlim ylim zlim "
    "xgrid ygrid zgrid box clim ";
constexpr std::string_view passed_over =
    " fontname fontweight linewidth tickdir ticklength layer units tickinterpreter "
    "ticklabelinterpreter color nextplot xminortick yminortick ";

// set(gca, name, value, ...), set(gcf, name, value, ...)
std::vector<Binding> set(Call& call) {
  if (handle_at(call, 0) == Handle::none) {
    if (call.emit.constant_of(call.scalar(0)) == 0.0)
      call.fail("defaults of a session are outside the language: set(gca, ...) is for the axes");
    Drawing drawing(call, "set_figure");
    add_figure_properties(call, 1, drawing);
    drawing.emit();
    return {};
  }
  skip_handle(call);
  Drawing drawing(call, "set_axes");
  for (std::size_t i = 0; i < call.count(); i += 2) {
    const std::string name = lower_case(call.text(i));
    if (i + 1 >= call.count()) call.fail("the property '" + name + "' has no value");
    if (is_one_of(name, passed_over)) continue;
    if (!is_one_of(name, of_axes)) call.fail("the property '" + name + "' of axes is outside the language");
    if (name.ends_with("ticklabel") && call.args[i + 1].is_cell()) drawing.add_texts(name, call.args[i + 1]);
    else drawing.add(name, i + 1);
  }
  drawing.emit();
  return {};
}

// -- files

std::string refused_format(const std::string& format) {
  return "." + format + " files are outside the language: figures are written as .svg and .png";
}

void check_format(const Call& call, const std::string& format) {
  if (format != "svg" && format != "png") call.fail(refused_format(format));
}

// The ending decides, unless a device does. A computed name is looked at by the run.
void check_path(const Call& call, const Binding& path, bool has_device) {
  if (!path.is_known_text() || has_device) return;
  const std::size_t dot = path.text.find_last_of("./");
  if (dot == std::string::npos || path.text[dot] == '/')
    call.fail("the name of the file needs an ending: " + path.text + ".svg or " + path.text + ".png");
  check_format(call, lower_case(path.text.substr(dot + 1)));
}

// print('x.png', '-dpng', '-r300'), print -dsvg x.svg, print(gcf, ...)
std::vector<Binding> print(Call& call) {
  Drawing drawing(call, "print");
  const Binding* path = nullptr;
  bool has_device = false;
  for (std::size_t i = 0; i < call.count(); ++i) {
    if (!call.is_text(i)) {
      if (i > 0) call.fail("the name of the file must be a string");
      drawing.add("number", call.scalar(0));
      continue;
    }
    const std::string word = call.args[i].is_known_text() ? call.text(i) : "";
    if (word.starts_with("-d")) {
      check_format(call, word.substr(2));
      drawing.add_text("format", word.substr(2));
      has_device = true;
    } else if (word.starts_with("-r")) {
      drawing.add("resolution", call.emit.builder.constant(std::atof(word.c_str() + 2), Element::real));
    } else if (word.starts_with("-")) {
      if (!is_one_of(word, " -color -mono -opengl -painters -portrait -landscape -solid -dashed -tight "))
        call.fail("the option '" + word + "' is outside the language");
    } else {
      path = &call.args[i];
      drawing.add("path", i);
    }
  }
  if (path == nullptr) call.fail("the name of a file is expected");
  check_path(call, *path, has_device);
  drawing.emit();
  return {};
}

// saveas(gcf, 'x.svg'), saveas(gcf, 'x', 'png')
std::vector<Binding> saveas(Call& call) {
  if (call.is_text(0) || !call.is_text(1))
    call.fail("a figure and the name of a file are expected: saveas(gcf, \"x.svg\")");
  Drawing drawing(call, "print");
  if (handle_at(call, 0) == Handle::none) drawing.add("number", call.scalar(0));
  else skip_handle(call);
  const std::size_t path = call.is_text(0) ? 0 : 1;
  drawing.add("path", path);
  if (path + 1 < call.count()) {
    check_format(call, lower_case(call.text(path + 1)));
    drawing.add_text("format", lower_case(call.text(path + 1)));
  }
  check_path(call, call.args[path], path + 1 < call.count());
  drawing.emit();
  return {};
}

}  // namespace

std::span<const Builtin> figure_builtins() {
  static constexpr Builtin entries[] = {
      {"figure", 0, -1, 1, figure},       {"gcf", 0, 0, 1, gcf},          {"gca", 0, 0, 1, gca},
      {"close", 0, 2, 0, close},          {"clf", 0, 1, 0, clf},          {"cla", 0, 1, 0, cla},
      {"drawnow", 0, 1, 0, nothing},      {"subplot", 1, 3, 1, subplot},  {"hold", 0, 2, 0, switch_state},
      {"grid", 0, 2, 0, switch_state},    {"box", 0, 2, 0, switch_state}, {"colorbar", 0, 3, 1, switch_state},
      {"shading", 1, 1, 0, switch_state}, {"axis", 1, -1, 0, axis},       {"xlim", 1, 2, 0, limits},
      {"ylim", 1, 2, 0, limits},          {"zlim", 1, 2, 0, limits},      {"caxis", 1, 2, 0, color_limits},
      {"colormap", 1, 2, 0, colormap},    {"view", 1, 3, 0, view},        {"title", 1, -1, 1, caption},
      {"xlabel", 1, -1, 1, caption},      {"ylabel", 1, -1, 1, caption},  {"zlabel", 1, -1, 1, caption},
      {"legend", 0, -1, 1, legend},       {"set", 3, -1, 0, set},         {"print", 1, -1, 0, print},
      {"saveas", 2, 3, 0, saveas},
  };
  return entries;
}

}  // namespace lac::frontend
