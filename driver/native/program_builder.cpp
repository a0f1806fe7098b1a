#include "driver/native/program_builder.h"

#include <fmt/format.h>

#include "codegen/llvm/bundle.h"
#include "codegen/llvm/object.h"
#include "driver/core/signature.h"
#include "driver/core/signature_text.h"
#include "driver/native/compile.h"
#include "driver/native/link.h"
#include "driver/native/variants.h"
#include "ir/support/parallel.h"
#include "runtime/files/files.h"

namespace lac::driver {

namespace {

/// The machines that an executable has code for where nothing else is asked for, what asks most first; the first that
/// runs is chosen when the program starts. The last one is that of objects.
constexpr std::string_view portable_cpus[] = {"x86-64-v3", "x86-64-v2"};

bool is_portable(const std::string& cpu) { return cpu.empty() || cpu == "portable"; }

std::vector<std::string> cpus_of(const api::Options& options) {
  if (!is_portable(options.cpu)) return {options.cpu};
  return {std::begin(portable_cpus), std::end(portable_cpus)};
}

codegen::CodegenOptions options_for(const api::Options& options, const std::string& cpu) {
  codegen::CodegenOptions result = codegen_options(options);
  result.cpu = cpu;
  return result;
}

struct Planned {
  Signature signature;
  Graph plan;
  SourceManager sources;  ///< what its places refer to
};

/// The plans of the kinds of data that are built in, the request's first; nothing when that one does not compile. What
/// keeps another from compiling is said when a run meets such data.
std::vector<Planned> plan_variants(const Module& module, const CompileRequest& request, Diagnostics& diagnostics) {
  std::vector<Planned> planned;
  auto first = compile_to_plan(module, request, cpu_plan(), diagnostics);
  if (!first) return planned;
  planned.push_back({request.signature, std::move(first->plan), *request.sources});
  const auto most = static_cast<std::size_t>(request.options->variants);
  if (most <= 1) return planned;
  api::Options silent = *request.options;
  silent.dump_sink = nullptr;
  silent.remarks = false;
  for_each_variant(module, request.signature, request.precision, [&](const Signature& signature) {
    SourceManager sources = module.sources;
    CompileRequest other = request;
    other.signature = signature;
    other.options = &silent;
    other.sources = &sources;
    Diagnostics ignored;
    auto compiled = compile_to_plan(module, other, cpu_plan(), ignored);
    if (!compiled || ignored.has_errors()) return Added::refused;
    planned.push_back({signature, std::move(compiled->plan), std::move(sources)});
    return planned.size() < most ? Added::served : Added::enough;
  });
  return planned;
}

/// The code of each plan for each machine, compiled side by side, and the table of it all.
Result<std::vector<std::string>> compile_bundle(const std::vector<Planned>& planned, const api::Options& options) {
  const std::vector<std::string> cpus = cpus_of(options);
  std::vector<Result<std::string>> objects(planned.size() * cpus.size(), Failure{});
  const auto entry = [](std::size_t n) { return "lac_program_" + std::to_string(n); };
  in_parallel(objects.size(), [&](std::size_t n) {
    objects[n] =
        codegen::emit_entry(planned[n / cpus.size()].plan, entry(n), options_for(options, cpus[n % cpus.size()]));
  });
  std::vector<std::string> features;
  for (const std::string& cpu : cpus) {
    const auto found = codegen::machine_features(options_for(options, cpu));
    if (!found) return found.failure();
    features.push_back(found.value());
  }
  std::vector<std::string> bytes;
  for (const Result<std::string>& object : objects) {
    if (!object) return object.failure();
    bytes.push_back(object.value());
  }
  std::vector<Manifest> manifests;
  std::vector<codegen::BundlePart> parts;
  manifests.reserve(planned.size());
  for (std::size_t p = 0; p < planned.size(); ++p) {
    manifests.push_back(manifest_of(planned[p].plan, planned[p].sources));
    codegen::BundlePart part{signature_to_text(planned[p].signature), &manifests.back(), {}};
    for (std::size_t c = 0; c < cpus.size(); ++c)
      part.code.push_back({cpus[c], features[c], entry(p * cpus.size() + c)});
    parts.push_back(std::move(part));
  }
  const Result<std::string> table = codegen::emit_bundle(parts);
  if (!table) return table.failure();
  bytes.push_back(table.value());
  return bytes;
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
  result.cpu = options.cpu.empty() ? "native" : options.cpu;
  result.check_bounds = options.check_bounds;
#ifdef LAC_VERIFY_PASSES
  result.verify = true;
#endif
  return result;
}

/// The manifest with the texts that lines in statistics and messages refer to.
Manifest manifest_of(const Graph& plan, const SourceManager& sources) {
  Manifest manifest = make_manifest(plan);
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const SourceFile& file = sources.file(FileId{i});
    manifest.sources.push_back({file.name, file.text});
  }
  return manifest;
}

Result<std::string> build_object(const std::string& path, const Module& module, const CompileRequest& request,
                                 Diagnostics& diagnostics) {
  const auto compiled = compile_to_plan(module, request, cpu_plan(), diagnostics);
  if (!compiled) return Failure{"the program does not compile"};
  Manifest manifest = manifest_of(compiled->plan, *request.sources);
  manifest.host_data = signature_to_text(request.signature);
  const std::string cpu = cpus_of(*request.options).back();
  const auto object = codegen::emit_object(compiled->plan, manifest, options_for(*request.options, cpu));
  if (!object) return object.failure();
  const auto written = runtime::write_file(path, object.value());
  if (!written) return written.failure();
  return std::string();
}

Result<std::string> build_program(const std::string& path, const Module& module, const CompileRequest& request,
                                  Diagnostics& diagnostics) {
  const std::vector<Planned> planned = plan_variants(module, request, diagnostics);
  if (planned.empty()) return Failure{"the program does not compile"};
  const auto objects = compile_bundle(planned, *request.options);
  if (!objects) return objects.failure();
  const auto linked = link_program(objects.value(), path);
  if (!linked) return linked.failure();
  report_variants(module, planned, *request.options, diagnostics);
  return std::string();
}

}  // namespace lac::driver
