// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "capability.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace takt::os {
namespace {

bool in_first_user_namespace() noexcept {
  const int file = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  std::array<char, 256> buffer{};
  const ssize_t length = read(file, buffer.data(), buffer.size());
  close(file);
  return maps_all_users({buffer.data(), length > 0 ? static_cast<std::size_t>(length) : 0});
}

}  // namespace

bool maps_all_users(std::string_view uid_map) noexcept {
  const auto next = [&uid_map] {
    constexpr std::string_view blanks = " \t\n";
    uid_map.remove_prefix(std::min(uid_map.find_first_not_of(blanks), uid_map.size()));
    const std::string_view word = uid_map.substr(0, uid_map.find_first_of(blanks));
    uid_map.remove_prefix(word.size());
    return word;
  };
  const std::string_view first = next();
  return first.empty() ||
         (first == "0" && next() == "0" && next() == "4294967295" && next().empty());
}

bool capable(unsigned capability) noexcept {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  return syscall(SYS_capget, &header, data) == 0 &&
         (data[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability)) != 0 &&
         in_first_user_namespace();
}

std::string text(rlim_t limit) {
  return limit == RLIM_INFINITY ? "unlimited" : std::to_string(limit);
}

}  // namespace takt::os
