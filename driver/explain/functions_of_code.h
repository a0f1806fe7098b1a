// The functions of generated code, one by one.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace lac::driver {

/// Of LLVM IR as text: from each `define` to its closing brace.
std::map<std::string, std::string> functions_of_llvm(std::string_view text);
/// Of assembly: from each label of a function to the directive that gives its size.
std::map<std::string, std::string> functions_of_assembly(std::string_view text);

/// Those of a kernel, one after the other: the functions named "k4" and "k4_...".
std::string functions_of_kernel(const std::map<std::string, std::string>& functions, const std::string& id);

}  // namespace lac::driver
