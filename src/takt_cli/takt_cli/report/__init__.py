# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reports: tables, plots and pages made from figures."""
