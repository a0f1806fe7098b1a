#include "ir/kernel/factors.h"

#include <algorithm>
#include <span>
#include <utility>

#include "ir/kernel/body.h"

namespace lac {
namespace {

/// What `root` needs of the body, itself included.
std::vector<const Instr*> closure(const Body& body, InstrId root) {
  const std::vector<bool> needed = needed_for(body, std::span(&root, 1));
  std::vector<const Instr*> instrs;
  for (std::uint32_t n = 0; n < body.size(); ++n)
    if (needed[n]) instrs.push_back(&body[InstrId{n}]);
  return instrs;
}

const Size& coefficient(const AffineIndex& index, Axis axis) {
  return axis == Axis::rows ? index.i : axis == Axis::cols ? index.j : index.k;
}

/// By itself, not by what it refers to.
bool depends(const Instr& instr, Axis axis) {
  if (instr.kind == InstrKind::index) return instr.axis == axis;
  if (instr.kind != InstrKind::load) return false;
  const bool row = !instr.map.row_gather && !coefficient(instr.map.row, axis).is(0);
  const bool col = !instr.map.linear && !instr.map.col_gather && !coefficient(instr.map.col, axis).is(0);
  return row || col;
}

bool depends(const Body& body, InstrId root, Axis axis) {
  const std::vector<const Instr*> instrs = closure(body, root);
  return std::any_of(instrs.begin(), instrs.end(), [&](const Instr* instr) { return depends(*instr, axis); });
}

}  // namespace

bool is_product_term(const Contraction& contraction, std::size_t sum) {
  const Instr& term = contraction.prologue[contraction.values[sum]];
  return term.kind == InstrKind::apply && term.op == ScalarOp::mul && term.element == contraction.element;
}

bool is_plain_product(const Contraction& contraction) {
  const Body& body = contraction.prologue;
  const auto is_element = [&](InstrId id) {
    while (body[id].kind == InstrKind::convert && is_floating(body[id].element)) id = body[id].operands[0];
    return body[id].kind == InstrKind::matrix_element;
  };
  return std::ranges::all_of(contraction.values, [&](InstrId value) {
    const Instr& term = body[value];
    return term.kind == InstrKind::apply && term.op == ScalarOp::mul &&
           (is_element(term.operands[0]) || is_element(term.operands[1]));
  });
}

bool is_product_of_entries(const Kernel& kernel, const Contraction& contraction) {
  const auto is_k = [](const AffineIndex& index) {
    return index.k.is(1) && index.i.is(0) && index.step == AffineIndex::Step::none;
  };
  const auto is_still = [](const AffineIndex& index) { return index.k.is(0); };
  const auto fits = [&](const Instr& instr) {
    if (instr.kind == InstrKind::index) return instr.axis != Axis::all;
    if (!is_load(instr)) return true;
    const AccessMap& map = instr.map;
    if (is_still(map.row) && (map.linear || is_still(map.col))) return true;
    if (map.row_gather || map.col_gather || map.out_of_range != OutOfRange::impossible) return false;
    if (map.linear) return is_k(map.row);
    const bool is_row = loaded_type(kernel, instr).rows.is(1);
    return (is_k(map.row) && is_still(map.col) && map.col.i.is(0)) ||
           (is_row && is_k(map.col) && is_still(map.row) && map.row.i.is(0));
  };
  return is_plain_product(contraction) && std::ranges::all_of(contraction.prologue, fits);
}

std::optional<Factors> factors_of(const Contraction& contraction) {
  if (contraction.values.size() != 1 || !is_product_term(contraction, 0)) return std::nullopt;
  const Instr& term = contraction.prologue[contraction.values[0]];
  return Factors{term.operands[0], term.operands[1]};
}

std::optional<Factors> separate_factors(const Contraction& contraction) {
  std::optional<Factors> factors = factors_of(contraction);
  if (!factors) return std::nullopt;
  const auto separate = [&](const Factors& f) {
    return !depends(contraction.prologue, f.left, Axis::cols) && !depends(contraction.prologue, f.right, Axis::rows);
  };
  if (separate(*factors)) return factors;
  std::swap(factors->left, factors->right);
  if (separate(*factors)) return factors;
  return std::nullopt;
}

bool k_is_contiguous(const Body& prologue, InstrId root, Axis other) {
  const std::vector<const Instr*> instrs = closure(prologue, root);
  return std::any_of(instrs.begin(), instrs.end(), [&](const Instr* instr) {
    if (instr->kind != InstrKind::load || !depends(*instr, other) || instr->map.row_gather) return false;
    const Size& step = instr->map.row.k;
    return (step.is(1) || step.is(-1)) && (instr->map.linear || instr->map.col.k.is(0));
  });
}

}  // namespace lac
