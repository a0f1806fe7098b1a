# What the Vulkan target is built with. Nothing here is linked into the programs that `lac build` makes.

# GLSL to SPIR-V: shaderc's archive and the static libraries that it was built from. Debian's shared libshaderc and its
# pkg-config file belong to another glslang, and glslang's CMake package asks for programs that another package brings:
# none of the three is used.
find_package(Vulkan 1.3 REQUIRED COMPONENTS shaderc_combined)
find_package(SPIRV-Tools REQUIRED CONFIG)
find_package(SPIRV-Tools-opt REQUIRED CONFIG)
set(lac_glslang "")
foreach(part IN ITEMS SPIRV glslang MachineIndependent HLSL GenericCodeGen OGLCompiler OSDependent)
  find_library(LAC_GLSLANG_${part} NAMES lib${part}.a ${part} REQUIRED)
  mark_as_advanced(LAC_GLSLANG_${part})
  list(APPEND lac_glslang "${LAC_GLSLANG_${part}}")
endforeach()
add_library(lac_shaderc INTERFACE)
target_link_libraries(lac_shaderc INTERFACE
  Vulkan::shaderc_combined ${lac_glslang} SPIRV-Tools-opt SPIRV-Tools-static Threads::Threads)

# Reflection, and SPIR-V to HLSL, MSL and ESSL: static libraries, found and linked in the order of their use.
foreach(part IN ITEMS core glsl hlsl msl)
  find_package(spirv_cross_${part} REQUIRED CONFIG)
endforeach()
add_library(lac_spirv_cross INTERFACE)
target_link_libraries(lac_spirv_cross INTERFACE spirv-cross-msl spirv-cross-hlsl spirv-cross-glsl spirv-cross-core)

# volk loads the Vulkan loader when a device is opened: nothing links libvulkan. One file of runtime/vulkan defines
# VOLK_IMPLEMENTATION. A program that embeds lac may have a volk of its own, so ours has other names for the linker: a
# volk.h in front of volk's renames every pointer and function of it.
find_path(LAC_VOLK_INCLUDE volk.h REQUIRED)
mark_as_advanced(LAC_VOLK_INCLUDE)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${LAC_VOLK_INCLUDE}/volk.h")
file(STRINGS "${LAC_VOLK_INCLUDE}/volk.h" lac_volk_lines REGEX "^extern PFN_vk|^[A-Za-z0-9_ ]+ volk[A-Za-z]+\\(")
set(lac_volk_names "")
foreach(line IN LISTS lac_volk_lines)
  if(line MATCHES " (vk[A-Za-z0-9]+|volk[A-Za-z]+)[;(]")
    string(APPEND lac_volk_names "#define ${CMAKE_MATCH_1} lac_${CMAKE_MATCH_1}\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/volk/volk.h" @ONLY CONTENT
"#pragma once
@lac_volk_names@#include_next <volk.h>
")
add_library(lac_volk INTERFACE)
target_include_directories(lac_volk SYSTEM BEFORE INTERFACE
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/volk> $<BUILD_INTERFACE:${LAC_VOLK_INCLUDE}>
  $<BUILD_INTERFACE:${Vulkan_INCLUDE_DIRS}>)
target_compile_definitions(lac_volk INTERFACE $<BUILD_INTERFACE:VK_NO_PROTOTYPES>)
target_link_libraries(lac_volk INTERFACE ${CMAKE_DL_LIBS})
