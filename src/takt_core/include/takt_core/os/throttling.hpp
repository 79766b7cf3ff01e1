// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace takt::os {

// What the kernel keeps of a CPU for ordinary threads. `root` is the folder of its files: "/", or a
// made-up one in tests. Both allocate and read files: /proc and, where it is there, debugfs; the
// configuration of the kernel once.

/// One line if the kernel takes the CPU from real-time threads for a share of the time, else empty,
/// also where it does not tell, or has the fair server instead.
std::string realtime_throttling(const std::string & root = "/");

/// One line if the kernel's fair server (Linux 6.12 and later) gives ordinary threads of this CPU a
/// share that real-time ones would keep, which it does without throttling, too; else empty. Where it
/// does not tell what the share is, its default is told.
std::string fair_server(int cpu, const std::string & root = "/");

}  // namespace takt::os
