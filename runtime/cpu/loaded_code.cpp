#include "runtime/cpu/loaded_code.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace lac::runtime {
namespace {

/// What is wrong with an object; becomes a Failure.
struct Refused {
  std::string message;
};
[[noreturn]] void refuse(std::string message) { throw Refused{std::move(message)}; }

/// `T`s in the bytes of an object, read where they lie within it.
class ObjectBytes {
 public:
  explicit ObjectBytes(std::string_view bytes) : bytes_(bytes) {}

  std::string_view part(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) refuse("an object is cut off");
    return bytes_.substr(offset, size);
  }
  template <class T>
  T read(std::uint64_t offset) const {
    T value;
    std::memcpy(&value, part(offset, sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> table(std::uint64_t offset, std::uint64_t size) const {
    const std::string_view from = part(offset, size);
    std::vector<T> items(from.size() / sizeof(T));
    if (!items.empty()) std::memcpy(items.data(), from.data(), items.size() * sizeof(T));
    return items;
  }
  /// The text that ends with a zero.
  std::string text(const Elf64_Shdr& strings, std::uint64_t offset) const {
    const std::string_view all = part(strings.sh_offset, strings.sh_size);
    const std::size_t end = all.find('\0', offset);
    if (offset > all.size() || end == std::string_view::npos) refuse("an object has a name without end");
    return std::string(all.substr(offset, end - offset));
  }

 private:
  std::string_view bytes_;
};

struct Object {
  explicit Object(std::string_view from) : bytes(from), header(bytes.read<Elf64_Ehdr>(0)) {
    constexpr unsigned char magic[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB};
    if (std::memcmp(header.e_ident, magic, sizeof magic) != 0 || header.e_type != ET_REL ||
        header.e_machine != EM_X86_64 || header.e_shentsize != sizeof(Elf64_Shdr))
      refuse("not an object of this machine");
    sections = bytes.table<Elf64_Shdr>(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr));
    places.resize(sections.size(), none);
    for (const Elf64_Shdr& section : sections)
      if (section.sh_type == SHT_SYMTAB) {
        symbols = bytes.table<Elf64_Sym>(section.sh_offset, section.sh_size);
        strings = at(section.sh_link);
      }
    names.reserve(symbols.size());
    for (const Elf64_Sym& symbol : symbols)
      names.push_back(symbol.st_name == 0 ? "" : bytes.text(strings, symbol.st_name));
  }

  const Elf64_Shdr& at(std::size_t section) const {
    if (section >= sections.size()) refuse("an object names a section that it has not");
    return sections[section];
  }

  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  ObjectBytes bytes;
  Elf64_Ehdr header;
  std::vector<Elf64_Shdr> sections;
  std::vector<std::uint64_t> places;  ///< of each section in the memory; none: it is not there
  Elf64_Shdr strings = {};
  std::vector<Elf64_Sym> symbols;
  std::vector<std::string> names;
};

// Tables for unwinding are left out: nothing is thrown through this code.
bool belongs_in_memory(const Elf64_Shdr& section) {
  return (section.sh_flags & SHF_ALLOC) != 0 && (section.sh_type == SHT_PROGBITS || section.sh_type == SHT_NOBITS);
}

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return alignment < 2 ? offset : (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

/// Lays the sections out, code first; behind the code a jump for each function outside, behind the data its address.
class CodeLinker {
 public:
  CodeLinker(std::span<const std::string_view> bytes, const LoadedCode::Externals& externals) : externals_(externals) {
    for (const std::string_view each : bytes) objects_.emplace_back(each);
  }

  LoadedCode link() {
    lay_out();
    LoadedCode code;
    void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) refuse("there is no memory for code");
    code.memory_ = memory_ = static_cast<std::byte*>(memory);
    code.bytes_ = bytes_;
    fill();
    for (const Object& object : objects_) code.symbols_.push_back(defined(object));
    if (::mprotect(memory_, code_end_, PROT_READ | PROT_EXEC) != 0 ||
        (bytes_ > code_end_ && ::mprotect(memory_ + code_end_, bytes_ - code_end_, PROT_READ) != 0))
      refuse("this system does not let a program make code");
    return code;
  }

 private:
  static constexpr std::uint64_t jump_bytes = 8, address_bytes = 8;
  static constexpr std::uint64_t most_bytes = 1 << 30, most_alignment = 1 << 12;

  void lay_out() {
    for (Object& object : objects_)
      for (std::size_t n = 0; n < object.symbols.size(); ++n)
        if (object.symbols[n].st_shndx == SHN_UNDEF && !object.names[n].empty())
          outside_.try_emplace(object.names[n], outside_.size());
    std::uint64_t offset = place(0, true);
    jumps_ = aligned(offset, jump_bytes);
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    code_end_ = aligned(jumps_ + jump_bytes * outside_.size(), page);
    offset = place(code_end_, false);
    addresses_ = aligned(offset, address_bytes);
    // One for each symbol of each object besides: those that are defined here may be asked for by address too.
    std::uint64_t slots = outside_.size();
    for (const Object& object : objects_) slots += object.symbols.size();
    bytes_ = aligned(addresses_ + address_bytes * slots, page);
    next_slot_ = outside_.size();
  }

  std::uint64_t place(std::uint64_t offset, bool code) {
    for (Object& object : objects_)
      for (std::size_t n = 0; n < object.sections.size(); ++n) {
        const Elf64_Shdr& section = object.sections[n];
        if (!belongs_in_memory(section) || ((section.sh_flags & SHF_EXECINSTR) != 0) != code) continue;
        if (section.sh_size > most_bytes || section.sh_addralign > most_alignment) refuse("an object is too large");
        object.places[n] = offset = aligned(offset, section.sh_addralign);
        offset += section.sh_size;
        if (offset > most_bytes) refuse("the objects are too large");
      }
    return offset;
  }

  void fill() {
    for (const auto& [name, number] : outside_) {
      void* address = externals_(name.c_str());
      if (address == nullptr) refuse("no library has the function " + name);
      std::memcpy(memory_ + addresses_ + number * address_bytes, &address, sizeof address);
      // jmp *displacement(%rip)
      const std::uint64_t from = jumps_ + number * jump_bytes;
      const auto distance = static_cast<std::int32_t>(addresses_ + number * address_bytes - (from + 6));
      constexpr unsigned char opcode[] = {0xff, 0x25};
      std::memcpy(memory_ + from, opcode, sizeof opcode);
      std::memcpy(memory_ + from + sizeof opcode, &distance, sizeof distance);
    }
    for (const Object& object : objects_) {
      for (std::size_t n = 0; n < object.sections.size(); ++n) {
        const Elf64_Shdr& section = object.sections[n];
        if (object.places[n] == Object::none || section.sh_type == SHT_NOBITS) continue;
        const std::string_view bytes = object.bytes.part(section.sh_offset, section.sh_size);
        std::memcpy(memory_ + object.places[n], bytes.data(), bytes.size());
      }
      std::unordered_map<std::uint32_t, std::uint64_t> slots;  // of symbols defined here
      for (const Elf64_Shdr& section : object.sections)
        if (section.sh_type == SHT_RELA && section.sh_info < object.sections.size() &&
            object.places[section.sh_info] != Object::none)
          for (const Elf64_Rela& each : object.bytes.table<Elf64_Rela>(section.sh_offset, section.sh_size))
            relocate(object, section.sh_info, each, slots);
    }
  }

  std::uint64_t number_of(const std::string& outside) const {
    const auto found = outside_.find(outside);
    if (found == outside_.end()) refuse("an object refers to something without a name");
    return found->second;
  }

  std::uint64_t address_of(const Object& object, std::uint32_t index) const {
    const Elf64_Sym& symbol = object.symbols[index];
    if (symbol.st_shndx >= object.sections.size() || object.places[symbol.st_shndx] == Object::none)
      refuse("an object refers to '" + object.names[index] + "', which is not in memory");
    return reinterpret_cast<std::uint64_t>(memory_) + object.places[symbol.st_shndx] + symbol.st_value;
  }

  void relocate(const Object& object, std::size_t section, const Elf64_Rela& rela,
                std::unordered_map<std::uint32_t, std::uint64_t>& slots) {
    const auto index = static_cast<std::uint32_t>(ELF64_R_SYM(rela.r_info));
    if (index >= object.symbols.size()) refuse("an object refers to a symbol that it has not");
    const bool wide = ELF64_R_TYPE(rela.r_info) == R_X86_64_64;
    const std::uint64_t width = wide ? 8 : 4;
    if (rela.r_offset > object.sections[section].sh_size || object.sections[section].sh_size - rela.r_offset < width)
      refuse("an object has a relocation outside of its section");
    const bool outside = object.symbols[index].st_shndx == SHN_UNDEF;
    const std::uint64_t base = reinterpret_cast<std::uint64_t>(memory_);
    const std::uint64_t here = base + object.places[section] + rela.r_offset;
    const auto addend = static_cast<std::uint64_t>(rela.r_addend);
    const auto slot = [&] {
      if (outside) return number_of(object.names[index]);
      const auto [entry, added] = slots.try_emplace(index, next_slot_);
      if (added) {
        const std::uint64_t target = address_of(object, index);
        std::memcpy(memory_ + addresses_ + next_slot_++ * address_bytes, &target, sizeof target);
      }
      return entry->second;
    };
    switch (ELF64_R_TYPE(rela.r_info)) {
      case R_X86_64_64: {
        const std::uint64_t target =
            outside ? base + jumps_ + number_of(object.names[index]) * jump_bytes : address_of(object, index);
        return write<std::uint64_t>(here, target + addend);
      }
      case R_X86_64_PC32:
      case R_X86_64_PLT32: {
        const std::uint64_t target =
            outside ? base + jumps_ + number_of(object.names[index]) * jump_bytes : address_of(object, index);
        return write_distance(here, target + addend - here);
      }
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX:
        return write_distance(here, base + addresses_ + slot() * address_bytes + addend - here);
      default: refuse("an object has a relocation of kind " + std::to_string(ELF64_R_TYPE(rela.r_info)));
    }
  }

  template <class T>
  void write(std::uint64_t address, T value) {
    std::memcpy(reinterpret_cast<void*>(address), &value, sizeof value);
  }
  void write_distance(std::uint64_t address, std::uint64_t distance) {
    const auto wide = static_cast<std::int64_t>(distance);
    if (wide != static_cast<std::int32_t>(wide)) refuse("code and what it refers to are too far apart");
    write(address, static_cast<std::int32_t>(wide));
  }

  std::unordered_map<std::string, void*> defined(const Object& object) const {
    std::unordered_map<std::string, void*> symbols;
    for (std::uint32_t n = 0; n < object.symbols.size(); ++n)
      if (object.symbols[n].st_shndx != SHN_UNDEF && ELF64_ST_BIND(object.symbols[n].st_info) == STB_GLOBAL)
        symbols[object.names[n]] = reinterpret_cast<void*>(address_of(object, n));
    return symbols;
  }

  const LoadedCode::Externals& externals_;
  std::vector<Object> objects_;
  std::unordered_map<std::string, std::uint64_t> outside_;  ///< functions of others, numbered
  std::uint64_t jumps_ = 0, code_end_ = 0, addresses_ = 0, bytes_ = 0, next_slot_ = 0;
  std::byte* memory_ = nullptr;
};

Result<LoadedCode> LoadedCode::load(std::span<const std::string_view> objects, const Externals& externals) {
  try {
    return CodeLinker(objects, externals).link();
  } catch (const Refused& refused) {
    return Failure{refused.message};
  }
}

LoadedCode::LoadedCode(LoadedCode&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), bytes_(other.bytes_), symbols_(std::move(other.symbols_)) {}

LoadedCode& LoadedCode::operator=(LoadedCode&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(bytes_, other.bytes_);
  std::swap(symbols_, other.symbols_);
  return *this;
}

LoadedCode::~LoadedCode() {
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
}

void* LoadedCode::find(std::size_t object, const std::string& symbol) const {
  const auto found = symbols_.at(object).find(symbol);
  return found == symbols_[object].end() ? nullptr : found->second;
}

}  // namespace lac::runtime
