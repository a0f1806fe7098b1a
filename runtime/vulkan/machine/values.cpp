#include "runtime/vulkan/machine/values.h"

#include <cstring>
#include <span>
#include <utility>

#include "ir/plan/texel.h"
#include "ir/support/result.h"
#include "runtime/vulkan/device/error.h"
#include "runtime/vulkan/memory/elements.h"
#include "runtime/vulkan/memory/texels.h"

namespace lac::runtime::vulkan {
namespace {

using residency::Action;
using residency::ActionKind;

constexpr std::int64_t small_matrix = 1024;  ///< elements that are read as a whole when one is wanted

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t multiple) {
  return multiple <= 1 ? bytes : (bytes + multiple - 1) / multiple * multiple;
}

ResultType type_of(const Tensor& tensor) {
  return {tensor.element(), tensor.storage(), tensor.rows(), tensor.cols(), tensor.offsets()};
}

/// Of the whole matrix: its one buffer or image.
residency::DeviceShape device_shape(const ResultType& type, const MatrixParts& parts, Form form) {
  const auto bytes = static_cast<std::int64_t>(parts.total);
  if (form == Form::buffer) return {bytes};
  const ImageExtent extent = image_extent(form == Form::folded, type.rows, type.cols);
  return {bytes, static_cast<std::uint32_t>(extent.width), static_cast<std::uint32_t>(extent.height)};
}

}  // namespace

Form form_of(const lac::Value& value) {
  if (value.layout == Layout::buffer) return Form::buffer;
  return folds(value.type) ? Form::folded : Form::texels;
}

Matrix::Matrix(Matrices& home, ResultType type, std::int64_t stored, std::optional<Tensor> host, Form form)
    : home_(home),
      type_(std::move(type)),
      stored_(stored),
      longest_row_(host ? vulkan::longest_row(*host) : 0),
      form_(form),
      parts_(home.parts_of(type_, stored, form)),
      host_(std::move(host)),
      item_(home.residency_.add(device_shape(type_, parts_, form), host_.has_value())) {
  home_.matrices_[item_] = this;
}

Matrix::~Matrix() {
  home_.matrices_.erase(item_);
  for (const Action& action : home_.residency_.drop(item_))  // nothing here needs the device
    if (action.kind == ActionKind::free) home_.forget(action.resource);
}

Matrices::Matrices(Device& device, Stream& stream, residency::Options options)
    : device_(device), stream_(stream), residency_(options) {}

// -- making -----------------------------------------------------------------------------------------------------------

MatrixParts Matrices::parts_of(const ResultType& type, std::int64_t stored, Form form) const {
  if (form != Form::buffer) {
    const std::uint64_t bytes = image_bytes(device_.limits(), form == Form::folded, type.rows, type.cols);
    MatrixParts parts{.total = bytes};
    parts.arrays[static_cast<std::size_t>(ArrayRole::values)].bytes = bytes;
    return parts;
  }
  const std::uint64_t alignment = std::max<std::uint64_t>(16, device_.limits().storage_buffer_offset);
  MatrixParts parts;
  for (const StorageArray& array : format(type.storage).arrays) {
    const std::int64_t each = array.index_bytes > 0 ? array.index_bytes : device_bytes(type.element);
    const auto bytes = static_cast<std::uint64_t>(extent_of(array, type.rows, stored) * each);
    const std::uint64_t at = round_up(parts.total, alignment);
    parts.arrays[static_cast<std::size_t>(array.role)] = {at, bytes};
    // A descriptor has no empty range; a matrix of one array has a buffer of just its size.
    parts.total = at + (format(type.storage).arrays.size() > 1 ? std::max<std::uint64_t>(bytes, 4) : bytes);
  }
  return parts;
}

MatrixRef Matrices::hold(Tensor tensor, Form form) {
  ResultType type = type_of(tensor);
  const std::int64_t stored = tensor.stored();
  auto matrix = std::make_shared<Matrix>(*this, std::move(type), stored, std::move(tensor), form);
  if (keeper_) keeper_->held(matrix);
  return matrix;
}

