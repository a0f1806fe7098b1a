// One run as a host asked for it, where the executor itself fails.
#include "driver/core/host_run.h"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace lac;
using namespace lac::driver;

namespace {

Specialisation code_that(std::function<void()> work) {
  Specialisation code;
  code.run = [work = std::move(work)](const std::vector<runtime::Tensor>&, const runtime::RunOptions&) {
    work();
    return runtime::RunResult();
  };
  return code;
}

}  // namespace

TEST_CASE("what an executor throws leaves the state that the run began with") {
  const api::RunOptions wanted;
  HostRun host(wanted, false);
  host.options.seed = 7;
  host.options.draws = 9;
  host.options.warnings_off.except = {"some:id"};
  const auto code = code_that([] { throw std::logic_error("broken"); });
  const runtime::RunResult result = host.execute(code, SourceManager(), {});
  CHECK(result.status.code == runtime::RunCode::internal_error);
  CHECK(result.random.seed == 7);
  CHECK(result.random.draws == 9);
  CHECK(result.warnings_off.off("some:id"));
}

TEST_CASE("a refusal of memory counts for the execution that met it") {
  api::RunOptions wanted;
  wanted.memory_limit = 1000;
  HostRun host(wanted, false);
  const auto refused = code_that([] { static_cast<void>(runtime::Memory::allocate(2000)); });
  const auto too_large = code_that([] { throw std::bad_alloc(); });
  CHECK(host.execute(refused, SourceManager(), {}).status.code == runtime::RunCode::error);
  CHECK(host.limit() == api::Limit::memory);
  CHECK(host.execute(too_large, SourceManager(), {}).status.code == runtime::RunCode::out_of_memory);
  CHECK(host.limit() == api::Limit::none);
}
