# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Results: the formats of their files, and how these are written and read."""
