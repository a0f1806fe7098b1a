#include <dlfcn.h>

#include <barrier>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "tests/api/helpers.h"

using namespace lac::api;
using lac::test::program;

namespace {

const char* const text = "param A(n, n)\nparam k = 3\noutput y\ny = A * ones(n, 1) + k;";

double first(const Result& result) {
  REQUIRE(result.message() == "");
  return result.output("y")->at(0, 0);
}

}  // namespace

TEST_CASE("one compilation serves every size of at least 2") {
  const std::vector<double> values(100, 2.0);
  for (const Target target : {Target::interp, Target::cpu}) {
    Program p = program(text, target);
    CHECK(p.compilations() == 0);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 4, 4))) == 11);
    CHECK(p.compilations() == 1);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 10, 10))) == 23);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 2, 2).scalar("k", 7))) == 11);
    CHECK(p.compilations() == 1);
  }
}

TEST_CASE("size 1 and other kinds of values are specialisations of their own") {
  const std::vector<double> values(100, 2.0);
  for (const Target target : {Target::interp, Target::cpu}) {
    Program p = program(text, target);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 1, 1))) == 5);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 3, 3))) == 9);
    CHECK(p.compilations() == 2);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 3, 3).scalar("k", 0.5))) == 6.5);
    CHECK(p.compilations() == 3);
    CHECK(first(p.run(Arguments().matrix("A", values.data(), 1, 1))) == 5);
    CHECK(p.compilations() == 3);
  }
}

TEST_CASE("copies share what was compiled, prepare compiles ahead") {
  const std::vector<double> values(100, 2.0);
  Program p = program(text, Target::cpu);
  Program copy = p;
  REQUIRE(p.prepare(Arguments().matrix("A", values.data(), 4, 4)).ok());
  CHECK(copy.compilations() == 1);
  CHECK(first(copy.run(Arguments().matrix("A", values.data(), 5, 5))) == 13);
  CHECK(p.compilations() == 1);
}

TEST_CASE("runs of one program go side by side") {
  const std::vector<double> values(10000, 2.0);
  Program p = program(text, Target::cpu);
  std::vector<double> seen(8, 0.0);
  std::vector<std::thread> hosts;
  for (std::int64_t host = 0; host < 8; ++host) {
    hosts.emplace_back([&, host] {
      const std::int64_t n = 1 + 12 * host;
      const Result result = p.run(Arguments().matrix("A", values.data(), n, n));
      if (result.ok()) seen[static_cast<std::size_t>(host)] = result.output("y")->at(n - 1, 0);
    });
  }
  for (std::thread& host : hosts) host.join();
  for (std::size_t host = 0; host < 8; ++host) CHECK(seen[host] == 2.0 * (1.0 + 12.0 * static_cast<double>(host)) + 3);
  CHECK(p.compilations() == 2);
}

namespace {

/// Counts how often a program is compiled, and lets the next compilation wait.
struct Compilations {
  std::mutex mutex;
  std::condition_variable changed;
  int begun = 0;
  bool hold = false;

  void begin() {
    std::unique_lock lock(mutex);
    ++begun;
    changed.notify_all();
    changed.wait(lock, [&] { return !hold; });
  }
  void wait_for(int count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return begun >= count; });
  }
  void release() {
    const std::lock_guard lock(mutex);
    hold = false;
    changed.notify_all();
  }
};

Program watched(Compilations& compilations) {
  Options options;
  options.dump = {"graph"};
  options.dump_sink = [&](const std::string&, const std::string&) { compilations.begin(); };
  return Program::from_text(text, "t.la", options);
}

}  // namespace

TEST_CASE("a run whose code is there does not wait for a compilation") {
  const std::vector<double> values(100, 2.0);
  Compilations compilations;
  Program p = watched(compilations);
  REQUIRE(p.run(Arguments().matrix("A", values.data(), 4, 4)).ok());
  compilations.hold = true;
  std::future<Result> other =
      std::async(std::launch::async, [&] { return p.run(Arguments().matrix("A", values.data(), 1, 1)); });
  compilations.wait_for(2);
  std::future<Result> known = std::async(std::launch::async, [&] {
    CHECK(p.check(Arguments().matrix("A", values.data(), 4, 4)).ok());
    CHECK(p.compilations() == 1);
    return p.run(Arguments().matrix("A", values.data(), 4, 4));
  });
  const bool ended = known.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
  CHECK(ended);
  compilations.release();
  CHECK(first(known.get()) == 11);
  CHECK(first(other.get()) == 5);
  CHECK(p.compilations() == 2);
}

TEST_CASE("threads that want one specialisation compile it once") {
  const std::vector<double> values(100, 2.0);
  Compilations compilations;
  Program p = watched(compilations);
  compilations.hold = true;
  std::vector<std::future<Result>> runs;
  for (int k = 0; k < 6; ++k)
    runs.push_back(std::async(std::launch::async, [&] { return p.run(Arguments().matrix("A", values.data(), 4, 4)); }));
  compilations.wait_for(1);
  compilations.release();
  for (std::future<Result>& each : runs) CHECK(first(each.get()) == 11);
  CHECK(compilations.begun == 1);
  CHECK(p.compilations() == 1);
}

