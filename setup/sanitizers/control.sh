#!/usr/bin/env bash
# Shows that the sanitizer of $PRESET finds what it should, with the flags of the preset and all
# suppressions: a suppression that hides too much, or a flag that was lost, is noticed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=setup/env.sh
source "$here/../env.sh"
# shellcheck source=setup/sanitizers/options.sh
source "$here/options.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

flags=$(python - "$TAKT_ROOT/cmake/presets.json" "$PRESET" <<'PY'
import json, sys
presets = {p["name"]: p for p in json.load(open(sys.argv[1]))["configurePresets"]}
variables = presets[sys.argv[2]]["cacheVariables"]
print(variables["CMAKE_CXX_FLAGS"], variables["CMAKE_CXX_FLAGS_DEBUG"])
PY
)
# shellcheck disable=SC2086 # several flags
c++ -std=c++20 $flags "$here/control.cpp" -o "$scratch/control" -pthread

run_sanitized "$scratch/control" || { echo "control: failed without a fault" >&2; exit 1; }
run_sanitized "$scratch/control" yields || { echo "control: $PRESET: who spins for a lock keeps its holder from running" >&2; exit 1; }
case $PRESET in
  tsan) faults=(race) ;;
  asan) faults=(overflow leak undefined) ;;
  *) echo "control: PRESET must be asan or tsan" >&2; exit 2 ;;
esac
for fault in "${faults[@]}"; do
  if run_sanitized "$scratch/control" "$fault" >"$scratch/log" 2>&1; then
    echo "control: $PRESET did not find: $fault" >&2
    exit 1
  fi
done
echo "control: $PRESET finds ${faults[*]}"
