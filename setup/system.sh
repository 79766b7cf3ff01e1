#!/usr/bin/env bash
# Installs the system packages of the lists given (default: setup/apt-packages.txt) that are missing.
# Calls apt-get only if one is: the second run needs no rights and no network.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -gt 0 ] || set -- "$here/apt-packages.txt"

if ! command -v dpkg-query >/dev/null; then
  echo "set-up: not Debian or Ubuntu: install the counterparts of the packages in $*" >&2
  exit 0
fi

missing=()
while read -r package; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@")
[ ${#missing[@]} -gt 0 ] || exit 0

echo "set-up: installing system packages: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null || ! sudo -v; then
    echo "set-up: this needs root. Type, then run make again:" >&2
    echo "    apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
if ! { "${as_root[@]}" apt-get update -q && "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "set-up: apt-get failed (above are its last lines)" >&2
  exit 1
fi
