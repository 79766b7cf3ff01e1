#!/usr/bin/env bash
# Tests of the runtime (or the packages named) under AddressSanitizer with UndefinedBehaviorSanitizer,
# then under ThreadSanitizer. The middleware comes as it is, without instrumentation; what is reported
# of it alone is suppressed in setup/sanitizers.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -gt 0 ] || set -- takt_core takt
PRESET=release "$here/build.sh" takt_msgs
failed=()
for preset in asan tsan; do
  PRESET=$preset "$here/sanitizers/control.sh" || failed+=("$preset control")
  PRESET=$preset "$here/test.sh" "$@" || failed+=("$preset")
done
[ ${#failed[@]} -eq 0 ] || { echo "sanitize: failed: ${failed[*]}" >&2; exit 1; }
echo "sanitize: clean"
