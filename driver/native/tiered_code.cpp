#include "driver/native/tiered_code.h"

#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "driver/native/background.h"
#include "driver/native/code_generator.h"
#include "driver/native/unit_key.h"
#include "ir/graph/text.h"
#include "ir/support/parallel.h"
#include "runtime/cpu/symbols.h"

namespace lac::driver {
namespace {

// Kept beside an object that is not made yet, under a key of its own, so that programs which never take as long as
// their compilation are compiled in the end. Either that it is to be made: a run that ends meanwhile leaves it, and the
// next one makes the object from its start on, and waits for it at its end. Or the nanoseconds for which runs so far
// did without.
std::string mark_key(const std::string& key) { return "mark\n" + key; }
constexpr std::string_view begun_mark = "begun";

// Since they were noted last. Less is not worth a file.
constexpr std::int64_t least_noted_ns = 200'000;
constexpr std::int64_t all_noted = std::numeric_limits<std::int64_t>::max();  // of what is begun

/// Of a mark that is a time; none of anything else.
std::optional<std::int64_t> time_of(std::string_view mark) {
  constexpr std::int64_t most = 3'600'000'000'000;
  std::int64_t nanoseconds = 0;
  const auto [end, problem] = std::from_chars(mark.data(), mark.data() + mark.size(), nanoseconds);
  if (problem != std::errc() || end != mark.data() + mark.size() || nanoseconds <= 0 || nanoseconds > most) return {};
  return nanoseconds;
}

}  // namespace

TieredCode::TieredCode(Plan plan, codegen::CodegenOptions options, std::shared_ptr<ContentStore> store)
    : plan_(std::move(plan)), options_(std::move(options)), store_(std::move(store)), loops_(plan_loops(plan_)) {}

std::shared_ptr<TieredCode> TieredCode::make(Plan plan, codegen::CodegenOptions options, VectorIsa isa,
                                             std::shared_ptr<ContentStore> store, Compiling compiling) {
  const std::shared_ptr<TieredCode> made(new TieredCode(std::move(plan), std::move(options), std::move(store)));
  const auto want = [weak = made->weak_from_this(), compiling](Unit unit) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    if (compiling == Compiling::at_once) return self->compile(unit);
    if (compiling == Compiling::never) return;
    self->mark(unit, begun_mark, all_noted);
    if (self->was_interrupted_) return in_background([self, unit] { self->compile(unit); }, AtEnd::is_awaited);
    in_background([weak, unit] {
      if (const auto still = weak.lock()) still->compile(unit);
    });
  };
  const runtime::Patience patience = compiling == Compiling::at_once ? runtime::Patience{0, 0, 0} : runtime::Patience{};
  made->tiers_ = std::make_unique<runtime::Tiers>(made->plan_, plan_units(made->plan_), isa, patience, want);
  made->kernel_done_.resize(made->tiers_->units().kernels.size());
  made->loop_done_.resize(made->loops_.size());
  made->kernel_noted_.resize(made->kernel_done_.size());
  made->loop_noted_.resize(made->loop_done_.size());
  if (compiling == Compiling::never) return made;
  const std::vector<Unit> begun = made->load_kept();
  made->was_interrupted_ = !begun.empty();
  for (const Unit unit : begun)
    if (compiling == Compiling::when_worth_it) want(unit);
  return made;
}

std::vector<TieredCode::Unit> TieredCode::all_units() const {
  std::vector<Unit> units;
  for (std::uint32_t n = 0; n < loop_done_.size(); ++n) units.push_back({Unit::Kind::loop, n});
  for (std::uint32_t n = 0; n < kernel_done_.size(); ++n)
    if (tiers_->units().is_piece[n]) units.push_back({Unit::Kind::kernel, n});
  return units;
}

std::string TieredCode::key_of(Unit unit) const {
  if (unit.kind == Unit::Kind::kernel) return options_key_ + tiers_->units().kernel_texts[unit.number];
  return options_key_ + "loop " + std::to_string(unit.number) + "\n" + program_text_;
}