TEST_CASE("runs of one program are inside their sinks at the same time") {
  Program p = program("param k\nprintf(\"%d\\n\", k);\ny = k + 1;\noutput y\n", Target::cpu);
  REQUIRE(p.prepare(Arguments().scalar("k", 2)).ok());
  std::barrier meeting(3);
  std::vector<std::future<Result>> runs;
  for (int k = 2; k < 5; ++k) {
    runs.push_back(std::async(std::launch::async, [&, k] {
      RunOptions options;
      options.out = [&](std::string_view) { meeting.arrive_and_wait(); };
      return p.run(Arguments().scalar("k", k), options);
    }));
  }
  for (std::size_t k = 0; k < 3; ++k) CHECK(runs[k].get().output("y")->at(0, 0) == static_cast<double>(k) + 3);
}

TEST_CASE("errors of programs that call the library are rendered while others compile") {
  Program p = program("param x(n, 1)\nparam k = 1\noutput y\ny = median(x(1:k));", Target::cpu);
  const std::vector<double> values(100, 2.0);
  std::vector<std::future<Result>> runs;
  for (std::int64_t k = 0; k < 12; ++k) {
    runs.push_back(std::async(std::launch::async, [&, k] {
      return p.run(Arguments().matrix("x", values.data(), 1 + k % 3, 1).scalar("k", k % 4 == 3 ? 50.0 : 1.0));
    }));
  }
  for (std::size_t k = 0; k < 12; ++k) {
    const Result result = runs[k].get();
    if (k % 4 != 3) CHECK(result.message() == "");
    else CHECK(result.message().find("out of bound") != std::string::npos);
  }
}

TEST_CASE("prepare loads what a run will call") {
  Program p = program("param A(n, n)\noutput s\ns = svd(A);", Target::cpu);
  const std::vector<double> values(9, 1.0);
  REQUIRE(p.prepare(Arguments().matrix("A", values.data(), 3, 3)).ok());
  void* loaded = ::dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_NOLOAD);
  CHECK(loaded != nullptr);
  if (loaded) ::dlclose(loaded);
}

TEST_CASE("a program is prepared in the background, once for all who ask") {
  const std::vector<double> values(100, 2.0);
  Compilations compilations;
  std::vector<std::future<Checked>> asked;
  compilations.hold = true;
  std::optional<Program> p = watched(compilations);
  Program copy = *p;
  for (int k = 0; k < 4; ++k) asked.push_back(p->prepare_in_background(Arguments().matrix("A", values.data(), 4, 4)));
  compilations.wait_for(1);
  CHECK(copy.compilations() == 0);
  p.reset();
  compilations.release();
  for (std::future<Checked>& each : asked) CHECK(each.get().ok());
  CHECK(compilations.begun == 1);
  CHECK(copy.compilations() == 1);
  CHECK(first(copy.run(Arguments().matrix("A", values.data(), 5, 5))) == 13);
  CHECK(compilations.begun == 1);
  CHECK(!copy.prepare_in_background(Arguments().text("A", "no number")).get().ok());
}

TEST_CASE("a remark says why a program was compiled again") {
  const std::vector<double> values(100, 2.0);
  Options options;
  options.remarks = true;
  Program p = Program::from_text(text, "t.la", options);
  const auto why = [&](std::int64_t n, double k) {
    const Result result = p.run(Arguments().matrix("A", values.data(), n, n).scalar("k", k));
    REQUIRE(result.ok());
    for (const Diagnostic& each : result.diagnostics())
      if (each.message.starts_with("compiled again")) return each.message;
    return std::string();
  };
  CHECK(why(4, 3) == "");
  CHECK(why(7, 9) == "");
  CHECK(why(1, 3) == "compiled again for another kind of data: A is dense 1x1 here, and was dense nxn");
  CHECK(why(4, 0.5) == "compiled again for another kind of data: k is real here, and was integer >= 2");
  CHECK(why(1, 1) == "compiled again for another kind of data: k is 1 here, and was integer >= 2");
  CHECK(why(1, 1) == "");
  Program sparse = Program::from_text("param A(n, n)\noutput y\ny = A * ones(n, 1);\n", "t.la", options);
  const auto storage = [&](std::initializer_list<double> diagonals) {
    std::vector<std::int32_t> pointers = {0}, columns;
    std::vector<double> entries;
    for (int i = 0; i < 40; ++i) {
      for (const double offset : diagonals)
        if (const int j = i + static_cast<int>(offset); j >= 0 && j < 40) columns.push_back(j), entries.push_back(1);
      pointers.push_back(static_cast<std::int32_t>(columns.size()));
    }
    const Result result = sparse.run(Arguments().csr("A", 40, 40, static_cast<std::int64_t>(columns.size()),
                                                     pointers.data(), columns.data(), entries.data()));
    REQUIRE(result.ok());
    for (const Diagnostic& each : result.diagnostics())
      if (each.message.starts_with("compiled again")) return each.message;
    return std::string();
  };
  CHECK(storage({-1, 0, 1}) == "");
  CHECK(storage({0, 2}) ==
        "compiled again for another kind of data: A is diagonal nxn here, and was diagonal nxn, with "
        "other diagonals");
}
