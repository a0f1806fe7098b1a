# lac_harden(TARGET)
#
# For what executables of `lac build` link: a release is compiled with checks of the stack and of the buffers that the
# C library is given. _FORTIFY_SOURCE is undefined first, as compilers of some distributions define it themselves.
function(lac_harden target)
  if(NOT LAC_SANITIZE)
    target_compile_options(${target} PRIVATE
      "$<$<CONFIG:Release>:-fstack-protector-strong;-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  endif()
endfunction()

# lac_precompile(TARGET [header...])
#
# Precompiles standard_headers.h and what nearly every file of the target includes beside it, rooted at the repository.
function(lac_precompile target)
  if(LAC_PRECOMPILE)
    list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE headers)
    target_precompile_headers(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/standard_headers.h" ${headers})
  endif()
endfunction()

# lac_unity(TARGET [beginning of a path...])
#
# Compiles the sources of each of the target's folders together, eight at a time, but for those whose paths begin so: files
# whose own names (in namespaces without a name) are also others' of their folder. Generated sources are compiled alone.
function(lac_unity target)
  if(NOT LAC_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A type that only its file knows may hold what only that file knows: the file is then no longer the compiler's first.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  foreach(apart IN LISTS ARGN)
    list(FILTER sources EXCLUDE REGEX "^${apart}")
  endforeach()
  foreach(source IN LISTS sources)
    if(source MATCHES "^[$/]")  # generated, or the objects of another target
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(LENGTH ${folder}_together count)
    math(EXPR group "${count} / 8")
    list(APPEND ${folder}_together "${source}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${group}")
  endforeach()
endfunction()

# lac_layer(NAME SOURCES file... [LINK target...] [BUILD_ONLY target...] [PRECOMPILE header...] [APART beginning...])
#
# One library per layer of the architecture. Sources are explicit, relative to the layer's folder; includes are rooted
# at the repository. A layer without sources is an interface target, so that the tree configures while a layer is being
# written. LINK is public: who uses a layer sees what its headers need. BUILD_ONLY is for header-only libraries that
# who links the installed layer needs no more. PRECOMPILE: headers for lac_precompile; APART: files for lac_unity.
function(lac_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "SOURCES;LINK;BUILD_ONLY;PRECOMPILE;APART")
  if(layer_SOURCES)
    add_library(${name} STATIC ${layer_SOURCES})
    set(visibility PUBLIC)
  else()
    add_library(${name} INTERFACE)
    set(visibility INTERFACE)
  endif()
  target_include_directories(${name} ${visibility} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(${name} ${visibility} ${layer_LINK})
  foreach(library IN LISTS layer_BUILD_ONLY)
    target_link_libraries(${name} ${visibility} $<BUILD_INTERFACE:${library}>)
  endforeach()
  if(layer_SOURCES)
    lac_precompile(${name} ${layer_PRECOMPILE})
    lac_unity(${name} ${layer_APART})
  endif()
  if(LAC_VERIFY)
    target_compile_definitions(${name} ${visibility} LAC_VERIFY_PASSES=1)
  endif()
endfunction()
