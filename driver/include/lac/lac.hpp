// The embedding API of lac: compile a matrix program, bind host data without copying, run it, read the results.
//
//     lac::api::Program program = lac::api::Program::from_text("param A(m, n)\nparam x(n, 1)\ny = A * x;\noutput y");
//     lac::api::Arguments arguments;
//     arguments.matrix("A", a.data(), 100, 80).matrix("x", v.data(), 80, 1);
//     lac::api::Result result = program.run(arguments);
//     if (!result.ok()) std::fputs(result.message().c_str(), stderr);
//     else use(result.output("y")->values<double>());
//
// Conventions of every call
// - Shapes are rows x cols, matrices are column-major with leading dimension = rows; indices in messages count from 1,
//   indices in arrays (CSR, diagonals) from 0. Times are milliseconds, sizes of memory bytes.
// - Nothing here throws for what a user can do wrong (a bad program, bad data, a missing file): that comes back as
//   diagnostics. std::bad_alloc can be thrown by any call that allocates.
// - Nothing is printed. Text that a program prints goes to the sinks of RunOptions, and nowhere without them.
// - Ownership: what is borrowed is said to be borrowed; everything else is a value.
// - Threads: all calls of a Program may be made at the same time; runs of compiled code go side by side, also while
//   another thread compiles. Result, Matrix, Checked and Emitted are values: reading one is thread-safe. Arguments,
//   Session and LanguageServer belong to one thread at a time. The free functions are thread-safe.
// - Programs from strangers: a program computes and prints, and nothing else. It reaches files only with
//   Options::files, and a run holds to the limits of RunOptions. What it may cost to compile a text has bounds of its
//   own, which no option changes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lac::api {

/// The version of the library, "0.1.0".
std::string_view version();

/// The text as diagnostics show what users and files bring: control characters (but newline and tab) and bytes that are
/// no UTF-8 as \x1b. For messages of a host's own.
std::string printable(std::string_view text);

/// How elements are stored: logical uint8_t (0 or 1); integer and real double; single float.
enum class Element : std::uint8_t { logical, integer, single, real };
/// dense: column-major. csr: row_pointers[rows + 1], column_indices, values; columns ascend within a row.
/// diagonal: values[d * rows + i] = A(i, i + offsets[d]), zero where that is no column; offsets ascend.
enum class Storage : std::uint8_t { dense, csr, diagonal };
/// vulkan: kernels run as compute shaders on a Vulkan device.
/// vulkan_fragment: kernels run as render passes there.
enum class Target : std::uint8_t { cpu, interp, vulkan, vulkan_fragment };
/// natural: what the program's `precision` line says, else the target's (double on cpu and interp, single on vulkan).
enum class Precision : std::uint8_t { natural, single, real };

enum class Severity : std::uint8_t { error, warning, remark };

/// A message about a program or its data.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string file;          ///< as it was given; empty when there is no place
  std::uint32_t line = 0;    ///< from 1; 0 when there is no place
  std::uint32_t column = 0;  ///< from 1, in bytes
  std::string message;       ///< one sentence, without place and severity
  std::string id;            ///< of a program's `error(id, ...)` or warning; often empty
  std::string rendered;      ///< as a terminal shows it: place, severity, message, source line, notes; ends with '\n'
};

/// How a call ended. The values are the exit statuses of the command line.
enum class Outcome : std::uint8_t {
  ok = 0,
  failed = 1,         ///< the program or its data is wrong
  usage = 2,          ///< the call is wrong: an unknown parameter, a missing one, a target that cannot do what is asked
  interrupted = 130,  ///< RunOptions::interrupt was set, and heard before the run ended
};

/// The limit of RunOptions that ended a run, which has failed then.
enum class Limit : std::uint8_t { none, time, memory, output };

/// One `param` line.
struct Parameter {
  std::string name;
  std::string shape;          ///< "n x n" as declared, "scalar" for a scalar
  std::string properties;     ///< "sparse spd"; empty when none
  std::string default_value;  ///< source text; empty when the parameter must be given
  std::string comment;
};

