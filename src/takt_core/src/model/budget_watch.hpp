// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "takt_core/model/stable_array.hpp"
#include "takt_core/model/types.hpp"

namespace takt::model {

/// The remaining budgets of started jobs, and the instant at which the running job's budget is
/// exhausted if nothing else gets the CPU until then. Allocates only in make_room().
class BudgetWatch {
 public:
  /// Makes room for tasks with numbers below `tasks`. May run concurrently with the use of existing
  /// tasks.
  void make_room(std::size_t tasks) { budgets_.make_room(tasks); }

  /// Whether any started job has a budget; if not, the other members need not be called.
  bool any() const noexcept { return count_ > 0; }
  /// When the running job's budget is exhausted; `never` if it has none or that was noticed.
  Time next() const noexcept { return ends_; }
  /// The task of the running job if its budget is exhausted by the time that has passed; otherwise
  /// `none`.
  TaskId ended() const noexcept { return ended_ ? running_ : none; }
  /// The task of the running job if that has a budget; otherwise `none`.
  TaskId running() const noexcept { return running_; }
  /// The budget of the task's started job; `never` if it has none.
  Duration budget(TaskId task) const noexcept { return budgets_[task].whole; }

  void notice(Time now) noexcept {
    if (ends_ > now) return;
    ended_ = true;
    ends_ = never;
  }

  /// Records that the task's job has started and is running. `unwatched`: the passing of time is
  /// not to exhaust its budget.
  void start(TaskId task, Duration budget, Time now, bool unwatched) noexcept {
    budgets_[task] = {budget, unwatched ? never : budget};
    ++count_;
    resume(task, now);
  }
  /// Records that the running job does not have the CPU any more.
  void pause(Time now) noexcept {
    if (running_ == none) return;
    if (ended_) {
      budgets_[running_].left = 0;
    } else if (ends_ != never) {
      budgets_[running_].left = std::max<Duration>(0, ends_ - now);
    }
    stop();
  }
  /// Records that the task's started job, which may have no budget, is running again.
  void resume(TaskId task, Time now) noexcept {
    if (task == running_ || budgets_[task].whole == never) return;
    running_ = task;
    ends_ = budgets_[task].left == never ? never : now + budgets_[task].left;
  }
  /// Records that the running job, whose budget seemed exhausted, has `left` ns of it left.
  void extend(Duration left, Time now) noexcept {
    ended_ = false;
    ends_ = now + left;
  }
  /// Records that the task's job has finished, or that its budget does not matter any more.
  void end(TaskId task) noexcept {
    if (budgets_[task].whole == never) return;
    budgets_[task] = {};
    --count_;
    if (task == running_) stop();
  }

 private:
  struct Budget {
    Duration whole = never;
    Duration left = never;
  };

  void stop() noexcept {
    running_ = none;
    ends_ = never;
    ended_ = false;
  }

  StableArray<Budget, 256> budgets_;  // indexed by task
  std::size_t count_ = 0;
  TaskId running_ = none;
  Time ends_ = never;
  bool ended_ = false;
};

}  // namespace takt::model
