# shellcheck shell=bash
# Runs a command and writes the CPU time of its processes, in seconds, to build/ci/NAME.cpu. To be called in a subshell,
# so that the processes that the calling shell has waited for do not count.
counted() {
  local name=$1 status=0
  shift
  "$@" || status=$?
  times >"build/ci/$name.times" # in a subshell, as that of $(), it would not know them
  awk -F '[ms ]' 'NR == 2 { print int(60 * $1 + $2 + 60 * $4 + $5) }' "build/ci/$name.times" >"build/ci/$name.cpu"
  return "$status"
}
