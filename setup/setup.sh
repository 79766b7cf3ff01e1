#!/usr/bin/env bash
# The whole set-up, from a bare machine to a working `./takt`. Can be repeated: only steps whose inputs have
# changed are done again.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export DISTRO=${DISTRO:-jazzy}
began=$SECONDS

case $DISTRO in
  jazzy | kilted) ;;
  *) echo "set-up: DISTRO must be jazzy or kilted, not '$DISTRO'" >&2; exit 2 ;;
esac
"$here/system.sh"
# Only one set-up of a checkout at a time, because every `./takt` in a checkout that is not set up starts one.
mkdir -p "$here/../build"
exec 8>"$here/../build/setup.lock"
flock 8
"$here/venv.sh"
"$here/build.sh"
"$here/command.sh"
echo "set-up: ready (ROS 2 $DISTRO, $((SECONDS - began)) s)"
