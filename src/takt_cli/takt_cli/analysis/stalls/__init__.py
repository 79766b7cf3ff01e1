# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the host and other threads took from the tasks: its stalls, their causes, and the starts that they delayed."""
