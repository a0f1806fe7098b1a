#include <pthread.h>

#include <catch2/catch.hpp>
#include <stdexcept>

#include "ir/support/diagnostics.h"
#include "ir/support/printable.h"
#include "ir/support/stack.h"

TEST_CASE("the nearest name is suggested, a far one is not") {
  CHECK(lac::nearest_name("tolerence", {"tol", "tolerance", "maxit"}) == "tolerance");
  CHECK(lac::nearest_name("zzzzzz", {"tol", "tolerance", "maxit"}).empty());
}

TEST_CASE("what steers a terminal is shown, not sent") {
  CHECK(lac::printable("a\x1b[31mb\x7f\r\a") == "a\\x1b[31mb\\x7f\\x0d\\x07");
  CHECK(lac::printable("\tµ€😀\n") == "\tµ€😀\n");
  CHECK(lac::printable("\xc2\x9b"
                       "2J") == "\\xc2\\x9b2J");  // the control sequence introducer as one character
  CHECK(lac::printable("\xff\xe2\x82 \xe4") == "\\xff\\xe2\\x82 \\xe4");
}

TEST_CASE("an excerpt shows control characters and points at the right one") {
  lac::SourceManager sources;
  const lac::FileId file = sources.add("a\x1b.la", "x\x1b = µ + yy\n");
  const lac::Diagnostic error{lac::Severity::error, {file, 10, 12}, 0, "no \x1b here"};
  CHECK(lac::render(error, sources) ==
        "a\\x1b.la:1:11: error: no \\x1b here\n   1 | x\\x1b = µ + yy\n     |              ^~\n");
}

namespace {

// Needs about 2 MB.
int deep(int level) {
  volatile char frame[2000] = {};
  return level == 0 ? frame[0] : deep(level - 1) + frame[1];
}

void* from_small_stack(void* answer) {
  *static_cast<int*>(answer) = lac::with_deep_stack([] { return deep(1000) + 7; });
  try {
    lac::on_deep_stack([] { throw std::runtime_error("thrown"); });
  } catch (const std::runtime_error&) {
    ++*static_cast<int*>(answer);
  }
  return nullptr;
}

}  // namespace

TEST_CASE("a small stack is no limit, and what is thrown arrives") {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  pthread_t thread;
  int answer = 0;
  REQUIRE(pthread_create(&thread, &attributes, from_small_stack, &answer) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  CHECK(answer == 8);
}
