// The operations of the first libraries of matrices on graphics cards, by lac on every target and by peers, each on one
// thread but for what a device does. Single precision; inputs lie in the host's memory, results are read back into it.
//
// usage: bench_classic FOLDER [SECONDS]     samples/classic, whose texts lac runs; the time for each line (0.5)
//
// Prints one JSON object a line: {"group", "name", "size", "contender", "ms", "device_ms", "difference"}. device_ms is
// the device's own time for the kernels, where it has one; difference is the largest one to the naive result, of its
// largest element.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/classic_peers.h"
#include "bench/medians.h"
#include "lac/lac.hpp"

namespace {

using namespace lac;
using namespace lac::bench;

struct Target {
  std::string name;
  api::Target target;
  bool times_itself = false;  ///< a device whose own times say something; a processor that plays one has none
};

/// A program bound to the data of a line.
class LacRun {
 public:
  LacRun(const std::string& folder, const Line& line, const Target& target, const Data& data)
      : program_(
            api::Program::from_text(text_of(folder + "/" + line.name + ".la"), line.name + ".la", options(target))) {
    for (const api::Parameter& parameter : program_.parameters()) bind(parameter.name, data);
    run_options_.threads = 1;
  }

  /// Why it does not run; empty: it does.
  std::string problem() {
    result_ = program_.run(arguments_, run_options_);
    return result_.ok() ? "" : result_.message();
  }
  double run() {
    return timed([&] { result_ = program_.run(arguments_, run_options_); });
  }
  double device_ms() {
    api::RunOptions measured = run_options_;
    measured.statistics = true;
    const api::Result result = program_.run(arguments_, measured);
    double ms = 0;
    for (const api::KernelStatistics& kernel : result.statistics().kernels) ms += kernel.ms;
    return ms;
  }
  std::vector<float> output() const {
    const api::Matrix* found = result_.output("x") ? &*result_.output("x") : &*result_.output("u");
    const float* values = found->values<float>();
    return {values, values + found->rows() * found->cols()};
  }

 private:
  static std::string text_of(const std::string& path) {
    std::ifstream file(path);
    if (!file) std::exit((std::fprintf(stderr, "bench_classic: cannot read %s\n", path.c_str()), 1));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  static api::Options options(const Target& target) {
    api::Options options;
    options.target = target.target;
    options.precision = api::Precision::single;
    options.compile = api::Compile::first;
    return options;
  }
  void bind(const std::string& name, const Data& data) {
    if (const auto scalar = data.scalars.find(name); scalar != data.scalars.end())
      arguments_.scalar(name, scalar->second);
    if (const auto matrix = data.matrices.find(name); matrix != data.matrices.end())
      arguments_.matrix(name, matrix->second.values.data(), matrix->second.rows, matrix->second.cols);
  }

  api::Program program_;
  api::Arguments arguments_;
  api::RunOptions run_options_;
  api::Result result_;
};

double difference(const std::vector<float>& found, const std::vector<float>& expected) {
  if (found.size() != expected.size()) return NAN;
  double largest = 0, apart = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(double{expected[i]}));
    const double here = std::abs(double{found[i]} - expected[i]);
    if (!(here <= apart)) apart = here;  // NaN stays
    if (std::isnan(apart)) break;
  }
  return largest > 0 ? apart / largest : apart;
}

void print(const Line& line, const std::string& contender, double seconds, std::optional<double> device_ms,
           double difference) {
  std::printf(R"({"group": "%s", "name": "%s", "size": "%s", "contender": "%s", "ms": %.5g, )", line.group.c_str(),
              line.name.c_str(), line.size.c_str(), contender.c_str(), 1e3 * seconds);
  if (device_ms) std::printf(R"("device_ms": %.5g, )", *device_ms);
  if (std::isfinite(difference)) std::printf(R"("difference": %.2g})", difference);
  else std::printf(R"("difference": NaN})");  // as Python reads and writes it
  std::printf("\n");
  std::fflush(stdout);
}

/// Rounds of all contenders until the time is over, three at least.
void interleave_for(std::vector<Contender>& contenders, double seconds) {
  double round = 0;
  for (Contender& contender : contenders) round += contender.run();
  interleave(contenders, std::clamp(static_cast<int>(seconds / std::max(round, 1e-6)), 3, 1000));
}

void measure(const Line& line, const std::string& folder, const std::vector<Target>& targets, double seconds) {
  const Data data = data_of(line);
  std::vector<Contender> contenders;
  std::map<std::string, std::vector<float>> results;
  std::vector<std::pair<std::string, LacRun>> runs;
  runs.reserve(targets.size());
  for (const Peer& peer : line.peers)
    contenders.push_back({peer.name, [&] { return timed([&] { peer.run(data, results[peer.name]); }); }});
  for (const Target& target : targets) {
    LacRun& run = runs.emplace_back(target.name, LacRun(folder, line, target, data)).second;
    if (const std::string problem = run.problem(); !problem.empty()) {
      std::fprintf(stderr, "bench_classic: %s on %s: %s\n", line.name.c_str(), target.name.c_str(), problem.c_str());
      runs.pop_back();
      continue;
    }
    contenders.push_back({target.name, [&run] { return run.run(); }});
  }
  interleave_for(contenders, seconds);
  for (auto& [name, run] : runs) results[name] = run.output();
  for (const Contender& contender : contenders) {
    std::optional<double> device_ms;
    const auto target = std::ranges::find(targets, contender.name, &Target::name);
    for (auto& [name, run] : runs)
      if (name == contender.name && target->times_itself) device_ms = run.device_ms();
    print(line, contender.name, median(contender.seconds), device_ms,
          difference(results[contender.name], results["naive C++"]));
  }
}

std::vector<Target> targets_here() {
  std::vector<Target> targets = {{"lac cpu", api::Target::cpu}};
  const api::Devices devices = api::devices();
  if (std::ranges::any_of(devices.list, &api::Device::usable)) {
    const api::Device& device = *std::ranges::find_if(devices.list, &api::Device::usable);
    targets.push_back({"lac vulkan", api::Target::vulkan, device.type != "cpu"});
    targets.push_back({"lac vulkan-fragment", api::Target::vulkan_fragment});
    std::fprintf(stderr, "device  %s\n", device.name.c_str());
  } else {
    std::fprintf(stderr, "no Vulkan device: lac on the cpu only\n");
  }
  return targets;
}

}  // namespace

int main(int count, char** arguments) {
  const double seconds = count > 2 ? std::atof(arguments[2]) : 0.5;
  if (count < 2 || seconds <= 0) {
    std::fputs("usage: bench_classic FOLDER [SECONDS]\n", stderr);
    return 2;
  }
  const std::vector<Target> targets = targets_here();
  for (const Line& line : lines()) measure(line, arguments[1], targets, seconds);
  return 0;
}
