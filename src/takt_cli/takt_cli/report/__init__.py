# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reports: tables, plots and pages that are made from the figures of the analysis."""

import logging

# Set before Matplotlib is imported: if the home folder is not writable, it uses a temporary folder and logs a
# warning about that, which does not concern the user of takt.
logging.getLogger("matplotlib").setLevel(logging.ERROR)
