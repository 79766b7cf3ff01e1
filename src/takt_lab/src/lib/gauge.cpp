// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "gauge.hpp"

#include <malloc.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/threads.hpp>

namespace takt::lab {
namespace {

std::int64_t resident() {
  std::int64_t total = -1;
  std::int64_t pages = -1;
  std::ifstream("/proc/self/statm") >> total >> pages;
  return pages < 0 ? -1 : pages * sysconf(_SC_PAGESIZE);
}

std::int64_t descriptors() {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  // One of the open files is the directory that is read here.
  return error ? -1 : std::distance(begin(files), end(files)) - 1;
}

}  // namespace

GaugeRow gauge() {
  const struct mallinfo2 heap = mallinfo2();
  return {.at = os::now(),
          .resident = resident(),
          .heap = static_cast<std::int64_t>(heap.uordblks + heap.hblkhd),
          .descriptors = descriptors(),
          .threads = static_cast<std::int64_t>(os::thread_count())};
}

}  // namespace takt::lab
