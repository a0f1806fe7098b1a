// What the library brings beside the core: a backend for each target.
#include "driver/core/disk_cache.h"
#include "driver/native/background.h"
#include "driver/native/native_backend.h"
#include "driver/native/oracle_backend.h"
#include "driver/vulkan/vulkan_backend.h"
#include "passes/pass_manager.h"

namespace lac::driver {

std::unique_ptr<Backend> make_backend(api::Target target) {
  switch (target) {
    case api::Target::cpu: return make_native_backend();
    case api::Target::interp: return make_oracle_backend();
    case api::Target::vulkan: return make_vulkan_backend();
    case api::Target::vulkan_fragment: return make_fragment_backend();
  }
  throw InternalError("a target without a backend");
}

}  // namespace lac::driver

namespace lac::api {

std::vector<Pass> passes() {
  std::vector<Pass> result;
  for (const lac::passes::PassInfo& pass : lac::passes::all_passes()) {
    result.push_back({std::string(pass.name), std::string(pass.description)});
  }
  return result;
}

void end_process(int status) { driver::end_process(status); }

Devices devices() { return driver::vulkan_devices(); }
Cache cache() { return driver::look_at_cache(driver::cache_folder()); }
Cache clear_cache() { return driver::clear_cache(driver::cache_folder()); }

}  // namespace lac::api
