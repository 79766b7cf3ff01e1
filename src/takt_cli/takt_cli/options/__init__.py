# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Options of the command that several verbs and measurements share."""
