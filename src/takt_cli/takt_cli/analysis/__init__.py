# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Analysis: pure functions that compute figures from the files of a result."""
