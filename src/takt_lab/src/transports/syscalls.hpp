// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transports/transport.hpp"

namespace takt::lab {

/// Parties of one process that hand a message over in memory and wake each other by a futex: the
/// floor of what an executor can do there.
std::unique_ptr<Transport> make_syscalls(const TransportOptions & options);

}  // namespace takt::lab
