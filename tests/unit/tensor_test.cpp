#include "runtime/tensor/tensor.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>

#include "runtime/tensor/blocks.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/sparse.h"
#include "runtime/tensor/sparse_map.h"
#include "runtime/tensor/sparse_select.h"
#include "runtime/tensor/structure.h"

using namespace lac;
using namespace lac::runtime;

namespace {

std::vector<double> flat(const Tensor& a) {
  std::vector<double> values;
  for (std::int64_t j = 0; j < a.cols(); ++j)
    for (std::int64_t i = 0; i < a.rows(); ++i) values.push_back(a.at(i, j));
  return values;
}

std::vector<double> counting(std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t k = 1; k <= count; ++k) values.push_back(static_cast<double>(k));
  return values;
}

// A sparse-looking rows x cols matrix with about a third of its entries zero, values small integers.
Tensor pattern(std::int64_t rows, std::int64_t cols, int seed) {
  Tensor a = Tensor::dense(Element::real, rows, cols);
  for (std::int64_t k = 0; k < a.count(); ++k)
    a.set_stored_value(k, (k * 7 + seed * 5) % 3 == 0 ? 0.0 : static_cast<double>((k * 11 + seed) % 9 - 4));
  return a;
}

std::vector<double> product(const Tensor& a, const Tensor& b) {
  std::vector<double> values;
  for (std::int64_t j = 0; j < b.cols(); ++j)
    for (std::int64_t i = 0; i < a.rows(); ++i) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < a.cols(); ++k) sum += a.at(i, k) * b.at(k, j);
      values.push_back(sum);
    }
  return values;
}

const Storage all_storages[] = {Storage::dense, Storage::csr, Storage::diagonal};

}  // namespace

TEST_CASE("a tensor has the arrays that the table of its storage says") {
  const Tensor dense = Tensor::dense(Element::single, 3, 4), csr = Tensor::csr(Element::logical, 3, 4, 5),
               diagonal = Tensor::diagonal(Element::real, 3, 4, {-1, 2});
  const auto bytes = [](const Tensor& a) {
    std::vector<std::pair<std::string_view, std::size_t>> found;
    for (const StorageArray& array : format(a.storage()).arrays)
      found.emplace_back(name(array.role), a.bytes_of(array).size());
    return found;
  };
  using Arrays = std::vector<std::pair<std::string_view, std::size_t>>;
  CHECK(bytes(dense) == Arrays{{"values", 48}});
  CHECK(bytes(csr) == Arrays{{"row pointers", 16}, {"columns", 20}, {"values", 5}});
  CHECK(bytes(diagonal) == Arrays{{"values", 48}});
  CHECK(csr.bytes_of(format(Storage::csr).arrays[1]).data() ==
        reinterpret_cast<const std::byte*>(csr.column_indices()));
  for (const Storage storage : {Storage::dense, Storage::csr, Storage::diagonal})
    for (std::size_t n = 0; n < format(storage).arrays.size(); ++n)
      CHECK(position_of(format(storage).arrays[n].role, storage) == n);
}

TEST_CASE("memory is aligned, shared until written, and borrowed memory is never written") {
  Tensor a = Tensor::dense(Element::real, 3, 1, {1, 2, 3});
  CHECK(reinterpret_cast<std::uintptr_t>(a.data()) % 64 == 0);
  Tensor b = a;
  CHECK(b.data() == a.data());
  b.set_stored_value(0, 9);
  CHECK(a.at(0, 0) == 1);
  CHECK(b.at(0, 0) == 9);

  const double host[] = {4, 5};
  Tensor c = Tensor::borrow_dense(Element::real, 2, 1, host);
  CHECK(c.data() == host);
  CHECK(c.borrowed());
  c.set_stored_value(1, 7);
  CHECK(host[1] == 5);
  CHECK(c.at(1, 0) == 7);
  CHECK_FALSE(c.borrowed());
}

