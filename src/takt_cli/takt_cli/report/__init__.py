# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reports: tables, plots and pages made from figures."""

import logging

# Set before it is imported: with a home that cannot be written to, Matplotlib makes a temporary folder
# for itself and removes it; that is nothing to tell those who asked for a run.
logging.getLogger("matplotlib").setLevel(logging.ERROR)