/// A variable at the end of its scope.
struct Variable {
  std::string scope;  ///< "f(n x 1, scalar)": a function and the arguments it was specialised to; empty at file level
  std::string name;
  std::string type;        ///< "f64[n x 1]", see docs
  std::string element;     ///< real, single, integer, logical, string or function
  std::string storage;     ///< dense, csr or diagonal; empty for strings and functions
  std::string shape;       ///< "scalar", "n x 1", "n x k (k <= 30)"; empty likewise
  std::string properties;  ///< "symmetric spd"
  std::uint32_t line = 0;
};

struct Pass {
  std::string name;
  std::string summary;
};
/// A Vulkan device of this machine.
struct Device {
  std::uint32_t index = 0;  ///< for Options::device
  std::string name;
  std::string type;     ///< discrete | integrated | virtual | cpu | other
  std::string driver;   ///< name and version
  std::string version;  ///< of Vulkan, "1.3.230"
  std::int64_t memory_bytes = 0;
  bool real = false;  ///< has double precision
  bool usable = false;
  std::string missing;  ///< what it lacks when it is not usable
};
struct Devices {
  std::vector<Device> list;
  std::string problem;  ///< why there is no list: no Vulkan on this machine, or lac was built without it
};
Devices devices();

/// std::exit for a program that has nothing left to do but runs of programs of its own: what is being compiled beside
/// them is not waited for, which std::exit would take some milliseconds to do. Objects with static storage may then not
/// be destroyed; the streams of <cstdio> are flushed.
[[noreturn]] void end_process(int status);

/// What runs have left on disk so that later ones start faster (compiled kernels; shaders and pipelines of the vulkan
/// targets; files of the library that an editor was shown). Code that nobody has used for longest goes when there is
/// more than LAC_CACHE_LIMIT MiB of it (512).
struct Cache {
  std::string folder;  ///< LAC_CACHE_DIR, else $XDG_CACHE_HOME/lac, else ~/.cache/lac; empty: none of them is there
  std::int64_t files = 0, bytes = 0;
  /// What is there and no run uses, since it is not this user's or everybody may write to it: the folder of the
  /// code, else files in it.
  std::vector<std::string> ignored = {};
  std::string problem = {};  ///< why the folder cannot be looked at: no run uses it either
};
Cache cache();
/// Removes the files; what is left of them. Runs that go on at the same time are not disturbed.
Cache clear_cache();

/// The passes in the order in which a program meets them.
std::vector<Pass> passes();
/// What `Program::emit` and Options::dump know, each with one line of explanation.
std::vector<Pass> stages();

/// What a compilation found on disk from earlier ones. hit: all that it looked for, on the cpu also where that was some
/// of it (what is not worth compiling is not there); off: it looked for nothing.
enum class CacheUse : std::uint8_t { off, hit, miss };

/// Where the time of a compilation went; a phase that was not needed is 0.
struct CompileTimes {
  double parse = 0, lower = 0, passes = 0, codegen = 0;
  CacheUse cache = CacheUse::off;
};

