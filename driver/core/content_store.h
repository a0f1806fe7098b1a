// What compiling leaves on disk for later processes: compiled kernels and shaders, found by all that they depend on.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "driver/include/lac/lac.hpp"
#include "ir/support/diagnostics.h"

namespace lac::driver {

/// One file an entry, named by `kind` and by the hash of its key; the key stands in it, so that two of one hash are
/// told apart. Thread-safe. When stores have written some, one of them trims the folder to the size that the cache may
/// have.
class ContentStore {
 public:
  ContentStore(std::filesystem::path folder, std::string kind) : folder_(std::move(folder)), kind_(std::move(kind)) {}
  ~ContentStore();

  /// What was kept under this key; empty: nothing.
  std::string find(const std::string& key);
  /// `bytes` are not empty.
  void keep(const std::string& key, std::string_view bytes);

  api::CacheUse use() const;
  /// What was wrong with the folder or its files, each thing once, with what to do about it.
  std::vector<std::string> problems() const;

 private:
  std::filesystem::path file_of(const std::string& key) const;
  void say(std::string problem);

  std::filesystem::path folder_;
  std::string kind_;
  std::atomic<std::int64_t> hits_ = 0, misses_ = 0;
  std::atomic<std::uint64_t> written_ = 0, last_hash_ = 0;  ///< bytes, and the hash of what was written last
  mutable std::mutex mutex_;
  std::vector<std::string> problems_;  ///< under `mutex_`
};

/// Adds the store's problems as warnings that have no place, but for those that are among the diagnostics already.
void warn_of_problems(const ContentStore& store, Diagnostics& diagnostics);

/// Of this kind, in the cache's folder; null where nothing is to be kept.
std::shared_ptr<ContentStore> content_store(const api::Options& options, std::string kind);

}  // namespace lac::driver
