// The pure ops of the Graph over whole tensors: one plain function for each, straight from its definition in ops.def.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ir/graph/graph.h"
#include "runtime/steps/library.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime::interp {

/// The number that a size stands for, in the run at hand.
using SizeOf = std::function<std::int64_t(const Size&)>;

struct OpInput {
  const Op& op;
  std::span<const Tensor> operands;
  std::span<const ResultType> results;  ///< the stated types, sizes evaluated
  const SizeOf& size_of;
};

using PureOp = std::vector<Tensor> (*)(const OpInput&);

std::vector<Tensor> constant(const OpInput& input);
std::vector<Tensor> size(const OpInput& input);
std::vector<Tensor> table(const OpInput& input);
std::vector<Tensor> text(const OpInput& input);
std::vector<Tensor> fill(const OpInput& input);
std::vector<Tensor> iota(const OpInput& input);
std::vector<Tensor> convert(const OpInput& input);
std::vector<Tensor> map(const OpInput& input);
std::vector<Tensor> transpose(const OpInput& input);
std::vector<Tensor> reshape(const OpInput& input);
std::vector<Tensor> diagonal(const OpInput& input);
std::vector<Tensor> index(const OpInput& input);
std::vector<Tensor> shift(const OpInput& input);
std::vector<Tensor> update(const OpInput& input);
std::vector<Tensor> resize(const OpInput& input);
std::vector<Tensor> concat(const OpInput& input);
std::vector<Tensor> reduce(const OpInput& input);
std::vector<Tensor> arg_reduce(const OpInput& input);
std::vector<Tensor> scan(const OpInput& input);
std::vector<Tensor> matmul(const OpInput& input);
std::vector<Tensor> copy(const OpInput& input);

}  // namespace lac::runtime::interp
