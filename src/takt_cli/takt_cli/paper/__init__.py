# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reproductions of papers: their experiments, the printed figures and claims, and the verdicts on these."""
