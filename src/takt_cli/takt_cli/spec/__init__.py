# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Application specs: read from YAML and checked. Each error is one line that names its place and what to do."""
