# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the version of the present source into a header, which is touched only if the version changes:
#   cmake -DRELEASE=0.1.0 -DSOURCE=FOLDER -DHEADER=FILE -P version.cmake
# With git: RELEASE+COMMITS.gCOMMIT, then .mDIGITS if the source differs from the commit. In a shallow clone the
# number of commits is unknown and left out. Without git: RELEASE+sDIGITS, where DIGITS is a digest of the source.
cmake_minimum_required(VERSION 3.25)

# Only files from which a program is built count as source.
set(parts CMakeLists.txt app engine ui resources packaging)

function(git result)
    execute_process(COMMAND git -C ${SOURCE} ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE status ERROR_QUIET
        OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(${result} "${text}" PARENT_SCOPE)
    set(git_status ${status} PARENT_SCOPE)
endfunction()

# Computes DIGEST from the names (relative to SOURCE) and contents of files.
function(digest_of result)
    set(all "")
    foreach(file IN LISTS ARGN)
        if(EXISTS ${SOURCE}/${file})
            file(SHA1 ${SOURCE}/${file} digest)
            string(APPEND all "${file} ${digest}\n")
        endif()
    endforeach()
    string(SHA1 digest "${all}")
    string(SUBSTRING ${digest} 0 7 digest)
    set(${result} ${digest} PARENT_SCOPE)
endfunction()

# The commit of an enclosing repository does not describe a source package unpacked inside it.
git(top rev-parse --show-toplevel)
get_filename_component(source ${SOURCE} REALPATH)
if(git_status EQUAL 0 AND top STREQUAL source)
    git(commit rev-parse --short=7 HEAD)
endif()
if(commit)
    set(version "${RELEASE}+")
    git(shallow rev-parse --is-shallow-repository)
    if(shallow STREQUAL "false")
        git(commits rev-list --count HEAD)
        string(APPEND version "${commits}.")
    endif()
    string(APPEND version "g${commit}")
    git(changed diff --name-only HEAD -- ${parts})
    git(added ls-files --others --exclude-standard -- ${parts})
    string(REPLACE "\n" ";" changed "${changed};${added}")
    list(REMOVE_ITEM changed "")
    if(changed)
        list(SORT changed)
        digest_of(digest ${changed})
        string(APPEND version ".m${digest}")
    endif()
else()
    list(TRANSFORM parts PREPEND ${SOURCE}/ OUTPUT_VARIABLE folders)
    list(TRANSFORM folders APPEND /*)
    file(GLOB_RECURSE files RELATIVE ${SOURCE} ${folders})
    list(SORT files)
    digest_of(digest CMakeLists.txt ${files})
    set(version "${RELEASE}+s${digest}")
endif()

set(text "#define SINOSCOPE_VERSION \"${version}\"\n")
if(EXISTS ${HEADER})
    file(READ ${HEADER} before)
endif()
if(NOT before STREQUAL text)
    file(WRITE ${HEADER} "${text}")
endif()
