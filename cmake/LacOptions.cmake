# Language level, warnings, output folders and the project's options.

option(LAC_VERIFY "Run the verifier after every pass" OFF)
option(LAC_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(LAC_FUZZ "Build the fuzz targets (needs clang; with both sanitizers)" OFF)
option(LAC_VULKAN "Build the Vulkan target (needs shaderc, SPIRV-Cross, volk and the Vulkan headers)" ON)
option(LAC_BUILD_TESTS "Build the tests (needs Catch2)" ON)
option(LAC_BUILD_BENCH "Build the benchmarks (needs Eigen)" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

# The program lies at the top of the build folder and its libraries in lib/, as they do once installed: a built
# program's link step finds liblac_runtime.a beside `lac` in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_BUILD_RPATH "${PROJECT_BINARY_DIR}/lib")  # where tests open the code generator

add_compile_options(-Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)  # GCC 12 warns of `"text" + std::string` (its PR 105651)
endif()

# The archives of shaderc and SPIRV-Cross carry 180 MB of debug information, which GNU ld takes half a minute to link
# into each program. Every Debian compiler comes with gold; a release program leaves that information behind.
include(CheckLinkerFlag)
foreach(linker IN ITEMS lld gold)
  check_linker_flag(CXX "-fuse-ld=${linker}" LAC_HAS_${linker})
  if(LAC_HAS_${linker})
    add_link_options("-fuse-ld=${linker}")
    break()
  endif()
endforeach()
add_link_options("$<$<CONFIG:Release>:-Wl,--strip-debug>")

if(LAC_FUZZ)
  set(LAC_SANITIZE ON)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(LAC_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()

# Decided where a folder is configured for the first time, and kept: every compiler call changes with it.
if(NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT DEFINED LAC_CCACHE)
  if(DEFINED ENV{CCACHE_DISABLE})
    set(LAC_CCACHE "" CACHE FILEPATH "The compiler cache, or nothing")
  else()
    find_program(LAC_CCACHE ccache)
  endif()
  mark_as_advanced(LAC_CCACHE)
endif()
if(LAC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${LAC_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${LAC_CCACHE}")
endif()

# A seventh to a third of the time of a file. Not under a compiler cache, which keeps less of such files.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(LAC_PRECOMPILE_DEFAULT OFF)
else()
  set(LAC_PRECOMPILE_DEFAULT ON)
endif()
option(LAC_PRECOMPILE "Precompile the headers that most files include" ${LAC_PRECOMPILE_DEFAULT})

# Eight files of a layer as one: most of the time of a file goes into the headers that all of them include. Not under a
# compiler cache, where one that changed would bring seven others with it.
option(LAC_UNITY "Compile several files of a layer as one" ${LAC_PRECOMPILE_DEFAULT})
