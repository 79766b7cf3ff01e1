# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Krukiewicz-Gacek's thesis of 2021: the measurements of chapters 2.4 and 5."""
