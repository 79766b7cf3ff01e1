# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The host: its facts, CPUs, the installed programs, the middleware's settings."""
