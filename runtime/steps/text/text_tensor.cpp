#include "runtime/steps/text/text_tensor.h"

#include "ir/support/character.h"

namespace lac::runtime {
namespace {

double code_of(char c) { return static_cast<double>(static_cast<unsigned char>(c)); }

}  // namespace

Tensor text_tensor(std::string_view text, const ResultType& type) {
  Tensor codes = Tensor::dense(type.element, type.rows, type.cols);
  for (std::size_t k = 0; k < text.size(); ++k) codes.set_stored_value(static_cast<std::int64_t>(k), code_of(text[k]));
  return codes;
}

Tensor text_tensor(const std::vector<std::string>& rows, const ResultType& type) {
  Tensor codes = Tensor::dense(type.element, type.rows, type.cols);
  for (std::int64_t j = 0; j < type.cols; ++j)
    for (std::int64_t i = 0; i < type.rows; ++i) {
      const std::string& row = rows[static_cast<std::size_t>(i)];
      const auto at = static_cast<std::size_t>(j);
      codes.set_stored_value(j * type.rows + i, at < row.size() ? code_of(row[at]) : code_of(' '));
    }
  return codes;
}

std::string text_of(const Tensor& codes) {
  std::string text;
  for (std::int64_t k = 0; k < codes.count(); ++k) text += character_of(codes.stored_value(k));
  return text;
}

std::vector<std::string> text_rows(const Tensor& codes) {
  std::vector<std::string> rows(static_cast<std::size_t>(codes.rows()));
  for (std::int64_t i = 0; i < codes.rows(); ++i)
    for (std::int64_t j = 0; j < codes.cols(); ++j) rows[static_cast<std::size_t>(i)] += character_of(codes.at(i, j));
  return rows;
}

}  // namespace lac::runtime
