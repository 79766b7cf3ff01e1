# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Many runs: their plan, their journal, and what carries them out here or on a fleet."""