TEST_CASE("a large matrix that is about to be written asks for large pages, others do not") {
  // VmFlags of the mapping say what was asked for, whatever the system makes of it.
  const auto asks = [](const void* data) {
    std::ifstream maps("/proc/self/smaps");
    const auto place = reinterpret_cast<std::uintptr_t>(data);
    bool inside = false;
    for (std::string line; std::getline(maps, line);) {
      unsigned long begin = 0, end = 0;
      if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) inside = begin <= place && place < end;
      else if (inside && line.starts_with("VmFlags:")) return line.find(" hg") != std::string::npos;
    }
    return false;
  };
  std::ifstream setting("/sys/kernel/mm/transparent_hugepage/enabled");
  if (!setting) {
    WARN("this system has no large pages: skipped");
    return;
  }
  const auto middle = [](const Tensor& a) { return static_cast<const std::byte*>(a.data()) + a.value_bytes() / 2; };
  const Tensor written = Tensor::for_writing(Element::real, 1000, 1000),
               zero = Tensor::dense(Element::real, 1000, 1000);
  CHECK(asks(middle(written)));
  CHECK_FALSE(asks(middle(zero)));  // of which a page may never be touched
  CHECK_FALSE(asks(middle(Tensor::for_writing(Element::real, 10, 10))));
}

TEST_CASE("a matrix that cannot fit into memory is refused before it is touched") {
  CHECK_THROWS_AS(Tensor::dense(Element::real, std::int64_t{1} << 40, std::int64_t{1} << 40), std::bad_alloc);
  CHECK_THROWS_AS(Tensor::dense(Element::real, std::int64_t{1} << 60, 1), std::bad_alloc);
  CHECK_THROWS_AS(Tensor::dense(Element::real, 274177, 67280421310721), std::bad_alloc);  // 2^64 + 1
  CHECK_THROWS_AS(Tensor::dense(Element::real, std::int64_t{1} << 54, 0), std::bad_alloc);
  CHECK_THROWS_AS(Tensor::dense(Element::real, -1, 0), std::bad_alloc);
  const double value = 1;
  CHECK_THROWS_AS(Tensor::borrow_dense(Element::real, std::int64_t{1} << 32, std::int64_t{1} << 32, &value),
                  std::bad_alloc);
  CHECK_THROWS_AS(Tensor::csr(Element::real, 1, std::int64_t{1} << 31, 0), std::bad_alloc);
  CHECK_THROWS_AS(Tensor::csr(Element::real, std::int64_t{1} << 31, 1, 0), std::bad_alloc);
  CHECK_THROWS_AS(Tensor::diagonal(Element::real, std::int64_t{1} << 31, std::int64_t{1} << 31, {}), std::bad_alloc);
  CHECK_THROWS_AS(Tensor::dense(Element::real, 3, 1).reshaped(-1, -3), std::bad_alloc);
}

TEST_CASE("every storage converts to every other and keeps its values") {
  for (const auto& [rows, cols] : {std::pair{4, 4}, {3, 5}, {6, 2}, {1, 4}, {5, 1}, {0, 3}, {3, 0}}) {
    const Tensor dense = pattern(rows, cols, 1);
    for (const Storage from : all_storages)
      for (const Storage to : all_storages) {
        const Tensor converted = to_storage(to_storage(dense, from), to);
        CHECK(converted.storage() == to);
        CHECK(flat(converted) == flat(dense));
      }
  }
}

TEST_CASE("csr rows are sorted and duplicates are added") {
  const Tensor a = csr_from_triplets(Element::real, 2, 3, {{1, 2, 1}, {0, 1, 2}, {1, 0, 3}, {1, 2, 4}, {0, 0, 0}});
  CHECK(a.stored() == 4);
  CHECK(std::vector<int>(a.column_indices(), a.column_indices() + 4) == std::vector<int>{0, 1, 0, 2});
  CHECK(std::vector<int>(a.row_pointers(), a.row_pointers() + 3) == std::vector<int>{0, 2, 4});
  CHECK(a.at(1, 2) == 5);
  CHECK(count_nonzeros(a) == 3);
}

TEST_CASE("a hypersparse matrix needs no array as long as its columns") {
  const Tensor a = csr_from_triplets(Element::real, 100000, 2000000000, {{5, 1999999999, 1}, {2, 7, 3}});
  CHECK(a.at(5, 1999999999) == 1);
  CHECK(a.at(2, 7) == 3);
  const Tensor wide = csr_from_triplets(Element::real, 2, 2147483647, {{0, 0, 5}, {1, 1, 6}});
  const Tensor diagonal = detect_storage(wide);
  CHECK(diagonal.offsets() == std::vector<std::int64_t>{0});
  CHECK(diagonal.at(1, 1) == 6);
}

TEST_CASE("diagonal storage is row aligned") {
  const Tensor a = to_storage(Tensor::dense(Element::real, 2, 3, {1, 0, 2, 3, 0, 4}), Storage::diagonal);
  CHECK(a.offsets() == std::vector<std::int64_t>{0, 1});
  CHECK(std::vector<double>(a.values<double>(), a.values<double>() + 4) == std::vector<double>{1, 3, 2, 4});
  CHECK_FALSE(to_diagonal(a, 1).has_value());
}

