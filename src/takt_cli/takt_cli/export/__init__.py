# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Traces in the formats of other tools."""
