#include "runtime/figures/markup.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lac::runtime::figures {
namespace {

struct Symbol {
  std::string_view name, text;
};

constexpr Symbol symbols[] = {
    {"alpha", "α"},  {"beta", "β"},   {"gamma", "γ"}, {"delta", "δ"},   {"epsilon", "ε"},    {"zeta", "ζ"},
    {"eta", "η"},    {"theta", "θ"},  {"iota", "ι"},  {"kappa", "κ"},   {"lambda", "λ"},     {"mu", "μ"},
    {"nu", "ν"},     {"xi", "ξ"},     {"pi", "π"},    {"rho", "ρ"},     {"sigma", "σ"},      {"tau", "τ"},
    {"phi", "φ"},    {"chi", "χ"},    {"psi", "ψ"},   {"omega", "ω"},   {"Gamma", "Γ"},      {"Delta", "Δ"},
    {"Theta", "Θ"},  {"Lambda", "Λ"}, {"Xi", "Ξ"},    {"Pi", "Π"},      {"Sigma", "Σ"},      {"Phi", "Φ"},
    {"Psi", "Ψ"},    {"Omega", "Ω"},  {"infty", "∞"}, {"partial", "∂"}, {"nabla", "∇"},      {"times", "×"},
    {"cdot", "·"},   {"pm", "±"},     {"leq", "≤"},   {"le", "≤"},      {"geq", "≥"},        {"ge", "≥"},
    {"neq", "≠"},    {"approx", "≈"}, {"sim", "∼"},   {"propto", "∝"},  {"rightarrow", "→"}, {"leftarrow", "←"},
    {"int", "∫"},    {"sum", "∑"},    {"prod", "∏"},  {"surd", "√"},    {"circ", "°"},       {"in", "∈"},
    {"forall", "∀"}, {"exists", "∃"}, {"ldots", "…"}, {"deg", "°"},     {"ell", "ℓ"},        {"bf", ""},
    {"it", ""},      {"rm", ""},      {"sl", ""},
};

constexpr std::array<int, 95> widths = {278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                                        556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                                        1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                                        667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                                        333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                                        556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<Run> read() {
    while (at_ < text_.size()) next(0);
    return std::move(runs_);
  }

 private:
  void add(std::string_view text, int level) {
    if (text.empty()) return;
    if (runs_.empty() || runs_.back().level != level) runs_.push_back({"", level});
    runs_.back().text += text;
  }

  void symbol(int level) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && std::isalpha(static_cast<unsigned char>(text_[end]))) ++end;
    const std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
    const auto* found = std::ranges::find(symbols, name, &Symbol::name);
    if (name.empty()) {  // \_ is the character itself
      add(text_.substr(end, 1), level);
      at_ = std::min(end + 1, text_.size());
      return;
    }
    if (found == std::end(symbols)) add(text_.substr(at_, end - at_), level);
    else add(found->text, level);
    at_ = end;
    if (found != std::end(symbols) && found->text.empty() && at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  void group(int level) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != '}') next(level);
    if (at_ < text_.size()) ++at_;
  }

  void next(int level) {
    const char c = text_[at_];
    if (c == '\\') return symbol(level);
    if (c == '{') return group(level);
    if ((c == '^' || c == '_') && level == 0 && at_ + 1 < text_.size()) {
      ++at_;
      return next(c == '^' ? 1 : -1);
    }
    std::size_t end = at_ + 1;  // a whole character of UTF-8
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    add(c == '-' && level != 0 ? "−" : text_.substr(at_, end - at_), level);
    at_ = end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Run> runs_;
};

double plain_width(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 32 && code < 127) width += widths[code - 32] / 1000.0;
    else if (code >= 0xC0) width += 0.56;  // the first byte of a longer character
  }
  return width;
}

}  // namespace

std::vector<Run> runs_of(std::string_view text) { return Reader(text).read(); }

double text_width(std::string_view text) {
  constexpr double wider = 1.1;  // than Helvetica are the fonts that stand in for it
  double width = 0;
  for (const Run& run : runs_of(text)) width += plain_width(run.text) * (run.level == 0 ? 1 : script_size);
  return wider * width;
}

}  // namespace lac::runtime::figures
