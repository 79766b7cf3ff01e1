"""What failures.py finds in a log."""

from failures import FIRST, LAST, failures

CTEST = """\
 1/3 Test #1: clock_test .......   Passed    0.1 sec
      Start 3: view_test
 2/3 Test #2: event_test .......***Failed    0.2 sec
event: wrong
      Start 2: event_test
 3/3 Test #3: view_test ........***Timeout  60.0 sec
    Test #2: event_test .......   Passed    0.2 sec
100% tests passed, 0 tests failed out of 3
"""
PYTEST = """\
..F.
=================================== FAILURES ===================================
____ test_it ____
E   assert 1 == 2
1 failed, 3 passed in 2.1s
"""
FINDINGS = """\
test: takt (jazzy, asan)
==================
WARNING: ThreadSanitizer: data race (pid=1)
  Write of size 8
SUMMARY: ThreadSanitizer: data race ring.cpp:3
==================
==12==ERROR: LeakSanitizer: detected memory leaks
SUMMARY: AddressSanitizer: 8 byte(s) leaked
test: failed: what asan found
"""


def test_of_ctest_each_try_that_failed_with_its_output() -> None:
    assert failures(CTEST) == [*CTEST.splitlines()[2:4], "", CTEST.splitlines()[5], ""]


def test_of_pytest_the_failures() -> None:
    assert failures(PYTEST) == [*PYTEST.splitlines()[1:4], ""]


def test_what_sanitizers_found() -> None:
    lines = FINDINGS.splitlines()
    assert failures(FINDINGS) == [*lines[2:5], "", *lines[6:8], ""]


def test_of_any_other_log_the_end() -> None:
    assert failures("\n".join(f"line {i}" for i in range(1000))) == [f"line {i}" for i in range(1000 - LAST, 1000)]


def test_a_long_one_keeps_both_ends() -> None:
    output = [f"line {i}" for i in range(FIRST + LAST + 10)]
    shown = failures("\n".join(["1/1 Test #1: a ...***Failed  1 sec", *output]))
    assert shown[FIRST - 1 : FIRST + 2] == [output[FIRST - 2], "[11 lines left out]", output[-LAST]]
    assert shown[-2] == output[-1]
