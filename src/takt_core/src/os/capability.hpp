// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include <string>

namespace takt::os {

/// Whether the calling thread has a capability (CAP_ of linux/capability.h). A system call.
bool capable(unsigned capability) noexcept;

/// A limit of getrlimit(), for people.
std::string text(rlim_t limit);

}  // namespace takt::os
