// A host that returns from `main` while something is made beside its program: what that makes on first use is there for
// as long as it works. Exits with 0 where it is.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <string_view>
#include <thread>

#include "driver/native/background.h"

namespace {

// As LLVM's tables are: made on first use, destroyed when the process ends.
struct Table {
  ~Table() { lives = false; }
  static inline volatile bool lives = true;
};

void use_table(std::promise<void>& begun) {
  static Table table;
  static_cast<void>(table);
  begun.set_value();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  if (Table::lives) return;
  std::fputs("a table was destroyed while it was in use\n", stderr);
  ::_exit(1);
}

void begin_work() {
  const auto begun = std::make_shared<std::promise<void>>();
  const std::future<void> has_begun = begun->get_future();
  lac::driver::in_background([begun] { use_table(*begun); });
  has_begun.wait();
}

}  // namespace

/// With `thread`, the work is asked for by another thread than the first one, which has ended before `main` does.
int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "thread") std::thread(begin_work).join();
  else begin_work();
  return 0;
}
