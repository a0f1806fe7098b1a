#include "driver/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>

namespace lac::cli {

namespace {

constexpr unsigned bit(Verb verb) { return 1u << static_cast<unsigned>(verb); }
/// Verbs that run one program from the command line; `delivering` shows and writes its outputs.
constexpr unsigned delivering = bit(Verb::run) | bit(Verb::program), running = delivering | bit(Verb::explain);
constexpr unsigned compiling = bit(Verb::run) | bit(Verb::check) | bit(Verb::build) | bit(Verb::emit) |
                               bit(Verb::explain) | bit(Verb::test) | bit(Verb::repl);
/// Verbs whose programs reach files unless --sandbox is said; the others look at texts and open nothing else.
constexpr unsigned with_files = running | (compiling & ~bit(Verb::check));

/// What CLI11 fills before it is checked further.
struct Words {
  std::vector<std::string> positional;
  std::string target;
  std::string precision;
  std::string layout;
  std::string device_memory;
  std::string memory_limit;
  std::string output_limit;
  std::string loops;
  std::string plan_of;
  std::string compile;
  std::string print;
  std::string warnings;
  std::string check;
  std::string dump;
  bool no_cache = false;
  bool no_retime = false;
  bool no_fuse = false;
  bool stdio = false;  ///< of lsp: said by editors, and true anyway
};

const char* positional_name(Verb verb) {
  switch (verb) {
    case Verb::emit: return "WHAT FILE.la [NAME=VALUE...]";
    case Verb::program: return "[NAME=VALUE...]";
    case Verb::repl:
    case Verb::lsp:
    case Verb::devices:
    case Verb::passes: return "";
    case Verb::cache: return "[clear]";
    case Verb::help: return "[VERB]";
    case Verb::format: return "FILE.la...|-";
    case Verb::test: return "FILE.la...";
    default: return "FILE.la [NAME=VALUE...]";
  }
}

const char* output_help(Verb verb) {
  if (verb == Verb::build) return "the file to write";
  if (verb == Verb::emit) return "a folder to write to instead of standard output";
  if (verb == Verb::explain) return "the page to write: report.html; report.json for its data alone";
  return "NAME=FILE: write an output (.mtx, .npy, .csv; - is standard output)";
}

void add_run_options(CLI::App& app, CommandLine& line, Words& words) {
  app.add_option("--threads", line.threads, "threads to use (default: all)")->check(CLI::Range(1, 4096));
  app.add_option("--time-limit", line.time_limit, "seconds after which the run fails, compiling included")
      ->check(CLI::PositiveNumber);
  app.add_option("--memory-limit", words.memory_limit, "what its matrices may take at a time: 512M, 2G");
  app.add_option("--output-limit", words.output_limit, "how much text it may print, warnings included: 64K, 1M");
}

void add_deliver_options(CLI::App& app, CommandLine& line, Words& words) {
  app.add_option("--print", words.print, "how outputs that are not written are shown: full or none")
      ->check(CLI::IsMember({"full", "none"}));
  app.add_option("--figures", line.figures, "a folder for what the program draws (default: the current one), or none");
  app.add_flag("--stats", line.statistics.wanted, "what the run did, on standard error; --stats=json[:FILE]");
  app.add_option("--trace", line.trace, "a file for when what happened, which Perfetto and chrome://tracing open");
}

void add_compile_options(CLI::App& app, CommandLine& line, Words& words) {
  app.add_option("--target", words.target, "cpu (default), vulkan, vulkan-fragment or interp");
  app.add_option("--precision", words.precision, "single or double, whatever the program says");
  app.add_option("--device", line.options.device, "vulkan: a number or a part of a name of `lac devices`");
  app.add_option("--device-memory", words.device_memory, "vulkan: what matrices may take of it: 512M, 2G");
  app.add_option("--layout", words.layout, "vulkan: buffer, texel or auto (default): how matrices lie in its memory");
  app.add_option("--loops", words.loops,
                 "vulkan: device or host: what drives loops; auto (default): device, and compiled code for loops of "
                 "single elements");
  app.add_flag("--no-retime", words.no_retime, "all work stays in its trip of a loop and is done once");
  app.add_flag("--no-fuse", words.no_fuse, "each operation has a kernel of its own; and --no-retime");
  app.add_flag("--no-cache", words.no_cache, "neither use nor keep compiled code on disk");
  app.add_option("--compile", words.compile,
                 "cpu: auto (default: while it runs, what is worth it), first (all of it before) or never");
  app.add_option("--plan-of", words.plan_of, "interp: run the plan of cpu or vulkan, not the graph as lowered");
  const bool builds = line.verb == Verb::build;
  app.add_option(
      "--cpu", line.options.cpu,
      builds
          ? "portable (default: code for x86-64-v3 and for x86-64-v2, chosen at start), native, x86-64-v2, "
            "x86-64-v3, x86-64-v4"
          : "native (default), portable (what an executable of `lac build` would choose here), x86-64-v2, x86-64-v3, "
            "x86-64-v4");
  app.add_option("-I", line.options.include_directories, "a folder to look for functions in")->allow_extra_args(false);
  app.add_option("-W", words.warnings, "-Werror: warnings are errors")->check(CLI::IsMember({"error"}));
  app.add_option("--check", words.check,
                 "nan,domain: stop at the first NaN or Inf, or where Octave would turn complex; bounds: compiled code "
                 "asserts its accesses to memory, slowly, for who works on lac");
  app.add_option("--dump", words.dump,
                 "stages to show: ast,graph,graph:after=PASS,kernels,plan,llvm,asm,glsl,spirv,dot");
  app.add_option("--dump-dir", line.dump_directory, "a folder for the dumps, one file each; made where there is none");
  app.add_flag("--remarks", line.remarks.wanted, "what was fused and what costs more than it seems; --remarks=:FILE");
  app.add_flag("--print-passes", line.options.print_passes, "the graph after every pass that changed it");
  app.add_flag("--time-passes", line.options.time_passes,
               "what parsing, lowering, every pass and code take; with --stats, each kernel");
  app.add_option("--stop-after", line.options.stop_after, "run no pass after this one, nor the program");
}

/// Verbs that compile, but not one program from the command line.
bool without_program(Verb verb) { return verb == Verb::test || verb == Verb::repl; }

/// What decides how a text is checked.
void add_check_options(CLI::App& app, CommandLine& line, Words& words) {
  app.add_option("--target", words.target, "cpu (default), vulkan, vulkan-fragment or interp");
  app.add_option("--precision", words.precision, "single or double, whatever the program says");
  app.add_option("-I", line.options.include_directories, "a folder to look for functions in")->allow_extra_args(false);
  app.add_flag("--stdio", words.stdio, "the only channel there is; editors say so");
}

void add_options(CLI::App& app, Verb verb, CommandLine& line, Words& words) {
  app.set_help_flag();
  app.set_help_flag("", "");
  app.add_flag("-h,--help", line.help, "this text; with a program: its parameters and outputs");
  app.add_option("words", words.positional, positional_name(verb));
  app.add_flag("-q,--quiet", line.quiet, "no warnings, and outputs are not shown");
  app.add_flag("-v,--verbose", line.verbose, "say what is done");
  if ((bit(verb) & (compiling | running)) != 0 && !without_program(verb)) {
    app.add_option("-o", line.outputs, output_help(verb))->allow_extra_args(false);
  }
  if ((bit(verb) & running) != 0) add_run_options(app, line, words);
  if ((bit(verb) & delivering) != 0) add_deliver_options(app, line, words);
  if ((bit(verb) & with_files) != 0)
    app.add_flag("--sandbox", line.sandbox, "the program gets no files: no read, write, imwrite, functions beside it");
  if ((bit(verb) & compiling) != 0) {
    add_compile_options(app, line, words);
  }
  if ((bit(verb) & compiling) != 0 && !without_program(verb)) {
    app.add_option("-e", line.expression, "a program given as text");
  }
  if (verb == Verb::lsp) add_check_options(app, line, words);
  if (verb == Verb::program) app.add_option("--target", words.target, "cpu (default) or interp");
  if (without_program(verb)) app.add_option("--threads", line.threads, "threads to use (default: all)");
  if (verb == Verb::format)
    app.add_flag("--check", line.check_format, "change nothing: name the files that would change, exit status 1");
  if (verb == Verb::check) app.add_flag("--json", line.json, "as JSON");
  if (verb == Verb::test) app.add_flag("--json", line.json, "one JSON object a block, as it ends");
  if (verb == Verb::build) {
    app.add_option(
           "--emit", line.build_kind,
           "exe (default), obj, or shaders: what an engine needs to run it on Vulkan without lac, into the folder -o")
        ->check(CLI::IsMember({"exe", "obj", "shaders"}));
    app.add_option(
           "--variants", line.options.variants,
           "compile for at most this many kinds of data (default 16): that of the NAME=VALUE given, sizes 0 and "
           "1, dense and sparse matrices; -v lists them, and the interpreter runs the rest")
        ->check(CLI::Range(1, 1000));
  }
  if (verb == Verb::run) app.add_flag("--version", line.version, "the version of lac");
  if (verb == Verb::program) app.add_flag("--version", line.version, "the version of lac that built it");
}

/// "--stats=json:FILE" and "--remarks=:FILE": an optional value that is never the next word.
bool take_report(const std::string& word, std::string_view option, Report& report, std::string& error) {
  if (!word.starts_with(option)) return false;
  std::string rest = word.substr(option.size());
  if (!rest.empty() && rest[0] != '=' && rest[0] != ':') return false;
  report.wanted = true;
  if (!rest.empty() && rest[0] == '=') rest.erase(0, 1);
  if (rest.starts_with("json") && (rest.size() == 4 || rest[4] == ':')) {
    report.json = true;
    rest.erase(0, 4);
  }
  if (rest.starts_with(":")) report.file = rest.substr(1);
  else if (!rest.empty()) error = word + ": '" + rest + "' is not known here";
  return true;
}

/// The words without the reports, which are put into `line`.
std::vector<std::string> without_reports(const std::vector<std::string>& words, CommandLine& line, std::string& error) {
  std::vector<std::string> rest;
  bool options = true;
  for (const std::string& word : words) {
    if (word == "--") options = false;
    if (options && take_report(word, "--stats", line.statistics, error)) continue;
    if (options && take_report(word, "--remarks", line.remarks, error)) continue;
    rest.push_back(word);
  }
  return rest;
}

std::string choose_target(const std::string& word, api::Options& options) {
  if (word == "cpu") options.target = api::Target::cpu;
  else if (word == "interp") options.target = api::Target::interp;
  else if (word == "vulkan") options.target = api::Target::vulkan;
  else if (word == "vulkan-fragment") options.target = api::Target::vulkan_fragment;
  else if (!word.empty()) return "--target: '" + word + "' is none of cpu, vulkan, vulkan-fragment, interp";
  return {};
}

/// The shader stages are those of the vulkan target, and the target need not be said.
void choose_target_of_stage(const CommandLine& line, const std::string& word, api::Options& options) {
  constexpr std::string_view shader_stages[] = {"glsl", "spirv", "hlsl", "msl", "essl"};
  const bool shaders =
      std::find(std::begin(shader_stages), std::end(shader_stages), line.stage) != std::end(shader_stages) ||
      line.build_kind == "shaders";
  if (shaders && word.empty()) options.target = api::Target::vulkan;
}

std::string choose_layout(const std::string& word, api::Options& options) {
  if (word == "buffer") options.layout = api::Layout::buffer;
  else if (word == "texel") options.layout = api::Layout::texel;
  else if (!word.empty() && word != "auto") return "--layout: '" + word + "' is none of buffer, texel, auto";
  return {};
}

std::string choose_loops(const std::string& word, api::Options& options) {
  if (!word.empty() && word != "device" && word != "host" && word != "auto")
    return "--loops: '" + word + "' is none of device, host, auto";
  options.device_loops = word != "host";
  options.native_loops = word.empty() || word == "auto";
  return {};
}

std::string choose_compile(const std::string& word, api::Options& options) {
  static constexpr std::pair<std::string_view, api::Compile> words[] = {
      {"auto", api::Compile::when_worth_it}, {"first", api::Compile::first}, {"never", api::Compile::never}};
  if (word.empty()) return {};
  for (const auto& [name, compile] : words)
    if (word == name) {
      options.compile = compile;
      return {};
    }
  return "--compile: '" + word + "' is not auto, first or never";
}

std::string choose_plan(const std::string& word, api::Options& options) {
  if (!word.empty() && word != "cpu" && word != "vulkan") return "--plan-of: '" + word + "' is neither cpu nor vulkan";
  if (!word.empty() && options.target != api::Target::interp) return "--plan-of is for --target=interp";
  options.plan_of = word;
  return {};
}

/// "512M": bytes, or with K, M or G units of 1024.
std::string choose_size(const std::string& option, const std::string& word, std::int64_t& size) {
  if (word.empty()) return {};
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
  const std::string unit(static_cast<const char*>(end), word.data() + word.size());
  constexpr std::string_view units[] = {"", "K", "M", "G"};
  const auto found = std::find(std::begin(units), std::end(units), unit);
  const int shift = 10 * static_cast<int>(found - std::begin(units));
  if (failed != std::errc() || found == std::end(units) || number <= 0 || number > (INT64_MAX >> shift)) {
    return option + ": '" + word + "' is no size; use 512M or 2G";
  }
  size = number << shift;
  return {};
}

std::string choose_precision(const std::string& word, api::Options& options) {
  if (word == "single") options.precision = api::Precision::single;
  else if (word == "double") options.precision = api::Precision::real;
  else if (!word.empty()) return "--precision: '" + word + "' is neither single nor double";
  return {};
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    if (end > start) parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

std::string choose_checks(const std::string& words, CommandLine& line) {
  for (const std::string& word : split(words, ',')) {
    if (word == "nan") line.check_nan = true;
    else if (word == "domain") line.options.check_domain = true;
    else if (word == "bounds") line.options.check_bounds = true;
    else return "--check: '" + word + "' is none of nan, domain, bounds";
  }
  if (line.check_nan && line.options.check_bounds)
    return "--check: nan runs the plan step by step, and bounds is of compiled code: one at a time";
  return {};
}

std::string check_dump(const std::vector<std::string>& items) {
  for (const std::string& item : items) {
    if (item.starts_with("graph:after=")) continue;
    const auto known = api::stages();
    if (std::none_of(known.begin(), known.end(), [&](const api::Pass& stage) { return stage.name == item; })) {
      return "--dump: there is no stage '" + item + "'";
    }
  }
  return {};
}

bool is_name(std::string_view text) {
  if (text.empty() || !(std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_')) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

/// A misspelt verb is taken for the program of `run`: a bare word that names no file.
std::string not_a_verb(const std::string& word) {
  if (word.find_first_of("./-") != std::string::npos || std::filesystem::exists(word)) return {};
  return "'" + word + "' is neither a verb nor a file; `lac help` lists the verbs";
}

/// FILE (and WHAT) first, then NAME=VALUE.
std::string place_positional(Verb verb, const std::vector<std::string>& words, CommandLine& line) {
  if (positional_name(verb)[0] == '\0' && !words.empty()) return "'" + words.front() + "' is not expected here";
  std::size_t next = 0;
  if (verb == Verb::help || verb == Verb::passes || verb == Verb::devices || verb == Verb::cache || verb == Verb::lsp ||
      verb == Verb::repl) {
    if (!words.empty()) line.file = words.front();
    return words.size() > 1 ? "'" + words[1] + "' is not expected here" : "";
  }
  if (verb == Verb::test || verb == Verb::format) {
    line.files = words;
    return words.empty() ? "which files?" : "";
  }
  if (verb == Verb::emit) {
    if (words.empty()) return "which stage? " + usage(verb);
    line.stage = words[next++];
  }
  if (verb != Verb::program && !line.expression) {
    if (next == words.size()) return "which program? a file, - for standard input, or -e TEXT";
    line.file = words[next++];
    if (verb == Verb::run)
      if (std::string problem = not_a_verb(line.file); !problem.empty()) return problem;
  }
  for (; next < words.size(); ++next) {
    const std::size_t equals = words[next].find('=');
    const std::string name = words[next].substr(0, equals);
    if (equals == std::string::npos || !is_name(name)) return "'" + words[next] + "' is not NAME=VALUE";
    line.arguments.emplace_back(name, words[next].substr(equals + 1));
  }
  return {};
}

/// Options that the target does not look at.
std::vector<std::string> idle_options(const Words& words, const api::Options& options) {
  const bool fragment = options.target == api::Target::vulkan_fragment;
  if (options.target == api::Target::vulkan) return {};
  struct Option {
    const char* name;
    bool given, of_fragment;
  };
  const Option all[] = {{"--device", !options.device.empty(), true},
                        {"--device-memory", !words.device_memory.empty(), false},
                        {"--layout", !words.layout.empty(), false},
                        {"--loops", !words.loops.empty(), true}};
  std::vector<std::string> warnings;
  for (const Option& option : all)
    if (option.given && !(fragment && option.of_fragment))
      warnings.push_back(std::string(option.name) + " is for --target=vulkan and changes nothing here");
  return warnings;
}

std::string finish(Verb verb, const Words& words, CommandLine& line) {
  if (line.version) return {};
  if (words.print == "full") line.print = PrintMode::full;
  if (words.print == "none" || line.quiet) line.print = PrintMode::none;
  line.options.cache = !words.no_cache;
  line.options.by_value = true;
  line.options.retime = !words.no_retime;
  line.options.fuse = !words.no_fuse;
  line.options.warnings_are_errors = !words.warnings.empty();
  line.options.dump = split(words.dump, ',');
  line.options.files = (bit(verb) & with_files) != 0 && !line.sandbox;
  api::Options& options = line.options;
  for (const std::string& error : {choose_target(words.target, options), choose_precision(words.precision, options),
                                   choose_compile(words.compile, options), choose_layout(words.layout, options),
                                   choose_loops(words.loops, options), choose_plan(words.plan_of, options),
                                   choose_size("--device-memory", words.device_memory, options.device_memory),
                                   choose_size("--memory-limit", words.memory_limit, line.memory_limit),
                                   choose_size("--output-limit", words.output_limit, line.output_limit),
                                   check_dump(options.dump), choose_checks(words.check, line)}) {
    if (!error.empty()) return error;
  }
  if (line.help && words.positional.empty() && !line.expression) return {};
  const std::string error = place_positional(verb, words.positional, line);
  choose_target_of_stage(line, words.target, options);
  return error;
}

}  // namespace

ParsedLine parse_command_line(Verb verb, const std::vector<std::string>& all_words) {
  ParsedLine result;
  result.line.verb = verb;
  std::vector<std::string> rest = without_reports(all_words, result.line, result.error);
  if (!result.ok()) return result;
  CLI::App app;
  Words words;
  add_options(app, verb, result.line, words);
  try {
    std::reverse(rest.begin(), rest.end());  // CLI11 takes them from the back
    app.parse(rest);
  } catch (const CLI::ParseError& error) {
    result.error = error.what();
    return result;
  }
  result.error = finish(verb, words, result.line);
  result.warnings = idle_options(words, result.line.options);
  if (result.ok() && result.line.options.warnings_are_errors && !result.warnings.empty())
    result.error = result.warnings.front();
  return result;
}

std::string usage(Verb verb) {
  static const std::map<Verb, std::string> heads = {
      {Verb::run, "lac [run] FILE.la|-|-e TEXT [NAME=VALUE...]   run a program"},
      {Verb::check, "lac check FILE.la [NAME=VALUE...]   types and shapes of every variable"},
      {Verb::test, "lac test FILE.la...   run the %!assert, %!test, %!error ... blocks of files, as Octave's test"},
      {Verb::format, "lac fmt FILE.la...|-   rewrite files in canonical form; - formats standard input"},
      {Verb::build, "lac build FILE.la -o PROG [NAME=VALUE...]   make an executable"},
      {Verb::emit, "lac emit WHAT FILE.la [NAME=VALUE...]   show a stage of compilation"},
      {Verb::explain,
       "lac explain FILE.la [NAME=VALUE...] -o report.html   run a program once and write a page: its lines, the "
       "kernels "
       "they are in, their code, time and bytes"},
      {Verb::repl, "lac repl   statements as they are typed; :help in the session lists its commands"},
      {Verb::lsp,
       "lac lsp   answer an editor by the Language Server Protocol on standard input and output (see editors/)"},
      {Verb::devices, "lac devices   the Vulkan devices of this machine"},
      {Verb::cache, "lac cache [clear]   what earlier runs left on disk: where, how much; clear removes it"},
      {Verb::passes, "lac passes   list the passes"},
      {Verb::help, "lac help [VERB]"},
      {Verb::program, "PROGRAM [NAME=VALUE...]"}};
  CommandLine line;
  line.verb = verb;
  Words words;
  CLI::App app;
  add_options(app, verb, line, words);
  std::string text = "usage: " + heads.at(verb) + "\n\n";
  for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return !o->get_positional(); })) {
    std::string left = "  " + option->get_name(false, true);
    if (option->get_items_expected_max() > 0) left += " X";
    left.resize(std::max<std::size_t>(left.size() + 2, 24), ' ');
    text += left + option->get_description() + "\n";
  }
  if (verb == Verb::emit) {
    text += "\nWHAT is one of\n";
    for (const api::Pass& stage : api::stages()) text += "  " + stage.name + ": " + stage.summary + "\n";
  }
  return text;
}

}  // namespace lac::cli
