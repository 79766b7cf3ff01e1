// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <takt/qos.hpp>
#include <takt_msgs/msg/payload.hpp>

namespace takt::lab {

/// Messages of one topic as one callback receives them; which front end brings them is the derived
/// class's. On the thread of the callback's jobs, but for what is said of matches.
class Input {
 public:
  explicit Input(std::uint32_t topic) noexcept : topic_(topic) {}
  virtual ~Input() = default;
  Input(const Input &) = delete;
  Input & operator=(const Input &) = delete;

  /// How many publishers it has met. Any thread.
  virtual std::size_t publishers() const = 0;
  /// As matched.
  virtual QoS qos() const = 0;
  /// Of the missed messages, those known to have been replaced by newer ones in a queue.
  virtual std::uint64_t replaced() const = 0;

  std::uint32_t topic() const noexcept { return topic_; }
  std::uint64_t delivered() const noexcept { return delivered_; }
  /// Sequence numbers that never came, since the first that did.
  std::uint64_t missed() const noexcept { return missed_; }
  /// Sequence number of the latest; -1: none yet.
  std::int64_t sequence() const noexcept { return sequence_; }
  /// Its stamp, likewise.
  std::int64_t published() const noexcept { return published_; }

 protected:
  /// For each message, in the order of delivery.
  void receive(const takt_msgs::msg::Payload & message) noexcept {
    const auto sequence = static_cast<std::int64_t>(message.sequence);
    if (sequence_ >= 0 && sequence > sequence_) {
      missed_ += static_cast<std::uint64_t>(sequence - sequence_ - 1);
    }
    sequence_ = sequence;
    published_ = message.stamp_ns;
    ++delivered_;
  }

 private:
  std::uint32_t topic_;
  std::int64_t sequence_ = -1;
  std::int64_t published_ = -1;
  std::uint64_t missed_ = 0;
  std::uint64_t delivered_ = 0;
};

/// Messages of one topic as one callback publishes them, likewise.
class Output {
 public:
  explicit Output(std::uint32_t topic) noexcept : topic_(topic) {}
  virtual ~Output() = default;
  Output(const Output &) = delete;
  Output & operator=(const Output &) = delete;

  /// How many subscriptions it has met. Any thread.
  virtual std::size_t subscriptions() const = 0;
  /// As matched.
  virtual QoS qos() const = 0;
  /// A message to fill, until it is published.
  virtual takt_msgs::msg::Payload & borrow() = 0;
  /// Publishes what was borrowed.
  virtual void publish() = 0;
  /// Publications that failed, and those for which no message was ready.
  virtual std::uint64_t failures() const { return 0; }
  virtual std::uint64_t pool_exhausted() const { return 0; }

  std::uint32_t topic() const noexcept { return topic_; }
  /// The sequence number of the next message; how many there were.
  std::int64_t next() const noexcept { return next_; }
  std::int64_t take_sequence() noexcept { return next_++; }

 private:
  std::uint32_t topic_;
  std::int64_t next_ = 0;
};

}  // namespace takt::lab
