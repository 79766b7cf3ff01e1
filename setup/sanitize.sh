#!/usr/bin/env bash
# Tests under AddressSanitizer with UndefinedBehaviorSanitizer, then under ThreadSanitizer: of the
# packages named, or of all under the first and of the runtime alone under the second, without the
# tests of interoperability: the same code, in programs that take long to build. The middleware comes
# as it is, without instrumentation; what is reported of it alone is suppressed in setup/sanitizers.
#
#     PRESETS=tsan setup/sanitize.sh     under this one only
#     BUILD_ONLY=1 setup/sanitize.sh     compiles all of it, and runs nothing
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
  # Without rclcpp, whose libraries are not instrumented: what they synchronise is not seen.
  check tsan takt_core takt_view takt
fi
[ ${#failed[@]} -eq 0 ] || { echo "sanitize: failed: ${failed[*]}" >&2; exit 1; }
[ -n "${BUILD_ONLY:-}" ] || echo "sanitize: clean"
