# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Will it hold: analyses of task sets, pure, in integers and exact fractions. Each names its source."""
