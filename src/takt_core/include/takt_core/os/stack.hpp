// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace takt::os {

/// The stack size of an ordinary thread in bytes: the limit of `ulimit -s`, clamped to Stack::least
/// and Stack::most; 64 MiB if that is unlimited. A system call.
std::size_t ordinary_stack_size() noexcept;

/// The memory of a thread's stack, with a guard area below it whose touch is a fault. Pages get
/// memory as they are first touched; only what the constructor locks is locked. Any thread; several
/// threads may call const members of one object at the same time.
class Stack {
 public:
  /// The smallest and the greatest size of a stack, in bytes.
  static constexpr std::size_t least = std::size_t{128} << 10;
  static constexpr std::size_t most = std::size_t{1} << 32;
  /// The size of the guard area in bytes: an overflow is detected even if a frame skips that many
  /// bytes without touching them.
  static constexpr std::size_t guard = std::size_t{1} << 20;
  /// The size in bytes of the signal stack, which lies above the stack: the handler of an overflow
  /// runs on it.
  static constexpr std::size_t alternate = std::size_t{64} << 10;

  /// Maps `size` bytes, rounded up to pages. If memory is locked (lock_memory()), the uppermost
  /// `ready` bytes are in memory and locked on return, and other pages once they are touched.
  /// Throws std::system_error if there is no memory. Some system calls; blocks while pages are read
  /// in.
  explicit Stack(std::size_t size, std::size_t ready = 0);
  ~Stack();
  Stack(const Stack &) = delete;
  Stack & operator=(const Stack &) = delete;

  /// The lowest address of the stack, above the guard area.
  void * lowest() const noexcept { return base_ + guard; }
  /// The size of the stack in bytes, without guard area and signal stack.
  std::size_t size() const noexcept { return size_; }
  /// The lowest address of the signal stack, which has `alternate` bytes.
  void * alternate_stack() const noexcept { return base_ + guard + size_; }
  /// Whether the address is in the guard area, which an overflow of this stack touches.
  bool guards(const void * address) const noexcept {
    return address >= base_ && address < base_ + guard;
  }

 private:
  char * base_;
  std::size_t size_;
};

}  // namespace takt::os
