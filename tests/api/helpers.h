// Programs from text, on the target that a test section names.
#pragma once

#include <string>

#include "driver/include/lac/lac.hpp"

namespace lac::test {

inline api::Program program(const std::string& text, api::Target target,
                            api::Precision precision = api::Precision::natural) {
  api::Options options;
  options.target = target;
  options.precision = precision;
  return api::Program::from_text(text, "test.la", options);
}

/// Runs and keeps what is printed.
inline api::Result run(api::Program& program, const api::Arguments& arguments, std::string* printed = nullptr) {
  api::RunOptions options;
  options.threads = 1;
  if (printed) options.out = [printed](std::string_view text) { *printed += text; };
  return program.run(arguments, options);
}

}  // namespace lac::test
