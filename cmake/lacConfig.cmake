# find_package(lac) gives lac::lac, the embedding library of <lac/lac.hpp>.
include(CMakeFindDependencyMacro)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_dependency(Threads)
find_dependency(fmt)
find_dependency(TBB)
find_dependency(LLVM 19.1 CONFIG)
include("${CMAKE_CURRENT_LIST_DIR}/lacTargets.cmake")
