# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reports: tables, charts and pages that are made from the figures of the analysis."""
