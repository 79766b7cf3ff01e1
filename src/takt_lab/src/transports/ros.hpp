// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transports/transport.hpp"

namespace takt::lab {

/// ROS 2 through the middleware that the environment selects: nodes under takt's executor, on one
/// CPU, or under the baseline's. Parties of one process exchange inside it unless told otherwise.
/// Initialises takt's default context, which must not be in use, and shuts it down.
std::unique_ptr<Transport> make_takt(const TransportOptions & options);
std::unique_ptr<Transport> make_stock(const TransportOptions & options);

}  // namespace takt::lab
