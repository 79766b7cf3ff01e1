# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Charts of results: each picture is described here once, for files and pages."""
