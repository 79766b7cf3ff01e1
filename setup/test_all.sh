#!/usr/bin/env bash
# Runs all tests, or those of the packages named: C++ packages, the project's scripts (scripts), the
# Python command (takt_cli). Goes on after a failure, and ends with a summary and one exit status.
#
#     setup/test_all.sh takt_cli        only the tests of the command; FILTER=words selects some of them
#     FILES="test/spec/test_spec.py" setup/test_all.sh takt_cli   only the tests in these files
#     RIGHTS=none setup/test_all.sh     without the right to real-time priorities
#     RMW=rmw_cyclonedds_cpp setup/test_all.sh   over this middleware
#     MARK=exchange setup/test_all.sh   of the command's tests only those with this pytest marker (pyproject.toml)
#     TRIES=2 setup/test_all.sh         repeat a test that fails once, for busy hosts
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=setup/env.sh
source "$here/env.sh"
# shellcheck source=setup/middleware.sh
source "$here/middleware.sh" || exit
case ${RIGHTS:-} in
  "") run=() kind=results ;;
  # Tests that only compute do not depend on rights, so they are left out.
  none) run=("$here/without_rights.sh") kind=results-without-rights MARK=${MARK:-rights} ;;
  *) echo "test: RIGHTS must be empty or none, not '$RIGHTS'" >&2; exit 2 ;;
esac
# Otherwise each of about a thousand processes would compile the command's modules again.
unset PYTHONDONTWRITEBYTECODE
results=$TAKT_ROOT/build/$DISTRO/$PRESET/$kind${RMW:+-$RMW}
rm -rf "$results"
mkdir -p "$results"
status=0

test_cpp() {
  local package
  for package; do rm -rf "$TAKT_ROOT/build/$DISTRO/$PRESET/$package/test_results"; done
  "${run[@]}" "$here/test.sh" "$@" || status=1
  # One result file per test program; all of them are copied into the package's folder of results.
  for package; do
    mkdir -p "$results/$package"
    cp "$TAKT_ROOT/build/$DISTRO/$PRESET/$package"/test_results/*/*.xml "$results/$package/" 2>/dev/null || true
  done
}

test_python() {
  local name=$1 folder=$2
  shift 2
  echo "test: $name"
  mkdir -p "$results/$name"
  (cd "$folder" && "${run[@]}" "${over_middleware[@]}" "$TAKT_VENV/bin/python" -m pytest -q -raR --durations=10 --durations-min=1 -p no:cacheprovider \
    --junit-xml "$results/$name/pytest.xml" ${FILTER:+-k "$FILTER"} --reruns $((${TRIES:-1} - 1)) "$@") || status=1
}

test_command() {
  local files
  read -ra files <<<"${FILES:-}"
  # With a marker, only the files that contain it are passed: importing all of them takes each process six seconds.
  if [ -n "${MARK:-}" ] && [ ${#files[@]} -eq 0 ]; then
    mapfile -t files < <(cd "$TAKT_ROOT/src/takt_cli" && grep -rlE --include='test_*.py' "\bmark\.$MARK\b" test | sort)
  fi
  export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
  # The set-up has built the lab: tests that need its programs and do not find them fail.
  export TAKT_REQUIRE_PROGRAMS=1
  [ ! -e "$TAKT_INSTALL/lib/libtakt_rclcpp.so" ] || export TAKT_REQUIRE_RCLCPP=1
  # Pages are tested in a browser, `--kernel` in a guest. Debian has what they need; elsewhere those tests may be
  # skipped.
  if [ -z "${RIGHTS:-}" ] && grep -q '^ID=debian' /etc/os-release; then
    "$here/system.sh" "$here/apt-packages-test.txt" || status=1
    export TAKT_REQUIRE_BROWSER=1 TAKT_REQUIRE_GUEST=1
  fi
  # One more process than CPUs, because tests wait for half of their time. The tests of one file run one after another,
  # so that measurements in it do not disturb each other.
  test_python takt_cli "$TAKT_ROOT/src/takt_cli" -n $(($(nproc) + 1)) --dist loadfile --no-loadscope-reorder ${MARK:+-m "$MARK"} "${files[@]}"
}

[ $# -gt 0 ] || set -- takt_core takt_view takt takt_rclcpp takt_lab scripts takt_cli
cpp=()
for package; do
  case $package in scripts | takt_cli) ;; *) cpp+=("$package") ;; esac
done
# While the Python tests run, the C++ tests are compiled at idle priority. Errors of the compiler are reported when the
# C++ tests are started.
compiling=
if [ ${#cpp[@]} -gt 0 ] && [ ${#cpp[@]} -lt $# ] && [ -z "${FILTER:-}" ]; then
  set -m # a process group of its own, to be ended as one
  TARGETS=tests chrt --idle 0 "$here/build.sh" "${cpp[@]}" >"$results/compiling.log" 2>&1 &
  compiling=$!
  set +m
  trap 'kill -- "-$compiling" 2>/dev/null' EXIT
fi
for package; do
  case $package in
    scripts) test_python scripts "$TAKT_ROOT" --rootdir "$TAKT_ROOT" "$TAKT_ROOT"/setup/*_test.py "$TAKT_ROOT"/tools/*_test.py ;;
    takt_cli) test_command ;;
  esac
done
if [ -n "$compiling" ]; then
  # Now the rest of the compilation gets ordinary priority.
  for process in $(pgrep -g "$compiling"); do chrt --other -p 0 "$process" 2>/dev/null; done
  wait "$compiling" || true
  trap - EXIT
fi
[ ${#cpp[@]} -eq 0 ] || test_cpp "${cpp[@]}"

"$TAKT_VENV/bin/python" "$TAKT_ROOT/tools/test_summary.py" "$results" | tee "$results/summary.txt" || status=1
exit $status