/// A line of a text: the program's, or that of a file with functions that it calls.
struct Place {
  std::string file;  ///< as messages name it
  std::uint32_t line = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct KernelStatistics {
  std::string id;                    ///< as Program::emit names it: "k3"; empty for steps of the host and copies
  std::string name;                  ///< after its results: "r, rho"; not unique
  std::string kind;                  ///< main | straight | combine | control | copy | library
  std::vector<std::uint32_t> lines;  ///< of the program, ascending: where it stands, or the call that led to it
  std::vector<Place> places;         ///< where it stands; in order
  std::uint32_t loop = 0;            ///< line of the program of the innermost loop around it; 0: none
  std::int64_t launches = 0;
  std::int64_t bytes_read = 0, bytes_written = 0;   ///< totals over all launches
  std::int64_t matrix_bytes = 0, vector_bytes = 0;  ///< together bytes_read + bytes_written
  std::int64_t flops = 0;
  /// 0 unless RunOptions::statistics. Of launches that move less than 32 KiB, beyond the first 64 of a kernel, one in
  /// sixteen is timed and stands for the others: the clock takes as long as they do.
  double ms = 0;
};

struct LoopStatistics {
  std::uint32_t line = 0;  ///< of the program
  Place place;             ///< where the loop stands
  std::int64_t trips = 0;  ///< over all entries of the loop
  /// Of what stands in it and in no loop inside it, over all trips:
  std::int64_t launches = 0;      ///< of kernels, by a call
  std::int64_t straight = 0;      ///< of kernels that are part of the loop's own code
  std::int64_t steps = 0;         ///< of the library
  std::int64_t copied_bytes = 0;  ///< written by copies
};

/// Between the memory of the host and that of a device; all zero where they are one.
struct TransferStatistics {
  std::int64_t uploads = 0, upload_bytes = 0;
  std::int64_t downloads = 0, download_bytes = 0;
  std::int64_t scalar_readbacks = 0;  ///< single numbers that the host needed and a kernel had made
  std::int64_t polls = 0;             ///< looks at a loop that runs on the device
  std::int64_t waits = 0;             ///< times that the host had to wait for the device
  std::int64_t submits = 0;
  std::int64_t dispatches = 0;  ///< with those of trips that a loop recorded ahead and that did not run
  std::int64_t render_passes = 0;
};

struct Statistics {
  std::string file;  ///< of the program: what `line` and `lines` count in
  CompileTimes compile_ms;
  double run_ms = 0;
  std::vector<LoopStatistics> loops;
  std::vector<KernelStatistics> kernels;  ///< those that were launched
  TransferStatistics transfers;
  std::int64_t resources_created = 0, pool_hits = 0, peak_bytes = 0;
  std::int64_t evictions = 0;        ///< matrices that left the device because others needed the room
  std::int64_t sliced_matrices = 0;  ///< sparse ones that were copied so that several rows are multiplied at once
};

/// Takes (item, text): "graph", "graph:after=fuse", "llvm", ...
using DumpSink = std::function<void(const std::string& item, const std::string& text)>;

/// How dense matrices lie in the memory of a Vulkan device. buffer: plain. texel: RGBA32F images, four elements of a
/// column per texel (single precision). automatic: see docs/vulkan.md.
enum class Layout : std::uint8_t { automatic, buffer, texel };

/// When the cpu's code is made. when_worth_it: a program runs at once, and what it spends time on is compiled beside
/// it. first: all of it before it runs. never: nothing is. Results are the same bits.
enum class Compile : std::uint8_t { when_worth_it, first, never };

struct Progress;
struct EmittedFile;

struct Options {
  Target target = Target::cpu;
  Precision precision = Precision::natural;
  /// Whether the program may reach files by `read`, `write` and `imwrite`. Without it such a call ends the run with an
  /// error at its line, and nothing that a text names is opened while it is compiled or checked either; how a matrix
  /// that `read` will bring is stored is then not known, and it is taken to be dense. With it, the first line of a file
  /// that `read` names in so many words is looked at. Also with it, `from_file` finds functions beside the file.
  /// Arguments::file and Arguments::text are the host's own words: the files they name are read either way.
  bool files = false;
  /// Folders that are searched, in order, for NAME.la with the functions that a text does not define: before lac's own
  /// library. No other folder is, that of the process neither.
  std::vector<std::string> include_directories;
  /// native | x86-64-v2 | x86-64-v3 | x86-64-v4 | portable; empty: native for what runs here, portable for `build`.
  /// portable: an executable has code for x86-64-v3 and for x86-64-v2 and chooses when it starts; an object is for
  /// x86-64-v2; what runs here is compiled for the set that such an executable would choose.
  std::string cpu;
  /// `build`: how many kinds of data an executable has code for at most, its examples' among them; from 1 to 1000, and
  /// what is outside counts as the nearer of the two.
  int variants = 16;
  bool warnings_are_errors = false;
  bool check_domain = false;  ///< a run stops where Octave would turn complex: sqrt(-1), log(-1), acos(2)
  /// cpu, for who works on lac: compiled code asserts every access to memory, which makes it several times as slow.
  /// Runs with RunOptions::check_nan assert nothing.
  bool check_bounds = false;
  bool remarks = false;  ///< report what was fused and what costs more than it seems, with Severity::remark
  bool cache = true;     ///< use and keep compiled kernels, shaders and pipelines on disk
  Compile compile = Compile::when_worth_it;  ///< cpu; with check_bounds, or a `cpu` that only LLVM knows, `first`
  bool retime = true;          ///< work may wait for the next trip of a loop, or be done again (docs/performance.md)
  bool fuse = true;            ///< kernels hold several operations; else each has its own, and nothing is retimed
  bool detect_storage = true;  ///< a sparse matrix that pays in diagonal storage is put there
  /// Where a parameter as a symbol leaves open which shapes operations have (zeros(n/2, 1) beside n), the program is
  /// compiled for the integer at hand, up to eight times: a host that runs other sizes next compiles for each.
  bool by_value = false;
  /// Stages to hand to `dump_sink` when a specialisation is compiled: those of `stages()` that the target has, and
  /// graph:after=PASS.
  std::vector<std::string> dump;
  DumpSink dump_sink;
  std::string device;              ///< vulkan: an index of `devices()` or part of a name; empty: the best
  std::int64_t device_memory = 0;  ///< vulkan: bytes that matrices may take on the device; 0: all it has
  bool device_loops = true;        ///< vulkan: loops run on the device where they can; false: the host runs each trip
  /// vulkan: loops of single elements run as compiled code of the host where that is faster (docs/device_loops.md); not
  /// without `device_loops`.
  bool native_loops = true;
  Layout layout = Layout::automatic;
  /// vulkan: every run also hands out its commands as a shader pack (docs/shader_packs.md), and fails where it would
  /// ask the host for what kernels have made. Nothing is printed then, there are no native loops, and matrices are
  /// buffers.
  std::function<void(const std::vector<EmittedFile>&)> shader_pack;
  /// interp: run the plan that the passes of this target make (cpu or vulkan), and not the graph as lowered.
  std::string plan_of;
  /// A pass: later ones do not run, and the program does not either. `build`, and `emit` of a stage that is code, fail.
  std::string stop_after;
  bool print_passes = false;  ///< dump "graph:after=PASS" for every pass that changed something
  /// Dump "time-passes": tables of what each stage of compiling takes. On the cpu all code is made before the program
  /// runs then, whatever is on disk; `time_kernels`: with a line for each kernel.
  bool time_passes = false, time_kernels = false;
  /// `build`: told as RunOptions::progress is.
  std::function<void(const Progress&)> progress;
};

/// The values of parameters. A plain list; names, shapes and pointers are looked at when it is used, and what is wrong
/// with them is a diagnostic of that call (a null pointer to values that there are is one). Binding a name again
/// replaces its value. Not thread-safe; one object may be used by several runs at the same time as long as none changes
/// it.
///
/// Borrowed memory must stay alive and unchanged until the last run that uses it, and the last Result of such a run
/// that hands it out (Result::input, or an output that is an unchanged input), are gone. It is never written. It is
/// used in place when its element is the program's (double in a double program, float in a single one) and converted,
/// which is a copy, when it is not.
class Arguments {
 public:
  Arguments();
  Arguments(const Arguments&);
  Arguments(Arguments&&) noexcept;
  Arguments& operator=(const Arguments&);
  Arguments& operator=(Arguments&&) noexcept;
  ~Arguments();

