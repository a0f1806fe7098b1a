// Figures: ticks, styles, lines that are thinned, contours, and the text of an SVG file.
#include <catch2/catch.hpp>
#include <cmath>

#include "runtime/figures/contour.h"
#include "runtime/figures/draw.h"
#include "runtime/figures/drawing.h"
#include "runtime/figures/markup.h"
#include "runtime/figures/path.h"
#include "runtime/figures/style.h"
#include "runtime/figures/ticks.h"
#include "runtime/steps/text/text_tensor.h"

using namespace lac;
using namespace lac::runtime;
using namespace lac::runtime::figures;

namespace {

using Labels = std::vector<std::string>;

Tensor text(const std::string& s) {
  return text_tensor(s, {Element::integer, Storage::dense, 1, static_cast<std::int64_t>(s.size())});
}

Tensor column(const std::vector<double>& values) {
  return Tensor::dense(Element::real, static_cast<std::int64_t>(values.size()), 1, values);
}

void command(Figures& figures, const std::string& words, const std::vector<Tensor>& operands) {
  draw(figures, {words, operands}, [](const std::string&, const std::string&) {});
}

}  // namespace

TEST_CASE("ticks are 1, 2 or 5 times a power of ten") {
  CHECK(nice_step(10, 10) == 1);
  CHECK(nice_step(10, 9) == 2);
  CHECK(nice_step(7, 3) == 5);
  CHECK(nice_step(0.3, 5) == Approx(0.1));
  CHECK(ticks_of({0, 1}, false, 5).labels == Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(ticks_of({-1, 1}, false, 2).labels == Labels{"-1", "0", "1"});
  CHECK(ticks_of({0.5, 2.25}, false, 4).labels == Labels{"0.5", "1.0", "1.5", "2.0"});
}

TEST_CASE("labels of large and small numbers have a factor") {
  const Ticks large = ticks_of({0, 2e6}, false, 2);
  CHECK(large.labels == Labels{"0", "1", "2"});
  CHECK(large.factor == "\\times10^{6}");
  CHECK(ticks_of({0, 2e-5}, false, 2).factor == "\\times10^{-5}");
  CHECK(ticks_of({0, 20000}, false, 2).factor.empty());
}

TEST_CASE("logarithmic ticks are decades, with the numbers between as minor ones") {
  const Ticks ticks = ticks_of({0.1, 100}, true, 10);
  CHECK(ticks.labels == Labels{"10^{-1}", "10^{0}", "10^{1}", "10^{2}"});
  CHECK(ticks.minor.size() == 24);
  CHECK(ticks_of({1, 1e20}, true, 5).values.size() == 6);
}

TEST_CASE("ranges end at ticks, and hold data at one place") {
  const auto range = [](Range data, bool logarithmic, bool tight) {
    const Range r = axis_range(data, logarithmic, tight, 10);
    return std::pair(r.low, r.high);
  };
  CHECK(range({0, 6.28}, false, false) == std::pair(0.0, 7.0));
  CHECK(range({0, 6.28}, false, true) == std::pair(0.0, 6.28));
  CHECK(range({3, 50}, true, false) == std::pair(1.0, 100.0));
  CHECK(range({1, 0}, false, false) == std::pair(0.0, 1.0));  // no data
  const auto [low, high] = range({5, 5}, false, false);
  CHECK(low < 5);
  CHECK(high > 5);
}

TEST_CASE("styles are read as plot reads them") {
  Look look;
  CHECK(apply_style("r--o", look));
  CHECK(look.color == Color{255, 0, 0});
  CHECK(look.dash == Dash::dashed);
  CHECK(look.marker == 'o');
  Look marked;
  CHECK(apply_style("x", marked));
  CHECK(marked.dash == Dash::none);  // a marker alone has no line
  Look plain;
  CHECK_FALSE(apply_style("q", plain));
  CHECK(color_named("#102030") == Color{16, 32, 48});
  CHECK_FALSE(color_named("#10203"));
  CHECK(colormap_named("gray", 3) == std::vector<Color>{{0, 0, 0}, {128, 128, 128}, {255, 255, 255}});
  CHECK(colormap_named("no such").empty());
}

TEST_CASE("texts have Greek letters and scripts") {
  const auto runs = runs_of("\\alpha x^2 e^{-t}_k");
  REQUIRE(runs.size() == 5);
  CHECK(runs[0].text == "α x");
  CHECK(runs[1].level == 1);
  CHECK(runs[3].text == "−t");
  CHECK(runs[4].level == -1);
  CHECK(text_width("iii") < text_width("WWW"));
}

TEST_CASE("lines keep what is seen of them") {
  const Box box{0, 0, 100, 100};
  const double nan = std::nan("");
  CHECK(visible_paths({{0, 0}, {50, 50}, {100, 100}}, box).at(0).size() == 2);  // straight
  CHECK(visible_paths({{0, 0}, {10, 5}, {nan, 5}, {20, 5}, {30, 0}}, box).size() == 2);
  CHECK(visible_paths({{200, 200}, {300, 300}}, box).empty());
  const auto crossing = visible_paths({{-1e9, 50}, {1e9, 50}}, box);
  REQUIRE(crossing.size() == 1);
  CHECK(crossing[0].front().x > -10);
  CHECK(crossing[0].back().x < 110);
  std::vector<Point> noise;
  for (int k = 0; k < 100000; ++k) noise.push_back({k / 1000.0, 50 + 40 * std::sin(k * 12.9898)});
  CHECK(visible_paths(noise, box).at(0).size() < 1000);
  CHECK(visible_points(std::vector<Point>(1000, {5, 5}), box).size() == 1);
}

TEST_CASE("contours join from cell to cell") {
  Grid grid{5, 5, {}};
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) grid.values.push_back(std::hypot(i - 2, j - 2));
  const NodePlace place = [](std::int64_t i, std::int64_t j) {
    return Point{static_cast<double>(j), static_cast<double>(i)};
  };
  const auto lines = contour_lines(grid, 1.5, place);
  REQUIRE(lines.size() == 1);  // a ring
  CHECK(lines[0].front().x == Approx(lines[0].back().x));
  CHECK(lines[0].front().y == Approx(lines[0].back().y));
  CHECK(contour_lines(grid, 9, place).empty());
  grid.at(2, 2) = std::nan("");
  CHECK(contour_areas(grid, -1, place).size() < 16);
  CHECK(contour_levels(grid, {}).size() == 10);
  CHECK(contour_levels(grid, {3, 1, 3}) == std::vector<double>{1, 3});
}

