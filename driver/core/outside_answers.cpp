#include "driver/core/outside_answers.h"

#include <algorithm>
#include <utility>

namespace lac::driver {
namespace {

std::optional<FileForm> known(const Result<FileForm>& form) {
  return form ? std::optional(form.value()) : std::nullopt;
}

}  // namespace

void record(frontend::LowerOptions& options, OutsideAnswers& answers) {
  options.find_function = [find = std::move(options.find_function), &answers](const std::string& name) {
    auto found = find(name);
    answers.functions.push_back({name, found});
    return found;
  };
  if (!options.storage_of_file) return;
  options.storage_of_file = [storage_of = std::move(options.storage_of_file), &answers](const std::string& path) {
    const std::optional<Storage> storage = storage_of(path);
    answers.files.push_back({path, storage});
    return storage;
  };
  options.form_of_file = [form_of = std::move(options.form_of_file), &answers](const std::string& path) {
    Result<FileForm> form = form_of(path);
    answers.forms.push_back({path, known(form)});
    return form;
  };
}

bool still_hold(const OutsideAnswers& answers, const frontend::LowerOptions& options) {
  const auto same_function = [&](const OutsideAnswers::Function& heard) {
    return options.find_function(heard.name) == heard.answer;
  };
  const auto same_file = [&](const OutsideAnswers::File& heard) {
    return options.storage_of_file && options.storage_of_file(heard.path) == heard.storage;
  };
  const auto same_form = [&](const OutsideAnswers::Form& heard) {
    return options.form_of_file && known(options.form_of_file(heard.path)) == heard.form;
  };
  return std::ranges::all_of(answers.functions, same_function) && std::ranges::all_of(answers.files, same_file) &&
         std::ranges::all_of(answers.forms, same_form);
}

}  // namespace lac::driver
