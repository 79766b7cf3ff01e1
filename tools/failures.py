"""Prints what failed again, out of the logs of .ci/run: hours may lie between a failure and the end.

    python3 tools/failures.py LOG...

Of each log the outputs of ctest's tests that failed, those that passed at another try included, pytest's
failures, and what sanitizers found; its last lines where there is none of them.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

# Where a failure begins, and the first line that is not of it.
CTEST = (
    re.compile(r"\s*(\d+/\d+)? *Test +#\d+: .*\*\*\*"),
    re.compile(r"\s*((\d+/\d+)? *Test|Start) +#?\d+: |\d+% tests"),
)
PYTEST = re.compile(r"=+ (FAILURES|ERRORS) =+$"), re.compile(r"\d+ (passed|failed|skipped|error).* in ")
SANITIZER = re.compile(r"(==\d+==ERROR|WARNING): .*Sanitizer|.*: runtime error: "), re.compile(r"=+$|(test|sanitize): ")
KINDS = (CTEST, PYTEST, SANITIZER)
# Of a failure its beginning and its end, where the reason is.
FIRST, LAST = 40, 80


def blocks(lines: list[str]) -> Iterator[list[str]]:
    """The lines of each failure."""
    i = 0
    while i < len(lines):
        end_of = next((end for begin, end in KINDS if begin.match(lines[i])), None)
        start, i = i, i + 1
        if end_of is not None:
            while i < len(lines) and not end_of.match(lines[i]):
                i += 1
            yield lines[start:i]


def shortened(lines: list[str]) -> list[str]:
    left = len(lines) - FIRST - LAST
    return lines if left <= 1 else [*lines[:FIRST], f"[{left} lines left out]", *lines[-LAST:]]


def failures(log: str) -> list[str]:
    lines = log.splitlines()
    found = [line for block in blocks(lines) for line in [*shortened(block), ""]]
    return found or lines[-LAST:]


def main() -> int:
    for file in map(Path, sys.argv[1:]):
        print(f"--- what failed of {file.stem}, again")
        print("\n".join(failures(file.read_text(errors="replace"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
