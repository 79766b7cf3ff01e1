# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The conditions that an experiment runs under: load, traffic, a link between two network namespaces, and limits."""
