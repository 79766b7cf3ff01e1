// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace takt::os {

// The CPU time that the kernel reserves for ordinary threads. `root`: the folder of the kernel's
// files, "/" except in tests. Both functions allocate, and read /proc, debugfs if it is mounted,
// and once the kernel's configuration.

/// A line about real-time throttling if the kernel takes the CPU from real-time threads for a share
/// of the time. Empty otherwise, and if the kernel does not report it or has the fair server
/// instead.
std::string realtime_throttling(const std::string & root = "/");

/// A line about the kernel's fair server (Linux 6.12 and later) if it gives ordinary threads of
/// this CPU a share of the time at the expense of real-time ones, which it does even without
/// throttling. Empty otherwise. If the kernel does not report the share, the line contains the
/// default.
std::string fair_server(int cpu, const std::string & root = "/");

}  // namespace takt::os
