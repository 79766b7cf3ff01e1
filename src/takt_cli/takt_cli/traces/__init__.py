# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a trace says of the jobs: when each ran and waited, and what delayed those that missed their deadline."""
