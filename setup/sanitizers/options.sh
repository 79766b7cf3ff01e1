# shellcheck shell=bash
# Options of the sanitizers at run time, and functions that start programs under them. To be sourced.
_suppressions=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1
# If the library that selects the middleware is preloaded, it comes before the sanitizer's library. That is safe here,
# but AddressSanitizer would refuse to start.
[ -z "${preloaded_middleware:-}" ] || ASAN_OPTIONS+=:verify_asan_link_order=0
export LSAN_OPTIONS=suppressions=$_suppressions/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:suppressions=$_suppressions/ubsan.supp
export TSAN_OPTIONS=halt_on_error=0:second_deadlock_stack=1:suppressions=$_suppressions/tsan.supp
# The folder of llvm-symbolizer, which adds functions and lines to reports.
PATH+=:/usr/lib/llvm-19/bin
# Prevents spin locks inside the sanitizers' libraries from hanging at real-time priorities: see give_way.cpp.
_give_way=$TAKT_ROOT/build/$DISTRO/give_way
_build_give_way() {
  local source=$_suppressions/give_way.cpp
  [ "$_give_way" -nt "$source" ] && return
  mkdir -p "$(dirname "$_give_way")"
  # Replaced at once, because other processes may be using the program.
  c++ -std=c++20 -O1 "$source" -o "$_give_way.$$" && mv "$_give_way.$$" "$_give_way"
}
# ThreadSanitizer fails with the address space randomisation of recent kernels, so setarch disables it.
run_sanitized() {
  case $PRESET in
    asan) _build_give_way && "$_give_way" "$@" ;;
    tsan) _build_give_way && "$_give_way" setarch "$(uname -m)" -R "$@" ;;
    *) "$@" ;;
  esac
}

# Sends reports to files, one per process, so that those of failed attempts that are repeated are not lost.
_findings=$TAKT_ROOT/build/$DISTRO/$PRESET/findings
collect_findings() {
  rm -rf "$_findings"
  mkdir -p "$_findings"
  ASAN_OPTIONS+=:log_path=$_findings/report
  LSAN_OPTIONS+=:log_path=$_findings/report
  UBSAN_OPTIONS+=:log_path=$_findings/report
  TSAN_OPTIONS+=:log_path=$_findings/report
}
# Prints these reports; fails if there are any.
show_findings() {
  local report found=0
  for report in "$_findings"/*; do
    [ -s "$report" ] || continue
    found=1
    cat "$report" >&2
  done
  return $found
}
