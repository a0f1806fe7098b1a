// Whether the shapes of given values fit the `param` lines, across parameters.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "driver/core/module.h"
#include "driver/core/values.h"

namespace lac::driver {

/// The numbers that size names stand for, and who said so.
class SizeTable {
 public:
  /// An integer scalar parameter can be used as a size.
  void add_scalar(const frontend::ParameterInfo& parameter, double value);

  /// Compares the value's rows and columns with the declared dimensions, and learns the names seen for the first time.
  /// Adds an error and returns false when they do not fit. Dimensions that are not constants, names or arithmetic on
  /// known names are left to the program.
  bool check(const Module& module, const frontend::ParameterInfo& parameter, const GivenValue& given,
             Diagnostics& diagnostics);

  /// The value of a dimension, if it is known.
  std::optional<std::int64_t> evaluate(const frontend::ast::Expr& dimension) const;

 private:
  struct Known {
    std::int64_t value = 0;
    std::string reason;  ///< "the rows of A"
    Span span;
    std::string detail;  ///< "A is 100x80 because it was read from ..."; may be empty
  };
  bool check_axis(const frontend::ParameterInfo& parameter, const GivenValue& given,
                  const frontend::ast::Expr& dimension, std::int64_t extent, std::string_view axis,
                  Diagnostics& diagnostics);

  std::map<std::string, Known> known_;
};

/// `A is 100x80 because it was read from "well.mtx"`.
std::string shape_reason(const std::string& name, const GivenValue& given);

}  // namespace lac::driver
