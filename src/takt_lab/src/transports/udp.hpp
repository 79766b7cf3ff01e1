// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transports/transport.hpp"

namespace takt::lab {

/// Creates a transport over UDP sockets, the lower bound for communication between processes. A message that
/// is longer than a datagram is sent in several, and is lost if one of them is.
std::unique_ptr<Transport> make_udp(const TransportOptions & options);

}  // namespace takt::lab
