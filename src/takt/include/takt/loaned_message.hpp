// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

namespace takt {

/// A message borrowed from a publisher's pool, to be filled and given to publish(). Goes back to
/// the pool if it is not published, which takes the pool's lock (priority inheritance). Move-only;
/// one thread at a time, any thread, callbacks too. Nothing here allocates, blocks or throws. May
/// outlive its publisher.
template <typename T>
class LoanedMessage {
 public:
  explicit LoanedMessage(std::shared_ptr<T> message) noexcept : message_(std::move(message)) {}
  LoanedMessage(LoanedMessage &&) noexcept = default;
  LoanedMessage & operator=(LoanedMessage &&) noexcept = default;
  LoanedMessage(const LoanedMessage &) = delete;
  LoanedMessage & operator=(const LoanedMessage &) = delete;

  /// False if the pool had no message, or after the loan was published.
  bool is_valid() const noexcept { return message_ != nullptr; }
  // The message; only if is_valid().
  T & get() const noexcept { return *message_; }
  T & operator*() const noexcept { return *message_; }
  T * operator->() const noexcept { return message_.get(); }

  /// Gives the message away; the loan is empty then.
  std::shared_ptr<T> release() && noexcept { return std::move(message_); }

 private:
  std::shared_ptr<T> message_;
};

}  // namespace takt
