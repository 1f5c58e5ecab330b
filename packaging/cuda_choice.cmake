# SPDX-License-Identifier: GPL-3.0-or-later
# Decides whether CUDA is compiled, as a pure function: a test can call it without a compiler or a GPU.

# setting: the value of SINOSCOPE_CUDA. architectures, gpu, toolkit: whether architectures were named, a GPU was
# found, a toolkit was found.
# Results: wanted: compile for CUDA; reason: one sentence for users, why not and how to get it (empty if wanted).
function(sinoscope_cuda_choice setting architectures gpu toolkit wanted reason)
    set(how "packaging/run.sh --cuda, or CMake with -DSINOSCOPE_CUDA=ON,")
    set(${wanted} OFF PARENT_SCOPE)
    if(setting STREQUAL "AUTO")
        if(NOT toolkit)
            set(text "this build is without CUDA, because no CUDA toolkit (12.1 or newer) was found: install one, then ${how} builds with it")
        elseif(NOT gpu AND NOT architectures)
            set(text "this build is without CUDA, because there was a CUDA toolkit but no NVIDIA GPU: ${how} builds for one all the same")
        endif()
    elseif(NOT setting)
        set(text "this build is without CUDA, because SINOSCOPE_CUDA is OFF: ${how} builds with it")
    elseif(NOT toolkit)
        set(text "SINOSCOPE_CUDA is ON, but no CUDA toolkit (12.1 or newer) was found: install one, or set CUDACXX to its nvcc")
    endif()
    if(NOT text)
        set(${wanted} ON PARENT_SCOPE)
    endif()
    set(${reason} "${text}" PARENT_SCOPE)
endfunction()
