// containers.Map. The value of a map is a name: that of a hidden variable that holds what is in it, and that travels
// with calls as global variables do (program/shared.h). So `b = a` shares, and a function changes the caller's map.
//
// What is in a map has one of two forms. Listed: a struct with a field for each key, whose name is the key in hex. Keys
// are known then, values may be of any kind, and a key that one arm of a branch adds is a field that may lack.
// Tabled: an array of structs that is stacked (sema/stacks), with the fields `key` and `value`, in the order in which
// keys came. The run may find the keys. Where they are numbers the values are matrices of one shape; where they are
// strings (map_rows.cpp) the values are of one kind, as the cells of a row are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"

namespace lac::frontend {

/// One map, as it is where the program stands. Errors of a run have Octave's words.
class Lowerer::MapView {
 public:
  MapView(Lowerer& lowerer, const Binding& map, Span span);

  Binding read(const Binding& key);
  void store(const Binding& key, const Binding& value);
  void remove(const Binding& keys);
  /// Of one key, of keys in a cell array or a matrix.
  Binding is_key(const Binding& keys);
  Binding count();
  Binding keys();
  Binding values();
  Binding values_of(const Binding& keys);
  Binding types(const std::string& which) const;
  void show(const std::string& name);

 private:
  /// Where a key is: from 1 on in the order of the contents.
  struct Place {
    std::optional<std::int64_t> known;  ///< 0: the key is not there
    ValueId position;                   ///< where the run finds it
    ValueId found;                      ///< logical
  };

  bool is_tabled() const { return contents_.aggregate->stacked; }
  bool has_rows() const { return is_tabled() && !kind().is_numeric(); }
  const MapKind& kind() const { return l_.map_kinds_.at(map_.text); }
  std::int64_t listed_count() const { return static_cast<std::int64_t>(contents_.aggregate->slots.size()); }
  const Slot* column(std::string_view field) const { return contents_.aggregate->find(field); }
  void put_back(Binding contents);

  bool fits_type(const Binding& key) const;
  void require_key_type(const Binding& key);
  Binding as_key(const Binding& given);
  Binding of_value_type(const Binding& value);
  std::optional<std::string> field_of(const Binding& key) const;
  Place find(const Binding& key);
  Place find_by_run(const Binding& key);
  [[noreturn]] void refuse_key_of_run(const Binding& key);
  [[noreturn]] void stop_as_missing(const Binding& key, const std::string& format);
  Binding read_or_stop(const Binding& key, const std::string& format);
  bool fits_table(const Binding& key, const Binding& value) const;
  void store_in_table(const Binding& key, const Binding& value, const Place& place);
  void store_in_list(const Binding& key, const Binding& value);
  void list();
  void store_in_rows(const Binding& key, const Binding& value);
  Binding cells_in_column(std::string_view field);
  ValueId order_of_keys();
  void remove_one(const Binding& key);
  std::vector<Binding> each_key(const Binding& keys, std::int64_t& rows, std::int64_t& cols);
  ValueId presence(const Slot& entry) const;
  std::vector<std::int64_t> listed_order();
  Binding column_in_order(std::string_view field);
  Binding keys_as_kept();

  Lowerer& l_;
  Emitter& e_;
  const Binding map_;
  const Span span_;
  Binding contents_;
};

}  // namespace lac::frontend
