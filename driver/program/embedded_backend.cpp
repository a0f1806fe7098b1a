// The backend of a built program: the code it was linked with where that fits the data, else the interpreter on the
// text it carries.
#include <algorithm>

#include "driver/core/cpu_check.h"
#include "driver/core/signature.h"
#include "driver/core/signature_text.h"
#include "driver/program/embedded.h"
#include "runtime/cpu/executor.h"

extern "C" {
extern const lac::abi::BundledSpecialisation lac_bundle[];
extern const std::uint64_t lac_bundle_size;
extern const lac::abi::BundledText lac_texts[];
extern const std::uint64_t lac_texts_size;
}

namespace lac::driver {

namespace {

const abi::BundledCode* code_for_this_machine(const abi::BundledSpecialisation& bytes) {
  const auto* end = bytes.code + bytes.code_count;
  const auto* found =
      std::find_if(bytes.code, end, [](const abi::BundledCode& code) { return missing_here(code.features).empty(); });
  return found == end ? nullptr : found;
}

/// The texts of functions from other files, under the ids that the places of all manifests refer to.
void bring_texts(const EmbeddedProgram& embedded, Module& module) {
  for (std::size_t i = 1; i < embedded.texts.size(); ++i) {
    const SourceText& source = embedded.texts[i];
    module.sources.add(source.name, source.text);
    module.finder.extra.emplace_back(source.name, source.text);
  }
}

/// The specialisation for this very kind of data, else one that serves it.
const EmbeddedSpecialisation* find(const EmbeddedProgram& embedded, const CompileRequest& request) {
  if (embedded.precision != request.precision) return nullptr;
  const auto& all = embedded.specialisations;
  auto found = std::ranges::find(all, request.signature, &EmbeddedSpecialisation::signature);
  if (found == all.end())
    found = std::ranges::find_if(all, [&](const EmbeddedSpecialisation& each) {
      return serves(each.signature, request.signature, request.precision);
    });
  return found == all.end() ? nullptr : &*found;
}

Manifest manifest_in(const abi::BundledSpecialisation& bytes) {
  auto manifest = manifest_from_bytes({bytes.manifest, bytes.manifest_size});
  if (!manifest) throw InternalError("the program's manifest: " + manifest.failure().message);
  return manifest.take();
}

class EmbeddedBackend final : public Backend {
 public:
  void adopt(Module& module) override { bring_texts(embedded_program(), module); }

  std::shared_ptr<const Specialisation> compile(const Module& module, const CompileRequest& request,
                                                Diagnostics& diagnostics) override {
    const api::Target target = request.options->target;
    if (target != api::Target::cpu && target != api::Target::interp) {
      diagnostics.error({},
                        "a built program has no target " + std::string(name(target)) + ": it runs on cpu or interp");
      return nullptr;
    }
    const EmbeddedProgram& embedded = embedded_program();
    if (target == api::Target::interp) return compile_for_interpreter(module, request, diagnostics);
    const EmbeddedSpecialisation* found = find(embedded, request);
    if (found == nullptr) {
      diagnostics.warning({}, "no compiled code serves this data (" + describe(module.interface, request.signature) +
                                  "): the interpreter runs it; `lac build` takes examples of such data as NAME=VALUE");
      return compile_for_interpreter(module, request, diagnostics);
    }
    const abi::BundledCode* code = code_for_this_machine(*found->bytes);
    if (code == nullptr) {
      const abi::BundledCode& least = found->bytes->code[found->bytes->code_count - 1];
      diagnostics.error({}, "this program was built for " + std::string(least.cpu) + ", and this machine has no " +
                                missing_here(least.features).front() +
                                ": build it here, or with lac build --cpu=x86-64-v2");
      return nullptr;
    }
    const auto owned = std::make_shared<Manifest>(manifest_in(*found->bytes));
    owned->sources = embedded.texts;
    auto result = std::make_shared<Specialisation>();
    result->signature = request.signature;
    result->parameters = owned->parameters;
    result->locations = owned->locations;
    result->run = [owned, code](const std::vector<runtime::Tensor>& parameters, const runtime::RunOptions& options) {
      return runtime::run_cpu({code->program, code->kernels, owned.get()}, parameters, options);
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
  result.precision = manifest_in(lac_bundle[0]).precision;
  for (std::uint64_t i = 0; i < lac_texts_size; ++i) {
    const abi::BundledText& each = lac_texts[i];
    result.texts.push_back({std::string(each.name, each.name_size), std::string(each.text, each.text_size)});
  }
  for (std::uint64_t i = 0; i < lac_bundle_size; ++i) {
    auto signature = signature_from_text({lac_bundle[i].signature, lac_bundle[i].signature_size});
    if (!signature) throw InternalError("the program's manifest: " + signature.failure().message);
    result.specialisations.push_back({signature.take(), &lac_bundle[i]});
  }
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
