// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "takt_core/model/types.hpp"
#include "takt_core/os/event.hpp"

namespace takt::executor {

/// A change of tasks or groups that waits until no job is started.
struct Change {
  std::function<void()> make;
  /// The task, as the processor calls it, that must not have a job in the background either.
  model::TaskId idle_task = model::none;
  /// Posted when it was made, or refused.
  os::Event made;
  /// What `make` threw.
  std::exception_ptr error;
};

/// Changes in the order in which they were asked for. Under the processor's lock.
class ChangeQueue {
 public:
  void push(std::shared_ptr<Change> change) { waiting_.push_back(std::move(change)); }
  bool empty() const noexcept { return waiting_.empty(); }
  const Change & first() const noexcept { return *waiting_.front(); }
  /// Makes those before the first that is not `ready(change)`, then calls `after`, then wakes those
  /// who wait.
  template <typename Ready, typename After>
  void make(Ready && ready, After && after) {
    auto end = waiting_.begin();
    for (; end != waiting_.end() && ready(**end); ++end) {
      try {
        (*end)->make();
      } catch (...) {
        (*end)->error = std::current_exception();
      }
    }
    after();
    for (auto each = waiting_.begin(); each != end; ++each) (*each)->made.post();
    waiting_.erase(waiting_.begin(), end);
  }

 private:
  std::vector<std::shared_ptr<Change>> waiting_;
};

}  // namespace takt::executor
