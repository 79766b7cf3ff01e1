#!/usr/bin/env bash
# Builds and installs packages, each into build/$DISTRO/$PRESET/PACKAGE and install/$DISTRO/$PRESET.
#
#     setup/build.sh                     all C++ packages in order
#     setup/build.sh takt_core takt      these packages only
#     TESTS=1 setup/build.sh takt_core   this package and its tests
#     TARGETS="a_test b_test" ...        only these targets of a package; installs nothing
#     PRESET=asan DISTRO=kilted ...      another build
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=setup/env.sh
source "$here/env.sh"
[ $# -gt 0 ] || set -- takt_msgs takt_core takt_view takt takt_rclcpp takt_lab
cpus=$(nproc)
# Many files are compiled together, so a compiler needs up to 3 GB. Where memory is scarce, fewer run at a time, and
# packages are built one after another.
compilers=$(awk '/^MemAvailable:/ { print int($2 / 3000000) }' "${MEMINFO:-/proc/meminfo}")
jobs=${JOBS:-$((compilers < 1 ? 1 : compilers < cpus ? compilers : cpus))}
at_once=1
[ "$compilers" -ge $((2 * jobs)) ] || at_once=

build() {
  local package=$1 source=$TAKT_ROOT/src/$1 folder=$TAKT_ROOT/build/$DISTRO/$PRESET/$1 log configured targets overlay=${OVERLAY:-}
  [ "$package" != gmock ] || source=$here/gmock
  read -ra targets <<<"${TARGETS:-all${TESTS:+ tests}}"
  mkdir -p "$folder"
  # Only one build of a package at a time, because several people or programs may share a checkout.
  exec 9>"$folder.lock"
  flock 9
  log=$folder.log
  # If the settings or the environment have changed, CMake's cache is wrong, so the package is configured anew.
  # takt_msgs and gmock do not use the overlay; builds with and without one, as under sanitizers, share them.
  case $package in takt_msgs | gmock) overlay= ;; esac
  configured=$(echo "$overlay" | cat - "$TAKT_VENV/takt.stamp" "$TAKT_ROOT/cmake/presets.json" "$source/CMakePresets.json" | sha256sum)
  if [ "$(cat "$folder/takt.configured" 2>/dev/null)" != "$configured" ]; then
    echo "build: $package ($DISTRO, $PRESET): configuring"
    if ! (cd "$source" && cmake --fresh --preset "$PRESET") >"$log" 2>&1; then
      grep -vE '^-- ' "$log" >&2
      return 1
    fi
    echo "$configured" >"$folder/takt.configured"
    sed -n 's/^\(takt.*: skipped.*\)/build: \1/p' "$log"
  fi
  echo "build: $package ($DISTRO, $PRESET)"
  if ! ninja -C "$folder" -j "$jobs" ${KEEP_GOING:+-k 0} "${targets[@]}" >"$log" 2>&1; then
    # Print the log without ninja's progress and the compiler's long command lines.
    grep -vE '^(\[[0-9]+/[0-9]+\] |ninja: |: && |-- )|^[^ ]*/[a-z-]*(cc|\+\+)(-[0-9]+)? ' "$log" >&2 || true
    echo "build: $package failed; all of it is in ${log#"$TAKT_ROOT"/}" >&2
    return 1
  fi
  grep -E 'warning:' "$log" >&2 || true
  [ -z "${TARGETS:-}" ] || return 0
  cmake --install "$folder" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; return 1; }
}

# CMake would be configured without it, and the builds after it would not know.
[ -z "${OVERLAY:-}" ] || [ -d "$OVERLAY" ] || { echo "build: there is no folder $OVERLAY (from OVERLAY)" >&2; exit 2; }
for package; do
  [ -f "$TAKT_ROOT/src/$package/CMakeLists.txt" ] || { echo "build: no C++ package $package in src" >&2; exit 2; }
done
# gmock first, because the tests link to it.
[ -z "${TESTS:-}${TARGETS:-}" ] || (TARGETS=gmock build gmock >/dev/null)
# Packages that depend on none of the remaining ones are built at the same time: configuring a package takes seconds,
# in which other CPUs would be idle.
declare -A below=([takt_view]="takt_msgs takt_core" [takt]="takt_msgs takt_core takt_view" [takt_rclcpp]="takt_msgs takt_core takt_view"
  [takt_lab]="takt_msgs takt_core takt_view takt takt_rclcpp")
left=("$@")
while [ ${#left[@]} -gt 0 ]; do
  now=() later=()
  for package in "${left[@]}"; do
    ready=1
    for other in ${below[$package]:-}; do [[ " ${left[*]} " != *" $other "* ]] || ready=; done
    if [ -n "$ready" ]; then now+=("$package"); else later+=("$package"); fi
  done
  running=() failed=
  for package in "${now[@]}"; do
    build "$package" &
    running+=($!)
    [ -n "$at_once" ] || wait "$!" || true
  done
  for each in "${running[@]}"; do wait "$each" || failed=1; done
  [ -z "$failed" ] || exit 1
  left=("${later[@]}")
done
