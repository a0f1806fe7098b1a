// The text form of graphs. It is deterministic and round-trips (parse_text.h): values are numbered in program order.
//
//   graph "cg" f64
//   symbol n rows 0 lower 2
//   parameter A: f64[n x n] csr spd
//
//   %0 A: f64[n x n] csr spd = parameter A
//   %1: f64 = constant 1
//   %2 b: f64[n x 1] = fill %1
//   %3 q: f64[n x 1] = matmul %0, %2
//   %4: int, %5 x: f64 = loop for_range "k" %6, %7, %1 {
//     arguments %8: int, %9 x: f64
//     ...
//     yield %10, %11
//   }
//   output "q" %3
//
// A result is "%number name: type". Runtime sizes appear in types as the %number of their value; those whose symbol
// exists are listed first ("symbol %4 lower 0"). Subscripts are "all COUNT", "at FIRST", "range FIRST step STEP count
// COUNT" or "vector COUNT"; transposed operands of matmul are "tn", "nt", "tt". An op may end with "reuse (0, -1)".
// Kernels follow the body (kernel/text.h). ';' starts a comment.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/graph/graph.h"

namespace lac {

/// With `sources`, comments give the lines that ops and kernels come from.
std::string print(const Graph& graph, const SourceManager* sources = nullptr);
/// What code made from the graph depends on: names and lines are not in it, and each op has the number of its location.
/// It does not round-trip.
std::string print_anonymous(const Graph& graph);
/// The ids of the values in the order of the text, which leaves them out: for code that finds values by them.
std::string print_value_ids(const Graph& graph);
/// The kernels alone, each a text, in order of first launch.
std::vector<std::string> print_each_kernel(const Graph& graph, const SourceManager* sources = nullptr);
/// The same as one text.
std::string print_kernels(const Graph& graph, const SourceManager* sources = nullptr);
/// The numbers that values have in the text.
std::unordered_map<ValueId, std::uint32_t> value_numbers(const Graph& graph);
/// One op without its blocks, for messages about it.
std::string print_op(const Graph& graph, OpId op);

}  // namespace lac