TEST_CASE("the file of a drawing is the same text everywhere") {
  Drawing drawing{20, 10, {}};
  drawing.layers.push_back(
      {Box{0, 0, 20, 10},
       {Shape{{{{1, 2}, {3.456, 1}, {4, 4}}}, true, Color{255, 0, 0}, Pen{black, 0.5, Dash::dotted}},
        Label{{5, 6}, "a<b^2", 8, Anchor::end}}});
  CHECK(svg_text(drawing).value() ==
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\" viewBox=\"0 0 20 10\" "
        "font-family=\"Helvetica, Arial, sans-serif\" stroke-linejoin=\"round\" xml:space=\"preserve\">\n"
        "<clipPath id=\"c1\"><rect x=\"0\" y=\"0\" width=\"20\" height=\"10\"/></clipPath>\n"
        "<g clip-path=\"url(#c1)\">\n"
        "<path d=\"M1 2l2.46-1 0.54 3z\" fill=\"#ff0000\" stroke=\"#000000\" stroke-width=\"0.5\" "
        "stroke-dasharray=\"1.2 3\"/>\n"
        "<text x=\"5\" y=\"6\" font-size=\"8\" text-anchor=\"end\">a&lt;b<tspan dy=\"-3.2\" font-size=\"6\">2</tspan>"
        "</text>\n</g>\n</svg>\n");
}

TEST_CASE("commands change the figures of a run, and no others") {
  Figures figures, others;
  command(figures, "newplot", {});
  command(figures, "line x y style$", {column({1, 2}), column({3, 4}), text("g:")});
  command(figures, "line y", {Tensor::dense(Element::real, 2, 3, {1, 2, 3, 4, 5, 6})});
  REQUIRE(figures.all.size() == 1);
  const Axes& axes = figures.all.at(1).axes.at(0);
  REQUIRE(axes.series.size() == 4);  // columns are lines
  CHECK(axes.series[0].look.dash == Dash::dotted);
  CHECK(axes.series[1].color_index == 0);
  CHECK(axes.series[3].color_index == 2);
  command(figures, "newplot", {});
  CHECK(axes.series.empty());  // not held
  CHECK(others.all.empty());
  CHECK_THROWS_AS(command(figures, "line x y", {column({1, 2}), column({1, 2, 3})}), Refused);
  command(figures, "close which$", {text("all")});
  CHECK(figures.all.empty());
}

TEST_CASE("bars, layouts of parts and empty figures have a drawing") {
  Figures figures;
  for (int k = 1; k <= 4; ++k) {
    command(figures, "subplot rows cols index", {Tensor::scalar(2), Tensor::scalar(2), Tensor::scalar(k)});
    command(figures, "newplot", {});
    if (k > 1) command(figures, "bar y", {column({1, -2, static_cast<double>(k)})});
  }
  REQUIRE(figures.all.at(1).axes.size() == 4);
  const std::string svg = file_bytes(figures.all.at(1), "svg", 0);
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(svg.find("nan") == std::string::npos);
  command(figures, "subplot rows cols index", {Tensor::scalar(1), Tensor::scalar(1), Tensor::scalar(1)});
  CHECK(figures.all.at(1).axes.size() == 1);  // it takes the place of those below it
}
