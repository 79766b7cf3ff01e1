# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs measurements: starts, watches and ends their processes, and collects the results."""
