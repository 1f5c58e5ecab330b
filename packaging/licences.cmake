# SPDX-License-Identifier: GPL-3.0-or-later
# Copies the licence texts of all distribution packages whose files are part of an installed tree, and lists these
# packages as SPDX 2.3. Without dpkg only our own licence is there.

# folder: for the texts. version: of Sinoscope. files: libraries that were copied. packages: further packages, of which
# a part was linked into the programs.
function(sinoscope_licences folder version files packages)
    find_program(DPKG_QUERY dpkg-query)
    if(NOT DPKG_QUERY)
        message(STATUS "No dpkg here: add the licence texts of the copied libraries by hand")
        return()
    endif()
    foreach(file IN LISTS files)
        file(REAL_PATH ${file} file)
        string(REGEX REPLACE "^/usr/" "/" moved ${file}) # as packages from before the merge of /usr name it
        foreach(path IN ITEMS ${file} ${moved})
            execute_process(COMMAND ${DPKG_QUERY} -S ${path} OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE failed)
            if(failed EQUAL 0)
                string(REGEX REPLACE "[:,].*" "" owner "${owner}")
                list(APPEND packages ${owner})
                break()
            endif()
        endforeach()
    endforeach()
    list(REMOVE_DUPLICATES packages)
    list(SORT packages)
    set(seconds 0)
    if(DEFINED ENV{SOURCE_DATE_EPOCH})
        set(seconds $ENV{SOURCE_DATE_EPOCH})
    endif()
    string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC) # of SOURCE_DATE_EPOCH, if that is set
    set(list "SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: sinoscope-${version}
DocumentNamespace: https://spdx.org/spdxdocs/sinoscope-${version}-${seconds}
Creator: Tool: sinoscope-release
Created: ${created}

PackageName: sinoscope
SPDXID: SPDXRef-sinoscope
PackageVersion: ${version}
PackageDownloadLocation: NOASSERTION
FilesAnalyzed: false
PackageLicenseConcluded: GPL-3.0-or-later
PackageLicenseDeclared: GPL-3.0-or-later
PackageCopyrightText: NOASSERTION
Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-sinoscope
")
    foreach(package IN LISTS packages)
        execute_process(COMMAND ${DPKG_QUERY} -W -f "\${source:Package} \${source:Version}" ${package}
            OUTPUT_VARIABLE source ERROR_QUIET RESULT_VARIABLE failed)
        if(NOT failed EQUAL 0 OR NOT EXISTS /usr/share/doc/${package}/copyright)
            message(STATUS "No licence text of the package ${package} here")
            continue()
        endif()
        file(COPY_FILE /usr/share/doc/${package}/copyright ${folder}/${package}.txt)
        string(REPLACE " " ";" source "${source}")
        list(GET source 0 name)
        list(GET source 1 source_version)
        string(MAKE_C_IDENTIFIER ${package} id)
        string(REPLACE "_" "-" id ${id})
        string(APPEND list "
PackageName: ${package}
SPDXID: SPDXRef-${id}
PackageVersion: ${source_version}
PackageDownloadLocation: NOASSERTION
PackageSourceInfo: Debian or Ubuntu source package ${name} ${source_version} (apt-get source ${name}=${source_version})
FilesAnalyzed: false
PackageLicenseConcluded: NOASSERTION
PackageLicenseDeclared: NOASSERTION
PackageLicenseComments: The licence text is in ${package}.txt
PackageCopyrightText: NOASSERTION
Relationship: SPDXRef-sinoscope CONTAINS SPDXRef-${id}
")
    endforeach()
    file(WRITE ${folder}/components.spdx "${list}")
endfunction()
