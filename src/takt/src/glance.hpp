// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt/callback.hpp"

namespace takt::detail {

/// Returns whether the middleware holds an item for this callback, whether or not it has announced it;
/// false after the shutdown. Does not take the item. For set-up, and only for a callback that is in no
/// wait set: allocates, and takes the middleware's locks.
bool lies_there(Callback & callback) noexcept;

}  // namespace takt::detail
