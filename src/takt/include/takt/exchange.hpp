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

/// A message that is exchanged inside the process. All its readers share the content.
struct InsideMessage {
  std::shared_ptr<const void> message;
  model::Time published = 0;           ///< CLOCK_MONOTONIC, in ns
  std::int64_t source_timestamp = 0;   ///< the same instant of CLOCK_REALTIME, in ns
  model::Time expires = model::never;  ///< end of the publisher's lifespan; CLOCK_MONOTONIC, in ns
  std::uint64_t sequence = 0;          ///< number of the message at its publisher
  Gid gid{};                           ///< of the publisher
};

/// A ring buffer of the last messages, oldest first, of a capacity fixed at construction. Not
/// thread-safe. Only the constructor allocates.
class MessageRing {
 public:
  explicit MessageRing(std::size_t depth) : ring_(depth) {}
  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  /// Appends a message. Returns the oldest message if it had to be removed for lack of room, else an
  /// empty one.
  InsideMessage push(InsideMessage message) noexcept;
  /// Removes the oldest message and stores it in `message`; false if the ring is empty.
  bool pop(InsideMessage & message) noexcept;
  const InsideMessage & operator[](std::size_t i) const noexcept {
    return ring_[(first_ + i) % ring_.size()];
  }

 private:
  std::vector<InsideMessage> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

/// A subscription's side of the exchange: a bounded queue. Thread-safe. Unless stated otherwise, its
/// functions allocate nothing and take a mutex (priority inheritance) for a short time.
class InsideReader {
 public:
  /// `arrived` is called with `context` after each message, on the publishing thread. It must not
  /// allocate, block or call this reader.
  InsideReader(const MessageType & type, const QoS & qos, void (*arrived)(void *), void * context);

  /// Appends a message; if the queue is full, the oldest is removed and counted as lost.
  void push(InsideMessage message) noexcept;
  /// Removes the oldest message that has not expired at `now` (CLOCK_MONOTONIC, ns), provided that its
  /// source timestamp is not later than `until` (CLOCK_REALTIME, ns), and stores it in `message`.
  /// Returns false if there is none.
  bool pop(InsideMessage & message, model::Time now, std::int64_t until = model::never) noexcept;
  std::size_t size() const noexcept;
  /// Makes the reader record the publication instant of each further message in `newest`. For set-up.
  void watch(const std::shared_ptr<model::Newest> & newest);
  /// The number of messages removed because the queue was full or their lifespan had expired.
  std::uint64_t lost() const noexcept;

  // ---- Copies from the middleware: it matches publishers inside the process as well, and delivers
  // ---- copies of their messages, which the subscription must discard.

  /// Returns whether messages of this publisher are, or were, exchanged inside the process.
  bool knows_publisher(const Gid & publisher) const noexcept;
  /// The number of destroyed publishers of which the middleware may still hold copies. Takes no lock.
  std::size_t departed() const noexcept { return departed_.load(std::memory_order_relaxed); }
  /// Forgets the `count` publishers that were destroyed first: the middleware holds no copies of their
  /// messages any more.
  void forget_departed(std::size_t count) noexcept;

  const MessageType & type() const noexcept { return type_; }
  const QoS & qos() const noexcept { return qos_; }

 private:
  friend class InsideWriter;
  // A publisher begins or ceases to match. For set-up.
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
  std::vector<Gid> writers_ TAKT_GUARDED_BY(mutex_);  // first destroyed ones, by destruction
  std::atomic<std::size_t> departed_ = 0;
};

/// A publisher's side of the exchange: the matching readers and, if its durability is transient local,
/// its last messages. Thread-safe.
class InsideWriter {
 public:
  InsideWriter(const MessageType & type, const QoS & qos, const Gid & gid, PoolRule rule,
               MessagePool::Exhausted exhausted = nullptr);

  /// Delivers the message to every matching reader and returns its sequence number. `published` is an
  /// instant of CLOCK_MONOTONIC in ns, `source_timestamp` the same instant of CLOCK_REALTIME. Any
  /// thread; allocates nothing; takes mutexes with priority inheritance.
  std::uint64_t write(std::shared_ptr<const void> message, model::Time published,
                      std::int64_t source_timestamp) noexcept;
  /// The number of matching readers. Takes no lock.
  std::size_t readers() const noexcept { return count_.load(std::memory_order_relaxed); }
  /// Returns whether a message is needed: there is a matching reader, or the message must be retained
  /// for later ones (transient local).
  bool wanted() const noexcept;
  MessagePool & pool() const noexcept { return *pool_; }

 private:
  friend class Exchange;
  void match(InsideReader & reader);
  void unmatch(InsideReader & reader);
  /// Tells every matching reader that the publisher is being destroyed, and unmatches it.
  void leave();

  const MessageType & type_;
  QoS qos_;
  Duration lifespan_;
  Gid gid_;
  std::shared_ptr<MessagePool> pool_;
  mutable os::PiMutex mutex_{os::LockRank::inside_writer};
  std::vector<InsideReader *> readers_ TAKT_GUARDED_BY(mutex_);
  std::atomic<std::size_t> count_ = 0;  // size of readers_
  MessageRing retained_ TAKT_GUARDED_BY(mutex_);
  std::uint64_t sequence_ TAKT_GUARDED_BY(mutex_) = 0;
};

/// The exchange of messages inside the process, for the topics of one context. Writers and readers are
/// matched by topic, type and QoS compatibility, as the middleware does. Thread-safe. Its functions are
/// for set-up: they allocate and block.
class Exchange {
 public:
  /// Adds a writer or a reader. `topic` is the expanded and remapped name.
  void join(const std::string & topic, InsideWriter & writer);
  void join(const std::string & topic, InsideReader & reader);
  /// Removes a writer or a reader. After the return no message is pushed to the reader any more.
  void leave(const std::string & topic, InsideWriter & writer);
  void leave(const std::string & topic, InsideReader & reader);
  /// Returns the number by which the scheduler knows the topic, and assigns one at the first call.
  /// Numbers are unique over all exchanges of the process.
  model::ChannelId channel(const std::string & topic);
  /// Returns all topics that have a number.
  std::map<std::string, model::ChannelId> channels() const;
  /// Returns the number of writers that match the reader.
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
