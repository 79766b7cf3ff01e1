"""The negative control of tidy.py: faults that must be found, in a file that is the input and in one that it includes.

python tools/tidy_control.py
"""

from __future__ import annotations

import json
import subprocess
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
    "clang-diagnostic-thread-safety-analysis": "struct Guarded_NAME {\n  takt::os::PiMutex mutex;\n"
    "  int value TAKT_GUARDED_BY(mutex) = 0;\n  int read() { return value; }\n};",
}
LOCKS = "#include <takt_core/os/pi_mutex.hpp>\n"
ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        # .clang-tidy only checks headers of the project in folders such as this one.
        root = Path(folder).resolve()
        src = root / "src" / "takt" / "src"
        src.mkdir(parents=True)
        (root / ".clang-tidy").write_text((ROOT / ".clang-tidy").read_text())
        expected, files = set(), []
        for name in ("first", "second", "third"):
            # Files with a using declaration become inputs; the first file has none, and is included by an input.
            faults = {check: text for check, text in FAULTS.items() if name != "first" or "using" not in check}
            body = "\n".join(text.replace("NAME", name) for text in faults.values())
            file = src / f"{name}.cpp"
            file.write_text(f"#include <string>\n#include <vector>\n{LOCKS}{body}\n")
            expected |= {(str(file), check) for check in faults}
            files.append(file)
        # A unity file as CMake writes it.
        united = root / "CMakeFiles" / "all.dir" / "Unity" / "unity_0_cxx.cxx"
        united.parent.mkdir(parents=True)
        united.write_text("".join(f'#include "{file}"\n\n' for file in files))
        headers = ROOT / "src" / "takt_core" / "include"
        command = f"c++ -std=c++20 -I{headers} -o CMakeFiles/all.dir/Unity/unity_0_cxx.cxx.o -c {united}"
        entry = {"directory": folder, "file": str(united), "command": command}
        (root / "compile_commands.json").write_text(json.dumps([entry]))
        done = subprocess.run(
            [sys.executable, tidy.__file__, str(root), *map(str, files)],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        found = done.stdout.splitlines()
        missed = {each for each in expected if not any(all(part in line for part in each) for line in found)}
    for each in sorted(missed):
        print(f"not found: {': '.join(each)}")
    return 0 if done.returncode == 1 and not missed else 1


if __name__ == "__main__":
    sys.exit(main())
