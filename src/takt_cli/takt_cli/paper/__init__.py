# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Experiments of papers, done again: what they ran, what they printed, and what we make of it."""
