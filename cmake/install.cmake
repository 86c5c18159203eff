# What `cmake --install` puts where, and how others find it: CMake package and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET mn_program)
  target_compile_definitions(mn_program PRIVATE
    MN_SCENES_INSTALLED="${CMAKE_INSTALL_FULL_DATADIR}/meniscus/scenes"
    MN_SCENES_SOURCE="${CMAKE_SOURCE_DIR}/scenes")
  install(TARGETS mn_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(DIRECTORY include/meniscus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS mn_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_COMPONENT Development)
install(TARGETS mn_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(EXISTS ${CMAKE_SOURCE_DIR}/scenes)
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/meniscus)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The targets are written by hand rather than exported: the libraries carry no usage requirements but their headers,
# and the static one the libraries it calls, which a consumer finds with pkg-config as this build did.
set(MN_WITH_EMBREE OFF)
if(EMBREE_INCLUDE AND EMBREE_LIBRARY)
  set(MN_WITH_EMBREE ON)
endif()
configure_package_config_file(cmake/meniscusConfig.cmake.in ${CMAKE_BINARY_DIR}/meniscusConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/meniscus PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/meniscusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/meniscusConfig.cmake ${CMAKE_BINARY_DIR}/meniscusConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/meniscus)

# The prefix is found from where the .pc file lies, so that an installed tree may be moved.
file(RELATIVE_PATH MN_PC_TO_PREFIX "/x/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/x")
set(MN_PC_EMBREE "")
if(EMBREE_INCLUDE AND EMBREE_LIBRARY)
  set(MN_PC_EMBREE -lembree3)
endif()
configure_file(cmake/meniscus.pc.in ${CMAKE_BINARY_DIR}/meniscus.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/meniscus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
