// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once
#include <takt_msgs/msg/payload.hpp>

namespace takt::lab {

/// What the lab's tasks and programs exchange.
using takt_msgs::msg::Payload;

}  // namespace takt::lab
