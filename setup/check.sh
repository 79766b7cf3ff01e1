#!/usr/bin/env bash
# Checks what a change can affect: lints the files that differ from the last commit, or from another one (BASE=main),
# and runs the tests that they can affect (tools/affected.py). .ci/run checks everything.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/.." || exit 1
base=${BASE:-HEAD}
mapfile -t changed < <(git diff --name-only --diff-filter=d "$base" && git ls-files --others --exclude-standard)
[ ${#changed[@]} -gt 0 ] || { echo "check: nothing differs from $base"; exit 0; }
mapfile -t touched < <(printf '%s\n' "${changed[@]}" | python3 tools/affected.py | grep .)
echo "check: ${#changed[@]} files differ from $base; checked are lint${touched[*]:+, ${touched[*]}}"
status=0
BASE=$base CHANGED=1 make --no-print-directory lint || status=1
packages=() tests=()
for each in "${touched[@]}"; do
  case $each in *.py) tests+=("${each#src/takt_cli/}") ;; *) packages+=("$each") ;; esac
done
[ ${#packages[@]} -eq 0 ] || "$here/test_all.sh" "${packages[@]}" || status=1
[ ${#tests[@]} -eq 0 ] || FILES=${tests[*]} "$here/test_all.sh" takt_cli || status=1
[ $status -eq 0 ] || echo "check: failed" >&2
exit $status
