// Which headers a library was compiled with. The code generator is opened at run time and the archives of `lac build`
// are linked by the system's linker: neither the loader nor the linker sees that a class has other members there.
#pragma once

namespace lac::ir {

/// The same text for the same headers of ir, codegen/llvm and runtime, the same compiler and kind of build
/// (cmake/write_interface_stamp.cmake). An archive holds it as it stands.
const char* interface_stamp();

}  // namespace lac::ir
