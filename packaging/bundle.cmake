# SPDX-License-Identifier: GPL-3.0-or-later
# Run by `cmake --install`: the libraries of the programs, and Qt's plug-ins with theirs, into lib/sinoscope.
# Given: programs (of the build tree), libraries and bin (below the prefix), from_bin (bin to libraries),
# qt_plugins (the distribution's; empty without the window).
set(destination $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${libraries})

# Not ours to bring:
# - The C library, and the compiler's beside it: both have to be as new as the build machine's, and every
#   distribution whose C library is has such a libstdc++. An old one of ours would break a newer Mesa.
# - The drivers and the libraries that talk to them: CUDA, OpenGL, X11, Wayland.
set(of_the_system
    "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|mvec)\\.so" "^lib(stdc\\+\\+|gcc_s)\\.so"
    "^libcuda\\.so" "^libnvidia-"
    "^lib(GL|GLX|EGL|OpenGL|GLdispatch|gbm|drm)\\.so"
    "^lib(X11|X11-xcb|xcb|Xau|Xdmcp|Xext)\\.so" "^libwayland-(client|egl|server)\\.so")

# The plug-ins that the window can use. Not the desktops' themes: GTK's brings all of GTK.
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
foreach(name IN LISTS conflicting_FILENAMES) # the same file, named through two folders
    list(GET conflicting_${name} 0 first)
    list(APPEND found ${first})
endforeach()
file(INSTALL ${found} DESTINATION ${destination} TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
file(GLOB copies ${destination}/*.so*)
foreach(copy IN LISTS copies) # a path of their own (Open MPI's) would hide that of the program
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
