# shellcheck shell=bash
# What the sanitizers look for at run time, and how a program is started under them. To be sourced.
_suppressions=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1
# What chooses the middleware may have to come before even the sanitizer, from which it takes nothing.
[ -z "${preloaded_middleware:-}" ] || ASAN_OPTIONS+=:verify_asan_link_order=0
export LSAN_OPTIONS=suppressions=$_suppressions/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:suppressions=$_suppressions/ubsan.supp
export TSAN_OPTIONS=halt_on_error=0:second_deadlock_stack=1:suppressions=$_suppressions/tsan.supp
# Where the sanitizers find what names places in a program.
PATH+=:/usr/lib/llvm-19/bin
# Locks that spin inside the sanitizers' libraries do not hang at real-time priorities: see there.
_give_way=$TAKT_ROOT/build/$DISTRO/give_way
_build_give_way() {
  local source=$_suppressions/give_way.cpp
  [ "$_give_way" -nt "$source" ] && return
  mkdir -p "$(dirname "$_give_way")"
  # Whole or not at all: others may be using it.
  c++ -std=c++20 -O1 "$source" -o "$_give_way.$$" && mv "$_give_way.$$" "$_give_way"
}
# ThreadSanitizer's memory layout does not bear the address randomisation of recent kernels.
run_sanitized() {
  case $PRESET in
    asan) _build_give_way && "$_give_way" "$@" ;;
    tsan) _build_give_way && "$_give_way" setarch "$(uname -m)" -R "$@" ;;
    *) "$@" ;;
  esac
}

# From now on reports go to files, one per process, so that none is lost with a try that is repeated.
_findings=$TAKT_ROOT/build/$DISTRO/$PRESET/findings
collect_findings() {
  rm -rf "$_findings"
  mkdir -p "$_findings"
  ASAN_OPTIONS+=:log_path=$_findings/report
  LSAN_OPTIONS+=:log_path=$_findings/report
  UBSAN_OPTIONS+=:log_path=$_findings/report
  TSAN_OPTIONS+=:log_path=$_findings/report
}
# Prints them; fails if there are any.
show_findings() {
  local report found=0
  for report in "$_findings"/*; do
    [ -s "$report" ] || continue
    found=1
    cat "$report" >&2
  done
  return $found
}
