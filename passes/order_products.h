// Chains of matrix products are multiplied in the order that takes least.
//
//     y = A*B*x         ->     y = A*(B*x)
//     z = (A*B)'*x      ->     z = B'*(A'*x)
//
// Products of products that nothing else reads, through transposes, are one chain. Between dense matrices the order is
// found by dynamic programming: by time where all extents are numbers (cost::product_time), else by multiplications, as
// far as the sizes prove an order to be no worse for all of them. A chain with sparse matrices that ends with a column
// goes from right to left: products of sparse matrices read what both hold, as products with columns do. A product that
// does not change in a loop stays as it is: it is computed once, or could be. Equal products in different chains are
// not seen as one (cse comes later).
//
// Other orders round differently; what overflows on the way may differ as well. Small products keep their order.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool order_products(Graph& graph, PassContext& context);

}  // namespace lac::passes
