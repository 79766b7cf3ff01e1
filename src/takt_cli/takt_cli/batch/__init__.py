# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Batches of many runs: their plan and journal, and their execution on this host or on a cluster."""
