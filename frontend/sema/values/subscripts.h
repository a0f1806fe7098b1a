// Subscripts of values: x(i), A(i, j).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "frontend/sema/values/emitter.h"
#include "frontend/sema/values/ranges.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {

/// Subscripts with everything that the result's shape and the checks need.
struct ResolvedSubscripts {
  Subscripts subscripts;
  std::vector<ValueId> vectors;
  /// Per subscript: the shape of the index itself (a range is 1 x count) and its largest position + 1 for growth.
  struct Axis {
    bool scalar = false, colon = false;
    Size rows = 1, cols = 1;
    Size past_end = 0;   ///< where it grows, and of what is removed: one past the largest position
    bool grows = false;  ///< assigning: what is beyond the extent is made
    ValueId mask = {};   ///< the mask that the positions come from, where there is one
  };
  std::vector<Axis> axes;
};

/// What the elements are picked for.
enum class SubscriptUse : std::uint8_t {
  read,
  assign,  ///< what is beyond the extent grows or is refused
  remove,  ///< what is beyond the extent is for `without` to check
};

/// Takes the `count` subscripts of a value one after the other and checks each as it comes, for the text of the next
/// one is lowered behind that.
class SubscriptResolver {
 public:
  /// `name` is the variable's, for messages, perhaps empty.
  SubscriptResolver(Emitter& e, ValueId value, std::string name, std::size_t count, SubscriptUse use);
  /// The same of extents, one for each subscript; `dimensions` are those that messages show.
  SubscriptResolver(Emitter& e, std::vector<Size> extents, std::vector<Size> dimensions, std::string name,
                    SubscriptUse use);

  void add_all();  ///< `:`
  void add_range(const RangeParts& parts, Span span);
  void add_value(ValueId index);
  ResolvedSubscripts take() { return std::move(resolved_); }

 private:
  std::size_t axis() const { return resolved_.axes.size(); }
  const Size& extent() const { return extents_[axis()]; }
  std::string place(const std::string& shown) const;
  std::string remedy() const;
  void add(const Subscript& subscript, const ResolvedSubscripts::Axis& shape);
  void refuse_what_nothing_holds(ValueId index);
  void add_mask(ValueId mask);
  void add_vector(ValueId index);
  void add_affine(const RangeFact& range, bool scalar);
  void require_inside(ValueId none, const Size& low, const Size& high, bool check_high);
  void require_below_extent(ValueId otherwise, const Size& high);
  bool require_inside_by_rests(ValueId none, const Size& high);

  Emitter& e_;
  const std::vector<Size> extents_, dimensions_;
  const std::string name_;
  const SubscriptUse use_;
  ResolvedSubscripts resolved_;
};

/// The subscripts as values: positions from 1.
std::vector<Positions> positions_of(Emitter& e, const ResolvedSubscripts& resolved);

/// Positions of the true elements, 1-based: a row for a row, else a column.
ValueId find_positions(Emitter& e, ValueId mask);
/// Logical, or so on some path.
bool may_be_mask(const Emitter& e, ValueId value);
/// What is made of these parts may be a mask where each of them may.
void note_maybe_mask(Emitter& e, const std::vector<ValueId>& parts, ValueId made);
/// A subscript of several elements must be a mask on all paths, or on none.
void require_one_kind(Emitter& e, ValueId subscript);
/// What tells the class of a value, as display of several elements does: it must be logical on all paths, or on none.
void require_one_class(Emitter& e, ValueId value, const std::string& what);
/// The extents of a vector of `count` elements: a row where `t` is one (and not 1x1), else a column.
std::pair<Size, Size> laid_like(Emitter& e, const Type& t, const Size& count);
/// Positions along axis `axis` of `count` must be integers from 1.
void check_whole_positions(Emitter& e, ValueId index, const std::string& name, std::size_t axis, std::size_t count);
/// And not beyond the extent; `remedy` is said behind the message.
void check_positions(Emitter& e, ValueId index, const Size& extent, const std::string& name, std::size_t axis,
                     std::size_t count, const Type& t, const std::string& remedy = {});

}  // namespace lac::frontend
