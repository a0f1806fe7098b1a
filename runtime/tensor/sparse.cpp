#include "runtime/tensor/sparse.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "runtime/stop.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime {
namespace {

Tensor transpose_dense(const Tensor& a) {
  Tensor result = Tensor::dense(a.element(), a.cols(), a.rows());
  with_element(a.element(), [&](auto tag) {
    using T = decltype(tag);
    const T* from = a.values<T>();
    T* to = result.mutable_values<T>();
    constexpr std::int64_t block = 32;  // both matrices stay in L1 within a block
    for (std::int64_t jb = 0; jb < a.cols(); jb += block)
      for (std::int64_t ib = 0; ib < a.rows(); ib += block)
        for (std::int64_t j = jb; j < std::min(jb + block, a.cols()); ++j)
          for (std::int64_t i = ib; i < std::min(ib + block, a.rows()); ++i)
            to[i * a.cols() + j] = from[j * a.rows() + i];
  });
  return result;
}

Tensor transpose_csr(const Tensor& a) {
  Tensor result = Tensor::csr(a.element(), a.cols(), a.rows(), a.stored());
  std::int32_t* pointers = result.mutable_row_pointers();
  std::int32_t* columns = result.mutable_column_indices();
  for (std::int64_t k = 0; k < a.stored(); ++k) ++pointers[a.column_indices()[k] + 1];
  for (std::int64_t j = 0; j < a.cols(); ++j) pointers[j + 1] += pointers[j];
  std::vector<std::int32_t> next(pointers, pointers + a.cols());
  with_element(a.element(), [&](auto tag) {
    using T = decltype(tag);
    const T* from = a.values<T>();
    T* to = result.mutable_values<T>();
    for (std::int64_t i = 0; i < a.rows(); ++i)
      for (std::int32_t k = a.row_pointers()[i]; k < a.row_pointers()[i + 1]; ++k) {
        const std::int32_t position = next[static_cast<std::size_t>(a.column_indices()[k])]++;
        columns[position] = static_cast<std::int32_t>(i);
        to[position] = from[k];
      }
  });
  return result;
}

Tensor transpose_diagonal(const Tensor& a) {
  std::vector<std::int64_t> offsets(a.offsets().rbegin(), a.offsets().rend());
  for (std::int64_t& offset : offsets) offset = -offset;
  Tensor result = Tensor::diagonal(a.element(), a.cols(), a.rows(), offsets);
  with_element(a.element(), [&](auto tag) {
    using T = decltype(tag);
    const T* from = a.values<T>();
    T* to = result.mutable_values<T>();
    const auto count = static_cast<std::int64_t>(offsets.size());
    for (std::int64_t d = 0; d < count; ++d) {
      const std::int64_t offset = offsets[static_cast<std::size_t>(d)];
      const std::int64_t first = std::max<std::int64_t>(0, -offset);
      const std::int64_t last = std::min(a.cols(), a.rows() - offset);
      for (std::int64_t i = first; i < last; ++i) to[d * a.cols() + i] = from[(count - 1 - d) * a.rows() + i + offset];
    }
  });
  return result;
}

// Keeps the entries for which keep(value) holds.
template <class T, class Keep>
Tensor assemble_rows(Element element, std::int64_t rows, std::int64_t cols, const std::vector<std::int32_t>& pointers,
                     const std::vector<std::int32_t>& columns, const std::vector<T>& values, Keep&& keep) {
  const std::int64_t nnz = std::count_if(values.begin(), values.end(), keep);
  Tensor result = Tensor::csr(element, rows, cols, nnz);
  std::int32_t* to_pointers = result.mutable_row_pointers();
  std::int32_t* to_columns = result.mutable_column_indices();
  T* to_values = result.mutable_values<T>();
  std::int32_t next = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (auto k = static_cast<std::size_t>(pointers[static_cast<std::size_t>(i)]);
         k < static_cast<std::size_t>(pointers[static_cast<std::size_t>(i) + 1]); ++k) {
      if (!keep(values[k])) continue;
      to_columns[next] = columns[k];
      to_values[next++] = values[k];
    }
    to_pointers[i + 1] = next;
  }
  return result;
}

// Merges the rows of two csr matrices. An entry in one operand only is given to `combine` with zero for the other.
template <class T, class Combine>
Tensor merge_csr(const Tensor& a, const Tensor& b, bool common_only, Combine&& combine) {
  std::vector<std::int32_t> pointers{0};
  std::vector<std::int32_t> columns;
  std::vector<T> values;
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    std::int32_t p = a.row_pointers()[i], q = b.row_pointers()[i];
    const std::int32_t p_end = a.row_pointers()[i + 1], q_end = b.row_pointers()[i + 1];
    while (p < p_end || q < q_end) {
      const std::int64_t p_col = p < p_end ? a.column_indices()[p] : a.cols();
      const std::int64_t q_col = q < q_end ? b.column_indices()[q] : b.cols();
      if (!common_only || p_col == q_col) {
        columns.push_back(static_cast<std::int32_t>(std::min(p_col, q_col)));
        values.push_back(combine(p_col <= q_col ? a.values<T>()[p] : T{0}, q_col <= p_col ? b.values<T>()[q] : T{0}));
      }
      p += p_col <= q_col;
      q += q_col <= p_col;
    }
    pointers.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return assemble_rows<T>(a.element(), a.rows(), a.cols(), pointers, columns, values, [](T v) { return v != T{0}; });
}

