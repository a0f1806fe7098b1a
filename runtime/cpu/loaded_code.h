// Object files of compiled kernels in the memory of this process, linked without a linker: ELF for x86-64, position
// independent, of the small code model, as codegen/llvm/machine/unit.h makes them (System V ABI, AMD64
// supplement, 4.4).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/support/result.h"

namespace lac::runtime {

/// Owns the memory: what `find` gave is valid as long as it lives. Code is executable and not writable, data neither.
class LoadedCode {
 public:
  /// The address of a function that objects call but do not have; null where there is none.
  using Externals = std::function<void*(const char* name)>;

  /// A Failure names what is wrong: bytes that are no such object, a function that nobody has, no memory for code.
  static Result<LoadedCode> load(std::span<const std::string_view> objects, const Externals& externals);

  LoadedCode(LoadedCode&& other) noexcept;
  LoadedCode& operator=(LoadedCode&& other) noexcept;
  ~LoadedCode();

  /// The address of a function that object number `object` defines, null where it does not.
  void* find(std::size_t object, const std::string& symbol) const;

 private:
  friend class CodeLinker;
  LoadedCode() = default;

  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<std::unordered_map<std::string, void*>> symbols_;
};

}  // namespace lac::runtime
