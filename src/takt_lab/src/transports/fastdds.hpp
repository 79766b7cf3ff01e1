// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transports/transport.hpp"

namespace takt::lab {

/// Fast DDS by itself: each party is a participant with a writer, a reader, and a thread that waits on a
/// wait set. The quality of service is that of the ROS transports. Raw: no other RMW, but what one
/// could reach at best.
std::unique_ptr<Transport> make_fastdds(const TransportOptions & options);
/// Why this build has none, nullptr if it has.
const char * lacks_fastdds() noexcept;

}  // namespace takt::lab
