# SPDX-License-Identifier: GPL-3.0-or-later
# Run by `cmake --install`: copies the programs' libraries, and Qt's plug-ins with their libraries, into
# lib/sinoscope, and the licence texts of all of them into the documentation.
# Variables: programs (in the build tree), libraries, documentation and bin (relative to the prefix), from_bin (relative
# path from bin to libraries), qt_plugins (the distribution's folder; empty without the window), version_header (of this
# build).
set(destination $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${libraries})

# Libraries that are not copied:
# - The C library and the compiler's libraries: the target machine's must be at least as new as the build
#   machine's, and every distribution with a C library that new also has a libstdc++ that new. A copy of
#   the build machine's older libstdc++ would break a newer Mesa on the target machine.
# - Drivers and the libraries that talk to them: CUDA, OpenGL, X11, Wayland.
set(of_the_system
    "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|mvec)\\.so" "^lib(stdc\\+\\+|gcc_s)\\.so"
    "^libcuda\\.so" "^libnvidia-"
    "^lib(GL|GLX|EGL|OpenGL|GLdispatch|gbm|drm)\\.so"
    "^lib(X11|X11-xcb|xcb|Xau|Xdmcp|Xext)\\.so" "^libwayland-(client|egl|server)\\.so")

# Plug-ins that the window can use. Desktop themes are not included: GTK's would bring all of GTK.
set(plugins)
foreach(pattern IN ITEMS platforms/libqxcb platforms/libqoffscreen platforms/libqwayland-* xcbglintegrations/*
        wayland-*/* platforminputcontexts/* platformthemes/libqxdgdesktopportal imageformats/* iconengines/* styles/*)
    if(qt_plugins)
        file(GLOB found RELATIVE ${qt_plugins} ${qt_plugins}/${pattern}.so)
        list(APPEND plugins ${found})
    endif()
endforeach()
list(TRANSFORM plugins PREPEND ${qt_plugins}/ OUTPUT_VARIABLE modules)

file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} MODULES ${modules}
    RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing CONFLICTING_DEPENDENCIES_PREFIX conflicting
    PRE_EXCLUDE_REGEXES ${of_the_system})
if(missing)
    message(FATAL_ERROR "These libraries are not on this machine: ${missing}")
endif()
foreach(name IN LISTS conflicting_FILENAMES) # the same library, found in two folders
    list(GET conflicting_${name} 0 first)
    list(APPEND found ${first})
endforeach()
file(INSTALL ${found} DESTINATION ${destination} TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
file(GLOB copies ${destination}/*.so*)
foreach(copy IN LISTS copies) # the RPATH of a library (Open MPI's has one) would override the program's
    if(NOT IS_SYMLINK ${copy})
        file(RPATH_REMOVE FILE ${copy})
    endif()
endforeach()
foreach(plugin IN LISTS plugins)
    get_filename_component(folder ${plugin} DIRECTORY)
    file(INSTALL ${qt_plugins}/${plugin} DESTINATION ${destination}/plugins/${folder} TYPE MODULE)
endforeach()
if(qt_plugins)
    file(WRITE ${destination}/qt.conf "[Paths]\nPrefix = .\nPlugins = plugins\n")
    file(CREATE_LINK ${from_bin}/sinoscope $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${bin}/sinoscope SYMBOLIC)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/licences.cmake)
set(texts $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${documentation}/licences)
file(MAKE_DIRECTORY ${texts})
# Packages of which the compiler put parts into the programs: headers and static libraries.
set(linked libfftw3-dev libhdf5-dev libmatio-dev nlohmann-json3-dev libcli11-dev libhwy-dev libtbb-dev)
file(STRINGS ${version_header} version REGEX "SINOSCOPE_VERSION")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" version "${version}")
sinoscope_licences(${texts} "${version}" "${found};${modules}" "${linked}")
