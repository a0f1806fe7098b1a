#include "driver/native/program_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "driver/core/content_store.h"
#include "driver/core/cpu_check.h"
#include "driver/core/signature.h"
#include "driver/core/signature_text.h"
#include "driver/native/code_generator.h"
#include "driver/native/compile.h"
#include "driver/native/kept_plan.h"
#include "driver/native/link.h"
#include "driver/native/program_texts.h"
#include "driver/native/unit_key.h"
#include "driver/native/variants.h"
#include "ir/graph/text.h"
#include "ir/support/parallel.h"
#include "runtime/files/files.h"

namespace lac::driver {

namespace {

/// The machines that an executable has code for where nothing else is asked for, what asks most first; the first that
/// runs is chosen when the program starts. The last one is that of objects.
constexpr std::string_view portable_cpus[] = {"x86-64-v3", "x86-64-v2"};

constexpr int most_variants = 1000;

bool is_portable(const std::string& cpu) { return cpu.empty() || cpu == "portable"; }

std::vector<std::string> cpus_of(const api::Options& options) {
  if (!is_portable(options.cpu)) return {options.cpu};
  return {std::begin(portable_cpus), std::end(portable_cpus)};
}

/// The one that an executable would choose on this machine.
std::string portable_here() {
  const auto runs = [](std::string_view cpu) {
    codegen::CodegenOptions wanted;
    wanted.cpu = cpu;
    const auto generator = code_generator();
    if (!generator) return false;
    const auto features = generator.value()->machine_features(wanted);
    return features && missing_here(features.value()).empty();
  };
  const auto* found = std::ranges::find_if(portable_cpus, runs);
  return std::string(found == std::end(portable_cpus) ? portable_cpus[1] : *found);
}

codegen::CodegenOptions options_for(const api::Options& options, const std::string& cpu) {
  codegen::CodegenOptions result = codegen_options(options);
  result.cpu = cpu;
  return result;
}

struct Planned {
  Signature signature;
  Plan plan;
  SourceManager sources;    ///< what its places refer to
  std::size_t entries = 0;  ///< the number in the names of its code
};

void say_broken(const Module& module, const Signature& signature, const std::string& message,
                Diagnostics& diagnostics) {
  diagnostics.warning({}, fmt::format("no code for {}, which the interpreter runs: {}",
                                      describe(module.interface, signature), message));
}

/// The plans of the kinds of data that are built in, the request's first; nothing when that one does not compile. What
/// is wrong in the program for another is said when a run meets such data, what is wrong in lac here.
Result<std::vector<Planned>> plan_variants(const Module& module, const CompileRequest& request,
                                           Diagnostics& diagnostics) {
  auto first = plan_for_code(module, request, cpu_plan(), diagnostics);
  if (!first) return first.failure();
  std::vector<Planned> planned;
  planned.push_back({request.signature, first.take(), *request.sources});
  const VariantLimits limits{static_cast<std::size_t>(std::clamp(request.options->variants, 1, most_variants)) - 1};
  api::Options silent = *request.options;
  silent.dump_sink = nullptr;
  silent.remarks = false;
  const auto add = [&](const Signature& signature) {
    SourceManager sources = module.sources;
    CompileRequest other = request;
    other.signature = signature;
    other.options = &silent;
    other.sources = &sources;
    Diagnostics ignored;
    auto plan = plan_for_code(module, other, cpu_plan(), ignored);
    if (!plan || ignored.has_errors()) return Added::refused;
    planned.push_back({signature, plan.take(), std::move(sources)});
    return Added::served;
  };
  for (const BrokenVariant& each : for_each_variant(module, request.signature, request.precision, limits, add))
    say_broken(module, each.signature, each.message, diagnostics);
  return planned;
}

/// The code of one plan, an object for each machine.
using Objects = std::vector<std::string>;

std::string entry_of(std::size_t plan, std::size_t cpu, std::size_t cpus) {
  return "lac_program_" + std::to_string(plan * cpus + cpu);
}

/// emit_entry, or what an earlier build kept of it.
Result<std::string> make_entry(const codegen::Generator& generator, const Plan& plan, const std::string& entry,
                               const codegen::CodegenOptions& options, ContentStore* store) {
  std::string key;
  if (store != nullptr && !options.check_bounds) {
    const Result<std::string> options_key = key_of_options(options);
    if (options_key) key = options_key.value() + "entry " + entry + "\n" + print_anonymous(plan);
  }
  if (!key.empty())
    if (std::string kept = store->find(key); !kept.empty()) return kept;
  Result<std::string> made = generator.emit_entry(plan, entry, options);
  if (made && !key.empty()) store->keep(key, made.value());
  return made;
}

/// The code of each plan, compiled side by side. A plan behind the first that no code can be made of leaves `planned`,
/// and it is said.
Result<std::vector<Objects>> compile_plans(const Module& module, std::vector<Planned>& planned,
                                           const api::Options& options, Diagnostics& diagnostics) {
  const auto generator = code_generator();
  if (!generator) return generator.failure();
  const std::vector<std::string> cpus = cpus_of(options);
  const std::shared_ptr<ContentStore> store = content_store(options, "object");
  std::vector<Result<std::string>> made(planned.size() * cpus.size(), Failure{});
  in_parallel(made.size(), [&](std::size_t n) {
    const std::size_t plan = n / cpus.size(), cpu = n % cpus.size();
    const auto problem = thrown_by([&] {
      made[n] = make_entry(*generator.value(), planned[plan].plan, entry_of(plan, cpu, cpus.size()),
                           options_for(options, cpus[cpu]), store.get());
    });
    if (problem) made[n] = Failure{*problem};
  });
  if (store) warn_of_problems(*store, diagnostics);
  std::vector<Objects> objects;
  std::vector<Planned> kept;
  for (std::size_t plan = 0; plan < planned.size(); ++plan) {
    Objects code;
    const Failure* failure = nullptr;
    for (std::size_t cpu = 0; cpu < cpus.size() && !failure; ++cpu) {
      const Result<std::string>& object = made[plan * cpus.size() + cpu];
      if (object) code.push_back(object.value());
      else failure = &object.failure();
    }
    if (failure && plan == 0) return *failure;
    if (failure) {
      say_broken(module, planned[plan].signature, failure->message, diagnostics);
      continue;
    }
    planned[plan].entries = plan;
    kept.push_back(std::move(planned[plan]));
    objects.push_back(std::move(code));
  }
  planned = std::move(kept);
  return objects;
}

/// The table of it all, with the texts that its places refer to.
Result<std::string> make_bundle(const Module& module, const std::vector<Planned>& planned,
                                const api::Options& options) {
  const auto generator = code_generator();
  if (!generator) return generator.failure();
  const std::vector<std::string> cpus = cpus_of(options);
  std::vector<std::string> features;
  for (const std::string& cpu : cpus) {
    const auto found = generator.value()->machine_features(options_for(options, cpu));
    if (!found) return found.failure();
    features.push_back(found.value());
  }
  ProgramTexts texts(module);
  std::vector<Manifest> manifests;
  std::vector<codegen::BundlePart> parts;
  manifests.reserve(planned.size());
  for (const Planned& each : planned) {
    manifests.push_back(make_manifest(each.plan));
    texts.share(each.sources, manifests.back());
    codegen::BundlePart part{signature_to_text(each.signature), &manifests.back(), {}};
    for (std::size_t c = 0; c < cpus.size(); ++c)
      part.code.push_back({cpus[c], features[c], entry_of(each.entries, c, cpus.size())});
    parts.push_back(std::move(part));
  }
  texts.add_named_functions(module);
  return generator.value()->emit_bundle(parts, texts.all());
}

void report_variants(const Module& module, const std::vector<Planned>& planned, const api::Options& options,
                     Diagnostics& diagnostics) {
  std::string cpus;
  for (const std::string& cpu : cpus_of(options)) cpus += (cpus.empty() ? "" : ", ") + cpu;
  for (const Planned& each : planned) {
    Diagnostic remark;
    remark.severity = Severity::remark;
    remark.message = fmt::format("compiled in: {} (for {})", describe(module.interface, each.signature), cpus);
    diagnostics.add(std::move(remark));
  }
}

}  // namespace

codegen::CodegenOptions codegen_options(const api::Options& options) {
  codegen::CodegenOptions result;
  if (!options.cpu.empty()) result.cpu = options.cpu == "portable" ? portable_here() : options.cpu;
  result.check_bounds = options.check_bounds;
#ifdef LAC_VERIFY_PASSES
  result.verify = true;
#endif
  return result;
}

std::vector<SourceText> texts_of(const SourceManager& sources, std::uint32_t first) {
  std::vector<SourceText> texts;
  for (std::uint32_t i = first; i < sources.size(); ++i) {
    const SourceFile& file = sources.file(FileId{i});
    texts.push_back({file.name, file.text});
  }
  return texts;
}

Manifest manifest_of(const Graph& plan, const SourceManager& sources) {
  Manifest manifest = make_manifest(plan);
  manifest.sources = texts_of(sources);
  return manifest;
}

Result<std::string> build_object(const std::string& path, const Module& module, const CompileRequest& request,
                                 Diagnostics& diagnostics) {
  const auto generator = code_generator();
  if (!generator) return generator.failure();
  const auto plan = plan_for_code(module, request, cpu_plan(), diagnostics);
  if (!plan) return plan.failure();
  Manifest manifest = manifest_of(plan.value(), *request.sources);
  manifest.host_data = signature_to_text(request.signature);
  const std::string cpu = cpus_of(*request.options).back();
  const auto object = generator.value()->emit_object(plan.value(), manifest, options_for(*request.options, cpu));
  if (!object) return object.failure();
  const auto written = runtime::write_file(path, object.value());
  if (!written) return written.failure();
  return std::string();
}

Result<std::string> build_program(const std::string& path, const Module& module, const CompileRequest& request,
                                  Diagnostics& diagnostics) {
  auto planned = plan_variants(module, request, diagnostics);
  if (!planned) return planned.failure();
  auto code = compile_plans(module, planned.value(), *request.options, diagnostics);
  if (!code) return code.failure();
  Result<std::string> bundle = make_bundle(module, planned.value(), *request.options);
  if (!bundle) return bundle.failure();
  Objects objects = {bundle.take()};
  for (Objects& each : code.value()) std::ranges::move(each, std::back_inserter(objects));
  const auto linked = link_program(objects, path);
  if (!linked) return linked.failure();
  report_variants(module, planned.value(), *request.options, diagnostics);
  return std::string();
}

}  // namespace lac::driver
