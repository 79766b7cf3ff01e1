# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The other end of run/in_guest: calls a measurement inside a guest, and says on the console how far it is."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

from takt_cli.errors import TaktError
from takt_cli.run.progress import Progress

# Where the result goes, below the working folder.
FOLDER = "result"
# How a line on the console begins that tells of the next part: its seconds and its name follow.
PART = "takt part: "


class _Told(Progress):
    """Between two parts, so that nothing is said while something is measured."""

    def begin(self, name: str, length: float) -> None:
        super().begin(name, length)
        with Path("/dev/console").open("w", encoding="utf-8") as console:
            console.write(f"{PART}{length:g} {name}\n")


def main() -> int:
    function, settings = pickle.loads(Path(sys.argv[1]).read_bytes())
    folder = Path.cwd() / FOLDER
    folder.mkdir()
    try:
        with _Told(1, 0) as progress:
            function(settings, folder, [], progress)
    except TaktError as error:
        print(error)
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main())
