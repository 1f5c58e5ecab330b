# SPDX-License-Identifier: GPL-3.0-or-later
# Functions shared by run.sh, test.sh, install.sh, .ci/run and .ci/nightly: packages, configuring and building.
# Sourced, not run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ -w "$root" ] || { echo "$root can't be written: copy the source folder to one of your own" >&2; exit 1; }

# Qt requires a UTF-8 locale; a bare machine may have none set.
[ "$(locale charmap 2>/dev/null)" = UTF-8 ] || export LC_ALL=C.UTF-8

# Prints the current step: "2 of 4 · configuring" if the script has set the number of its steps (steps=4), otherwise a
# heading.
step_number=0
say() {
    if [ -n "${steps:-}" ]; then
        step_number=$((step_number + 1))
        step_text="$step_number of $steps · $*"
        printf '%s\n' "$step_text"
    else
        printf '\n== %s\n' "$*"
    fi
}
note() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

# Runs a command as root: directly if already root, otherwise through sudo.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "Not root, and there is no sudo. As root: $*"
    fi
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
is_available() { [ -n "$(apt-cache show --no-all-versions "$1" 2>/dev/null)" ]; }

# Prints the entries of packages.txt that belong to the groups given: "a", "a|b" or "a?".
packages_of() {
    local group package
    while read -r group package; do
        [[ " $* " == *" $group "* ]] && echo "$package"
    done < <(grep -v '^#' "$root/packaging/packages.txt")
}

