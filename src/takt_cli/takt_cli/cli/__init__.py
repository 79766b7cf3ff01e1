# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The command line: verbs, their options and help texts, and the output of results."""
