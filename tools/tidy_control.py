"""The negative control of tidy.py: faults that must be found, in a file that is the input and in one that it includes.

python tools/tidy_control.py
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import tidy

FAULTS = {
    "bugprone-integer-division": "double half_NAME(int all) { return all / 2; }",
    "modernize-use-nullptr": "int * none_NAME() { return 0; }",
    "performance-for-range-copy": "int all_NAME(const std::vector<std::string> & a) {\n"
    "  int n = 0;\n  for (const auto each : a) n += each.empty() ? 1 : 0;\n  return n;\n}",
    "readability-duplicate-include": "#include <string>",
    "misc-unused-using-decls": "using std::vector;",
}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        # Where .clang-tidy looks for headers of ours.
        root = Path(folder).resolve()
        src = root / "src" / "takt" / "src"
        src.mkdir(parents=True)
        (root / ".clang-tidy").write_text((Path(__file__).parent.parent / ".clang-tidy").read_text())
        expected, entries = set(), []
        for name in ("first", "second", "third"):
            # One with a using declaration is an input; the first has none, and is included.
            faults = {check: text for check, text in FAULTS.items() if name != "first" or "using" not in check}
            body = "\n".join(text.replace("NAME", name) for text in faults.values())
            file = src / f"{name}.cpp"
            file.write_text(f"#include <string>\n#include <vector>\n{body}\n")
            expected |= {f"{file}: {check}" for check in faults}
            command = f"c++ -std=c++20 -o CMakeFiles/all.dir/{name}.o -c {file}"
            entries.append({"directory": folder, "file": str(file), "command": command})
        (root / "compile_commands.json").write_text(json.dumps(entries))
        files = [Path(entry["file"]) for entry in entries]
        targets = tidy.by_target(root, files)
        found = [line for batch in tidy.batches(targets[0], 20) for line in tidy.tidy(root, batch).splitlines()]
        missed = {
            each for each in expected if not any(all(part in line for part in each.split(": ")) for line in found)
        }
    for each in sorted(missed):
        print(f"not found: {each}")
    return 1 if missed or len(targets) != 1 else 0


if __name__ == "__main__":
    sys.exit(main())
