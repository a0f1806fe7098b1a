// From values to what a program is specialised for.
#pragma once

#include <string>
#include <vector>

#include "frontend/lower.h"
#include "ir/support/diagnostics.h"
#include "runtime/tensor/tensor.h"

namespace lac::driver {

/// The tensor in the storage that the program gets. With fewer than two rows or columns: dense. Claimed `sparse`, or
/// sparse as given: csr, or diagonal where `detect` is set and it pays. Else dense.
runtime::Tensor choose_storage(const frontend::ParameterInfo& parameter, runtime::Tensor value, bool detect);

/// A scalar parameter's signature from a 1x1 tensor, a matrix parameter's from any.
frontend::ParameterSignature signature_of(const frontend::ParameterInfo& parameter, const runtime::Tensor& value);

/// What is assumed of a parameter without a value: matrices with `rows` x `cols` (2 stands for a symbol), csr when
/// claimed sparse; a real scalar.
frontend::ParameterSignature assumed_signature(const frontend::ParameterInfo& parameter, std::int64_t rows,
                                               std::int64_t cols);

/// Whether code for `compiled` serves data of the kind `given`: the same; diagonal storage by csr; integers by real
/// numbers where those are double.
bool serves(const std::vector<frontend::ParameterSignature>& compiled,
            const std::vector<frontend::ParameterSignature>& given, Element precision);

/// "A: csr 2x2, n: integer >= 2", for messages about specialisations.
std::string describe(const frontend::Interface& interface, const std::vector<frontend::ParameterSignature>& signature);

/// The parameters in which the two, of one program, differ.
std::vector<std::size_t> differing(const std::vector<frontend::ParameterSignature>& a,
                                   const std::vector<frontend::ParameterSignature>& b);

/// "compiled again for another kind of data: A is csr nxn here, and was dense nxn": a remark at the first parameter
/// that differs.
Diagnostic specialisation_remark(const frontend::Interface& interface,
                                 const std::vector<frontend::ParameterSignature>& before,
                                 const std::vector<frontend::ParameterSignature>& now);

}  // namespace lac::driver