  /// Borrows rows * cols column-major values. A matrix without elements may have none: null.
  Arguments& matrix(std::string name, const double* values, std::int64_t rows, std::int64_t cols);
  Arguments& matrix(std::string name, const float* values, std::int64_t rows, std::int64_t cols);
  /// Borrows a CSR matrix; columns ascend and are distinct within a row. Malformed indices are a run's diagnostic. The
  /// arrays are read here once, to check them. Without nonzeros the columns and values may be null.
  Arguments& csr(std::string name, std::int64_t rows, std::int64_t cols, std::int64_t nonzeros,
                 const std::int32_t* row_pointers, const std::int32_t* column_indices, const double* values);
  Arguments& csr(std::string name, std::int64_t rows, std::int64_t cols, std::int64_t nonzeros,
                 const std::int32_t* row_pointers, const std::int32_t* column_indices, const float* values);
  Arguments& scalar(std::string name, double value);
  /// What the command line takes after NAME=: a file (.mtx, .npy, .csv; `@PATH` whatever its name; `-` for standard
  /// input), else a constant expression of the language: "2^20", "ones(100, 1)".
  Arguments& text(std::string name, std::string value);
  /// A matrix file, by extension.
  Arguments& file(std::string name, std::string path);

 private:
  friend struct ArgumentsAccess;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Where a run is that takes long, or a `build`.
struct Progress {
  double seconds = 0;           ///< since the run was called
  bool compiling = false;       ///< it has not begun: its program is compiled, or its arguments are read
  std::string file;             ///< of `line`
  std::uint32_t line = 0;       ///< of what was begun last, or of the call that led to it; 0: not known
  std::string loop_file;        ///< of `loop_line`
  std::uint32_t loop_line = 0;  ///< of the outermost loop that runs; 0: none, or on this target not known (interp)
  std::int64_t trip = 0;        ///< of that loop, from 1
  double trips_per_second = 0;  ///< 0: not known
  /// Whether that loop goes on by a comparison of reals, and its sides after the last trip: a residual and a tolerance.
  /// Of loops on the cpu that do more than scalar arithmetic.
  bool compared = false;
  double left = 0, right = 0;
};

/// How one run goes. Sinks are called from the thread that called `run`. A sink may throw, whatever it likes: the run
/// then ends there, has failed, and a diagnostic says what was thrown; nothing is thrown on. What `on_warning` throws
/// for the warning of a run that has ended already (`lac:ended-first`) is only told, by one more warning.
struct RunOptions {
  int threads = 0;  ///< 0: as many as the machine has. Results do not depend on it, bit by bit
  std::function<void(std::string_view)> out;          ///< what the program prints, in program order
  std::function<void(std::string_view)> err;          ///< what it prints to stderr
  std::function<void(const Diagnostic&)> on_warning;  ///< each run-time warning as it arises, in order with the text
  /// Set it, from any thread, and the run ends: Outcome::interrupted. Borrowed for the run. It is heard in every trip
  /// of a loop, between the blocks of a kernel, and before, after and inside the functions that take long; a
  /// call of LAPACK, the symbolic or the numeric part of a sparse factorisation and the work that a GPU was given are
  /// ended first. Heard too late, after the last of the work, it leaves a complete result with a warning.
  const std::atomic<bool>* interrupt = nullptr;
  /// Seconds from the call of `run` on; 0: no limit. Heard as an interrupt is; time that compiling takes counts, and is
  /// noticed when it ends. So does what reading and computing arguments and defaults takes.
  double time_limit = 0;
  /// Bytes of matrices that the run may hold at the same time, defaults of parameters and the bytes of files that the
  /// program reads among them, arguments not; 0: no limit. Functions of the
  /// library may need a small multiple of their arguments besides. Of a Vulkan device: see Options::device_memory.
  std::int64_t memory_limit = 0;
  /// Bytes of text that go to `out` and `err`, and of warnings, whether `on_warning` or the Result takes them;
  /// together; 0: no limit. What fits is delivered; of a warning nothing or all.
  std::int64_t output_limit = 0;
  std::uint64_t seed = 42;  ///< of rand and randn
  bool statistics = false;  ///< measure times of kernels (counts are always kept)
  bool trace = false;       ///< keep what Result::trace_json tells
  bool check_nan = false;   ///< stop at the first NaN or Inf that is computed
  /// Unlike the other sinks called from a thread of lac's own: after the first 1.5 seconds of a run and then every half
  /// second, while it goes on. What it throws ends the calls and not the run.
  std::function<void(const Progress&)> progress;
};

/// A matrix that belongs to a Result: cheap to copy, alive as long as any copy is. Immutable and thread-safe.
class Matrix {
 public:
  const std::string& name() const;
  std::int64_t rows() const;
  std::int64_t cols() const;
  Element element() const;
  Storage storage() const;

