#!/usr/bin/env bash
# Makes or updates the Python environment .venv/$DISTRO: ROS 2 wheels, Python packages, repairs.
# A stamp file contains the hash of all inputs; if it matches, nothing is done.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
DISTRO=${DISTRO:-jazzy}
venv=$(dirname "$here")/.venv/$DISTRO
stamp=$venv/takt.stamp
requirements=("$here/requirements-$DISTRO.txt" "$here/requirements-lab.txt")

python=$("$here/python.sh")
# The folder is part of the hash: a virtual environment that was moved does not work.
now=$({ "$python" --version; echo "$python $venv"; cat "${requirements[@]}" "$here/repair_wheels.py"; } | sha256sum)
[ "$(cat "$stamp" 2>/dev/null)" != "$now" ] || exit 0

rm -f "$stamp"
if [ "$("$venv/bin/python" --version 2>/dev/null)" != "$("$python" --version)" ] || ! grep -qs "$venv" "$venv/bin/pip"; then
  rm -rf "$venv"
  echo "set-up: making the Python environment .venv/$DISTRO ($("$python" --version))"
  "$python" -m venv "$venv"
fi
echo "set-up: installing ROS 2 $DISTRO and Python packages as wheels ($(cat "${requirements[@]}" | grep -c ==), about a minute)"
# Modules are compiled when they are first imported, since most of them never are.
pip=("$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-compile)
# --no-deps: the lists are complete, and no other packages are wanted. Two packages come as
# sources only and are built with the pinned setuptools, not with whatever is newest. The pinned pip is first, because
# that of Debian takes twice the CPU time to choose among the files of an index.
grep -E '^(pip|setuptools|wheel)==' "${requirements[1]}" | xargs "${pip[@]}"
status=0
"${pip[@]}" --no-build-isolation -r "${requirements[0]}" &
"${pip[@]}" --no-build-isolation -r "${requirements[1]}" || status=$?
wait $! || status=$?
[ "$status" -eq 0 ] || exit "$status"
"$venv/bin/python" "$here/repair_wheels.py" "$venv"
echo "$now" >"$stamp"
