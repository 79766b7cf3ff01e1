#!/usr/bin/env bash
# Builds and runs the tests of C++ packages, those named or all.
#
#     setup/test.sh takt_core                  all tests of a package
#     FILTER=model setup/test.sh takt_core     tests whose name matches a regular expression
#     PRESET=tsan setup/test.sh takt           under a sanitizer
#     RMW=rmw_cyclonedds_cpp setup/test.sh takt   over this middleware
#     TRIES=2 setup/test.sh takt               a test that fails may try again, as on a host that others keep
#                                              busy; what a sanitizer found in any try fails
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=setup/env.sh
source "$here/env.sh"
# shellcheck source=setup/middleware.sh
source "$here/middleware.sh"
[ $# -gt 0 ] || set -- takt_core takt_view takt takt_rclcpp takt_lab

# With a filter, only the programs that match are built: a fault elsewhere does not stand in the way.
matching() { ctest --test-dir "$TAKT_ROOT/build/$DISTRO/$PRESET/$1" -N -R "$FILTER" | sed -n 's/^ *Test *#[0-9]*: //p' | tr '\n' ' '; }
if [ -z "${FILTER:-}" ]; then
  TESTS=1 "$here/build.sh" "$@"
else
  for package; do
    TARGETS=build.ninja "$here/build.sh" "$package" >/dev/null # finds new files
    targets=$(matching "$package")
    [ -n "$targets" ] || { echo "test: no test of $package matches $FILTER" >&2; exit 1; }
    TARGETS=$targets "$here/build.sh" "$package"
  done
fi

# Only this machine's own traffic: tests must not meet the robots of the network they run on.
export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
# Where the nodes of rclcpp are built, tests of the lab that do not find them fail.
[ ! -e "$TAKT_INSTALL/lib/libtakt_rclcpp.so" ] || export TAKT_REQUIRE_RCLCPP=1
# shellcheck source=setup/sanitizers/options.sh
source "$here/sanitizers/options.sh"

repeat=()
[ "${TRIES:-1}" -eq 1 ] || repeat=(--repeat "until-pass:$TRIES")
failed=()
collect_findings
# All of them in one run, several at a time: they mostly wait. The libraries just built, not those installed before:
# LD_LIBRARY_PATH goes before the run path.
together=$(mktemp -d "$TAKT_ROOT/build/$DISTRO/$PRESET/together.XXXXXX")
trap 'rm -rf "$together"' EXIT
chosen=()
[ -z "${FILTER:-}" ] || chosen=(-R "$FILTER")
[ "${RIGHTS:-}" != none ] || chosen+=(-LE '^computes$')
for package; do
  folder=$TAKT_ROOT/build/$DISTRO/$PRESET/$package
  if [ "${RIGHTS:-}" = none ]; then
    # Where nobody can have a CPU for itself, nobody has to wait for it.
    sed -e '/^subdirs(/d' -e 's/ RESOURCE_LOCK "[^"]*"//' "$folder/CTestTestfile.cmake" >>"$together/CTestTestfile.cmake"
  else
    echo "subdirs(\"$folder\")" >>"$together/CTestTestfile.cmake"
  fi
  LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
done
export LD_LIBRARY_PATH
echo "test: $* ($DISTRO, $PRESET)"
run_sanitized "${over_middleware[@]}" ctest --test-dir "$together" --output-on-failure --no-tests=ignore \
  -j "${TEST_JOBS:-$((2 * $(nproc)))}" "${repeat[@]}" "${chosen[@]}" | tee "$together/log" || failed+=("$*")
sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([^ ]*\) \.* *[^ ].* \([0-9.]* sec\)$/\2 \1/p' "$together/log" | sort -rn |
  sed -n -e '1s/^/the slowest: /' -e 1,10p
show_findings || failed+=("what $PRESET found")
[ ${#failed[@]} -eq 0 ] || { echo "test: failed: ${failed[*]}" >&2; exit 1; }
