# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The counterpart of run/in_guest: runs a measurement inside a guest, and reports its progress on the console."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

from takt_cli.errors import TaktError
from takt_cli.run.progress import Progress

# The folder of the result, below the working folder.
FOLDER = "result"
# The beginning of a console line that announces the next part; its seconds and name follow.
PART = "takt part: "


class _ConsoleProgress(Progress):
    """Progress that is reported between two parts only, so that it does not disturb measurements."""

    def begin(self, name: str, length: float) -> None:
        super().begin(name, length)
        with Path("/dev/console").open("w", encoding="utf-8") as console:
            console.write(f"{PART}{length:g} {name}\n")


def main() -> int:
    function, settings = pickle.loads(Path(sys.argv[1]).read_bytes())
    folder = Path.cwd() / FOLDER
    folder.mkdir()
    try:
        with _ConsoleProgress(1, 0) as progress:
            function(settings, folder, [], progress)
    except TaktError as error:
        print(error)
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main())
