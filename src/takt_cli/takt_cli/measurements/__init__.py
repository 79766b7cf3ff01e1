# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The kinds of measurement, one object each: all that the command knows about a kind is in its `Measurement`."""
