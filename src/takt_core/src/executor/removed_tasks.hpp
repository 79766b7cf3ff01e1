// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "takt_core/model/types.hpp"
#include "takt_core/os/event.hpp"
#include "task_table.hpp"

namespace takt::executor {

/// A task that is being removed.
struct RemovedTask {
  RemovedTask(model::TaskId in_model, std::string id, std::shared_ptr<void> needed,
              bool is_waited_for)
      : task(in_model),
        callback(std::move(id)),
        waited_for(is_waited_for),
        keep(std::move(needed)) {}
  const model::TaskId task;  ///< the number in the model
  const std::string callback;
  const bool waited_for;  ///< the thread that removes it waits, and destroys `keep`
  std::shared_ptr<void> keep;
  bool started = false;            ///< a job of it was started when it was retired
  os::Event ended;                 ///< posted when that job has finished
  std::atomic<bool> over = false;  ///< no job of it is started; set under the dispatcher's lock
  TaskTable::Name name;            ///< given by the dispatcher; destroyed with the task

 private:
  friend class RemovedTasks;
  std::shared_ptr<RemovedTask> next_;
};

/// The removed tasks of a dispatcher, in linked lists: those that have a started job, which are at
/// most as many as there are workers, and those that only have to be destroyed. Used under the
/// dispatcher's lock. Nothing allocates, blocks or destroys a task.
class RemovedTasks {
 public:
  using Task = std::shared_ptr<RemovedTask>;

  /// Adds a task that has a started job.
  void add_started(Task task) noexcept { push(started_, std::move(task)); }
  /// Adds a task that has none, to be destroyed later.
  void add_ended(Task task) noexcept { push(ended_, std::move(task)); }

  /// Whether the task has a started job.
  bool is_started(model::TaskId task) const noexcept {
    for (const RemovedTask * each = started_.get(); each != nullptr; each = each->next_.get()) {
      if (each->task == task) return true;
    }
    return false;
  }

  /// Calls `end` for each task whose job is not started any more, according to `busy`. Looks at
  /// those with a started job only: it runs whenever a job finishes.
  template <typename Busy, typename End>
  void end_finished(Busy && busy, End && end) noexcept {
    for (Task * at = &started_; *at != nullptr;) {
      if (busy((*at)->task)) {
        at = &(*at)->next_;
        continue;
      }
      Task task = std::move(*at);
      *at = std::move(task->next_);
      end(*task);
      push(ended_, std::move(task));
    }
  }

  /// The tasks without a started job, to be given to destroy() when the lock is released.
  Task take_ended() noexcept { return std::move(ended_); }
  /// Destroys the tasks of a list, one after another: a list that destroyed itself would call its
  /// elements' destructors recursively.
  static void destroy(Task tasks) noexcept {
    while (tasks != nullptr) tasks = std::move(tasks->next_);
  }

 private:
  static void push(Task & list, Task task) noexcept {
    task->next_ = std::move(list);
    list = std::move(task);
  }

  Task started_;
  Task ended_;
};

}  // namespace takt::executor
