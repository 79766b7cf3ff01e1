// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

namespace takt {

/// A message borrowed from a publisher's pool, to be filled and passed to publish(). If it is not
/// published, its destruction returns it to the pool, which takes the pool's mutex (priority
/// inheritance). Move-only. May be used from any thread, including callbacks, but by one thread at
/// a time. No function allocates or throws, and none blocks otherwise. May outlive its publisher.
template <typename T>
class LoanedMessage {
 public:
  /// Takes a message of a pool; nullptr makes an empty loan.
  explicit LoanedMessage(std::shared_ptr<T> message) noexcept : message_(std::move(message)) {}
  LoanedMessage(LoanedMessage &&) noexcept = default;
  LoanedMessage & operator=(LoanedMessage &&) noexcept = default;
  LoanedMessage(const LoanedMessage &) = delete;
  LoanedMessage & operator=(const LoanedMessage &) = delete;

  /// Returns false if the pool had no free message, or if the loan has been published.
  bool is_valid() const noexcept { return message_ != nullptr; }
  // Access to the message. Undefined behaviour unless is_valid().
  T & get() const noexcept { return *message_; }
  T & operator*() const noexcept { return *message_; }
  T * operator->() const noexcept { return message_.get(); }

  /// Transfers the message to the caller; the loan is empty afterwards.
  std::shared_ptr<T> release() && noexcept { return std::move(message_); }

 private:
  std::shared_ptr<T> message_;
};

}  // namespace takt