TEST_CASE("detection picks diagonal storage where it moves less memory") {
  const Tensor tridiagonal =
      spdiags(Tensor::dense(Element::real, 50, 3, std::vector<double>(150, 1.0)), {-1, 0, 1}, 50, 50);
  CHECK(detect_storage(to_csr(tridiagonal)).storage() == Storage::diagonal);
  CHECK(detect_storage(csr_from_triplets(Element::real, 50, 50, {{0, 49, 1}, {1, 0, 1}})).storage() == Storage::csr);
  CHECK(detect_storage(Tensor::csr(Element::real, 0, 0, 0)).storage() == Storage::csr);
}

TEST_CASE("elements convert as Octave's casts do") {
  const Tensor a = Tensor::dense(Element::real, 1, 3, {0.1, -2, 0});
  CHECK(to_element(a, Element::single).at(0, 0) == static_cast<double>(0.1f));
  CHECK(flat(to_element(a, Element::logical)) == std::vector<double>{1, 1, 0});
  CHECK(flat(to_element(to_element(a, Element::logical), Element::integer)) == std::vector<double>{1, 1, 0});
}

TEST_CASE("transpose, sums and elementwise products agree across storages") {
  for (const auto& [rows, cols] : {std::pair{4, 4}, {3, 5}, {40, 33}}) {
    const Tensor a = pattern(rows, cols, 1), b = pattern(rows, cols, 2);
    for (const Storage storage : all_storages) {
      const Tensor x = to_storage(a, storage);
      const Tensor t = transpose(x);
      CHECK(t.storage() == storage);
      CHECK(t.rows() == cols);
      CHECK(flat(transpose(t)) == flat(a));
      CHECK(t.at(2, 1) == a.at(1, 2));
    }
    for (const Storage p : {Storage::csr, Storage::diagonal})
      for (const Storage q : {Storage::csr, Storage::diagonal}) {
        const Tensor sum = add_sparse(to_storage(a, p), to_storage(b, q));
        const Tensor difference = subtract_sparse(to_storage(a, p), to_storage(b, q));
        const Tensor times = map_sparse(ScalarOp::mul, Element::real, to_storage(a, p), to_storage(b, q));
        bool same = true;
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t j = 0; j < cols; ++j)
            same = same && sum.at(i, j) == a.at(i, j) + b.at(i, j) && difference.at(i, j) == a.at(i, j) - b.at(i, j) &&
                   times.at(i, j) == a.at(i, j) * b.at(i, j);
        CHECK(same);
      }
  }
}

TEST_CASE("sparse products and Kronecker products agree with the dense definition") {
  const Tensor a = pattern(5, 4, 1), b = pattern(4, 6, 2), square = pattern(3, 3, 4);
  for (const Storage p : {Storage::csr, Storage::diagonal})
    for (const Storage q : {Storage::csr, Storage::diagonal})
      CHECK(flat(multiply_sparse(to_storage(a, p), to_storage(b, q))) == product(a, b));
  for (const Tensor& left : {a, square})
    for (const Tensor& right : {b, square}) {
      const std::vector<double> expected = flat(kron(left, right));
      for (const Storage p : all_storages)
        for (const Storage q : all_storages) CHECK(flat(kron(to_storage(left, p), to_storage(right, q))) == expected);
    }
  CHECK(flat(kron(Tensor::dense(Element::real, 1, 2, {1, 2}), Tensor::dense(Element::real, 2, 1, {3, 4}))) ==
        std::vector<double>{3, 4, 6, 8});
  CHECK(kron(to_storage(square, Storage::diagonal), to_storage(square, Storage::diagonal)).storage() ==
        Storage::diagonal);
}

TEST_CASE("spdiags places columns as Octave does") {
  const Tensor tall = Tensor::dense(Element::real, 5, 3, counting(15));
  CHECK(flat(transpose(to_dense(spdiags(tall, {-1, 0, 2}, 5, 4)))) ==
        std::vector<double>{6, 0, 13, 0, 1, 7, 0, 14, 0, 2, 8, 0, 0, 0, 3, 9, 0, 0, 0, 4});
  const Tensor wide = Tensor::dense(Element::real, 4, 3, counting(12));
  CHECK(flat(transpose(to_dense(spdiags(wide, {-1, 0, 2}, 4, 5)))) ==
        std::vector<double>{5, 0, 9, 0, 0, 2, 6, 0, 10, 0, 0, 3, 7, 0, 11, 0, 0, 4, 8, 0});
  CHECK(flat(spdiags(wide, {0, 0, 9}, 2, 2)) == std::vector<double>{6, 0, 0, 8});
  const Tensor a = spdiags(tall, {-1, 0, 2}, 5, 4);
  CHECK(flat(extract_diagonals(a, {-1, 0, 2})) == std::vector<double>{1, 2, 3, 4, 6, 7, 8, 9, 0, 0, 13, 14});
}

