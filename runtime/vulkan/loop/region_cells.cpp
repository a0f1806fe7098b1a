#include "runtime/vulkan/loop/region_cells.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace lac::runtime::vulkan {

Cells::Cells(Matrices& matrices) : matrices_(matrices), shelf_(std::make_shared<Shelf>()) {
  matrices_.set_keeper(this);
}

Cells::~Cells() { close(); }

void Cells::close() {
  if (!shelf_->open) return;
  shelf_->open = false;
  matrices_.set_keeper(nullptr);
  for (const MatrixRef& owner : owners_) matrices_.unpin(*owner);
  owners_.clear();
  held_.clear();
}

/// Each name shares one count of its own; with the last the matrix is free. It keeps the owner, so that a name that
/// outlives the loop is still good.
MatrixRef Cells::name(const MatrixRef& owner) const {
  return {owner.get(), [shelf = shelf_, owner](Matrix* matrix) {
            if (shelf->open) shelf->free.push_back(matrix);
          }};
}

MatrixRef Cells::owner(const MatrixRef& name) const {
  for (const MatrixRef& owner : owners_)
    if (owner == name) return owner;
  return name;
}

MatrixRef Cells::adopt(MatrixRef matrix) { return keep(std::move(matrix)); }

void Cells::sort_free() {
  const auto place = [&](const Matrix* matrix) {
    return std::ranges::find_if(owners_, [&](const MatrixRef& owner) { return owner.get() == matrix; }) -
           owners_.begin();
  };
  std::ranges::sort(shelf_->free, std::greater<>(), place);  // the last is taken first
}

std::vector<MatrixRef> Cells::take_held() { return std::exchange(held_, {}); }

MatrixRef Cells::reuse(const ResultType& type, Form form) {
  std::vector<Matrix*>& free = shelf_->free;
  const auto found = std::find_if(free.rbegin(), free.rend(), [&](const Matrix* matrix) {
    const ResultType& other = matrix->type();
    return matrix->form() == form && other.element == type.element && other.rows == type.rows &&
           other.cols == type.cols;
  });
  if (found == free.rend()) return nullptr;
  Matrix* matrix = *found;
  free.erase(std::next(found).base());
  for (const MatrixRef& owner : owners_)
    if (owner.get() == matrix) return name(owner);
  return nullptr;
}

MatrixRef Cells::keep(MatrixRef made) {
  matrices_.pin(*made);
  owners_.push_back(std::move(made));
  return name(owners_.back());
}

void Cells::held(const MatrixRef& matrix) { held_.push_back(matrix); }

}  // namespace lac::runtime::vulkan
