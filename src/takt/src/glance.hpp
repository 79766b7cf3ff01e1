// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt/callback.hpp"

namespace takt::detail {

/// Whether something lies in the middleware for this callback, whoever was told of it; false after
/// shutdown. Takes nothing. Set-up, of a callback that is in no wait set: allocates, and takes the
/// middleware's locks.
bool lies_there(Callback & callback) noexcept;

}  // namespace takt::detail