TEST_CASE("diagonals are taken and built") {
  const Tensor a = Tensor::dense(Element::real, 2, 3, counting(6));
  for (const Storage storage : all_storages) {
    CHECK(flat(diagonal_of(to_storage(a, storage), 0)) == std::vector<double>{1, 4});
    CHECK(flat(diagonal_of(to_storage(a, storage), 2)) == std::vector<double>{5});
    CHECK(diagonal_of(to_storage(a, storage), 3).count() == 0);
  }
  const Tensor v = Tensor::dense(Element::real, 2, 1, {7, 8});
  for (const Storage storage : {Storage::dense, Storage::diagonal}) {
    CHECK(flat(diagonal_matrix(v, -1, storage)) == std::vector<double>{0, 7, 0, 0, 0, 8, 0, 0, 0});
    CHECK(flat(diagonal_matrix(v, 1, storage)) == std::vector<double>{0, 0, 0, 7, 0, 0, 0, 8, 0});
  }
}

TEST_CASE("symmetry, bandwidth and the sign of the diagonal") {
  const Tensor a = Tensor::dense(Element::real, 3, 3, {2, 1, 0, 1, 2, 5, 0, 5, 2});
  const Tensor b = Tensor::dense(Element::real, 3, 3, {2, 1, 0, 1, -2, 5, 0, 4, 2});
  for (const Storage storage : all_storages) {
    CHECK(is_symmetric(to_storage(a, storage)));
    const auto found = find_asymmetry(to_storage(b, storage));
    REQUIRE(found);
    CHECK(found->row == 1);
    CHECK(found->col == 2);
    CHECK(found->value == 4);
    CHECK(found->transposed == 5);
    CHECK(find_nonpositive_diagonal(to_storage(b, storage)) == 1);
    CHECK_FALSE(find_nonpositive_diagonal(to_storage(a, storage)));
    CHECK(bandwidth(to_storage(a, storage)).lower == 1);
  }
  CHECK_FALSE(is_symmetric(pattern(2, 3, 1)));
}

TEST_CASE("halves that differ by rounding agree within a tolerance, NaN and Inf never do") {
  const Tensor rounded = Tensor::dense(Element::real, 2, 2, {1, 0.3, 0.3 * (1 + 4e-16), 1});
  const Tensor nan = Tensor::dense(Element::real, 2, 2, {1, NAN, NAN, 1});
  const Tensor infinite = Tensor::dense(Element::real, 2, 2, {1, INFINITY, 5, 1});
  for (const Storage storage : all_storages) {
    CHECK(find_asymmetry(to_storage(rounded, storage)));
    CHECK_FALSE(find_asymmetry(to_storage(rounded, storage), 1e-14));
    CHECK(find_asymmetry(to_storage(nan, storage), 1e-14));
    CHECK(find_asymmetry(to_storage(infinite, storage), 1e-14));
  }
}

TEST_CASE("assignment to stored entries of a sparse matrix shares the pattern and leaves the old value alone") {
  const Tensor a = to_csr(Tensor::dense(Element::real, 3, 3, {1, 0, 4, 0, 2, 0, 0, 3, 5}));
  const auto at = [](std::vector<double> v) {
    return Tensor::dense(Element::integer, static_cast<std::int64_t>(v.size()), 1, v);
  };
  const auto two = Tensor::dense(Element::real, 1, 2, {7, 8});
  const Tensor b = assign_elements(a, 3, 3, at({3, 8}), two, Element::real);
  CHECK(b.column_indices() == a.column_indices());
  CHECK(b.at(2, 0) == 7);
  CHECK(b.at(1, 2) == 8);
  CHECK(a.at(2, 0) == 4);
  const Tensor removed = assign_region(a, 3, 3, at({2}), at({2}), Tensor::scalar(0), Element::real);
  CHECK(removed.stored() == 4);
  CHECK(removed.at(1, 1) == 0);
  const Tensor added = assign_region(a, 3, 3, at({2, 3}), at({2}), Tensor::scalar(9), Element::real);
  CHECK(added.stored() == 6);
  CHECK(added.at(2, 1) == 9);
  CHECK(assign_region(a, 4, 3, at({1}), at({1}), Tensor::scalar(9), Element::real).rows() == 4);
}

