#include "driver/include/lac/lac.hpp"

namespace lac::api {

std::string_view version() { return LAC_VERSION; }

std::vector<Pass> stages() {
  return {{"ast", "the syntax tree"},
          {"graph", "the dataflow graph as lowered"},
          {"kernels", "the graph after fusion, with its kernels"},
          {"plan", "the graph after all passes: what runs, in which memory"},
          {"llvm", "the LLVM IR after optimisation"},
          {"asm", "the machine code as assembly"},
          {"dot", "the graph for graphviz"}};
}

}  // namespace lac::api
