// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <takt/qos.hpp>
#include <takt_msgs/msg/payload.hpp>

namespace takt::lab {

/// The messages that one callback receives on one topic. Derived classes receive them by a front end. Used
/// only on the thread of the callback's jobs, unless stated otherwise.
class Input {
 public:
  explicit Input(std::uint32_t topic) noexcept : topic_(topic) {}
  virtual ~Input() = default;
  Input(const Input &) = delete;
  Input & operator=(const Input &) = delete;

  /// The number of matched publishers. Any thread.
  virtual std::size_t publishers() const = 0;
  /// The QoS in use.
  virtual QoS qos() const = 0;
  /// The number of missed messages that are known to have been replaced by newer ones in a queue.
  virtual std::uint64_t replaced() const = 0;

  std::uint32_t topic() const noexcept { return topic_; }
  std::uint64_t delivered() const noexcept { return delivered_; }
  /// The number of sequence numbers that were not received, counted from the first that was.
  std::uint64_t missed() const noexcept { return missed_; }
  /// The sequence number of the latest message; -1: none yet.
  std::int64_t sequence() const noexcept { return sequence_; }
  /// The stamp of the latest message, in ns; -1: none yet.
  std::int64_t published() const noexcept { return published_; }

 protected:
  /// To be called for each message, in the order of delivery.
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

/// The messages that one callback publishes on one topic. See Input for threads.
class Output {
 public:
  explicit Output(std::uint32_t topic) noexcept : topic_(topic) {}
  virtual ~Output() = default;
  Output(const Output &) = delete;
  Output & operator=(const Output &) = delete;

  /// The number of matched subscriptions. Any thread.
  virtual std::size_t subscriptions() const = 0;
  /// The QoS in use.
  virtual QoS qos() const = 0;
  /// Returns a message to be filled before publish() is called.
  virtual takt_msgs::msg::Payload & borrow() = 0;
  /// Publishes the message of borrow().
  virtual void publish() = 0;
  // The numbers of publications that failed, and of those for which the pool had no message.
  virtual std::uint64_t failures() const { return 0; }
  virtual std::uint64_t pool_exhausted() const { return 0; }

  std::uint32_t topic() const noexcept { return topic_; }
  /// The sequence number of the next message, which is the number of messages so far.
  std::int64_t next() const noexcept { return next_; }
  std::int64_t take_sequence() noexcept { return next_++; }

 private:
  std::uint32_t topic_;
  std::int64_t next_ = 0;
};

}  // namespace takt::lab
