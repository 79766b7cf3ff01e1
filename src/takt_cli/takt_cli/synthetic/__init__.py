# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Synthetic applications, drawn from parameters: section 5.2 of the thesis, and beyond."""
