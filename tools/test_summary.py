"""Prints how many tests each package ran, from their JUnit files, and the sum as the last line.

    python tools/test_summary.py RESULTS      (RESULTS/PACKAGE/*.xml)

Exits 1 if a test failed or none ran.
"""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def count(folder: Path) -> tuple[int, int, int, float]:
    """Passed, failed, skipped and seconds of the test cases in a folder."""
    passed = failed = skipped = 0
    seconds = 0.0
    for file in sorted(folder.glob("*.xml")):
        # A test that was repeated occurs once for each attempt; the last one counts.
        cases = {(case.get("classname"), case.get("name")): case for case in ElementTree.parse(file).iter("testcase")}
        for case in cases.values():
            seconds += float(case.get("time", 0))
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.find("skipped") is not None or case.get("status") == "notrun":
                skipped += 1
            else:
                passed += 1
    return passed, failed, skipped, seconds


def main() -> int:
    total = [0, 0, 0]
    print(f"{'package':<12} {'passed':>7} {'failed':>7} {'skipped':>8} {'seconds':>8}")
    for folder in sorted(p for p in Path(sys.argv[1]).iterdir() if p.is_dir()):
        *counts, seconds = count(folder)
        total = [a + b for a, b in zip(total, counts, strict=True)]
        print(f"{folder.name:<12} {counts[0]:>7} {counts[1]:>7} {counts[2]:>8} {seconds:>8.1f}")
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
