#!/usr/bin/env bash
# Builds and tests packages (the named ones, or all) with colcon in a scratch folder, with only ROS 2 in the
# environment. This shows that they are ordinary ROS packages, which need none of the project's own scripts.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
UNDERLAY_ONLY=1
# shellcheck source=setup/env.sh
source "$here/env.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
select=()
[ $# -eq 0 ] || select=(--packages-up-to "$@")
export COLCON_HOME=$scratch/home ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST TAKT_REQUIRE_PROGRAMS=1
common=(--base-paths "$TAKT_ROOT/src" --merge-install --executor sequential --event-handlers console_cohesion-)
if ! colcon --log-base log build "${common[@]}" "${select[@]}" \
  --cmake-args -G Ninja -DCMAKE_BUILD_TYPE=Release "-DPython3_EXECUTABLE=$TAKT_VENV/bin/python"; then
  tail -n 40 log/latest_build/takt*/stdout_stderr.log >&2
  exit 1
fi
set +u # colcon's script reads variables that are not set
# shellcheck disable=SC1091
source install/local_setup.bash
set -u
colcon --log-base log test "${common[@]}" "${select[@]}" --return-code-on-test-failure || {
  colcon test-result --verbose
  exit 1
}
colcon test-result
