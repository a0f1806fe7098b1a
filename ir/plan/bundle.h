// What `lac build` puts into an executable: a program's specialisations, each compiled for several machines. Plain data
// that generated code lays out and the host program reads.
#pragma once

#include <cstdint>

#include "ir/plan/abi.h"

namespace lac::abi {

struct BundledCode {
  const char* cpu;       ///< the machine that it is for: x86-64-v3, or LLVM's name
  const char* features;  ///< all that the code may use of it, in LLVM's words: "avx2,bmi2,..."
  ProgramFunction program;
  const KernelCode* kernels;  ///< by KernelId
};

/// A text of the program, which places refer to by its position in the list of all. Not terminated.
struct BundledText {
  const char* name;
  std::uint64_t name_size;
  const char* text;
  std::uint64_t text_size;
};

/// Texts are not terminated.
struct BundledSpecialisation {
  const char* signature;  ///< the kind of data, in the host's words
  std::uint64_t signature_size;
  const char* manifest;  ///< manifest_from_bytes reads it; without sources, which are the bundle's
  std::uint64_t manifest_size;
  const BundledCode* code;  ///< what asks most of the machine first
  std::uint64_t code_count;
};

inline constexpr const char* bundle_name = "lac_bundle";            ///< an array of BundledSpecialisation
inline constexpr const char* bundle_size_name = "lac_bundle_size";  ///< its length, a uint64
inline constexpr const char* texts_name = "lac_texts";            ///< an array of BundledText, the program's own first
inline constexpr const char* texts_size_name = "lac_texts_size";  ///< its length, a uint64

}  // namespace lac::abi
