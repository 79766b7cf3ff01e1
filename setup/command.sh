#!/usr/bin/env bash
# Installs the Python command into the environment in editable form, so that edits need no new installation.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=setup/env.sh
source "$here/env.sh"
package=$TAKT_ROOT/src/takt_cli
stamp=$TAKT_VENV/takt-command.stamp
[ -f "$package/pyproject.toml" ] || [ -f "$package/setup.py" ] || exit 0

# This stamp includes that of the environment, so that the command is installed again in a new environment.
now=$(cat "$TAKT_VENV/takt.stamp" "$package"/pyproject.toml "$package"/setup.* 2>/dev/null | sha256sum)
[ "$(cat "$stamp" 2>/dev/null)" != "$now" ] || exit 0
echo "set-up: installing the command takt"
# pip prints warnings of setuptools, for instance that an editable installation is one.
PYTHONWARNINGS=ignore "$TAKT_VENV/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e "$package"
echo "$now" >"$stamp"
