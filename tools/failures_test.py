"""Tests of what failures.py finds in a log."""

from failures import END, FIRST, LAST, failures

CTEST = """\
 1/3 Test #1: clock_test .......   Passed    0.1 sec
      Start 3: view_test
 2/3 Test #2: event_test .......***Failed    0.2 sec
event: wrong
      Start 2: event_test
 3/3 Test #3: view_test ........***Timeout  60.0 sec
    Test #2: event_test .......   Passed    0.2 sec

67% tests passed, 1 tests failed out of 3

The following tests FAILED:
\t  3 - view_test (Timeout)
Errors while running CTest
test: failed: takt
"""
PYTEST = """\
..F.R
==================================== ERRORS ====================================
_______________________ ERROR at setup of test_its_friend ______________________
E   KeyError
=================================== FAILURES ===================================
___________________________________ test_it ____________________________________
[gw1] linux -- Python
    assert 1 == 2
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
E   assert 1 == 2
=========================== short test summary info ============================
RERUN test_a.py::test_other
1 failed, 3 passed, 1 error, 1 rerun in 2.10s
"""
FINDINGS = """\
==================
WARNING: ThreadSanitizer: data race (pid=1)
  Write of size 8
SUMMARY: ThreadSanitizer: data race ring.cpp:3
==================
==12==ERROR: LeakSanitizer: detected memory leaks
SUMMARY: AddressSanitizer: 8 byte(s) leaked
ring.cpp:4:2: runtime error: signed integer overflow
    #0 push ring.cpp:4
ring.cpp:9:2: runtime error: shift exponent is negative
test: failed: what asan found
"""


def found(log: str) -> list[str]:
    """Return the failures that are found, without the last lines of the log, which are always printed."""
    lines = log.splitlines()
    shown = failures(log)
    assert shown[-len(lines) - 1 :] == [*lines, ""]
    return shown[: -len(lines) - 1]


def test_each_failed_attempt_of_ctest_is_found_with_its_output() -> None:
    lines = CTEST.splitlines()
    assert found(CTEST) == [*lines[2:4], "", lines[5], "", *lines[10:12], ""]


def test_each_failure_of_pytest_is_found() -> None:
    lines = PYTEST.splitlines()
    assert found(PYTEST) == [*lines[2:4], "", *lines[5:10], ""]


def test_each_report_of_a_sanitizer_is_found() -> None:
    lines = FINDINGS.splitlines()
    assert found(FINDINGS) == [*lines[1:4], "", *lines[5:7], "", *lines[7:9], "", lines[9], ""]


def test_of_a_log_without_failures_the_end_is_shown() -> None:
    lines = [f"line {i}" for i in range(1000)]
    assert failures("\n".join(lines)) == [*lines[-END:], ""]


def test_of_a_long_failure_the_beginning_and_the_end_are_shown() -> None:
    output = [f"line {i}" for i in range(FIRST + LAST + 10)]
    shown = failures("\n".join(["1/1 Test #1: a ...***Failed  1 sec", *output, "100% tests"]))
    assert shown[FIRST - 1 : FIRST + 2] == [output[FIRST - 2], "[11 lines left out]", output[-LAST]]
    assert shown[FIRST + LAST] == output[-1]
