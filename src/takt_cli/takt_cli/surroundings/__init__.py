# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What an experiment runs under: load, traffic, a link between two namespaces, limits on all of that."""
