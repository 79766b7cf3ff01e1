# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of whether a host is fit for real-time work, each with the command that helps. Nothing is changed."""
