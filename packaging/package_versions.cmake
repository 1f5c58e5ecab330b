# SPDX-License-Identifier: GPL-3.0-or-later
# Read by cpack: packages that depend on another one need the same version of it.
foreach(component IN ITEMS WINDOW MPI)
    set(CPACK_DEBIAN_${component}_PACKAGE_DEPENDS "sinoscope-cli (= ${CPACK_PACKAGE_VERSION})")
endforeach()
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "sinoscope-cli (= ${CPACK_PACKAGE_VERSION}), python3-numpy, ${CPACK_SINOSCOPE_PYTHON}")
# Each package has a synopsis of its own, before which cpack would write the project's.
unset(CPACK_PACKAGE_DESCRIPTION_SUMMARY)
