// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include <string>
#include <string_view>

namespace takt::os {

/// Whether the calling thread has a capability (CAP_ of linux/capability.h) in the first user
/// namespace, where it lifts limits of the host; not in another one alone, as in a rootless
/// container. A few system calls.
bool capable(unsigned capability) noexcept;

/// Whether a user id map (the text of /proc/self/uid_map) is that of the first user namespace,
/// which maps all ids to themselves. True for an empty one, of a kernel without user namespaces.
bool maps_all_users(std::string_view uid_map) noexcept;

/// A limit of getrlimit(), for display. Allocates.
std::string text(rlim_t limit);

}  // namespace takt::os
