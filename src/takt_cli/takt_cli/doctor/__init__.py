# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Whether a host is fit for real time, and what would mend it. It looks, and changes nothing."""
