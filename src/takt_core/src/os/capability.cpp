// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "capability.hpp"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace takt::os {

bool capable(unsigned capability) noexcept {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  return syscall(SYS_capget, &header, data) == 0 &&
         (data[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability)) != 0;
}

std::string text(rlim_t limit) {
  return limit == RLIM_INFINITY ? "unlimited" : std::to_string(limit);
}

}  // namespace takt::os