# Whether an entry is already installed, under any of its names.
is_satisfied() {
    local name
    for name in ${1//|/ }; do
        is_installed "${name%\?}" && return 0
    done
    return 1
}

# Whether all entries of the groups are installed.
are_satisfied() {
    local entry
    while read -r entry; do
        is_satisfied "$entry" || return 1
    done < <(packages_of "$@")
}

# Prints the package to install for an entry; nothing for an optional one that the distribution lacks.
choose() {
    local name
    for name in ${1//|/ }; do
        is_available "${name%\?}" && { echo "${name%\?}"; return; }
    done
    [[ $1 == *\? ]] || fail "This distribution has no package $1 (looked with apt-cache). Debian 12 or Ubuntu 24.04 is needed."
}

# install_packages GROUP…: installs missing packages without asking, and prints their names.
# Adds the number of packages installed to `installed_count`.
installed_count=0
install_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        note "No apt here: install what stands in packaging/packages.txt under your distribution's names"
        return
    fi
    local entry name missing=() names=()
    while read -r entry; do
        is_satisfied "$entry" || missing+=("$entry")
    done < <(packages_of "$@")
    [ ${#missing[@]} -gt 0 ] || return 0

    # Optional packages that the distribution is known to lack are no reason to update the list of packages again.
    local needed=0
    for entry in "${missing[@]}"; do
        if [[ $entry != *\? ]] || is_available "${entry%\?}"; then needed=1; fi
    done
    [ $needed -eq 1 ] || return 0

    if [ "$installed_count" -eq 0 ]; then
        note "Updating the list of packages"
        as_root apt-get update -qq -o DPkg::Lock::Timeout=300 ||
            echo "The list could not be updated; going on with the one that is there." >&2
    fi
    for entry in "${missing[@]}"; do
        name=$(choose "$entry") || exit 1
        [ -z "$name" ] || names+=("$name")
    done
    [ ${#names[@]} -gt 0 ] || return 0

    note "Installing from your distribution: ${names[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        -o DPkg::Lock::Timeout=300 "${names[@]}" </dev/null ||
        fail "The packages could not be installed; see above. Nothing was built."
    installed_count=$((installed_count + ${#names[@]}))
}

# Prints the number of parallel compilers: limited by the cores, and by the available memory (1.5 GB each).
build_jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable:/ {print int($2 / 1500000)}' /proc/meminfo 2>/dev/null)
    memory=${memory:-$cores}
    [ "$memory" -ge 1 ] || memory=1
    echo $((memory < cores ? memory : cores))
}

# Sets `weight` to the typical duration of a build step, in tenths of that of an ordinary file.
weight_of() {
    case $1 in
    *'Re-checking globbed'* | *'Re-running CMake'*) weight=0 ;;
    *_kernel.cpp.o) weight=60 ;; # compiled for every instruction set
    *.cu.o) weight=60 ;;
    */Unity/*.o | *.gch) weight=40 ;;
    *Building*) weight=10 ;;
    *) weight=2 ;;
    esac
}

# planned FOLDER [TARGET…]: prints the weight of all pending steps, found by a dry run of ninja. Call it before the
# build starts, since ninja reads the folder's files, which the build changes. The dry run uses a copy of build.ninja:
# with build.ninja itself, which CMake's globs can make out of date, ninja would report only the check of that file.
planned() {
    local total=0 line weight folder=$1
    shift
    cp "$folder/build.ninja" "$folder/planned.ninja" || return
    while IFS= read -r line; do
        if [[ $line == @@* ]]; then weight_of "$line"; total=$((total + weight)); fi
    done < <(NINJA_STATUS=@@ ninja -n -C "$folder" -f planned.ninja "$@" 2>/dev/null)
    rm -f "$folder/planned.ninja"
    echo $total
}

# show_progress PLANNED: reads ninja's output under NINJA_STATUS="@@". Ninja's steps become one progress line, which
# is rewritten on a terminal and otherwise printed every ten per cent; all other output, such as compiler messages, is
# printed.
show_progress() {
    local total=$1 done=0 percent shown=-1 left line weight text started=$SECONDS
    while IFS= read -r line; do
        case $line in
        @@*)
            weight_of "$line"
            done=$((done + weight))
            [ $done -gt 0 ] && [ "$total" -gt 0 ] || continue
            [ $done -le "$total" ] || total=$done
            percent=$((100 * done / total))
            [ $percent -gt $shown ] || continue
            text="${step_text:-compiling}: $percent %"
            left=$(((SECONDS - started) * (total - done) / done))
            if [ $percent -ge 5 ] && [ $percent -lt 100 ]; then
                if [ $left -ge 90 ]; then
                    text+=", about $(((left + 30) / 60)) min left"
                elif [ $left -ge 5 ]; then
                    text+=", about $(((left + 9) / 10 * 10)) s left"
                fi
            fi
            if [ "${on_terminal:-0}" -eq 1 ]; then
                printf '\r\033[K%s' "$text"
                shown=$percent
            elif [ $((percent / 10)) -gt $((shown / 10)) ] || [ $shown -lt 0 ]; then
                printf '%s\n' "$text"
                shown=$percent
            fi
            ;;
        'ninja: no work to do.' | 'ninja: Entering directory'*) ;;
        *)
            [ "${on_terminal:-0}" -eq 0 ] || [ $shown -lt 0 ] || printf '\r\033[K'
            printf '%s\n' "$line"
            ;;
        esac
    done
    if [ "${on_terminal:-0}" -eq 1 ] && [ $shown -ge 0 ]; then printf '\n'; fi
}

# configure PRESET [CMAKE-OPTION…]: prints CMake's output if it fails; otherwise only its lines about CUDA and its
# warnings.
configure() {
    local output
    output=$(cd "$root" && cmake --preset "$@" 2>&1) || { printf '%s\n' "$output"; fail "Configuring failed; see above."; }
    sed -n 's/^-- \(CUDA\( [0-9].*\)\?: \)/\1/p; /^CMake Warning/,/^$/p' <<<"$output"
}

# Whether the CMake cache of the folder has this line (a regular expression).
is_cached() { grep -qE "^$2\$" "$1/CMakeCache.txt" 2>/dev/null; }

# install_and_begin PRESET GROUP… [-D…]: installs what the engine needs, then the groups' packages. Where these take long
# (VTK has 500 MB to load) and nothing was built yet, the command line is compiled meanwhile, in the background.
begun=
install_and_begin() {
    local preset=$1 groups=() options=()
    shift
    while [ $# -gt 0 ]; do
        case $1 in -*) options+=("$1") ;; *) groups+=("$1") ;; esac
        shift
    done
    install_packages engine
    if [ ! -e "$root/build/$preset/CMakeCache.txt" ] && ! are_satisfied "${groups[@]}"; then
        begin "$preset" "${options[@]}"
    fi
    install_packages "${groups[@]}"
}

# begin PRESET [CMAKE-OPTION…]: compiles the command line in the background; its process is `begun`. A file tells the
# next build, which may be that of another run, that the folder is configured without a window.
begin() {
    local folder=$root/build/$1
    note "Compiling meanwhile what needs no window"
    mkdir -p "$folder"
    : >"$folder/begun-without-window"
    begun_log=$(mktemp)
    trap stop_begun EXIT
    (
        cd "$root" && cmake --preset "$@" -DSINOSCOPE_UI=OFF -DSINOSCOPE_TESTS=OFF || exit
        planned "$folder" programs >"$begun_log.planned"
        NINJA_STATUS=@@ exec nice ninja -C "$folder" -j "$(build_jobs)" programs
    ) </dev/null >"$begun_log" 2>&1 &
    begun=$!
}

stop_begun() {
    [ -z "$begun" ] || kill "$begun" 2>/dev/null || true
    rm -f "$begun_log" "$begun_log.planned"
}

# Waits for what `begin` started. If it failed, `build` shows why.
await_begun() {
    local step_text="what needs no window"
    note "Compiling what needs no window, begun while the packages were installed"
    tail -n +1 -f --pid="$begun" "$begun_log" | grep --line-buffered ^@@ | show_progress "$(cat "$begun_log.planned" 2>/dev/null || echo 0)" || true
    wait "$begun" || true
    begun=
    stop_begun
    trap - EXIT
}

# build PRESET [CMAKE-OPTION…]: configures if necessary, and builds into build/PRESET. It configures again after
# packages have been installed or the folder was moved. If the array `targets` is set, only these targets are built.
build() {
    local preset=$1 folder=$root/build/$1 fresh=() on_terminal=0 total
    shift
    [ ! -t 1 ] || on_terminal=1
    if [ -f "$folder/CMakeCache.txt" ] && ! is_cached "$folder" "CMAKE_HOME_DIRECTORY:INTERNAL=$root"; then
        fresh=(--fresh)
    fi
    # CMake reads CUDAARCHS only when it configures for the first time.
    if [ -n "${CUDAARCHS:-}" ] && [ -f "$folder/CMakeCache.txt" ] && ! is_cached "$folder" 'SINOSCOPE_CUDA:[A-Z]*=OFF' &&
        ! is_cached "$folder" "CMAKE_CUDA_ARCHITECTURES:[A-Z]*=$CUDAARCHS"; then
        set -- "$@" "-DCMAKE_CUDA_ARCHITECTURES=$CUDAARCHS"
    fi
    [ -z "$begun" ] || await_begun
    [ ! -e "$folder/begun-without-window" ] || set -- -USINOSCOPE_UI -USINOSCOPE_TESTS "$@"
    say "configuring"
    if [ ! -f "$folder/build.ninja" ] || [ ${#fresh[@]} -gt 0 ] || [ "$installed_count" -gt 0 ] || [ $# -gt 0 ]; then
        configure "$preset" "${fresh[@]}" "$@"
        rm -f "$folder/begun-without-window"
    fi
    say "compiling"
    total=$(planned "$folder" "${targets[@]}")
    NINJA_STATUS=@@ ninja -C "$folder" -j "$(build_jobs)" "${targets[@]}" 2>&1 | show_progress "$total" || fail "The build failed; see above."
}
