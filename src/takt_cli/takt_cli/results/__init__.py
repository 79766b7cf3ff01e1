# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
