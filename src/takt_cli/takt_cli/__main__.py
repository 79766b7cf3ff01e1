# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`python -m takt_cli` is the command `takt`."""

from takt_cli.cli.main import main

if __name__ == "__main__":
    main()
