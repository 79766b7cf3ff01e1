# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The host: its properties and CPUs, installed programs, child processes, and the middleware's settings."""
