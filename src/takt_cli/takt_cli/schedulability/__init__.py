# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Schedulability analyses: pure functions on task sets, in integers and exact fractions. Each file names its source."""
