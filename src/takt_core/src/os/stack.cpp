// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/stack.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "takt_core/os/locked_memory.hpp"

namespace takt::os {
namespace {

std::size_t whole_pages(std::size_t size) noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (size + page - 1) / page * page;
}

}  // namespace

std::size_t ordinary_stack_size() noexcept {
  constexpr std::size_t where_unlimited = std::size_t{64} << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return where_unlimited;
  }
  // Address space is plentiful, and memory is only used when touched.
  return static_cast<std::size_t>(std::clamp<rlim_t>(limit.rlim_cur, Stack::least, Stack::most));
}

Stack::Stack(std::size_t size, std::size_t ready) : base_(nullptr), size_(whole_pages(size)) {
  const std::size_t whole = guard + size_ + alternate;
  void * const made = mmap(nullptr, whole, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (made == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category(),
                            "no room for a stack of " + std::to_string(size_) + " bytes");
  }
  base_ = static_cast<char *>(made);
  if (mprotect(base_ + guard, size_ + alternate, PROT_READ | PROT_WRITE) != 0) {
    const int error = errno;
    munmap(base_, whole);
    throw std::system_error(error, std::generic_category(),
                            "no room for a stack of " + std::to_string(size_) + " bytes");
  }
  ready = std::min(whole_pages(ready), size_);
  // If that fails, the pages are as without locked memory.
  if (ready > 0 && memory_locked()) static_cast<void>(mlock(base_ + guard + size_ - ready, ready));
}

Stack::~Stack() {
  munmap(base_, guard + size_ + alternate);
}

}  // namespace takt::os
