# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs: processes started, watched and ended; results collected."""
