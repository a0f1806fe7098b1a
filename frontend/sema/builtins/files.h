// What reaches files: names, numbers of open files, and where a text goes.
#pragma once

#include <optional>
#include <string>

#include "frontend/sema/builtins/builtins.h"
#include "ir/graph/path_kind.h"

namespace lac::frontend {

/// Argument i as the name of a file: the codes of a string.
ValueId path_of(Call& call, std::size_t at);
/// Where a program catches errors: that argument 0 is the path of a file. The step says the same where none does.
void require_file(Call& call, const std::string& complaint);
/// What a path is called in Facts::saved_files: the same where it is certainly the same path.
std::string path_key(const Binding& path);
/// The stream that argument i stands for, stdout (1) or stderr (2), where that is known while the program is compiled.
std::optional<Stream> stream_of(Call& call, std::size_t at);
/// Argument i as the number of a file.
ValueId file_number(Call& call, std::size_t at);
/// What argument i is the path of; and whether it is of that.
ValueId kind_of_path(Call& call, std::size_t at);
ValueId is_path_of(Call& call, std::size_t at, PathKind kind);
/// The text into the file, or the stream, of that number.
void write_to_file(Call& call, ValueId number, ValueId text);
/// Logical: whether what should be a line is the -1 that fgetl and fgets give behind the last one. It has the class of
/// a string here, with the code -1, which no character has: `ischar` asks this first.
ValueId is_end_of_file(Emitter& e, const Binding& text);

}  // namespace lac::frontend
