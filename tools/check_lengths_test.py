"""check_lengths must find files that are too long and folders that are too full, and let pass what is at the limit."""

import shutil
import subprocess
from pathlib import Path

import pytest

CHECK = Path(__file__).with_name("check_lengths")
PACKAGE = "src/takt_cli/takt_cli"


def check(root: Path, files: dict[str, int]) -> tuple[int, str]:
    """Run the check where these files have this many lines; return its status and what it says."""
    for name, lines in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("\n" * lines, "utf-8")
    copy = root / "tools" / CHECK.name
    copy.parent.mkdir()
    shutil.copy(CHECK, copy)
    subprocess.run(["git", "init", "--quiet", root], check=True)
    result = subprocess.run([copy], capture_output=True, encoding="utf-8", check=False)
    return result.returncode, result.stdout + result.stderr


def folder(path: str, count: int) -> dict[str, int]:
    return {f"{path}/file_{number}.py": 1 for number in range(count)}


def test_what_is_at_the_limit_passes(tmp_path: Path) -> None:
    status, said = check(tmp_path, {"src/a.cpp": 500, **folder(PACKAGE, 40), **folder(f"{PACKAGE}/run", 40)})
    assert (status, said) == (0, "lengths: no file above 500 lines, no folder above 40 files\n")


def test_a_file_that_is_too_long_is_found(tmp_path: Path) -> None:
    status, said = check(tmp_path, {"src/a.cpp": 501, **folder(PACKAGE, 1)})
    assert (status, said) == (1, "longer than 500 lines:\n  src/a.cpp: 501 lines\n")


@pytest.mark.parametrize("path", [PACKAGE, f"{PACKAGE}/run", "src/takt_cli/test/run"])
def test_a_folder_that_is_too_full_is_found(path: str, tmp_path: Path) -> None:
    status, said = check(tmp_path, folder(path, 41))
    assert (status, said) == (1, f"more than 40 files in a folder:\n  {path}: 41 files\n")
