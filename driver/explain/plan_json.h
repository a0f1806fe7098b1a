// The stage `explain`: a plan as data for whoever shows it, as `lac explain` does.
//
// {"file": the program's, "target": "cpu", "precision": "double",
//  "sources": [{"file", "text"}]        the program, then the files with functions that its places name
//  "kernels": [{"id": "k4", "name": "p, x", "places": ["solvers/cg.la:33"], "text", "code": [{"title", "text"}],
//               "tail": ["k5"]}],      whose launches this one does at its end, under its own id (Plan::tails)
//  "buffers": [{"name": "x", "type": "f64[n x n]", "borrowed": false}],
//  "steps":   [{"kind", "label", "place": "FILE:LINE", "kernel": "k4", "reads": [buffer], "writes": [buffer],
//               "written": [name of each matrix], "bodies": [[step]]}]}
//
// A buffer is memory that values own in turn: what takes over its operand's memory, and what a loop carries, is one
// buffer. Steps are in program order: what runs or is called, and loops and branches that hold such steps (`bodies`: of
// a loop its trip, of a branch its two arms). `kernel`, `tail`, `bodies` and what is empty may be absent.
#pragma once

#include <string>
#include <vector>

#include "ir/plan/plan.h"
#include "ir/support/source.h"

namespace lac::driver {

/// One form of a kernel's code: "LLVM IR", "assembly", "GLSL, p_x".
struct KernelCode {
  std::string title, text;
};

/// `codes`: of each kernel of the plan.
std::string plan_json(const Plan& plan, const SourceManager& sources, std::string_view target,
                      const std::vector<std::vector<KernelCode>>& codes);

}  // namespace lac::driver
