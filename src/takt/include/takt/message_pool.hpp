// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "takt/message_type.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt {

/// The reaction of a pool when all its messages are in use. That happens when readers keep messages.
enum class PoolRule : std::uint8_t {
  grow,  ///< allocate another message, and count the event
  drop,  ///< lend none, and count the event: the message does not reach readers inside
};

/// A pool of messages that are constructed once and reused. A message returns to the pool when the last
/// shared_ptr to it is destroyed. Its content is kept, so strings and sequences keep their memory.
/// Thread-safe.
class MessagePool : public std::enable_shared_from_this<MessagePool> {
 public:
  /// Called whenever no message was free, after the rule was applied, on the thread that calls take()
  /// and without the pool's mutex held. `size` is the number of messages in the pool, `reserved` the
  /// number made by reserve().
  using Exhausted = std::function<void(std::size_t size, std::size_t reserved)>;
  /// A pool must be created by std::make_shared(), because its messages keep it alive.
  MessagePool(const MessageType & type, PoolRule rule, Exhausted exhausted = nullptr);
  ~MessagePool();
  MessagePool(const MessagePool &) = delete;
  MessagePool & operator=(const MessagePool &) = delete;

  /// Constructs messages until the pool has `count` of them. For set-up: allocates.
  void reserve(std::size_t count);
  /// Calls `make` for each free message, and for each message that is constructed later before it is
  /// lent, to give strings and sequences the memory that they will need. For set-up, before the first
  /// take(): allocates. Throws what `make` throws.
  void prepare(std::function<void(void *)> make);
  /// Returns a free message, with the content of its last use. If there is none: a new one under the
  /// rule `grow`, which allocates, or nullptr under `drop`. Takes a mutex (priority inheritance).
  std::shared_ptr<void> take();

  std::size_t size() const noexcept;         ///< number of messages, lent or free
  std::uint64_t exhausted() const noexcept;  ///< number of calls of take() that found none free

 private:
  struct Slot;
  template <typename U>
  struct ControlAllocator;

  Slot * add_slot();
  void report_exhausted() const;
  void give_back(Slot * slot) noexcept;

  const MessageType & type_;
  PoolRule rule_;
  const Exhausted on_exhausted_;
  mutable os::PiMutex mutex_{os::LockRank::message_pool};
  std::vector<std::unique_ptr<Slot>> slots_ TAKT_GUARDED_BY(mutex_);
  Slot * free_ TAKT_GUARDED_BY(mutex_) = nullptr;
  std::shared_ptr<const std::function<void(void *)>> prepare_ TAKT_GUARDED_BY(mutex_);
  std::uint64_t exhausted_ TAKT_GUARDED_BY(mutex_) = 0;
  std::size_t reserved_ TAKT_GUARDED_BY(mutex_) = 0;
};

}  // namespace takt
