// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transports/transport.hpp"

namespace takt::lab {

/// Creates a transport over Cyclone DDS without ROS: each party is a participant with a writer, a reader, and
/// a thread that waits on a wait set, with the QoS of the ROS transports. It is not another RMW, but shows the
/// best that one could achieve.
std::unique_ptr<Transport> make_cyclonedds(const TransportOptions & options);
/// Returns why this build has no such transport; nullptr if it has one.
const char * lacks_cyclonedds() noexcept;

}  // namespace takt::lab