  /// The stored values in place, without a copy: rows * cols (dense), nonzeros (csr), diagonals * rows (diagonal).
  const void* data() const;
  std::int64_t stored() const;
  /// The same, typed; null when T is not how the elements are stored (double, float, std::uint8_t).
  template <class T>
  const T* values() const;
  const std::int32_t* row_pointers() const;          ///< csr, else null
  const std::int32_t* column_indices() const;        ///< csr, else null
  const std::vector<std::int64_t>& offsets() const;  ///< diagonal, else empty

  /// A(row, col), from 0 and in range, from any storage.
  double at(std::int64_t row, std::int64_t col) const;
  /// All rows * cols values in column-major order: a copy, from any storage.
  std::vector<double> to_vector() const;

  /// What Octave prints for a statement without ';'.
  std::string display() const;
  /// Small values as `display`; of large ones shape, range, norm and the first rows, in a few lines.
  std::string summary() const;
  /// The text or bytes of a file of this kind: ".mtx", ".npy" or ".csv"; nothing for another extension.
  std::optional<std::string> file_content(std::string_view extension) const;
  /// Writes a file by extension, all of it or nothing; what went wrong, or nothing.
  std::optional<Diagnostic> write(const std::string& path) const;

 private:
  friend struct MatrixAccess;
  struct Impl;
  explicit Matrix(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// What a program has drawn.
struct Figure {
  int number = 1;   ///< of `figure(n)`
  std::string svg;  ///< the text of an SVG file
};

/// What a run gave. A value; reading it is thread-safe.
class Result {
 public:
  Outcome outcome() const { return outcome_; }
  bool ok() const { return outcome_ == Outcome::ok; }
  /// Errors, and warnings that arose while running, in order; of the warnings the first 1000, or fewer that come to a
  /// megabyte of text.
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  /// How many warnings that are not there. RunOptions::on_warning got them all.
  std::int64_t warnings_left_out() const { return warnings_left_out_; }
  /// The rendered diagnostics, one after the other.
  std::string message() const;

  /// The outputs in the order of the `output` lines; on failure those that had been reached.
  const std::vector<Matrix>& outputs() const { return outputs_; }
  /// An output by name, null when there is none.
  const Matrix* output(std::string_view name) const;
  /// What the program read for a parameter; data() is the host's own pointer when memory was borrowed and fits.
  const Matrix* input(std::string_view name) const;

  /// The figures that stand when the run ends, but for those that the program has written itself.
  const std::vector<Figure>& figures() const { return figures_; }

  /// Which limit ended the run.
  Limit limit() const { return limit_; }

  /// The status that the program gave to `exit`; none where it ran to its end. Outputs are those reached before.
  std::optional<int> exit_status() const { return exit_status_; }

  /// What ran it: cpu, interp, vulkan or vulkan-fragment; interp too where a built program has no code for the data.
  const std::string& target() const { return target_; }
  /// single or double.
  const std::string& precision() const { return precision_; }

  const Statistics& statistics() const { return statistics_; }
  /// One JSON object with the keys that `lac run --stats=json` documents.
  std::string statistics_json() const;
  /// With RunOptions::trace, of the targets cpu and vulkan: when what happened, as the JSON of trace events that
  /// Perfetto and chrome://tracing open: compiling, kernels, steps, copies, loops and their trips on the host,
  /// dispatches on the device; times in microseconds. Half a million of them, and outermost loops: "left_out" says how
  /// many more there were. Of other targets compiling and the run. Without RunOptions::trace empty.
  const std::string& trace_json() const { return trace_json_; }

 private:
  friend struct ResultAccess;
  Outcome outcome_ = Outcome::ok;
  Limit limit_ = Limit::none;
  std::vector<Diagnostic> diagnostics_;
  std::int64_t warnings_left_out_ = 0;
  std::vector<Matrix> outputs_;
  std::vector<Matrix> inputs_;
  Statistics statistics_;
  std::optional<int> exit_status_;
  std::string target_;
  std::string precision_;
  std::string trace_json_;
  std::vector<Figure> figures_;
};

struct EmittedFile {
  std::string name;     ///< without a folder: "k0_main.comp", "manifest.json"
  std::string content;  ///< text or bytes
};

/// A text, or why there is none.
struct Emitted {
  Outcome outcome = Outcome::ok;
  std::string text;
  std::vector<Diagnostic> diagnostics;
  std::vector<EmittedFile> files = {};  ///< of the shader stages: one for each shader, and manifest.json
  bool ok() const { return outcome == Outcome::ok; }
  std::string message() const;
};

/// What `check` finds out without running.
struct Checked {
  Outcome outcome = Outcome::ok;
  std::vector<Variable> variables;
  std::vector<Diagnostic> diagnostics;
  bool ok() const { return outcome == Outcome::ok; }
  std::string message() const;
};

/// A function that a text defines, and its lines, from 1.
struct Function {
  std::string name;
  std::uint32_t first_line = 0, last_line = 0;
};
struct Functions {
  std::vector<Function> list;  ///< in source order
  std::vector<Diagnostic> diagnostics;
  bool ok() const;  ///< the text parses
};
/// The functions of a text, without looking into them. `name` is what messages call the text.
Functions functions_of(std::string text, std::string name = "program");

/// Canonical formatting of a program's text: blanks and indentation only, never what it means. Idempotent. A text that
/// does not parse is not ok and comes with its errors.
Emitted format(const std::string& text, const std::string& name = "program");

enum class BuildKind : std::uint8_t { executable, object };

/// A program: parsed once, compiled once for every kind of data that it meets (storage of matrices, sizes 0 and 1
/// against larger ones), for all sizes alike. A handle: copies share the compiled code. All calls are thread-safe.
/// Compiling excludes compiling (`emit` and `build` are compilations too), and two threads that want the same
/// specialisation compile it once. Runs go side by side, and none whose code is there waits for a compilation; on a
/// Vulkan device one run follows the other. A sink that is called while compiling (Options::dump_sink) must not call
/// the Program.
class Program {
 public:
  /// `name` is what messages call the text; it is never opened, and no folder belongs to it. A program that does not
  /// parse is !ok(), and every call on it gives its diagnostics.
  static Program from_text(std::string text, std::string name = "program", Options options = {});
  /// "-" reads standard input.
  static Program from_file(const std::string& path, Options options = {});

  bool ok() const;
  /// Of reading and parsing. Messages about a specialisation come with the call that needed it.
  const std::vector<Diagnostic>& diagnostics() const;
  std::string message() const;

  const std::vector<Parameter>& parameters() const;
  const std::vector<std::string>& outputs() const;
  /// The comment that opens the file.
  const std::string& help() const;

  /// Waits for a compilation only where it needs one of its own.
  Result run(const Arguments& arguments, const RunOptions& options = {});
  /// Gets ready for these arguments without running (a default whose value takes more than 2 s or 64 MB is taken to be
  /// what its `param` line says): compiles, and does once what a first run would have to (loading
  /// libraries, starting threads, making a device's pipelines). A later run of the same kind of data does neither.
  Checked prepare(const Arguments& arguments);
  /// The same on a thread of its own, or in `get` where none can be started. Data that is borrowed stays borrowed until
  /// the result is there; the Program may go before. The destructor of the result waits for it. A run for these
  /// arguments in the meantime waits for what is being compiled and compiles nothing itself; others do not wait.
  std::future<Checked> prepare_in_background(const Arguments& arguments);
  /// Types and shapes of every variable. Parameters that are not given are assumed to be what their `param` line says:
  /// sizes symbols, `sparse` matrices csr, scalars real unless the default is an integer. So is a default whose value
  /// takes more than 2 s or 64 MB of matrices to compute.
  Checked check(const Arguments& arguments = {});
  /// `what`: a stage of `stages()`. Missing parameters as for `check`.
  Emitted emit(std::string_view what, const Arguments& arguments = {});
  /// Writes an executable or an object file. The executable takes NAME=VALUE as `lac run` does. Arguments are examples
  /// of the data that the compiled code serves. An executable has code for other data too, up to Options::variants:
  /// sizes 0 and 1, dense and sparse matrices; what is still left runs on the built-in interpreter, with a warning.
  /// `text` is empty.
  Emitted build(const std::string& path, BuildKind kind, const Arguments& examples = {});

  /// How many specialisations have been compiled so far: running at another size does not add one.
  int compilations() const;

 private:
  struct Impl;
  explicit Program(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

template <>
const double* Matrix::values<double>() const;
template <>
const float* Matrix::values<float>() const;
template <>
const std::uint8_t* Matrix::values<std::uint8_t>() const;

}  // namespace lac::api