template <class T, class Combine>
Tensor merge_diagonals(const Tensor& a, const Tensor& b, Combine&& combine) {
  std::vector<std::int64_t> offsets;
  std::set_union(a.offsets().begin(), a.offsets().end(), b.offsets().begin(), b.offsets().end(),
                 std::back_inserter(offsets));
  Tensor result = Tensor::diagonal(a.element(), a.rows(), a.cols(), offsets);
  const std::vector<T> zeros(static_cast<std::size_t>(a.rows()), T{0});
  const auto diagonal = [&](const Tensor& m, std::int64_t offset) {
    const auto found = std::lower_bound(m.offsets().begin(), m.offsets().end(), offset);
    if (found == m.offsets().end() || *found != offset) return zeros.data();
    return m.values<T>() + (found - m.offsets().begin()) * m.rows();
  };
  T* to = result.mutable_values<T>();
  for (const std::int64_t offset : offsets) {
    const T* x = diagonal(a, offset);
    const T* y = diagonal(b, offset);
    for (std::int64_t i = 0; i < a.rows(); ++i) *to++ = combine(x[i], y[i]);
  }
  return result;
}

template <class Combine>
Tensor merge(const Tensor& a, const Tensor& b, Combine&& combine) {
  const Element element = arithmetic_join(a.element(), b.element());
  const Tensor x = to_element(a, element);
  const Tensor y = to_element(b, element);
  return with_element(element, [&](auto tag) {
    using T = decltype(tag);
    const auto typed = [&](T p, T q) { return static_cast<T>(combine(p, q)); };
    if (a.storage() == Storage::diagonal && b.storage() == Storage::diagonal) return merge_diagonals<T>(x, y, typed);
    return merge_csr<T>(to_csr(x), to_csr(y), false, typed);
  });
}

// Row by row: a dense accumulator of one row of the result, and the list of the columns touched.
template <class T>
Tensor multiply_csr(const Tensor& a, const Tensor& b) {
  std::vector<T> sum(static_cast<std::size_t>(b.cols()), T{0});
  std::vector<std::int64_t> touched_in(static_cast<std::size_t>(b.cols()), -1);
  std::vector<std::int32_t> pointers{0};
  std::vector<std::int32_t> columns;
  std::vector<T> values;
  StopPoll poll;
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    const std::size_t row_begin = columns.size();
    for (std::int32_t k = a.row_pointers()[i]; k < a.row_pointers()[i + 1]; ++k) {
      const std::int32_t inner = a.column_indices()[k];
      const T factor = a.values<T>()[k];
      poll();
      for (std::int32_t l = b.row_pointers()[inner]; l < b.row_pointers()[inner + 1]; ++l) {
        const auto j = static_cast<std::size_t>(b.column_indices()[l]);
        if (touched_in[j] != i) {
          touched_in[j] = i;
          sum[j] = T{0};
          columns.push_back(static_cast<std::int32_t>(j));
        }
        sum[j] += factor * b.values<T>()[l];
      }
    }
    std::sort(columns.begin() + static_cast<std::ptrdiff_t>(row_begin), columns.end());
    for (std::size_t k = row_begin; k < columns.size(); ++k)
      values.push_back(sum[static_cast<std::size_t>(columns[k])]);
    pointers.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return assemble_rows<T>(a.element(), a.rows(), b.cols(), pointers, columns, values, [](T v) { return v != T{0}; });
}

// C(i, i+p+q) += A(i, i+p) * B(i+p, i+p+q); p ascends, so sums run in ascending order of the inner index.
template <class T>
Tensor multiply_diagonals(const Tensor& a, const Tensor& b) {
  std::set<std::int64_t> sums;
  for (const std::int64_t p : a.offsets())
    for (const std::int64_t q : b.offsets())
      if (p + q > -a.rows() && p + q < b.cols()) sums.insert(p + q);
  Tensor result = Tensor::diagonal(a.element(), a.rows(), b.cols(), {sums.begin(), sums.end()});
  T* to = result.mutable_values<T>();
  for (std::size_t x = 0; x < a.offsets().size(); ++x)
    for (std::size_t y = 0; y < b.offsets().size(); ++y) {
      const std::int64_t p = a.offsets()[x], q = b.offsets()[y];
      const auto found = sums.find(p + q);
      if (found == sums.end()) continue;
      poll_stop();
      const std::int64_t d = std::distance(sums.begin(), found);
      const std::int64_t first = std::max<std::int64_t>(0, -p);
      const std::int64_t last = std::min(a.rows(), b.rows() - p);
      for (std::int64_t i = first; i < last; ++i)
        to[d * a.rows() + i] += a.values<T>()[static_cast<std::int64_t>(x) * a.rows() + i] *
                                b.values<T>()[static_cast<std::int64_t>(y) * b.rows() + i + p];
    }
  return result;
}

}  // namespace

Tensor transpose(const Tensor& a) {
  switch (a.storage()) {
    case Storage::csr: return transpose_csr(a);
    case Storage::diagonal: return transpose_diagonal(a);
    case Storage::dense: break;
  }
  return a.rows() == 1 || a.cols() == 1 ? a.reshaped(a.cols(), a.rows()) : transpose_dense(a);
}

Tensor add_sparse(const Tensor& a, const Tensor& b) {
  return merge(a, b, [](auto p, auto q) { return p + q; });
}

Tensor subtract_sparse(const Tensor& a, const Tensor& b) {
  return merge(a, b, [](auto p, auto q) { return p - q; });
}

Tensor multiply_sparse(const Tensor& a, const Tensor& b) {
  const Element element = arithmetic_join(a.element(), b.element());
  const Tensor x = to_element(a, element);
  const Tensor y = to_element(b, element);
  return with_element(element, [&](auto tag) {
    using T = decltype(tag);
    if (a.storage() == Storage::diagonal && b.storage() == Storage::diagonal) return multiply_diagonals<T>(x, y);
    return multiply_csr<T>(to_csr(x), to_csr(y));
  });
}

}  // namespace lac::runtime
