# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Makes a host fit for real time, and puts it back."""
