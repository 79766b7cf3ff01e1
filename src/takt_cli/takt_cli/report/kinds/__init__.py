# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is shown of each kind of measurement: its title, tables and charts, for terminal, files and pages."""
