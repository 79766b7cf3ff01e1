# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Applications made by the lab: drawn at random from parameters (section 5.2 of the thesis, with extensions), and those
of its own experiments."""
