// The library steps, one function each; library.cpp lists them. What each computes: ir/graph/library.def.
#pragma once

#include <span>
#include <vector>

#include "runtime/steps/library.h"

namespace lac::runtime::steps {

struct Input {
  std::span<const Tensor> operands;
  std::span<const ResultType> results;
  std::vector<LibraryWarning>& warnings;
  const RunOptions* run = nullptr;  ///< of steps that reach outside; null: none does
};

using Output = Result<std::vector<Tensor>>;
using Step = Output (*)(const Input&);

/// What `step` gives without its warnings; behind its results, whether there were any.
Output quietly(Step step, const Input& input);

// dense.cpp
Output solve(const Input& input);
Output try_solve(const Input& input);
Output gemm(const Input& input);

// factor.cpp
Output lu(const Input& input);
Output lu_packed(const Input& input);
Output cholesky(const Input& input);
Output qr(const Input& input);
Output qr_pivoted(const Input& input);
Output qr_packed(const Input& input);

// inverse.cpp
Output det(const Input& input);
Output inverse(const Input& input);

// singular.cpp
Output singular_values(const Input& input);
Output svd(const Input& input);
Output pseudo_inverse(const Input& input);

// eigen.cpp
Output eigenvalues(const Input& input);
Output eigenvectors(const Input& input);
Output eigenvectors_both(const Input& input);

Output spectrum(const Input& input);
Output spectrum_vectors(const Input& input);
Output spectrum_vectors_both(const Input& input);

// complex_steps.cpp
Output complex_solve(const Input& input);
Output complex_inverse(const Input& input);
Output complex_det(const Input& input);
Output complex_lu(const Input& input);
Output complex_cholesky(const Input& input);
Output complex_qr(const Input& input);
Output complex_singular_values(const Input& input);
Output complex_svd(const Input& input);
Output complex_spectrum(const Input& input);
Output complex_spectrum_vectors(const Input& input);

// fourier.cpp
Output fourier(const Input& input);

// norm.cpp
Output norm(const Input& input);

// power.cpp
Output matrix_power(const Input& input);

// rearrange.cpp
Output literal(const Input& input);
Output find(const Input& input);
Output accumulate(const Input& input);
Output lookup(const Input& input);

// order.cpp
Output sort(const Input& input);
Output sort_rows(const Input& input);
Output unique(const Input& input);

// filter.cpp
Output filter(const Input& input);
Output convolve(const Input& input);

// sparse_steps.cpp
Output kron(const Input& input);
Output spdiags(const Input& input);
Output sparse_identity(const Input& input);
Output sparse_convert(const Input& input);
Output sparse_triplets(const Input& input);
Output sparse_add(const Input& input);
Output sparse_subtract(const Input& input);
Output sparse_transpose(const Input& input);
Output sparse_multiply(const Input& input);
Output sparse_diagonal(const Input& input);
Output sparse_nnz(const Input& input);
Output sparse_zeros(const Input& input);
Output sparse_from_diagonals(const Input& input);
Output sparse_diagonals(const Input& input);
Output sparse_offsets(const Input& input);

// sparse_value_steps.cpp
Output sparse_map(const Input& input);
Output sparse_reduce(const Input& input);
Output sparse_norm(const Input& input);
Output sparse_find(const Input& input);
Output sparse_bandwidth(const Input& input);
Output sparse_reach(const Input& input);
Output sparse_symmetric(const Input& input);

// sparse_part_steps.cpp
Output sparse_element(const Input& input);
Output sparse_row_product(const Input& input);
Output sparse_rows(const Input& input);
Output sparse_columns(const Input& input);
Output sparse_elements(const Input& input);
Output sparse_update(const Input& input);
Output sparse_assign(const Input& input);
Output sparse_horzcat(const Input& input);
Output sparse_vertcat(const Input& input);
Output sparse_reshape(const Input& input);
Output sparse_band(const Input& input);
Output sparse_on_diagonal(const Input& input);

// sparse_factor_steps.cpp
Output sparse_solve(const Input& input);
Output sparse_try_solve(const Input& input);
Output sparse_inverse(const Input& input);
Output sparse_det(const Input& input);
Output sparse_cholesky(const Input& input);
Output sparse_lu(const Input& input);

/// The value in the element and storage of the first result. Throws InternalError where the shape is another.
Tensor conform(const Tensor& value, const ResultType& type);
inline Output conformed(const Tensor& value, const Input& input) {
  return std::vector{conform(value, input.results[0])};
}

// text_steps.cpp
Output text_join(const Input& input);
Output text_stack(const Input& input);
Output text_equal(const Input& input);
Output text_trim(const Input& input);
Output text_trim_length(const Input& input);
Output sprintf(const Input& input);
Output sprintf_length(const Input& input);
Output num2str(const Input& input);
Output num2str_length(const Input& input);
Output mat2str(const Input& input);
Output mat2str_length(const Input& input);

// text_search_steps.cpp
Output text_strip(const Input& input);
Output text_strip_length(const Input& input);
Output text_replace(const Input& input);
Output text_replace_length(const Input& input);
Output text_word(const Input& input);
Output text_word_length(const Input& input);
Output text_find(const Input& input);
Output text_find_length(const Input& input);
Output text_begins(const Input& input);
Output text_number(const Input& input);
Output text_numbers_size(const Input& input);
Output text_numbers(const Input& input);
Output text_scan_size(const Input& input);
Output text_scan(const Input& input);
Output text_substitute(const Input& input);
Output text_substitute_length(const Input& input);
Output text_match(const Input& input);
Output text_match_length(const Input& input);
Output text_match_places(const Input& input);
Output text_match_places_length(const Input& input);

// assert_step.cpp
Output assert_text(const Input& input);
Output assert_text_length(const Input& input);

// system_steps.cpp
Output clock(const Input& input);
Output tic(const Input& input);
Output toc(const Input& input);
Output processor_time(const Input& input);
Output local_offset(const Input& input);
Output capture_begin(const Input& input);
Output capture_length(const Input& input);
Output capture_end(const Input& input);
Output read_size(const Input& input);
Output read_matrix(const Input& input);
Output write_matrix(const Input& input);

// file_steps.cpp
Output file_open(const Input& input);
Output file_problem(const Input& input);
Output file_problem_length(const Input& input);
Output file_close(const Input& input);
Output file_write(const Input& input);
Output file_is_open(const Input& input);
Output file_flush(const Input& input);
Output file_at_end(const Input& input);
Output file_rewind(const Input& input);
Output file_line(const Input& input);
Output file_line_length(const Input& input);
Output file_scan_size(const Input& input);
Output file_scan(const Input& input);
Output file_text(const Input& input);
Output file_text_length(const Input& input);
Output file_table(const Input& input);
Output file_table_size(const Input& input);
Output file_kind(const Input& input);
Output file_temporary(const Input& input);
Output file_temporary_length(const Input& input);
Output file_remove(const Input& input);
Output file_tell(const Input& input);
Output file_seek(const Input& input);
Output file_folder(const Input& input);
Output file_rename(const Input& input);

// data_steps.cpp
Output data_save(const Input& input);
Output data_open(const Input& input);
Output data_extent(const Input& input);
Output data_leaf(const Input& input);

// scan_steps.cpp
Output scan_columns(const Input& input);

// picture_step.cpp
Output write_picture(const Input& input);

// draw_step.cpp
Output draw(const Input& input);
Output current_figure(const Input& input);

/// Octave's warning for a reciprocal condition number; nothing is appended unless 1 + rcond == 1 in the precision.
bool warn_if_singular(double rcond, Element precision, std::vector<LibraryWarning>& warnings);

}  // namespace lac::runtime::steps
