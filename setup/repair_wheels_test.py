"""The repairs of the wheels: each mends its fault in a made-up prefix, and a second run changes nothing."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import repair_wheels

COMPILER = shutil.which("cc") or shutil.which("g++")


def library(path: Path, *arguments: str) -> Path:
    """A real shared library, since patchelf refuses anything else."""
    assert COMPILER
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([COMPILER, "-shared", "-o", path, "-x", "c", "/dev/null", "-x", "none", *arguments], check=True)
    return path


def needed(path: Path) -> list[str]:
    return repair_wheels.patchelf("--print-needed", str(path)).split()


def run_path(path: Path) -> str:
    return repair_wheels.patchelf("--print-rpath", str(path)).strip()


def cmake(prefix: Path, name: str, text: str) -> Path:
    file = prefix / "share" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@pytest.fixture
def prefix(tmp_path: Path) -> Path:
    (tmp_path / "lib").mkdir()
    return tmp_path


def test_vendored_libraries_are_found_from_lib(prefix: Path) -> None:
    vendored = library(repair_wheels.site_packages(prefix) / "ros_rcl.libs" / "libyaml-1234.so.2")
    user = library(prefix / "lib" / "librcl.so", "-Wl,-rpath,$ORIGIN/../../../ros_rcl.libs")

    assert "1 vendored" in repair_wheels.gather_vendored_libraries(prefix)
    assert "2 libraries" in repair_wheels.repair_run_paths(prefix)

    assert (prefix / "lib" / vendored.name).resolve() == vendored.resolve()
    assert run_path(user) == run_path(vendored) == "$ORIGIN"


def test_a_link_to_a_library_of_an_older_installation_is_renewed(prefix: Path) -> None:
    vendored = library(repair_wheels.site_packages(prefix) / "ros_rcl.libs" / "libyaml-1234.so.2")
    link = prefix / "lib" / vendored.name
    link.symlink_to("python3.9/gone.so")
    repair_wheels.gather_vendored_libraries(prefix)
    assert link.resolve() == vendored.resolve()


def test_rcl_no_longer_needs_python_but_the_generator_libraries_do(prefix: Path) -> None:
    lib = prefix / "lib"
    bindings = library(lib / "liba__rosidl_generator_py.so")
    plain = library(lib / "liba__rosidl_generator_c.so")
    wants = ["-Wl,--no-as-needed", f"-L{lib}", f"-l:{bindings.name}", f"-l:{plain.name}"]
    rcl = library(lib / "librcl.so", *wants)
    other = library(lib / "libb__rosidl_generator_py.so", *wants)

    assert "1 Python" in repair_wheels.drop_python_from_client_libraries(prefix)

    assert bindings.name not in needed(rcl)
    assert plain.name in needed(rcl)
    assert bindings.name in needed(other)


def test_exports_lose_the_python_targets(prefix: Path) -> None:
    py = "a::a__rosidl_generator_py"
    export = cmake(prefix, "rcl/cmake/rclExport.cmake", f'LINK "{py};a::a__c;{py};b::b__rosidl_generator_py"\n')
    own = cmake(prefix, "a/cmake/export_a__rosidl_generator_pyExport.cmake", f'LINK "x;{py}"\n')
    suffixes = cmake(
        prefix,
        "a/cmake/rosidl_cmake_export_typesupport_targets-extras.cmake",
        '"__rosidl_generator_c:a__rosidl_generator_c;:a__rosidl_generator_py"\n',
    )
    targets = cmake(
        prefix,
        "a/cmake/ament_cmake_export_targets-extras.cmake",
        'set(_exported_targets "export_a__rosidl_generator_py")\n    string(REPLACE " " ";" _targets "${_targets}")\n',
    )

    assert repair_wheels.drop_python_from_exports(prefix) == "took the Python libraries out of 3 CMake files"

    assert export.read_text() == 'LINK "a::a__c"\n'
    assert py in own.read_text()
    assert suffixes.read_text() == (
        '"__rosidl_generator_c:a__rosidl_generator_c;__rosidl_generator_py:a__rosidl_generator_py"\n'
    )
    assert targets.read_text().splitlines()[-1].strip() == (
        'list(FILTER _targets EXCLUDE REGEX "__rosidl_generator_py$")'
    )


def test_stale_paths_become_those_of_this_machine(prefix: Path) -> None:
    stale = "/opt/python/cp311-cp311"
    python = cmake(
        prefix,
        "a/cmake/pyExport.cmake",
        f'INCLUDE "{stale}/include/python3.11;{stale}/lib/python3.11/site-packages/numpy/_core/include"\n',
    )
    fast = cmake(prefix, "fastrtps/cmake/targets.cmake", 'LINK "fastcdr;dl;/usr/lib64/libtinyxml2.so;rt"\n')

    assert "2 CMake files" in repair_wheels.repair_stale_paths(prefix)

    numpy = repair_wheels.site_packages(prefix) / "numpy/_core/include"
    assert python.read_text() == f'INCLUDE "{sysconfig.get_path("include")};{numpy}"\n'
    assert fast.read_text() == 'LINK "fastcdr;dl;rt"\n'


def test_tracetools_no_longer_links_the_systems_lttng_ust(prefix: Path) -> None:
    export = cmake(prefix, "tracetools/cmake/tracetools_exportExport.cmake", 'LINK "lttng-ust;dl;-rdynamic"\n')
    repair_wheels.keep_second_tracer_out(prefix)
    assert export.read_text() == 'LINK "dl;-rdynamic"\n'


def test_colcon_finds_the_prefix(prefix: Path) -> None:
    assert repair_wheels.add_prefix_scripts(prefix)
    assert (prefix / "local_setup.bash").read_text() == ""


def test_a_second_run_changes_nothing(prefix: Path) -> None:
    library(repair_wheels.site_packages(prefix) / "ros_rcl.libs" / "libyaml-1234.so.2")
    library(prefix / "lib" / "librcl.so", "-Wl,-rpath,/nowhere")
    cmake(prefix, "tracetools/cmake/tracetools_exportExport.cmake", 'LINK "lttng-ust;dl"\n')
    assert repair_wheels.repair(prefix)
    assert repair_wheels.repair(prefix) == []
