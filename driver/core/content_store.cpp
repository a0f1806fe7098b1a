#include "driver/core/content_store.h"

#include <algorithm>

#include "driver/core/disk_cache.h"
#include "runtime/files/cache_file.h"

namespace lac::driver {

namespace {

/// The most bytes of which every run looks at all files: some thousands, at 3 us each.
constexpr std::uintmax_t looked_at_always = 64 << 20;

/// Who has written a part of a 64th of a larger limit looks with that probability, so that about as much is written
/// between two looks; `hash` is of something that was written.
bool should_look(std::uint64_t written, std::uint64_t hash, std::uintmax_t limit) {
  if (limit <= looked_at_always) return true;
  const std::uintmax_t between = limit / 64;
  return written >= between || hash % between < written;
}

}  // namespace

ContentStore::~ContentStore() {
  const std::uintmax_t limit = cache_limit();
  if (written_ > 0 && should_look(written_, last_hash_, limit))
    runtime::trim_cache_folder(folder_, code_kinds(), limit);
}

std::filesystem::path ContentStore::file_of(const std::string& key) const {
  return folder_ / (kind_ + "-" + runtime::hexadecimal(runtime::content_hash(key)) + ".bin");
}

std::string ContentStore::find(const std::string& key) {
  const std::filesystem::path file = file_of(key);
  const runtime::CacheFile read = runtime::read_cache_file(file);
  if (!read.problem.empty()) say(file.string() + " is not used: " + read.problem);
  const std::string_view payload(read.bytes.data(), read.bytes.size());
  const bool found = payload.size() > key.size() && payload.starts_with(key);
  ++(found ? hits_ : misses_);
  return found ? std::string(payload.substr(key.size())) : std::string();
}

void ContentStore::keep(const std::string& key, std::string_view bytes) {
  std::string payload = key;
  payload += bytes;
  const std::string problem = runtime::write_cache_file(file_of(key), payload);
  if (problem.empty()) {
    written_ += payload.size();
    last_hash_ = runtime::content_hash(payload);
  } else say("nothing is kept in " + folder_.string() + ": " + problem);
}

api::CacheUse ContentStore::use() const {
  if (hits_ + misses_ == 0) return api::CacheUse::off;
  return misses_ == 0 ? api::CacheUse::hit : api::CacheUse::miss;
}

void ContentStore::say(std::string problem) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(problems_, problem) == problems_.end()) problems_.push_back(std::move(problem));
}

std::vector<std::string> ContentStore::problems() const {
  const std::lock_guard lock(mutex_);
  return problems_;
}

void warn_of_problems(const ContentStore& store, Diagnostics& diagnostics) {
  for (const std::string& problem : store.problems())
    if (std::ranges::find(diagnostics.items(), problem, &Diagnostic::message) == diagnostics.items().end())
      diagnostics.warning({}, problem);
}

std::shared_ptr<ContentStore> content_store(const api::Options& options, std::string kind) {
  const std::filesystem::path folder = options.cache ? code_folder() : std::filesystem::path();
  return folder.empty() ? nullptr : std::make_shared<ContentStore>(folder, std::move(kind));
}

}  // namespace lac::driver
