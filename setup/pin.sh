#!/usr/bin/env bash
# Writes setup/requirements-*.txt: the exact versions of all packages in the unpinned lists and of their
# dependencies. To be called manually when the lists change or for newer versions; the set-up does not call it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for distro in jazzy kilted; do
  sed 's/#.*//' "$here/ros-packages.txt" | awk -v distro=$distro \
    'NF == 1 || $2 == distro {print "ros-" distro "-" $1}' >"$scratch/$distro.in"
  "$("$here/python.sh")" -m venv "$scratch/$distro"
  # Both lists are resolved together, so that the two pinned files agree on common packages (numpy, PyYAML).
  "$scratch/$distro/bin/python" -m pip install --quiet --dry-run --ignore-installed --no-cache-dir \
    --report "$scratch/$distro.json" -r "$scratch/$distro.in" -r "$here/lab-packages.txt"
done

# pip's report, not `pip freeze`: the wheels carry metadata under second names (rclpy and
# ros-rclpy), and freeze would list those as well.
"$scratch/jazzy/bin/python" - "$scratch" "$here" <<'PY'
import json
import sys
from pathlib import Path

scratch, here = Path(sys.argv[1]), Path(sys.argv[2])
lab: set[str] = set()
for distro in ("jazzy", "kilted"):
    report = json.loads((scratch / f"{distro}.json").read_text())
    pins = {f"{i['metadata']['name'].lower().replace('_', '-')}=={i['metadata']['version']}" for i in report["install"]}
    # The meta-packages only choose versions; the wheels themselves are what is installed.
    ros = sorted(p for p in pins if p.startswith("ros-") and not p.startswith(f"ros-{distro}-"))
    rest = {p for p in pins if not p.startswith("ros-")}
    if lab and lab != rest:
        sys.exit(f"jazzy and kilted want different Python packages: {sorted(lab ^ rest)}")
    lab = rest
    head = f"# ROS 2 {distro.capitalize()} as wheels. Written by setup/pin.sh from ros-packages.txt; do not edit.\n"
    (here / f"requirements-{distro}.txt").write_text(head + "\n".join(ros) + "\n")
head = "# Python packages beside ROS 2. Written by setup/pin.sh from lab-packages.txt; do not edit.\n"
(here / "requirements-lab.txt").write_text(head + "\n".join(sorted(lab)) + "\n")
PY
