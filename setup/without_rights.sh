#!/usr/bin/env bash
# Runs a command as on a host that grants no real-time rights: its processes can neither take a real-time
# priority nor lock much memory, even if root starts them. Fails if they could.
#
#     setup/without_rights.sh setup/test.sh takt
#     setup/without_rights.sh --check          names the rights that this process has; fails if there are any
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Checks what is actually permitted, and the effective capabilities: bit 14 is ipc_lock, bit 23 sys_nice.
check() {
  local effective found=()
  effective=$((16#$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)))
  ! chrt --fifo 1 true 2>/dev/null || found+=("SCHED_FIFO is granted")
  [ "$(ulimit -r)" = 0 ] || found+=("the limit of real-time priorities is $(ulimit -r), not 0")
  [ "$(ulimit -l)" != unlimited ] || found+=("the limit of locked memory is unlimited")
  [ $((effective >> 23 & 1)) -eq 0 ] || found+=("the process has cap_sys_nice")
  [ $((effective >> 14 & 1)) -eq 0 ] || found+=("the process has cap_ipc_lock")
  [ ${#found[@]} -gt 0 ] || return 0
  printf 'without_rights: %s\n' "${found[@]}" >&2
  return 1
}

case ${1:-} in
  "") echo "usage: setup/without_rights.sh COMMAND... | --check" >&2; exit 2 ;;
  --check) check; exit ;;
  --checked) shift; check; exec "$@" ;;
esac
# When root starts a program, it gets all capabilities of the bounding set; other users only get inherited ones.
bounding=()
[ "$(id -u)" -ne 0 ] || bounding=(--bounding-set "-sys_nice,-ipc_lock")
exec prlimit --rtprio=0:0 --memlock=65536:65536 -- \
  setpriv "${bounding[@]}" --ambient-caps "-sys_nice,-ipc_lock" --inh-caps "-sys_nice,-ipc_lock" -- \
  "$here/without_rights.sh" --checked "$@"
