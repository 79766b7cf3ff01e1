// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include <string>
#include <string_view>

namespace takt::os {

/// Whether the calling thread has a capability (CAP_ of linux/capability.h) that lifts limits of the
/// host: not one that it has in a user namespace alone, as in a rootless container. A few system calls.
bool capable(unsigned capability) noexcept;

/// Whether a map of users, as /proc/self/uid_map tells it, is that of the first user namespace: all are
/// themselves. Empty, where the kernel knows no such namespaces: yes.
bool maps_all_users(std::string_view uid_map) noexcept;

/// A limit of getrlimit(), for people.
std::string text(rlim_t limit);

}  // namespace takt::os
