// What the host process notices of the libraries that lac loads: nothing.
#include <dlfcn.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "runtime/steps/dense/lapack.h"

using namespace lac::runtime::lapack;

namespace {

double some_product() {
  Matrix<double> a = zeros<double>(3, 3);
  for (int i = 0; i < 3; ++i) a.at(i, i) = 2;
  return product(a, a).at(1, 1);
}

std::ptrdiff_t thread_count() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * 4096;
}

}  // namespace

TEST_CASE("OpenBLAS comes without threads and without names for others") {
  const std::ptrdiff_t before = thread_count();
  CHECK(some_product() == 4);
  CHECK(thread_count() == before);
  CHECK(dlsym(RTLD_DEFAULT, "openblas_get_num_threads") == nullptr);
  CHECK(dlsym(RTLD_DEFAULT, "dgetrf_") == nullptr);
}

TEST_CASE("a host keeps its threads of OpenBLAS") {
  void* blas = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  REQUIRE(blas);
  const auto threads = reinterpret_cast<int (*)()>(dlsym(blas, "openblas_get_num_threads"));
  const auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(blas, "openblas_set_num_threads"));
  set_threads(3);
  CHECK(some_product() == 4);
  CHECK(threads() == 3);
  {
    const Call outer;
    CHECK(threads() == 1);
    CHECK(some_product() == 4);
    CHECK(threads() == 1);
  }
  CHECK(threads() == 3);
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("a call that OpenBLAS would have no room for is out of memory") {
  const Call calls[8];  // more than have gone on at once before: the next one needs room of its own
  rlimit before = {};
  getrlimit(RLIMIT_AS, &before);
  const rlimit little = {address_space() + (std::size_t{32} << 20), before.rlim_max};
  setrlimit(RLIMIT_AS, &little);
  CHECK_THROWS_AS(some_product(), std::bad_alloc);
  setrlimit(RLIMIT_AS, &before);
  CHECK(some_product() == 4);
}
#endif
