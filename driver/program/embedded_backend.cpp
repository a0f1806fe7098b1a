// The backend of a built program: the code it was linked with where that fits the data, else the interpreter on the
// text it carries.
#include <algorithm>

#include "driver/core/signature.h"
#include "driver/core/signature_text.h"
#include "driver/program/embedded.h"
#include "ir/plan/abi.h"
#include "runtime/cpu/executor.h"

extern "C" {
std::int32_t lac_program(lac::abi::Context* context);
extern const char lac_manifest[];
extern const std::uint64_t lac_manifest_size;
}

namespace lac::driver {

namespace {

using frontend::ParameterSignature;

/// Whether the compiled code serves data of this kind: csr code also takes what would be kept by diagonals.
bool serves(const ParameterSignature& compiled, const ParameterSignature& given) {
  if (compiled == given) return true;
  ParameterSignature as_csr = given;
  if (given.kind == ParameterSignature::Kind::matrix && given.storage == Storage::diagonal) {
    as_csr.storage = Storage::csr;
    as_csr.offsets.clear();
  }
  return compiled == as_csr;
}

bool serves(const std::vector<ParameterSignature>& compiled, const std::vector<ParameterSignature>& given) {
  return std::equal(compiled.begin(), compiled.end(), given.begin(), given.end(),
                    [](const ParameterSignature& a, const ParameterSignature& b) { return serves(a, b); });
}

/// The texts of functions from other files, under the ids that the manifest's places refer to.
void bring_sources(const Manifest& manifest, Module& module) {
  for (std::size_t i = 1; i < manifest.sources.size(); ++i) {
    const SourceText& source = manifest.sources[i];
    module.sources.add(source.name, source.text);
    module.finder.extra.emplace_back(source.name, source.text);
  }
}

class EmbeddedBackend final : public Backend {
 public:
  void adopt(Module& module) override { bring_sources(embedded_program().manifest, module); }

  std::shared_ptr<const Specialisation> compile(const Module& module, const CompileRequest& request,
                                                Diagnostics& diagnostics) override {
    const api::Target target = request.options->target;
    if (target != api::Target::cpu && target != api::Target::interp) {
      diagnostics.error({},
                        "a built program has no target " + std::string(name(target)) + ": it runs on cpu or interp");
      return nullptr;
    }
    const EmbeddedProgram& embedded = embedded_program();
    const bool fits = embedded.manifest.precision == request.precision && serves(embedded.signature, request.signature);
    if (!fits) {
      Diagnostic remark{Severity::remark,
                        {},
                        0,
                        "the compiled code does not serve this data (" + describe(module.interface, request.signature) +
                            "): the interpreter runs it"};
      diagnostics.add(std::move(remark));
    }
    if (!fits || target == api::Target::interp) {
      return compile_for_interpreter(module, request, diagnostics);
    }
    auto result = std::make_shared<Specialisation>();
    result->signature = request.signature;
    result->parameters = embedded.manifest.parameters;
    result->locations = embedded.manifest.locations;
    result->run = [&embedded](const std::vector<runtime::Tensor>& parameters, const runtime::RunOptions& options) {
      return runtime::run_cpu({lac_program, &embedded.manifest}, parameters, options);
    };
    return result;
  }

  Result<Shown> emit(std::string_view, const Module&, const CompileRequest&, Diagnostics&) override {
    return Failure{"a built program shows no stages"};
  }

  Result<std::string> build(const std::string&, api::BuildKind, const Module&, const CompileRequest&,
                            Diagnostics&) override {
    return Failure{"a built program builds none"};
  }
};

EmbeddedProgram load() {
  EmbeddedProgram result;
  auto manifest = manifest_from_bytes({lac_manifest, lac_manifest_size});
  if (!manifest) throw InternalError("the program's manifest: " + manifest.failure().message);
  result.manifest = manifest.take();
  auto signature = signature_from_text(result.manifest.host_data);
  if (!signature) throw InternalError("the program's manifest: " + signature.failure().message);
  result.signature = signature.take();
  return result;
}

}  // namespace

const EmbeddedProgram& embedded_program() {
  static const EmbeddedProgram program = load();
  return program;
}

std::unique_ptr<Backend> make_backend(api::Target) { return std::make_unique<EmbeddedBackend>(); }

}  // namespace lac::driver

namespace lac::api {

std::vector<Pass> passes() { return {}; }

Devices devices() { return {{}, "a built program runs on the cpu"}; }

}  // namespace lac::api
