# What `cmake --install` puts where: the program, the public header, the libraries with a CMake package (`find_package(lac)`
# gives lac::lac), the solver library.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(lac_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lac)
set_target_properties(lac_driver PROPERTIES EXPORT_NAME lac)
set(lac_libraries lac_ir lac_frontend lac_passes lac_runtime lac_driver lac_lapack)
if(LAC_VULKAN)
  list(APPEND lac_libraries lac_glsl lac_vulkan lac_shaderc lac_spirv_cross lac_volk)
endif()
install(TARGETS ${lac_libraries} EXPORT lacTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT lacTargets NAMESPACE lac:: DESTINATION ${lac_package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/lacConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
configure_file("${PROJECT_SOURCE_DIR}/cmake/lacConfig.cmake.in" "${PROJECT_BINARY_DIR}/lacConfig.cmake" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/lacConfig.cmake" "${PROJECT_BINARY_DIR}/lacConfigVersion.cmake"
  DESTINATION ${lac_package_dir})

if(TARGET lac)
  install(TARGETS lac RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY driver/include/lac DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(DIRECTORY solvers library DESTINATION ${CMAKE_INSTALL_DATADIR}/lac FILES_MATCHING PATTERN "*.la")
