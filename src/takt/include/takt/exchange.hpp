// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace takt {

/// Message exchange inside the process: the topics of one context.
class Exchange {};

}  // namespace takt
