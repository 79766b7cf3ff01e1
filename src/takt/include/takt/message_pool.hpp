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

/// What a pool does when all its messages are in use, which readers that keep messages cause.
enum class PoolRule : std::uint8_t {
  grow,  ///< allocate one more, and count it
  drop,  ///< give none, and count it: the message does not reach readers inside
};

/// Messages that are made once and used again. A message goes back when the last shared_ptr to it
/// goes; its content stays, so strings and sequences keep their memory. Thread-safe.
class MessagePool : public std::enable_shared_from_this<MessagePool> {
 public:
  /// Made by make_shared only: messages keep their pool alive.
  /// `exhausted` is called each time that none was left and what the rule says is done, by who
  /// takes, without the pool's lock; `reserved`: how many were made beforehand.
  using Exhausted = std::function<void(std::size_t size, std::size_t reserved)>;
  MessagePool(const MessageType & type, PoolRule rule, Exhausted exhausted = nullptr);
  ~MessagePool();
  MessagePool(const MessagePool &) = delete;
  MessagePool & operator=(const MessagePool &) = delete;

  /// Makes messages until there are `count`. Set-up: allocates.
  void reserve(std::size_t count);
  /// Has `make` called for each message that is not in use, and for each that is made later, before
  /// it is lent: to give strings and sequences their memory. Set-up, before anybody takes one:
  /// allocates; throws what `make` throws.
  void prepare(std::function<void(void *)> make);
  /// A message with whatever it held before; nullptr if there is none and the rule is to drop.
  /// Allocates only under the rule `grow`, when there is none. Takes a lock (priority inheritance).
  std::shared_ptr<void> take();

  std::size_t size() const noexcept;         ///< messages there are
  std::uint64_t exhausted() const noexcept;  ///< how often none was left

 private:
  struct Slot;
  template <typename U>
  struct ControlAllocator;

  Slot * add_slot();
  void tell() const;
  void give_back(Slot * slot) noexcept;

  const MessageType & type_;
  PoolRule rule_;
  const Exhausted tell_;
  mutable os::PiMutex mutex_{os::LockRank::message_pool};
  std::vector<std::unique_ptr<Slot>> slots_ TAKT_GUARDED_BY(mutex_);
  Slot * free_ TAKT_GUARDED_BY(mutex_) = nullptr;
  std::shared_ptr<const std::function<void(void *)>> prepare_ TAKT_GUARDED_BY(mutex_);
  std::uint64_t exhausted_ TAKT_GUARDED_BY(mutex_) = 0;
  std::size_t reserved_ TAKT_GUARDED_BY(mutex_) = 0;
};

}  // namespace takt
