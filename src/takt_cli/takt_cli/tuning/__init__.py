# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tunes a host for real-time work, and restores its former settings."""
