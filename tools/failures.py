"""Repeats the failures from the logs of .ci/run at its end, because a failure may be hours before the end.

    python3 tools/failures.py LOG...

From each log it prints the output of failed tests of ctest (also of those that passed in another attempt), failures
of pytest, findings of sanitizers, and the last lines.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

# For each kind of failure: the line with which it begins, and the first line that is no longer part of it.
_CTEST = re.compile(r"\s*(\d+/\d+)? *Test +#\d+: .*\*\*\*")
_AFTER_CTEST = re.compile(r"\s*((\d+/\d+)? *Test|Start) +#?\d+: |\d+% tests")
_CTEST_LIST = re.compile(r"The following tests FAILED:")
_AFTER_CTEST_LIST = re.compile(r"Errors while running CTest")
_PYTEST = re.compile(r"_{3,} .+ _{3,}$")
_AFTER_PYTEST = re.compile(rf"{_PYTEST.pattern}|=+ .+ =+$|(\d+ \w+, )*\d+ \w+ in [\d.]+s")
_SANITIZER = re.compile(
    r"(==\d+==(ERROR|FATAL)|WARNING|FATAL): .*Sanitizer|\w+Sanitizer: CHECK failed|.*: runtime error: "
)
_AFTER_SANITIZER = re.compile(rf"{_SANITIZER.pattern}|=+$|(test|sanitize): ")
_KINDS = (
    (_CTEST, _AFTER_CTEST),
    (_CTEST_LIST, _AFTER_CTEST_LIST),
    (_PYTEST, _AFTER_PYTEST),
    (_SANITIZER, _AFTER_SANITIZER),
)
# The numbers of lines that are printed: from the beginning and the end of each failure, and from the end of the log.
FIRST, LAST, END = 40, 80, 40


def blocks(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines of each failure."""
    i = 0
    while i < len(lines):
        after = next((after for begin, after in _KINDS if begin.match(lines[i])), None)
        start, i = i, i + 1
        if after is not None:
            while i < len(lines) and not after.match(lines[i]):
                i += 1
            yield lines[start:i]


def shortened(lines: list[str]) -> list[str]:
    left = len(lines) - FIRST - LAST
    return lines if left <= 1 else [*lines[:FIRST], f"[{left} lines left out]", *lines[-LAST:]]


def failures(log: str) -> list[str]:
    lines = log.splitlines()
    return [line for block in [*blocks(lines), lines[-END:]] for line in [*shortened(block), ""]]


def main() -> int:
    for file in map(Path, sys.argv[1:]):
        print(f"--- what failed of {file.stem}, again")
        print("\n".join(failures(file.read_text(encoding="ascii", errors="backslashreplace"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
