// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "log_folder.hpp"

#include <rcl_logging_interface/rcl_logging_interface.h>
#include <rcutils/allocator.h>

#include "takt/exceptions.hpp"
#include "takt_core/os/writable_folder.hpp"

namespace takt::detail {

std::string log_folder_fault() {
  const rcutils_allocator_t allocator = rcutils_get_default_allocator();
  char * found = nullptr;
  if (rcl_logging_get_logging_directory(allocator, &found) != RCL_LOGGING_RET_OK) {
    return "there is no folder for log files: " + take_rcl_error();
  }
  const std::string folder = found;
  allocator.deallocate(found, allocator.state);
  return os::folder_fault(folder);
}

}  // namespace takt::detail
