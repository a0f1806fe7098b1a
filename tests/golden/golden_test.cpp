// Runs one pass over the graphs of a folder: tests/golden/PASS/CASE.ir holds a graph, a line "---- changed" or
// "---- unchanged", and the graph that the pass makes of it. A first line "; with: NAME NAME" turns on capabilities.
//
// usage: golden_test FOLDER PASS      LAC_BLESS=1 rewrites what is expected
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph/parse_text.h"
#include "ir/graph/text.h"
#include "ir/graph/verifier.h"
#include "passes/pass.h"
#include "passes/phases.h"

namespace {

using namespace lac;
namespace fs = std::filesystem;

struct Case {
  std::string input;
  std::string expected;  ///< with its line "---- ..."
};

constexpr const char* separator = "---- ";

Case read_case(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  const std::size_t place = all.find(std::string("\n") + separator);
  if (place == std::string::npos) return {all, ""};
  return {all.substr(0, place + 1), all.substr(place + 1)};
}

struct NamedCapability {
  std::string_view name;
  bool Capabilities::*flag;
};
constexpr NamedCapability named_capabilities[] = {
    {"matrix_products", &Capabilities::matrix_products},
    {"device_scalars", &Capabilities::device_scalars},
    {"texels", &Capabilities::texels},
    {"workgroups", &Capabilities::workgroups},
    {"growth_in_place", &Capabilities::growth_in_place},
    {"growth_launches", &Capabilities::growth_launches},
    {"several_nests", &Capabilities::several_nests},
    {"several_sums", &Capabilities::several_sums},
    {"straight_loops", &Capabilities::straight_loops},
};

/// What the first line of `input` turns on; unknown names are appended to `faults`.
Capabilities capabilities_of(const std::string& input, std::string& faults) {
  constexpr std::string_view mark = "; with:";
  Capabilities result;
  if (!input.starts_with(mark)) return result;
  std::istringstream words(input.substr(mark.size(), input.find('\n') - mark.size()));
  for (std::string word; words >> word;) {
    const auto* found = std::ranges::find(named_capabilities, word, &NamedCapability::name);
    if (found == std::end(named_capabilities)) faults += "  there is no capability '" + word + "'\n";
    else result.*found->flag = true;
  }
  return result;
}

std::string list(const std::vector<std::string>& faults) {
  std::string text;
  for (const std::string& fault : faults) text += "  " + fault + "\n";
  return text;
}

/// What the pass makes of `input`, in the form of Case::expected; faults are appended to `faults`.
std::string run(const passes::PassInfo& pass, const std::string& input, std::string& faults) {
  Result<Graph> graph = parse_graph(input);
  if (!graph) {
    faults += "  the input does not read: " + graph.failure().message + "\n";
    return "";
  }
  faults += list(verify(graph.value()));
  const std::string before = print(graph.value());
  passes::PassContext context{capabilities_of(input, faults), {}};
  const bool changed = pass.run(graph.value(), context);
  const std::string after = print(graph.value());
  if (changed != (before != after))
    faults += "  the pass says it changed " + std::string(changed ? "" : "no") + "thing\n";
  faults += list(verify(graph.value()));
  if (pass.after != passes::Phase::graph) faults += list(passes::check_phase(graph.value(), pass.after));
  return separator + std::string(changed ? "changed\n" : "unchanged\n") + after;
}

bool check(const passes::PassInfo& pass, const fs::path& path, bool bless) {
  const Case test = read_case(path);
  std::string faults;
  const std::string actual = run(pass, test.input, faults);
  if (bless && faults.empty() && actual != test.expected) std::ofstream(path) << test.input << actual;
  if (!bless && actual != test.expected) faults += "  expected\n" + test.expected + "  but is\n" + actual;
  if (faults.empty()) return true;
  std::cerr << path.filename().string() << ":\n" << faults << (bless ? actual : "");
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const passes::PassInfo* pass = passes::find_pass(arguments[2]);
  const fs::path folder = fs::path(arguments[1]) / arguments[2];
  if (!pass || !fs::is_directory(folder)) {
    std::cerr << "no pass or no folder '" << arguments[2] << "'\n";
    return 1;
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".ir") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const bool bless = std::getenv("LAC_BLESS") != nullptr;
  int failed = files.empty() ? 1 : 0;
  for (const fs::path& file : files) failed += !check(*pass, file, bless);
  return failed == 0 ? 0 : 1;
}