MatrixRef Matrices::make(const ResultType& type, Form form) {
  if (keeper_)
    if (MatrixRef kept = keeper_->reuse(type, form)) return kept;
  auto matrix = std::make_shared<Matrix>(*this, type, element_count(type.rows, type.cols), std::nullopt, form);
  return keeper_ ? keeper_->keep(std::move(matrix)) : matrix;
}

// -- on the device ----------------------------------------------------------------------------------------------------

std::vector<residency::Use> Matrices::items(const std::vector<MatrixUse>& uses) const {
  std::vector<residency::Use> items;
  for (const MatrixUse& use : uses) items.push_back({use.matrix->item_, use.access});
  return items;
}

/// What is on the device in another form comes back to the host first.
void Matrices::take_form(Matrix& matrix, Form form) {
  if (matrix.form_ == form) return;
  if (residency_.valid_on_device(matrix.item_) || residency_.valid_on_host(matrix.item_)) on_host(matrix);
  run(residency_.drop(matrix.item_));
  matrices_.erase(matrix.item_);
  matrix.form_ = form;
  matrix.parts_ = parts_of(matrix.type_, matrix.stored_, form);
  matrix.item_ = residency_.add(device_shape(matrix.type_, matrix.parts_, form), matrix.host_.has_value());
  matrices_[matrix.item_] = &matrix;
}

void Matrices::prepare(const std::vector<MatrixUse>& uses) {
  for (const MatrixUse& use : uses)
    if (use.form) take_form(*use.matrix, *use.form);
  Result<residency::Actions> actions = residency_.prepare(items(uses));
  if (!actions) throw DeviceError(DeviceErrorKind::out_of_memory, actions.failure().message);
  run(actions.value());
  forget_host(uses);
}

void Matrices::forget_host(const std::vector<MatrixUse>& uses) {
  for (const MatrixUse& use : uses)
    if (!residency_.valid_on_host(use.matrix->item_)) use.matrix->host_.reset();
}

void Matrices::finish(const std::vector<MatrixUse>& uses) { run(residency_.finish(items(uses))); }

BufferRange Matrices::part(const Matrix& matrix, std::uint64_t at, std::uint64_t bytes) const {
  const auto found = buffers_.find(residency_.resource(matrix.item_));
  if (found == buffers_.end()) throw InternalError("a matrix that should be on the device is not");
  return {found->second, at, round_up(std::max<std::uint64_t>(bytes, 1), 4)};
}

MatrixResources Matrices::resources(const Matrix& matrix) const {
  const MatrixParts& parts = matrix.parts_;
  MatrixResources resources;
  for (const StorageArray& array : format(matrix.type_.storage).arrays) {
    BoundResource& bound = resources[array.role];
    if (matrix.form_ == Form::buffer) bound.buffer = part(matrix, parts[array.role].at, parts[array.role].bytes);
    else bound.image = image(matrix);
  }
  return resources;
}

std::shared_ptr<Image> Matrices::image(const Matrix& matrix) const {
  const auto found = images_.find(residency_.resource(matrix.item_));
  if (found == images_.end()) throw InternalError("a matrix that should be in an image is not");
  return found->second;
}

void Matrices::copy(const Matrix& from, const Matrix& to) {
  if (from.stored_ == 0) return;
  if (from.form_ == Form::buffer) stream_.copy(part(from, 0, from.parts_.total), part(to, 0, to.parts_.total));
  else copy_texels(stream_, image(from), image(to));
}

// -- on the host ------------------------------------------------------------------------------------------------------

const Tensor& Matrices::on_host(Matrix& matrix) {
  run(residency_.use_on_host(matrix.item_));
  return matrix.host_.value();
}

