// The text form of kernels, for people and for tests; it round-trips:
//
//   kernel k0 "q, pq" domain [n x 1] rows block 1024 lanes 16 {
//     in A: f64[n x n] csr spd, p: f64[n x 1]
//     out q: f64[n x 1], pq: f64
//     contract k over csr row of A: f64 {
//       $0 = matrix_element
//       $1 = load p[k]
//       $2 = mul $0, $1
//       sum $2
//     }
//     $0 = contraction
//     $1 = load p[i]
//     $2 = mul $0, $1
//     store q[i] = $0
//     reduce pq = sum all $2
//   }
//
// i, j, k are the coordinates of the domain and the contraction (a symbol of that name is quoted); $n are instructions,
// %n runtime sizes. "name" alone is element (0, 0). With one subscript the column is j where the domain has one column,
// else 0; "[at e]" is a column-major position, "@$n" a gathered one; "(e) div (s)" and "(e) mod (s)"; "fill v" after
// the brackets says what an access out of range yields. A dense contraction is "contract k below n: f64"; one over csr
// rows may say how far from the diagonal its entries are, "of A reach n - 1". "out x: ... from y" starts from the input
// y. "reduce m, at = min rows $3" stores the position too. An instruction's element is written ("$1: f32 = ...") where
// it does not follow from its operands. Schedules are shown once decided. The nests ahead of the last one stand before
// it, as "nest domain [m x 1] strips rows { ... }"; "reload t[i]" reads what one of them stored.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/kernel/kernel.h"
#include "ir/types/text.h"

namespace lac {

/// `label` is what the kernel is called ("k0"); `note` (may be empty) becomes a comment on the first line. Ends with a
/// newline.
std::string print_kernel(const Kernel& kernel, const std::string& label,
                         const std::function<std::string(SymbolId)>& name_of, const std::string& note = {});

/// Reads what follows "kernel k0"; throws TextError.
Kernel read_kernel(TextReader& reader, const SymbolLookup& symbols);

/// The element an instruction of `nest` has by its operands. `body` holds those before it.
Element natural_element(const Kernel& kernel, const Nest& nest, const Body& body, const Instr& instr);

/// Names under which the text form refers to inputs (outputs): their own, made unique and non-empty.
std::vector<std::string> input_names(const Kernel& kernel);
std::vector<std::string> output_names(const Kernel& kernel);

}  // namespace lac
