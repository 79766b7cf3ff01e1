# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Entry point of `python -m takt_cli`, which is the same as the command `takt`."""

from takt_cli.cli.main import main

if __name__ == "__main__":
    main()
