#include "driver/native/kept_plan.h"

#include "driver/core/content_store.h"
#include "driver/core/file_version.h"
#include "driver/core/outside_answers.h"
#include "driver/native/program_builder.h"
#include "ir/plan/archive.h"
#include "ir/plan/graph_bytes.h"
#include "ir/plan/plan_verifier.h"

namespace lac::driver {
namespace {

/// All that a plan depends on, but for OutsideAnswers.
struct PlanKey {
  std::string version;
  std::string pipeline;
  Capabilities capabilities;
  Element precision = Element::real;
  bool check_domain = false, files = false, remarks = false, retime = true, fuse = true;
  std::vector<frontend::ParameterSignature> signature;
  std::vector<SourceText> texts;
};

struct KeptPlan {
  OutsideAnswers answers;
  std::vector<SourceText> texts;  ///< that compiling added to the sources
  std::vector<Diagnostic> said;   ///< warnings and remarks
  std::string plan;               ///< to_bytes(Plan)
};

}  // namespace
}  // namespace lac::driver

namespace lac::archive {

LAC_DESCRIBE(Capabilities, value.max_inputs, value.max_outputs, value.max_reductions, value.max_scalar_ops,
             value.max_concat, value.device_scalars, value.device_counters, value.matrix_products,
             value.growth_in_place, value.growth_launches, value.several_nests, value.several_sums, value.fusion,
             value.device_loops, value.device_steps, value.straight_loops, value.native_loops, value.workgroups,
             value.texels)
LAC_DESCRIBE(frontend::ParameterSignature, value.kind, value.value, value.logical, value.single, value.storage,
             value.rows, value.cols, value.offsets)
LAC_DESCRIBE(Note, value.span, value.message)
LAC_DESCRIBE(Diagnostic, value.severity, value.span, value.caret, value.message, value.notes)
LAC_DESCRIBE(frontend::LowerOptions::Found, value.path, value.text)
LAC_DESCRIBE(driver::PlanKey, value.version, value.pipeline, value.capabilities, value.precision, value.check_domain,
             value.files, value.remarks, value.retime, value.fuse, value.signature, value.texts)
LAC_DESCRIBE(driver::OutsideAnswers::Function, value.name, value.answer)
LAC_DESCRIBE(driver::OutsideAnswers::File, value.path, value.storage)
LAC_DESCRIBE(DataForm, value.data_class, value.structure, value.is_complex, value.is_sparse, value.double_quoted,
             value.extents, value.fields, value.items)
LAC_DESCRIBE(NamedForm, value.name, value.form, value.problem)
LAC_DESCRIBE(FileForm, value.variables, value.is_all)
LAC_DESCRIBE(driver::OutsideAnswers::Form, value.path, value.form)
LAC_DESCRIBE(driver::OutsideAnswers, value.functions, value.files, value.forms)
LAC_DESCRIBE(driver::KeptPlan, value.answers, value.texts, value.said, value.plan)

}  // namespace lac::archive

namespace lac::driver {
namespace {

constexpr std::string_view key_signature = "lac plan 1\n", kept_signature = "lac kept plan 1\n";

bool looks_inside(const api::Options& options) {
  return !options.dump.empty() || options.print_passes || options.time_passes || !options.stop_after.empty();
}

using Signature = std::vector<frontend::ParameterSignature>;

/// Before compiling adds texts to the sources.
std::string key_of(const Signature& signature, const CompileRequest& request, const PlanTarget& target) {
  const api::Options& options = *request.options;
  return archive::written(
      key_signature,
      PlanKey{own_version(), std::string(target.pipeline), target.capabilities, request.precision, options.check_domain,
              options.files, options.remarks, options.retime, options.fuse, signature, texts_of(*request.sources)});
}

std::optional<Compilation> recall(const Signature& signature, ContentStore& store, const Module& module,
                                  const CompileRequest& request, const PlanTarget& target, Diagnostics& diagnostics) {
  const std::string bytes = store.find(key_of(signature, request, target));
  const std::optional<KeptPlan> kept = archive::read<KeptPlan>(kept_signature, bytes);
  if (!kept || !still_hold(kept->answers,
                           lower_options(module, request.precision, request.options->files, request.memory_limit)))
    return std::nullopt;
  std::optional<Plan> plan = plan_from_bytes(kept->plan);
  if (!plan) return std::nullopt;
#ifdef LAC_VERIFY_PASSES
  if (const std::vector<std::string> problems = verify_plan(*plan); !problems.empty())
    throw InternalError("a kept plan is not sound: " + problems.front());
#endif
  for (const SourceText& text : kept->texts) request.sources->add(text.name, text.text);
  for (const Diagnostic& said : kept->said) diagnostics.add(said);
  return Compilation{*std::move(plan), signature, {}};
}

std::optional<Compilation> compile_and_keep(ContentStore& store, const Module& module, CompileRequest request,
                                            const PlanTarget& target, Diagnostics& diagnostics) {
  const std::string key = key_of(request.signature, request, target),
                    key_by_value = key_of(request.by_value, request, target);
  OutsideAnswers answers;
  request.answers = &answers;
  const auto texts_before = static_cast<std::uint32_t>(request.sources->size());
  const std::size_t said_before = diagnostics.items().size();
  std::optional<Compilation> compiled = compile_to_plan(module, request, target, diagnostics);
  if (!compiled || diagnostics.has_errors()) return compiled;
  const std::vector<Diagnostic>& said = diagnostics.items();
  store.keep(
      compiled->signature == request.signature ? key : key_by_value,
      archive::written(kept_signature, KeptPlan{std::move(answers),
                                                texts_of(*request.sources, texts_before),
                                                {said.begin() + static_cast<std::ptrdiff_t>(said_before), said.end()},
                                                to_bytes(compiled->plan)}));
  return compiled;
}

}  // namespace

std::optional<Compilation> recall_or_compile(const Module& module, const CompileRequest& request,
                                             const PlanTarget& target, Diagnostics& diagnostics) {
  const bool keeps = request.session == nullptr && !looks_inside(*request.options) && !own_version().empty();
  const std::shared_ptr<ContentStore> store = keeps ? content_store(*request.options, "plan") : nullptr;
  if (!store) return compile_to_plan(module, request, target, diagnostics);
  const double start = now_ms();
  std::optional<Compilation> result = recall(request.signature, *store, module, request, target, diagnostics);
  if (!result && !request.by_value.empty())
    result = recall(request.by_value, *store, module, request, target, diagnostics);
  if (result) {
    result->times.parse = module.parse_ms;
    result->times.passes = now_ms() - start;
  } else {
    result = compile_and_keep(*store, module, request, target, diagnostics);
  }
  warn_of_problems(*store, diagnostics);
  return result;
}

Result<Plan> plan_for_code(const Module& module, const CompileRequest& request, const PlanTarget& target,
                           Diagnostics& diagnostics) {
  auto compiled = recall_or_compile(module, request, target, diagnostics);
  if (!compiled) return Failure{"the program does not compile"};
  if (compiled->stopped)
    return Failure{"--stop-after=" + request.options->stop_after + " leaves nothing to make code of"};
  return std::move(compiled->plan);
}

}  // namespace lac::driver
