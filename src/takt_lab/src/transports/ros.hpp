// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transports/transport.hpp"

namespace takt::lab {

/// Create a transport over ROS 2, with the middleware that the environment selects, and nodes under takt's
/// executor on one CPU, or under the baseline. Parties of one process communicate inside the process, unless
/// `through_middleware` is set. Initialise takt's default context, which must not be in use, and shut it
/// down.
std::unique_ptr<Transport> make_takt(const TransportOptions & options);
std::unique_ptr<Transport> make_stock(const TransportOptions & options);

}  // namespace takt::lab
