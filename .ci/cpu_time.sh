# shellcheck shell=bash
# Sets `cpu` to the CPU time in seconds of all processes that this one has waited for.
cpu_time() {
  times >"build/ci/times.$$" # in a subshell, as that of $(), it would not know them
  # shellcheck disable=SC2034 # used by the scripts that source this one
  cpu=$(awk -F '[ms ]' 'NR == 2 { print int(60 * $1 + $2 + 60 * $4 + $5) }' "build/ci/times.$$")
}
