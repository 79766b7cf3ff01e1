# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of results, for the terminal and for pages."""
