#!/usr/bin/env bash
# Installs the C++ linter into the environment, if it is not installed yet.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
venv=.venv/${DISTRO:-jazzy}
stamp=$venv/takt-lint.stamp
now=$(cat setup/requirements-lint.txt "$venv/takt.stamp" | sha256sum)
[ "$(cat "$stamp" 2>/dev/null)" != "$now" ] || exit 0
echo "lint: installing clang-tidy"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r setup/requirements-lint.txt
echo "$now" >"$stamp"
