// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace takt::os {

/// As much as an ordinary thread has: the limit that `ulimit -s` sets, in bytes, from Stack::least to
/// Stack::most; 64 MiB where that is unlimited. A system call.
std::size_t ordinary_stack_size() noexcept;

/// The memory of a thread's stack: a range of addresses with a guard below it, whoever touches which
/// runs into a fault. What is touched first is there from then on; none of it is locked but what this
/// class locks. Any thread; thread-safe as a value is.
class Stack {
 public:
  /// The least that a stack may have, and the most, in bytes.
  static constexpr std::size_t least = std::size_t{128} << 10;
  static constexpr std::size_t most = std::size_t{1} << 32;
  /// Below it: as much may a frame skip and still be noticed.
  static constexpr std::size_t guard = std::size_t{1} << 20;
  /// Above it: for who handles the signal of an overflow.
  static constexpr std::size_t alternate = std::size_t{64} << 10;

  /// `size` bytes, rounded up to pages. Where memory is locked (lock_memory()), the uppermost `ready`
  /// of them are there and locked on return, and the rest is from when it is touched. Throws
  /// std::system_error if there is no room. Some system calls; blocks while pages are brought in.
  explicit Stack(std::size_t size, std::size_t ready = 0);
  ~Stack();
  Stack(const Stack &) = delete;
  Stack & operator=(const Stack &) = delete;

  void * lowest() const noexcept { return base_ + guard; }
  std::size_t size() const noexcept { return size_; }
  void * alternate_stack() const noexcept { return base_ + guard + size_; }
  /// Whether that is what an overflow of this stack touches.
  bool guards(const void * address) const noexcept {
    return address >= base_ && address < base_ + guard;
  }

 private:
  char * base_;
  std::size_t size_;
};

}  // namespace takt::os
