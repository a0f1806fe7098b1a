# Every library the project uses, found once. Which Debian package brings it: packages.txt.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED)          # headers only: Spirit X3, in frontend/grammar
find_package(fmt REQUIRED)
find_package(TBB REQUIRED)
find_package(ZLIB REQUIRED)                # runtime/files/data: compressed MAT files
find_package(PNG REQUIRED)                 # runtime/files: imwrite
find_package(GIF 5 REQUIRED)               # runtime/files: imwrite
find_package(CLI11 REQUIRED)               # driver/cli
find_package(nlohmann_json REQUIRED)       # driver/cli, driver/lsp, driver/vulkan
find_package(LLVM 19.1 REQUIRED CONFIG)    # "19" alone does not match LLVM's version file

# The shared LLVM, with its headers as system headers. Only lac_codegen links it.
add_library(lac_llvm INTERFACE)
target_include_directories(lac_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(lac_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(lac_llvm INTERFACE ${lac_llvm_definitions})
target_link_libraries(lac_llvm INTERFACE LLVM)

# OpenBLAS, which the runtime's library steps load when one is called: the header to build with, and the check that the
# library is there.
find_path(LAC_CBLAS_INCLUDE cblas.h REQUIRED)
find_library(LAC_OPENBLAS_LIBRARY openblas REQUIRED)
find_library(LAC_SLEEF_LIBRARY sleef REQUIRED)  # nothing links it here: the JIT loads it, `lac build` links it
mark_as_advanced(LAC_SLEEF_LIBRARY LAC_CBLAS_INCLUDE LAC_OPENBLAS_LIBRARY)
add_library(lac_lapack INTERFACE)
target_include_directories(lac_lapack SYSTEM INTERFACE ${LAC_CBLAS_INCLUDE})
target_link_libraries(lac_lapack INTERFACE ${CMAKE_DL_LIBS})

# Eigen's sparse factorisations, headers only (runtime/steps). Those under the LGPL are off (EIGEN_MPL2_ONLY).
find_path(LAC_EIGEN_INCLUDE Eigen/SparseCore PATH_SUFFIXES eigen3 REQUIRED)
mark_as_advanced(LAC_EIGEN_INCLUDE)
add_library(lac_eigen INTERFACE)
target_include_directories(lac_eigen SYSTEM INTERFACE ${LAC_EIGEN_INCLUDE})

# libedit: lines and history of `lac repl` (driver/cli only).
find_path(LAC_LIBEDIT_INCLUDE histedit.h REQUIRED)
find_library(LAC_LIBEDIT_LIBRARY edit REQUIRED)
mark_as_advanced(LAC_LIBEDIT_INCLUDE LAC_LIBEDIT_LIBRARY)
add_library(lac_libedit INTERFACE)
target_include_directories(lac_libedit SYSTEM INTERFACE ${LAC_LIBEDIT_INCLUDE})
target_link_libraries(lac_libedit INTERFACE ${LAC_LIBEDIT_LIBRARY})
