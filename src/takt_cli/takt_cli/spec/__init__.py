# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Application specs: from bytes of YAML to what the programs run, or one clear line."""
