// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace takt::lab::testing {

/// The topics of a task that reads nothing, or that publishes nothing.
inline const std::vector<std::uint32_t> no_topics;

}  // namespace takt::lab::testing
