# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The verbs: what the user types, and what is shown."""
