# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Statistics of samples: percentiles, slopes and differences, with confidence intervals for correlated series."""
