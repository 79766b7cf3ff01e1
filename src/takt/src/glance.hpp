// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/event.h>

#include <memory>

#include "takt/callback.hpp"
#include "takt/context.hpp"

namespace takt::detail {

/// Returns whether the middleware holds an item for this callback, whether or not it has announced it;
/// false after the shutdown. Does not take the item. For set-up, and only for a callback that is in no
/// wait set: allocates, and takes the middleware's locks.
bool has_waiting_item(Callback & callback) noexcept;

/// Returns whether an event has occurred that was not taken yet; false after shutdown. Takes nothing. For set-up, before
/// its notification function is set: allocates, and takes the middleware's locks.
bool has_occurred(rcl_event_t & event, const std::shared_ptr<Context> & context) noexcept;

}  // namespace takt::detail
