#!/usr/bin/env bash
# Builds and runs the tests of C++ packages, those named or all.
#
#     setup/test.sh takt_core                  all tests of a package
#     FILTER=model setup/test.sh takt_core     tests whose name matches a regular expression
#     PRESET=tsan setup/test.sh takt           under a sanitizer
#     RMW=rmw_cyclonedds_cpp setup/test.sh takt   over this middleware
#     TRIES=2 setup/test.sh takt               repeat a test that fails once, for busy hosts; a finding of a
#                                              sanitizer in any attempt is a failure
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=setup/env.sh
source "$here/env.sh"
# shellcheck source=setup/middleware.sh
source "$here/middleware.sh"
[ $# -gt 0 ] || set -- takt_core takt_view takt takt_rclcpp takt_lab

# With a filter, only the matching test programs are built, so that errors in others do not prevent the tests.
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

# Discovery is limited to this machine, so that tests do not communicate with robots in the same network.
export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
# If takt_rclcpp was built, tests of the lab fail, instead of being skipped, if they do not find it.
[ ! -e "$TAKT_INSTALL/lib/libtakt_rclcpp.so" ] || export TAKT_REQUIRE_RCLCPP=1
# shellcheck source=setup/sanitizers/options.sh
source "$here/sanitizers/options.sh"

repeat=()
[ "${TRIES:-1}" -eq 1 ] || repeat=(--repeat "until-pass:$TRIES")
failed=()
collect_findings
# The tests of all packages are run by one ctest, several at a time, because they mostly wait. LD_LIBRARY_PATH makes
# them use the libraries that were just built instead of those installed before.
together=$(mktemp -d "$TAKT_ROOT/build/$DISTRO/$PRESET/together.XXXXXX")
trap 'rm -rf "$together"' EXIT
chosen=()
[ -z "${FILTER:-}" ] || chosen=(-R "$FILTER")
[ "${RIGHTS:-}" != none ] || chosen+=(-LE '^computes$')
for package; do
  folder=$TAKT_ROOT/build/$DISTRO/$PRESET/$package
  if [ "${RIGHTS:-}" = none ]; then
    # Without rights, no test can have a CPU for itself, so none needs to wait for one (RESOURCE_LOCK).
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
