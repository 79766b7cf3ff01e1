// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transports/transport.hpp"

namespace takt::lab {

/// Sockets and nothing else: the floor of what goes between processes. What is longer than a
/// datagram goes in several, and is lost if one of them is.
std::unique_ptr<Transport> make_udp(const TransportOptions & options);

}  // namespace takt::lab
