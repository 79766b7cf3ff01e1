// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "takt_core/os/event.hpp"

namespace takt::executor {

/// A change of tasks or groups that waits until no job is started.
struct Change {
  std::function<void()> make;
  /// Posted when it was made, or refused.
  os::Event made;
  /// What `make` threw.
  std::exception_ptr error;
};

/// Changes in the order in which they were asked for. Under the processor's lock.
class ChangeQueue {
 public:
  void push(std::shared_ptr<Change> change) { waiting_.push_back(std::move(change)); }
  std::size_t size() const noexcept { return waiting_.size(); }
  /// Makes all of them, then calls `after`, then wakes those who wait.
  template <typename After>
  void make_all(After && after) {
    for (const auto & change : waiting_) {
      try {
        change->make();
      } catch (...) {
        change->error = std::current_exception();
      }
    }
    after();
    for (const auto & change : waiting_) change->made.post();
    waiting_.clear();
  }

 private:
  std::vector<std::shared_ptr<Change>> waiting_;
};

}  // namespace takt::executor
