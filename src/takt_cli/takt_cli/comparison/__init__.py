# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Comparison of results: which may be compared, by which figures, and where they differ."""
