// `main` of an executable that `lac build` made: it takes what `lac run FILE.la` takes, without the file.
#include <filesystem>

#include "driver/cli/console.h"
#include "driver/cli/verbs.h"
#include "driver/program/embedded.h"

namespace {

using namespace lac;

int run(int argc, char** argv) {
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  cli::ParsedLine parsed = cli::parse_command_line(cli::Verb::program, {argv + 1, argv + argc});
  if (!parsed.ok()) return cli::usage_error(parsed.error);
  cli::CommandLine& line = parsed.line;
  line.file = name;
  if (line.version) {
    cli::out(name + ", built by lac " + std::string(api::version()) + "\n");
    return cli::finish_output() ? cli::exit_ok : cli::exit_failed;
  }
  const driver::EmbeddedProgram& embedded = driver::embedded_program();
  const SourceText& source = embedded.texts.front();
  api::Options options = line.options;
  options.precision = embedded.precision == Element::single ? api::Precision::single : api::Precision::real;
  api::Program program = api::Program::from_text(source.text, source.name, options);
  if (line.help) {
    cli::out(cli::describe_program(program, name) + "\n" + cli::usage(cli::Verb::program));
    return cli::finish_output() ? cli::exit_ok : cli::exit_failed;
  }
  return cli::run_program(program, line);
}

}  // namespace

int main(int argc, char** argv) {
  return cli::guarded_main([&] { return run(argc, argv); });
}
