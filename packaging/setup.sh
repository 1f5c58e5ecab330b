# Shared by run.sh, test.sh and .ci/run: packages, configuring and building. Sourced, not run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ -w "$root" ] || { echo "$root can't be written: copy the source folder to one of your own" >&2; exit 1; }

# Qt wants a UTF-8 locale; a bare machine may have none set.
[ "$(locale charmap 2>/dev/null)" = UTF-8 ] || export LC_ALL=C.UTF-8

say() { printf '\n== %s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

# As root as it is, else through sudo.
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

# Lines of packages.txt that belong to the groups given: "a", "a|b" or "a?".
packages_of() {
    local group package
    while read -r group package; do
        [[ " $* " == *" $group "* ]] && echo "$package"
    done < <(grep -v '^#' "$root/packaging/packages.txt")
}

# Whether an entry is there already, under any of its names.
is_satisfied() {
    local name
    for name in ${1//|/ }; do
        is_installed "${name%\?}" && return 0
    done
    return 1
}

# The name to install for an entry; empty for an optional one that the distribution lacks.
choose() {
    local name
    for name in ${1//|/ }; do
        is_available "${name%\?}" && { echo "${name%\?}"; return; }
    done
    [[ $1 == *\? ]] || fail "This distribution has no package $1 (looked with apt-cache). Debian 12 or Ubuntu 24.04 is needed."
}

# install_packages GROUP…: installs what is missing, says what, asks nothing.
# Leaves the number of packages it installed in `installed_count`.
install_packages() {
    installed_count=0
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "No apt here: install what stands in packaging/packages.txt under your distribution's names"
        return
    fi
    local entry name missing=() names=()
    while read -r entry; do
        is_satisfied "$entry" || missing+=("$entry")
    done < <(packages_of "$@")
    [ ${#missing[@]} -gt 0 ] || return 0

    # Optional ones that the distribution is known to lack are no reason to ask the network again.
    local needed=0
    for entry in "${missing[@]}"; do
        if [[ $entry != *\? ]] || is_available "${entry%\?}"; then needed=1; fi
    done
    [ $needed -eq 1 ] || return 0

    say "Updating the list of packages"
    as_root apt-get update -qq -o DPkg::Lock::Timeout=300 ||
        echo "The list could not be updated; going on with the one that is there." >&2
    for entry in "${missing[@]}"; do
        name=$(choose "$entry") || exit 1
        [ -z "$name" ] || names+=("$name")
    done
    [ ${#names[@]} -gt 0 ] || return 0

    say "Installing from your distribution: ${names[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        -o DPkg::Lock::Timeout=300 "${names[@]}" </dev/null ||
        fail "The packages could not be installed; see above. Nothing was built."
    installed_count=${#names[@]}
}

# Compilers at work at once: no more than cores, nor than the memory holds (1.5 GB each).
build_jobs() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable:/ {print int($2 / 1500000)}' /proc/meminfo 2>/dev/null)
    memory=${memory:-$cores}
    [ "$memory" -ge 1 ] || memory=1
    echo $((memory < cores ? memory : cores))
}

# build PRESET [CMAKE-OPTION…]: configures where that is needed, and builds into build/PRESET.
# Packages that have just been installed, or a folder that was moved, are reasons to configure again.
# With the array `targets` set, only those are built.
build() {
    local preset=$1 folder=$root/build/$1 fresh=()
    shift
    if [ -f "$folder/CMakeCache.txt" ] &&
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
        fresh=(--fresh)
    fi
    if [ ! -f "$folder/build.ninja" ] || [ ${#fresh[@]} -gt 0 ] || [ "${installed_count:-0}" -gt 0 ] || [ $# -gt 0 ]; then
        say "Configuring build/$preset"
        (cd "$root" && cmake --preset "$preset" "${fresh[@]}" "$@") || fail "Configuring failed; see above."
    fi
    say "Building build/$preset"
    (cd "$root" && cmake --build --preset "$preset" -j "$(build_jobs)" ${targets[@]:+--target "${targets[@]}"}) || fail "The build failed; see above."
}
