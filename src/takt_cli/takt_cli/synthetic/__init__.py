# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Synthetic applications, drawn at random from parameters: section 5.2 of the thesis, with extensions."""
