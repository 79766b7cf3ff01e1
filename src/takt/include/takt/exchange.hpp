// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rmw/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "takt/message_info.hpp"
#include "takt/message_pool.hpp"
#include "takt/message_type.hpp"
#include "takt/qos.hpp"
#include "takt_core/model/input.hpp"
#include "takt_core/model/types.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt {

/// A message on its way inside the process. Readers share it.
struct InsideMessage {
  std::shared_ptr<const void> message;
  model::Time published = 0;           ///< CLOCK_MONOTONIC
  std::int64_t source_timestamp = 0;   ///< CLOCK_REALTIME of the same instant
  model::Time expires = model::never;  ///< by the publisher's lifespan
  std::uint64_t sequence = 0;
  Gid gid{};
};

/// The last messages, oldest first, in memory reserved once. Not thread-safe.
class MessageRing {
 public:
  explicit MessageRing(std::size_t depth) : ring_(depth) {}
  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  /// Puts a message in; the oldest, if it had to go, else an empty one, is handed back.
  InsideMessage push(InsideMessage message) noexcept;
  bool pop(InsideMessage & message) noexcept;
  const InsideMessage & operator[](std::size_t i) const noexcept {
    return ring_[(first_ + i) % ring_.size()];
  }

 private:
  std::vector<InsideMessage> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

/// A subscription's end of the exchange: a bounded queue. Thread-safe, allocates nothing.
class InsideReader {
 public:
  /// `arrived` is called after each message, on the publishing thread; it must not allocate, block
  /// or come back here.
  InsideReader(const MessageType & type, const QoS & qos, void (*arrived)(void *), void * context);

  void push(InsideMessage message) noexcept;
  /// The oldest message that has not expired at `now`, if its source timestamp is not after
  /// `until`.
  bool pop(InsideMessage & message, model::Time now, std::int64_t until = model::never) noexcept;
  std::size_t size() const noexcept;
  /// From now on `newest` is told of each message that comes. Set-up.
  void watch(const std::shared_ptr<model::Newest> & newest);
  /// Messages that had to go because the queue was full or their lifespan over.
  std::uint64_t lost() const noexcept;

  // ---- The middleware matches those inside, too, and hands out copies of what they publish.

  /// Whether a message of this publisher came, or comes, inside.
  bool comes_inside(const Gid & publisher) const noexcept;
  /// Publishers that have gone, of which copies may lie there yet.
  std::size_t departed() const noexcept { return departed_.load(std::memory_order_relaxed); }
  /// Nothing lies there any more of the `count` that went first.
  void forget_departed(std::size_t count) noexcept;

  const MessageType & type() const noexcept { return type_; }
  const QoS & qos() const noexcept { return qos_; }

 private:
  friend class InsideWriter;
  /// Set-up: a publisher matches, or does no more.
  void add_writer(const Gid & writer);
  void remove_writer(const Gid & writer);

  const MessageType & type_;
  QoS qos_;
  void (*arrived_)(void *);
  void * context_;
  mutable os::PiMutex mutex_{os::LockRank::inside_reader};
  MessageRing queue_ TAKT_GUARDED_BY(mutex_);
  std::uint64_t lost_ TAKT_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<model::Newest> newest_ TAKT_GUARDED_BY(mutex_);
  std::vector<Gid> writers_ TAKT_GUARDED_BY(mutex_);  // first those that have gone, in that order
  std::atomic<std::size_t> departed_ = 0;
};

/// A publisher's end: the readers it matches and, if it is transient local, its last messages.
class InsideWriter {
 public:
  InsideWriter(const MessageType & type, const QoS & qos, const Gid & gid, PoolRule rule,
               MessagePool::Exhausted exhausted = nullptr);

  /// Hands the message to every matching reader. `published`: CLOCK_MONOTONIC; `source_timestamp`:
  /// the same instant of CLOCK_REALTIME. Returns its sequence number. Any thread; allocates nothing.
  std::uint64_t write(std::shared_ptr<const void> message, model::Time published,
                      std::int64_t source_timestamp) noexcept;
  /// Matching readers. Takes no lock.
  std::size_t readers() const noexcept { return count_.load(std::memory_order_relaxed); }
  /// Whether a message must be kept: for a reader, or for one that comes later.
  bool wanted() const noexcept;
  MessagePool & pool() const noexcept { return *pool_; }

 private:
  friend class Exchange;
  void match(InsideReader & reader);
  void unmatch(InsideReader & reader);
  /// It goes.
  void leave();

  const MessageType & type_;
  QoS qos_;
  Duration lifespan_;
  Gid gid_;
  std::shared_ptr<MessagePool> pool_;
  mutable os::PiMutex mutex_{os::LockRank::inside_writer};
  std::vector<InsideReader *> readers_ TAKT_GUARDED_BY(mutex_);
  std::atomic<std::size_t> count_ = 0;  // of them
  MessageRing retained_ TAKT_GUARDED_BY(mutex_);
  std::uint64_t sequence_ TAKT_GUARDED_BY(mutex_) = 0;
};

/// Message exchange inside the process: the topics of one context. Pairs are matched by topic, type
/// and the rules of QoS, as the middleware does. Joining and leaving is set-up: allocates, blocks.
class Exchange {
 public:
  /// `topic`: resolved.
  void join(const std::string & topic, InsideWriter & writer);
  void join(const std::string & topic, InsideReader & reader);
  /// On return nobody pushes to the reader any more.
  void leave(const std::string & topic, InsideWriter & writer);
  void leave(const std::string & topic, InsideReader & reader);
  /// The topic's number as the scheduler knows it, another one in every exchange of the process.
  model::ChannelId channel(const std::string & topic);
  /// All topics that have a number.
  std::map<std::string, model::ChannelId> channels() const;
  /// How many writers match the reader.
  std::size_t writers_of(const std::string & topic, const InsideReader & reader) const;

 private:
  struct Topic {
    std::vector<InsideWriter *> writers;
    std::vector<InsideReader *> readers;
  };

  mutable os::Mutex mutex_{os::LockRank::exchange};
  std::map<std::string, Topic> topics_ TAKT_GUARDED_BY(mutex_);
  std::map<std::string, model::ChannelId> channels_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt
