#include "codegen/llvm/machine/source_lines.h"

#include <llvm/IR/AssemblyAnnotationWriter.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FormattedStream.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "codegen/llvm/program/kernels.h"
#include "ir/plan/program_place.h"
#include "ir/plan/units.h"

namespace lac::codegen {
namespace {

using FileLine = std::pair<std::uint32_t, std::uint32_t>;

class LineComments : public llvm::AssemblyAnnotationWriter {
 public:
  LineComments(const llvm::Module& module, const Plan& plan, const SourceManager& sources)
      : plan_(plan), sources_(sources) {
    note_instructions(module);
    note_kernels();
  }

  void emitFunctionAnnot(const llvm::Function* function, llvm::formatted_raw_ostream& out) override {
    const auto found = of_kernels_.find(function->getName().str());
    if (found == of_kernels_.end()) return;
    for (const FileLine& line : found->second) out << "; " << text(line) << "\n";
  }

  void emitBasicBlockStartAnnot(const llvm::BasicBlock*, llvm::formatted_raw_ostream&) override { shown_ = {}; }

  void emitInstructionAnnot(const llvm::Instruction* instruction, llvm::formatted_raw_ostream& out) override {
    const auto found = of_instructions_.find(instruction);
    if (found == of_instructions_.end() || found->second == shown_) return;
    shown_ = found->second;
    out << "  ; " << text(shown_) << "\n";
  }

 private:
  void note_instructions(const llvm::Module& module) {
    for (const llvm::Function& function : module)
      for (const llvm::BasicBlock& block : function)
        for (const llvm::Instruction& instruction : block)
          if (const llvm::DebugLoc& at = instruction.getDebugLoc(); at && at.getLine() != 0)
            if (const auto line = line_at(LocationId{at.getLine() - 1})) of_instructions_[&instruction] = *line;
  }

  /// Of all kernels that share a function.
  void note_kernels() {
    const PlanUnits units = plan_units(plan_);
    for (std::uint32_t n = 0; n < plan_.kernels.size(); ++n) {
      const KernelId shared = units.kernels[units.of[KernelId{n}]];
      std::set<FileLine>& lines = of_kernels_[kernel_symbol(plan_.kernels[shared], shared)];
      for (const LocationId place : plan_.kernels[KernelId{n}].locations)
        if (const auto line = line_at(place)) lines.insert(*line);
    }
  }

  std::optional<FileLine> line_at(LocationId place) const {
    const LocationId at = place_in_program(plan_.locations, place);
    if (!plan_.locations.contains(at) || sources_.size() == 0) return std::nullopt;
    const Span& span = plan_.locations[at].span;
    return FileLine{span.file.index, sources_.begin(span).line};
  }

  /// "line 5: x(k) = 2 * x(k - 1);"
  std::string text(const FileLine& line) const {
    const std::string_view source = sources_.line(FileId{line.first}, line.second);
    return "line " + std::to_string(line.second) + ": " + llvm::StringRef(source.data(), source.size()).trim().str();
  }

  const Plan& plan_;
  const SourceManager& sources_;
  std::map<const llvm::Instruction*, FileLine> of_instructions_;
  std::map<std::string, std::set<FileLine>> of_kernels_;
  FileLine shown_ = {};
};

}  // namespace

void take_places(llvm::Function& function) {
  llvm::DIBuilder made(*function.getParent());
  llvm::DIFile* file = made.createFile(function.getParent()->getName(), "");
  made.createCompileUnit(llvm::dwarf::DW_LANG_C, file, "lac", true, "", 0);
  llvm::DISubroutineType* type = made.createSubroutineType(made.getOrCreateTypeArray({}));
  function.setSubprogram(made.createFunction(file, function.getName(), "", file, 0, type, 0, llvm::DINode::FlagZero,
                                             llvm::DISubprogram::SPFlagDefinition));
  made.finalize();
}

// The "line" of a debug location is the number of the place, from 1: 0 is LLVM's own word for none.
void stand_at(llvm::IRBuilderBase& builder, LocationId place) {
  llvm::DISubprogram* scope = builder.GetInsertBlock()->getParent()->getSubprogram();
  if (scope == nullptr) return;
  builder.SetCurrentDebugLocation(llvm::DILocation::get(builder.getContext(), place.index + 1, 0, scope));
}

std::string listing(llvm::Module& module, const Plan& plan, const SourceManager& sources) {
  LineComments comments(module, plan, sources);
  llvm::StripDebugInfo(module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, &comments);
  return text;
}

}  // namespace lac::codegen