std::vector<TieredCode::Unit> TieredCode::load_kept() {
  if (store_ == nullptr) return {};
  const Result<std::string> key = key_of_options(options_);
  if (!key) return {};
  options_key_ = key.value();
  // Code of a loop finds the values of the run by their numbers.
  if (!loops_.empty()) program_text_ = print_anonymous(plan_) + print_value_ids(plan_);
  std::vector<Unit> kept, begun;
  std::vector<std::pair<Unit, std::int64_t>> uncompiled;
  std::vector<std::string> objects;
  for (const Unit unit : all_units()) {
    const std::string key_of_object = key_of(unit);
    if (std::string object = store_->find(key_of_object); !object.empty()) {
      kept.push_back(unit);
      objects.push_back(std::move(object));
      continue;
    }
    const std::string found = store_->find(mark_key(key_of_object));
    if (found == begun_mark) begun.push_back(unit);
    else if (const auto nanoseconds = time_of(found)) uncompiled.emplace_back(unit, *nanoseconds);
  }
  install_kept(kept, objects);
  for (const Unit unit : begun) noted(unit) = all_noted;
  for (const auto& [unit, nanoseconds] : uncompiled) {
    tiers_->add_run_uncompiled(unit, nanoseconds);
    noted(unit) = nanoseconds;
  }
  return begun;
}

void TieredCode::install_kept(const std::vector<Unit>& units, const std::vector<std::string>& objects) {
  const std::vector<std::string_view> views(objects.begin(), objects.end());
  if (units.empty()) return;
  Result<runtime::LoadedCode> code = runtime::LoadedCode::load(views, runtime::find_symbol);
  if (!code) return;
  const std::lock_guard lock(mutex_);
  code_.push_back(code.take());
  for (std::size_t n = 0; n < units.size(); ++n) install(units[n], code_.back(), n);
  has_kept_ = true;
}

void TieredCode::mark(Unit unit, std::string_view content, std::int64_t noted_now) {
  if (!keeps()) return;
  const std::lock_guard lock(mutex_);
  noted(unit) = noted_now;
  store_->keep(mark_key(key_of(unit)), content);
}

void TieredCode::note_run() {
  const std::int64_t in_all = tiers_->run_uncompiled();
  if (!keeps() || in_all - looked_at_ns_ < least_noted_ns) return;
  looked_at_ns_ = in_all;
  for (const Unit unit : all_units()) {
    const std::int64_t nanoseconds = tiers_->run_uncompiled(unit);
    if (nanoseconds - was_noted(unit) >= least_noted_ns) mark(unit, std::to_string(nanoseconds), nanoseconds);
  }
}

void TieredCode::install(Unit unit, const runtime::LoadedCode& code, std::size_t object) {
  if (unit.kind == Unit::Kind::loop) {
    loop_done_[unit.number] = true;
    tiers_->set_loop(unit.number, reinterpret_cast<runtime::LoopFunction>(code.find(object, "lac_loop")));
    return;
  }
  kernel_done_[unit.number] = true;
  kernels_.push_back(kernel_code(code, object));
  tiers_->set_kernel(unit.number, &kernels_.back());
}

void TieredCode::compile(Unit unit) {
  const bool kernel = unit.kind == Unit::Kind::kernel;
  {
    const std::lock_guard lock(mutex_);
    if (kernel ? kernel_done_[unit.number] : loop_done_[unit.number]) return;
  }
  const Result<const codegen::Generator*> generator = code_generator();
  if (!generator) return;
  const Result<std::string> object =
      kernel ? generator.value()->compile_kernel(plan_, tiers_->units().kernels[unit.number], options_)
             : generator.value()->compile_loop(plan_, loops_[unit.number], options_);
  if (!object) return;
  const std::string_view bytes = object.value();
  Result<runtime::LoadedCode> code = runtime::LoadedCode::load({&bytes, 1}, runtime::find_symbol);
  if (!code) return;
  {
    const std::lock_guard lock(mutex_);
    code_.push_back(code.take());
    install(unit, code_.back(), 0);
  }
  if (keeps()) store_->keep(key_of(unit), bytes);
}

void TieredCode::compile_all() {
  const std::vector<Unit> units = all_units();
  in_parallel(units.size(), [&](std::size_t n) { compile(units[n]); });
}

}  // namespace lac::driver
