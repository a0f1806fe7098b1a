// What bench_classic measures, and who else computes it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lac::bench {

struct HostMatrix {
  std::int64_t rows = 0, cols = 0;
  std::vector<float> values;  ///< by columns
};

/// By the names of a program's parameters: a program takes those that it has.
struct Data {
  std::map<std::string, HostMatrix> matrices;
  std::map<std::string, double> scalars;

  const std::vector<float>& operator[](const std::string& name) const { return matrices.at(name).values; }
  float scalar(const std::string& name) const { return static_cast<float>(scalars.at(name)); }
  std::int64_t size(const std::string& name) const { return static_cast<std::int64_t>(scalars.at(name)); }
};

/// Computes what the program does, into a vector that it keeps from call to call.
struct Peer {
  std::string name;
  std::function<void(const Data&, std::vector<float>&)> run;
};

/// One operation at one size.
struct Line {
  std::string group;  ///< "operations", or "sizes": the same at several
  std::string name;   ///< of its program
  std::string size;   ///< "1000x1000"
  std::int64_t rows = 0, cols = 0;
  std::vector<Peer> peers;  ///< the first is "naive C++": loops as one writes them, which the others are compared to
};

std::vector<Line> lines();
Data data_of(const Line& line);

}  // namespace lac::bench
