# SPDX-License-Identifier: GPL-3.0-or-later
# The distribution's packages (.deb), made by cpack from a build with SINOSCOPE_BUNDLE=OFF; packaging/release.sh calls
# it. dpkg-shlibdeps finds the libraries that they depend on.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sinoscope)
set(CPACK_PACKAGE_VENDOR Sinoscope)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL cli)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The developers of Sinoscope <sinoscope@localhost>") # an address is mandatory
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(CPACK_DEBIAN_CLI_PACKAGE_NAME sinoscope-cli)
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS ocl-icd-libopencl1) # opened when a user asks for it
set(CPACK_COMPONENT_CLI_DESCRIPTION "Tomographic reconstruction: command line
Reconstructs scans of parallel, fan and cone beams on processors and NVIDIA
GPUs, finds rotation axes, compares methods and measures their speed.")
if(SINOSCOPE_UI)
    list(APPEND CPACK_COMPONENTS_ALL window)
    set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME sinoscope)
    set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "libgl1-mesa-dri, fonts-dejavu-core")
    set(CPACK_COMPONENT_WINDOW_DESCRIPTION "Tomographic reconstruction, compared and timed
Shows reconstructed slices of a scan for any number of settings, their
differences from the exact result, profiles, and the speed of each.")
endif()
if(TARGET sinoscope-mpi)
    list(APPEND CPACK_COMPONENTS_ALL mpi)
    set(CPACK_DEBIAN_MPI_PACKAGE_NAME sinoscope-mpi)
    set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS openmpi-bin)
    set(CPACK_COMPONENT_MPI_DESCRIPTION "Tomographic reconstruction on several machines
Reconstructs volumes with the ranks of an MPI job.")
endif()
if(TARGET python_engine)
    list(APPEND CPACK_COMPONENTS_ALL python)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-sinoscope)
    find_package(Python 3.9 REQUIRED COMPONENTS Interpreter)
    math(EXPR next "${Python_VERSION_MINOR} + 1")
    set(CPACK_SINOSCOPE_PYTHON "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next})")
    set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Tomographic reconstruction from Python
Reconstructs numpy arrays and scans with the engine of Sinoscope.")
    set(package lib/python3/dist-packages/sinoscope)
    install(TARGETS python_engine LIBRARY DESTINATION ${package} COMPONENT python)
    file(GLOB python_sources ${PROJECT_SOURCE_DIR}/app/python/sinoscope/*)
    install(FILES ${python_sources} DESTINATION ${package} COMPONENT python)
    file(CREATE_LINK ../../../sinoscope/sinoscope-check ${CMAKE_CURRENT_BINARY_DIR}/sinoscope-check SYMBOLIC)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sinoscope-check DESTINATION ${package} COMPONENT python)
    # Python compiles the modules when root imports them; otherwise that would stay after the package is removed.
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/prerm "#!/bin/sh\nset -e\nrm -rf /usr/${package}/__pycache__\n")
    file(CHMOD ${CMAKE_CURRENT_BINARY_DIR}/prerm
        FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/prerm)
endif()
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/copyright "Copyright 2026 the developers of Sinoscope

Sinoscope is free software: you may copy, change and pass it on under the terms of the
GNU General Public License, version 3 or later, which is in /usr/share/common-licenses/GPL-3.
The programs contain FFTW (GPL-2 or later), copyright by Matteo Frigo and the Massachusetts Institute of Technology,
and, where built for NVIDIA GPUs, parts of the CUDA runtime, copyright by NVIDIA Corporation.
")
execute_process(COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md # without its time
    OUTPUT_FILE ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/copyright ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz COMPONENT ${component}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
endforeach()
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/package_versions.cmake)
include(CPack)
