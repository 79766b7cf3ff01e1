// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transports/transport.hpp"

namespace takt::lab {

/// Creates a transport whose parties, all in one process, pass messages in memory and wake each other by a
/// futex: the lower bound for an executor inside a process.
std::unique_ptr<Transport> make_syscalls(const TransportOptions & options);

}  // namespace takt::lab
