// What libFuzzer asks of a target besides LLVMFuzzerTestOneInput: how texts change, and what the sanitizers do.
#include <algorithm>
#include <cstring>
#include <string>

#include "tests/fuzz/made_program.h"
#include "tests/fuzz/text_mutation.h"

extern "C" {

// Blocks that are too large are a matter of limits.cpp; what a sanitizer finds ends the process.
const char* __asan_default_options() { return "allocator_may_return_null=1:detect_leaks=1:quarantine_size_mb=32"; }
const char* __ubsan_default_options() { return "print_stacktrace=1:halt_on_error=1"; }

#ifdef LAC_FUZZ_TEXT

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

std::string text_of(const std::uint8_t* data, std::size_t size) {
  return std::string(reinterpret_cast<const char*>(data), size);
}

std::size_t store(const std::string& text, std::uint8_t* data, std::size_t max_size) {
  const std::size_t kept = std::min(text.size(), max_size);
  std::memcpy(data, text.data(), kept);
  return kept;
}

}  // namespace

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  if (seed % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
#ifdef LAC_FUZZ_MADE
  if (seed % 2 == 1) return store(lac::fuzz::made_program(seed), data, max_size);
#endif
  return store(lac::fuzz::mutated(text_of(data, size), seed), data, max_size);
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size, const std::uint8_t* second,
                                      std::size_t second_size, std::uint8_t* out, std::size_t max_size, unsigned seed) {
  return store(lac::fuzz::crossed(text_of(first, first_size), text_of(second, second_size), seed), out, max_size);
}

#endif
}
