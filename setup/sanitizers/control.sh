#!/usr/bin/env bash
# Checks that the sanitizer of $PRESET finds known faults, with the flags of the preset and all
# suppressions. This shows if a suppression hides too much, or if a flag is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=setup/env.sh
source "$here/../env.sh"
# shellcheck source=setup/sanitizers/options.sh
source "$here/options.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

compiled=$(python - "$TAKT_ROOT/cmake/presets.json" "$PRESET" <<'PY'
import json, sys
presets = {p["name"]: p for p in json.load(open(sys.argv[1]))["configurePresets"]}
preset = presets[sys.argv[2]]
variables = presets[preset["inherits"]]["cacheVariables"] | preset["cacheVariables"]
print(*(variables[name] for name in ("CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS", "CMAKE_CXX_FLAGS_DEBUG", "CMAKE_EXE_LINKER_FLAGS")))
PY
)
# shellcheck disable=SC2086 # a compiler and its flags
$compiled -std=c++20 "$here/control.cpp" -o "$scratch/control" -pthread

run_sanitized "$scratch/control" || { echo "control: failed without a fault" >&2; exit 1; }
run_sanitized "$scratch/control" yields || { echo "control: $PRESET: a thread that spins for a lock keeps the holder of the lock from running" >&2; exit 1; }
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