double Matrices::element(Matrix& matrix, std::int64_t position) {
  if (is_on_host(matrix)) return matrix.host_->stored_value(position);
  ++element_reads_;
  if (matrix.stored_ <= small_matrix) return on_host(matrix).stored_value(position);
  if (matrix.form_ != Form::buffer) return on_host(matrix).stored_value(position);
  const auto bytes = static_cast<std::uint64_t>(device_bytes(matrix.type_.element));
  std::byte raw[8] = {};
  const std::uint64_t at = matrix.parts_.values().at + static_cast<std::uint64_t>(position) * bytes;
  stream_.read(part(matrix, at, bytes), std::span(raw, bytes));
  std::uint64_t word = 0;
  std::memcpy(&word, raw, sizeof word);
  return from_slot(word, matrix.type_.element);
}

// -- the policy's actions ---------------------------------------------------------------------------------------------

void Matrices::run(const residency::Actions& actions) {
  for (const Action& action : actions) switch (action.kind) {
      case ActionKind::allocate: allocate(action); break;
      case ActionKind::upload: upload(action); break;
      case ActionKind::download: download(action); break;
      case ActionKind::free: forget(action.resource); break;
      case ActionKind::reuse:
      case ActionKind::release: break;  // the policy's book-keeping
    }
}

// Without memory: what the pool holds goes, then what was not used for longest, and the device is waited for, as its
// commands keep what was freed alive.
void Matrices::allocate(const Action& action) {
  const auto bytes = static_cast<std::uint64_t>(action.shape.bytes);
  const auto make = [&] {
    if (action.shape.is_image()) images_[action.resource] = device_.make_image(action.shape.width, action.shape.height);
    else buffers_[action.resource] = device_.make_buffer(bytes);
  };
  try {
    make();
    return;
  } catch (const DeviceError& error) {
    if (error.kind != DeviceErrorKind::out_of_memory) throw;
  }
  if (const Result<residency::Actions> room = residency_.make_room(action.shape.bytes)) run(room.value());
  stream_.finish();
  make();
}

void Matrices::forget(residency::ResourceId resource) {
  buffers_.erase(resource);
  images_.erase(resource);
}

void Matrices::upload(const Action& action) {
  const Matrix& matrix = *matrices_.at(action.item);
  const Tensor& tensor = matrix.host_.value();
  const MatrixParts& parts = matrix.parts_;
  if (matrix.form_ != Form::buffer)
    return upload_texels(stream_, tensor, matrix.form_ == Form::folded, images_.at(action.resource));
  const BufferRange to{buffers_.at(action.resource)};
  std::vector<std::byte> converted;
  for (const StorageArray& array : format(tensor.storage()).arrays) {
    const std::span<const std::byte> bytes = to_device(tensor, array, converted);
    if (!bytes.empty()) stream_.upload(bytes, {to.buffer, parts[array.role].at, bytes.size()});
  }
}

// Only dense matrices are made on the device; a sparse one keeps its host copy.
void Matrices::download(const Action& action) {
  Matrix& matrix = *matrices_.at(action.item);
  if (matrix.type_.storage != Storage::dense) throw InternalError("a sparse matrix without a copy on the host");
  Tensor tensor = Tensor::dense(matrix.type_.element, matrix.type_.rows, matrix.type_.cols);
  std::vector<std::byte> words;
  if (matrix.form_ != Form::buffer) {
    download_texels(stream_, images_.at(action.resource), matrix.form_ == Form::folded, tensor);
  } else if (matrix.parts_.total > 0) {
    const BufferRange from{buffers_.at(action.resource), 0, matrix.parts_.total};
    if (matrix.type_.element == Element::logical) {
      words.resize(matrix.parts_.total);
      stream_.read(from, words);
      from_device(words, tensor);
    } else {
      stream_.read(from, {static_cast<std::byte*>(tensor.mutable_data()), matrix.parts_.total});
    }
  }
  matrix.host_ = std::move(tensor);
}

}  // namespace lac::runtime::vulkan