TEST_CASE("a list of assignments is stored in its order") {
  const Tensor a = to_csr(Tensor::dense(Element::real, 2, 2, {1, 0, 0, 4}));
  const auto list = [](std::vector<double> v) {
    return Tensor::dense(Element::real, 4, static_cast<std::int64_t>(v.size() / 4), v);
  };
  //                                 set, then added to      what stands there  set last          vanishes     not
  //                                 reached
  const Tensor mixed = list(
      {1, 2, 5, 0, 1, 2, 3, 1, 1, 2, -1, 1, 2, 2, 6, 1, 1, 1, 9, 1, 1, 1, 8, 0, 2, 1, 7, 1, 2, 1, -7, 1, 2, 1, 99, 0});
  const Tensor b = assign_list(a, 2, 2, mixed, 8);
  CHECK(b.at(0, 1) == 7);
  CHECK(b.at(1, 1) == 10);
  CHECK(b.at(0, 0) == 8);
  CHECK(b.at(1, 0) == 0);
  CHECK(b.stored() == 3);
  CHECK(a.at(1, 1) == 4);
  const Tensor grown = assign_list(a, 3, 4, list({3, 4, 2, 1}), 1);
  CHECK(grown.rows() == 3);
  CHECK(grown.cols() == 4);
  CHECK(grown.at(2, 3) == 2);
  CHECK(assign_list(a, 2, 2, mixed, 0).column_indices() == a.column_indices());
  // Sums round one by one, in the matrix's element.
  const Tensor single = to_csr(Tensor::dense(Element::single, 1, 1, {16777216}));
  CHECK(assign_list(single, 1, 1, list({1, 1, 1, 1, 1, 1, 1, 1}), 2).at(0, 0) == 16777216);
}

TEST_CASE("large blocks stay at hand, small ones and those beyond the limit do not") {
  drop_kept_blocks();
  void* large = take_block(large_block);
  REQUIRE(large != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(large) % (std::uintptr_t{2} << 20) < std::uintptr_t{64} << 10);
  std::memset(large, 1, large_block);  // it is there to its end
  give_back_block(large, large_block);
  CHECK(kept_bytes() == large_block);
  void* other = take_block(2 * large_block);
  CHECK(other != large);
  const auto set = [](void* block) { return reinterpret_cast<std::uintptr_t>(block) % 4096; };
  CHECK(set(other) != set(large));  // of a cache
  CHECK(take_block(large_block) == large);
  CHECK(kept_bytes() == 0);
  give_back_block(take_block(64), 64);
  CHECK(kept_bytes() == 0);
  give_back_block(large, large_block);
  give_back_block(other, 2 * large_block);
  CHECK(kept_bytes() == 3 * large_block);
  // Never written, so these take no memory. The oldest makes room for the newest; what is too large itself stays away.
  give_back_block(take_block(most_kept + 64), most_kept + 64);
  CHECK(kept_bytes() == 3 * large_block);
  void* most = take_block(most_kept - 2 * large_block);
  give_back_block(most, most_kept - 2 * large_block);
  CHECK(kept_bytes() == most_kept);
  CHECK(take_block(2 * large_block) == other);
  give_back_block(other, 2 * large_block);
  drop_kept_blocks();
  CHECK(kept_bytes() == 0);
}

TEST_CASE("a copy of a large matrix counts in the budget until it goes, and ends in zeros") {
  const std::size_t bytes = large_block + 8;
  drop_kept_blocks();
  const std::vector<char> host(bytes, 'x');
  const auto budget = std::make_shared<MemoryBudget>(static_cast<std::int64_t>(large_block + 64));
  const MemoryBudget::Scope scope(budget);
  for (int time = 0; time < 2; ++time) {
    Memory memory = Memory::borrow(host.data(), bytes);
    const char* copy = static_cast<const char*>(memory.writable());
    CHECK(std::equal(host.begin(), host.end(), copy));
    CHECK(std::all_of(copy + bytes, copy + large_block + 64, [](char c) { return c == 0; }));
    Memory second = Memory::borrow(host.data(), bytes);
    CHECK_THROWS_AS(second.writable(), std::bad_alloc);
  }
  CHECK(kept_bytes() == large_block + 64);
  drop_kept_blocks();
}
