#!/usr/bin/env bash
# Runs tests under AddressSanitizer with UndefinedBehaviorSanitizer, then under ThreadSanitizer. Without
# arguments, all packages are tested under the first, and only the runtime without takt_rclcpp under the
# second. Tests of interoperability are left out (cmake/presets.json): they test the same code, in programs
# that take long to build. The middleware is not instrumented; reports about its code alone are suppressed
# in setup/sanitizers.
#
#     PRESETS=tsan setup/sanitize.sh     under this sanitizer only
#     BUILD_ONLY=1 setup/sanitize.sh     only compiles
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
presets=${PRESETS:-asan tsan}
for preset in $presets; do
  case $preset in asan | tsan) ;; *) echo "sanitize: PRESETS must be asan, tsan or both, not '$PRESETS'" >&2; exit 2 ;; esac
done
"$here/system.sh" "$here/apt-packages-sanitize.txt"
PRESET=release "$here/build.sh" takt_msgs
failed=()
check() {
  local start=$SECONDS
  [[ " $presets " == *" $1 "* ]] || return 0
  export PRESET=$1
  shift
  if [ -n "${BUILD_ONLY:-}" ]; then
    TESTS=1 "$here/build.sh" "$@" || failed+=("$PRESET")
    return
  fi
  "$here/sanitizers/control.sh" || failed+=("$PRESET control")
  "$here/test.sh" "$@" || failed+=("$PRESET")
  echo "sanitize: $PRESET took $((SECONDS - start)) s"
}
if [ $# -gt 0 ]; then
  check asan "$@"
  check tsan "$@"
else
  check asan takt_core takt_view takt takt_rclcpp takt_lab
  # Without takt_rclcpp: the libraries of rclcpp are not instrumented, so ThreadSanitizer does not see what they
  # synchronise.
  check tsan takt_core takt_view takt
fi
[ ${#failed[@]} -eq 0 ] || { echo "sanitize: failed: ${failed[*]}" >&2; exit 1; }
[ -n "${BUILD_ONLY:-}" ] || echo "sanitize: clean"
