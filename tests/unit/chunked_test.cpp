#include "ir/support/chunked.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ir/support/character.h"

using namespace lac;

namespace {

Chunked<std::string> numbered(int count) {
  Chunked<std::string> sequence;
  for (int i = 0; i < count; ++i) sequence.push_back(std::to_string(i));
  return sequence;
}

std::vector<std::string> contents(const Chunked<std::string>& sequence) { return {sequence.begin(), sequence.end()}; }

TEST_CASE("elements of a chunked sequence stay where they are while others are added") {
  Chunked<std::string> sequence = numbered(1);
  std::vector<const std::string*> places;
  for (int i = 1; i < 1000; ++i) {
    places.push_back(&sequence[sequence.size() - 1]);
    sequence.push_back(std::to_string(i));
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    CHECK(&sequence[i] == places[i]);
    CHECK(*places[i] == std::to_string(i));
  }
}

TEST_CASE("a chunked sequence shrinks and grows at every length of its last chunk") {
  for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 127U, 128U, 129U, 199U}) {
    Chunked<std::string> sequence = numbered(200);
    const std::string* const first = &sequence[0];
    sequence.resize(size);
    CHECK(sequence.size() == size);
    CHECK(sequence.empty() == (size == 0));
    CHECK(contents(sequence) == contents(numbered(static_cast<int>(size))));
    if (size > 0) CHECK(&sequence[0] == first);
    sequence.push_back("new");
    CHECK(sequence[size] == "new");
    sequence.resize(200);
    CHECK(sequence[199] == (size == 199 ? "new" : ""));
  }
}

TEST_CASE("copies of a chunked sequence have elements of their own, and what is moved from has none") {
  Chunked<std::string> from = numbered(70);
  Chunked<std::string> copy = from;
  copy[69] = "other";
  CHECK(from[69] == "69");
  copy = from;
  CHECK(contents(copy) == contents(from));
  copy = *&copy;
  CHECK(copy.size() == 70);

  const std::string* const place = &from[5];
  Chunked<std::string> moved = std::move(from);
  CHECK(&moved[5] == place);
  CHECK(from.empty());  // NOLINT(bugprone-use-after-move): what the header promises
  from.push_back("again");
  CHECK(contents(from) == std::vector<std::string>{"again"});
  from = std::move(moved);
  CHECK(&from[5] == place);
  CHECK(moved.empty());  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("a chunked sequence holds what can only be moved") {
  Chunked<std::unique_ptr<int>> sequence;
  for (int i = 0; i < 100; ++i) sequence.push_back(std::make_unique<int>(i));
  sequence.resize(65);
  CHECK(*sequence[64] == 64);
  CHECK(std::ranges::all_of(sequence, [](const std::unique_ptr<int>& each) { return each != nullptr; }));
}

TEST_CASE("a code that no byte has is the character 0") {
  CHECK(character_of('a') == 'a');
  CHECK(character_of(255) == '\xff');
  CHECK(character_of(255.9) == '\xff');
  for (const double none :
       {-1.0, -0.5, 256.0, 1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    CHECK(character_of(none) == '\0');
}

}  // namespace
