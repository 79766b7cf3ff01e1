# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A guest: one of Debian's kernels in QEMU, in virtual time that counts instructions."""
