// The matrices of a run: on the host, on the device or both, as the residency policy says. Matrices executes the
// policy's actions and is the only one who does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/residency/residency.h"
#include "runtime/steps/library.h"
#include "runtime/tensor/tensor.h"
#include "runtime/vulkan/device/device.h"
#include "runtime/vulkan/stream/matrix_resources.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::runtime::vulkan {

class Matrices;

/// What holds a matrix on the device: a buffer, or an image as ir/plan/texel.h has it, of a vector the folded one.
enum class Form : std::uint8_t { buffer, texels, folded };
Form form_of(const lac::Value& value);

/// Where the arrays of a matrix (ir/types/storage.h) lie in its one device buffer, or its image, in bytes.
struct MatrixParts {
  struct Part {
    std::uint64_t at = 0, bytes = 0;
  };
  std::array<Part, array_roles> arrays = {};  ///< by role
  std::uint64_t total = 0;

  const Part& operator[](ArrayRole role) const { return arrays[static_cast<std::size_t>(role)]; }
  const Part& values() const { return (*this)[ArrayRole::values]; }
};

/// One matrix; names of it are shared pointers, and with the last its memory goes back to the pool.
class Matrix {
 public:
  Matrix(Matrices& home, ResultType type, std::int64_t stored, std::optional<Tensor> host, Form form);
  ~Matrix();
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  const ResultType& type() const { return type_; }
  std::int64_t stored() const { return stored_; }
  /// Entries, of csr; 0 of others.
  std::int64_t longest_row() const { return longest_row_; }
  const MatrixParts& parts() const { return parts_; }
  Form form() const { return form_; }
  residency::ItemId item() const { return item_; }

 private:
  friend class Matrices;

  Matrices& home_;
  ResultType type_;
  std::int64_t stored_ = 0;  ///< values
  std::int64_t longest_row_ = 0;
  Form form_ = Form::buffer;
  MatrixParts parts_;
  std::optional<Tensor> host_;  ///< where the residency says that it is valid
  residency::ItemId item_;
};

using MatrixRef = std::shared_ptr<Matrix>;

/// What a command does with a matrix. One that is to be in another form than it is goes there by way of the host.
struct MatrixUse {
  MatrixRef matrix;
  residency::Access access = residency::Access::read;
  std::optional<Form> form = {};  ///< none: as it is
};

/// Where matrices come from while a loop is recorded (region_cells.h).
class MatrixKeeper {
 public:
  virtual ~MatrixKeeper() = default;
  /// A matrix without contents of this type, or none.
  virtual MatrixRef reuse(const ResultType& type, Form form) = 0;
  /// One that was made as there was none: what make() returns for it.
  virtual MatrixRef keep(MatrixRef made) = 0;
  /// One that was made with contents.
  virtual void held(const MatrixRef& matrix) = 0;
};

/// Lives longer than every Matrix it made. Members throw DeviceError; what fails for want of memory has changed nothing
/// that the caller sees.
class Matrices {
 public:
  Matrices(Device& device, Stream& stream, residency::Options options);

  /// A matrix with these contents, on the host until a kernel needs it.
  MatrixRef hold(Tensor tensor, Form form = Form::buffer);
  /// A dense matrix without contents.
  MatrixRef make(const ResultType& type, Form form = Form::buffer);
  /// Null: none.
  void set_keeper(MatrixKeeper* keeper) { keeper_ = keeper; }

  /// All of them on the device at once, and kept there until `finish` with the same uses.
  void prepare(const std::vector<MatrixUse>& uses);
  /// The contents of one prepared matrix to another of its type and form.
  void copy(const Matrix& from, const Matrix& to);
  void finish(const std::vector<MatrixUse>& uses);
  /// Of a matrix that was prepared or pinned.
  MatrixResources resources(const Matrix& matrix) const;

  /// The contents; waits for the device where it has the only copy.
  const Tensor& on_host(Matrix& matrix);
  bool is_on_host(const Matrix& matrix) const { return residency_.valid_on_host(matrix.item_); }
  bool is_on_device(const Matrix& matrix) const { return residency_.valid_on_device(matrix.item_); }
  /// One element of a dense matrix, by its column-major position, without a copy of the whole.
  double element(Matrix& matrix, std::int64_t position);

  /// A pinned matrix stays in its buffer; pins are counted.
  void pin(const Matrix& matrix) { residency_.pin(matrix.item_); }
  void unpin(const Matrix& matrix) { residency_.unpin(matrix.item_); }

  const residency::Counters& counters() const { return residency_.counters(); }
  std::int64_t element_reads() const { return element_reads_; }
  Device& device() { return device_; }

 private:
  friend class Matrix;

  void run(const residency::Actions& actions);
  void allocate(const residency::Action& action);
  void upload(const residency::Action& action);
  void download(const residency::Action& action);
  std::vector<residency::Use> items(const std::vector<MatrixUse>& uses) const;
  void forget_host(const std::vector<MatrixUse>& uses);
  MatrixParts parts_of(const ResultType& type, std::int64_t stored, Form form) const;
  void forget(residency::ResourceId resource);
  void take_form(Matrix& matrix, Form form);
  std::shared_ptr<Image> image(const Matrix& matrix) const;
  BufferRange part(const Matrix& matrix, std::uint64_t at, std::uint64_t bytes) const;

  Device& device_;
  Stream& stream_;
  residency::Residency residency_;
  std::unordered_map<residency::ResourceId, std::shared_ptr<Buffer>> buffers_;
  std::unordered_map<residency::ResourceId, std::shared_ptr<Image>> images_;
  std::unordered_map<residency::ItemId, Matrix*> matrices_;
  std::int64_t element_reads_ = 0;
  MatrixKeeper* keeper_ = nullptr;
};

}  // namespace lac::runtime::vulkan
