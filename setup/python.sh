#!/usr/bin/env bash
# Prints the Python to make the environment with: 3.11 or 3.12, able to make virtual environments, and
# with its C headers, which the Python bindings of takt_msgs are compiled against. Not newer: the ROS
# wheels for 3.13 lack GoogleTest's sources and carry a second copy of the middleware's libraries.
# The system's Python is tried before others, because apt-get installs the headers for that one.
set -euo pipefail
probe='
import ensurepip, os, sys, sysconfig
header = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(not ((3, 11) <= sys.version_info[:2] <= (3, 12) and os.path.exists(header)))'
for candidate in ${TAKT_PYTHON:-} /usr/bin/python3 python3 python3.12 python3.11; do
  if path=$(command -v "$candidate") && "$path" -c "$probe" 2>/dev/null; then
    "$path" -c 'import sys; print(sys.executable)'
    exit 0
  fi
done
echo "set-up: no suitable Python found: need 3.11 or 3.12 with venv and C headers (Debian, Ubuntu: python3-venv python3-dev); TAKT_PYTHON names one" >&2
exit 1
