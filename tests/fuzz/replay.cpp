// A fuzz target without libFuzzer, for every compiler: gives it files, and changes of them that are always the same.
//
// usage: replay [--changes=N] [--seed=S] FILE|FOLDER...
// Of a folder: the .la files below it. An input that ends the process is left in
// fuzz_input.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/made_program.h"
#include "tests/fuzz/text_mutation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr char kept_input[] = "fuzz_input";

std::string current;  // for keep_input

extern "C" void keep_input(int number) {
  const int file = open(kept_input, O_CREAT | O_TRUNC | O_WRONLY, 0666);
  if (file >= 0 && write(file, current.data(), current.size()) >= 0) close(file);
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void give(std::string text) {
  current = std::move(text);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
    if (entry.is_regular_file() && entry.path().extension() == ".la") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int count, char** words) {
  unsigned changes = 0, seed = 1;
  std::vector<std::string> texts;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word.starts_with("--changes=")) {
      changes = static_cast<unsigned>(std::stoul(word.substr(10)));
    } else if (word.starts_with("--seed=")) {
      seed = static_cast<unsigned>(std::stoul(word.substr(7)));
    } else {
      for (const auto& file : files_of(word)) texts.push_back(content(file));
    }
  }
  for (int number : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS}) std::signal(number, keep_input);
  for (const std::string& text : texts) give(text);
  std::mt19937 random(seed);
  for (unsigned i = 0; i < changes; ++i) {
    const std::string& text = texts[random() % texts.size()];
    const std::string& other = texts[random() % texts.size()];
    const auto each = static_cast<std::uint32_t>(random());
#ifdef LAC_FUZZ_MADE
    if (i % 2 == 1) {
      give(lac::fuzz::made_program(each));
      continue;
    }
#endif
    give(i % 4 == 0 ? lac::fuzz::crossed(text, other, each) : lac::fuzz::mutated(text, each));
  }
  std::printf("%zu files and %u changes of them\n", texts.size(), changes);
}
