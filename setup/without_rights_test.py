"""Tests of setup/without_rights.sh: programs that it starts have no real-time rights, and it checks that."""

import subprocess
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "without_rights.sh"


def run(*command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def may_be_real_time() -> bool:
    """Return whether a child process, which ends at once, gets a real-time priority."""
    return run("chrt", "--fifo", "1", "true").returncode == 0


def test_a_real_time_priority_is_refused_to_what_it_starts() -> None:
    done = run(str(SCRIPT), "sh", "-c", "chrt --fifo 1 true || echo refused")
    assert done.stdout == "refused\n", done.stderr


def test_the_hard_limits_are_low() -> None:
    limits = run(str(SCRIPT), "bash", "-c", "ulimit -Hr; ulimit -Hl").stdout.split()
    assert limits == ["0", "64"]


def test_the_check_names_the_remaining_rights() -> None:
    here = run(str(SCRIPT), "--check")
    if may_be_real_time():
        assert here.returncode == 1
        assert "SCHED_FIFO is granted" in here.stderr
    assert run(str(SCRIPT), str(SCRIPT), "--check").returncode == 0


def test_the_exit_status_is_that_of_the_command() -> None:
    assert run(str(SCRIPT), "sh", "-c", "exit 7").returncode == 7
    assert run(str(SCRIPT)).returncode == 2
