// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "takt_core/model/input.hpp"
#include "takt_core/tasks/duration.hpp"
#include "takt_core/tasks/policy.hpp"
#include "takt_core/tasks/topics.hpp"

namespace takt {

/// The topics of a task, as in TaskTiming.
struct TaskTopics {
  Topics subscribes = {};
  Topics publishes = {};
};

/// The parameters that a scenario gives a task. A parameter that is not given stays as the callback
/// was created with.
struct TaskTiming {
  /// A timer's period, above 0. Its releases are at t0 + phase + k * period. Under simulated time
  /// it affects only the task's rank: the clock determines the releases.
  std::optional<Duration> period = std::nullopt;
  /// A timer's phase, 0 or more.
  std::optional<Duration> phase = std::nullopt;
  /// For tasks that are no timers: the minimum interval between two releases, 0 or more.
  std::optional<Duration> min_interval = std::nullopt;
  /// The deadline relative to the release, above 0; Duration::max() for none. If not given, a
  /// timer's deadline that equals its period follows the period.
  std::optional<Duration> deadline = std::nullopt;
  /// The priority, 1 to 98, higher is more urgent; used by `fp` and `np-fp`.
  std::optional<int> priority = std::nullopt;
  /// The CPU time that a job may use if it starts while the scenario is active, above 0;
  /// Duration::max() for no limit. The callback's `on_budget` says what happens to a job that has
  /// used it up.
  std::optional<Duration> budget = std::nullopt;
  /// For a timer, by topic: the greatest age of the newest message when a job starts, above 0, in
  /// place of ReadOptions::max_age; Duration::max() for no limit. The timer must read the topic.
  std::map<std::string, Duration> max_age = {};
  /// For a timer: what to do with a job whose message is too old and cannot be refreshed, in place
  /// of ReadOptions::on_stale.
  std::optional<model::OnStale> on_stale = std::nullopt;
  /// For a timer: whether it may be released in addition to its grid, to refresh data that another
  /// task reads, in place of the option that it was created with.
  std::optional<bool> extra_releases = std::nullopt;
  /// Whether the task is suspended: a timer has no releases while the scenario is active; releases
  /// of other tasks are delayed to its end, as many as can be queued.
  bool suspended = false;
  /// Must be among the topics that the task's node subscribes to. A subscription of the node that
  /// takes its rank from the readers of its topic takes it from this task, too.
  Topics subscribes = {};
  /// Must be among the topics that the task's node publishes. Declares the task as their publisher,
  /// in every scenario: see TimerOptions::publishes.
  Topics publishes = {};
  /// Whether the task may be created later, so that it is no error if it does not exist yet.
  bool optional = false;
};

/// Timing of tasks and a policy, to be activated while the application runs: a part of a
/// SchedulingStrategy. A value; members that change it allocate and throw Error; one thread at a
/// time.
///
/// Tasks are named by the identifiers of their callbacks, `node/name`, or by the bare name if only
/// one callback has it.
class SchedulingScenario {
 public:
  /// Throws Error for an empty name. Allocates.
  explicit SchedulingScenario(std::string name);

  const std::string & name() const noexcept { return name_; }

  /// Sets a timer's priority and relative deadline; the overload with an int takes milliseconds, as
  /// in the thesis. Throws as set_task(); that `id` is a timer is checked when an executor checks
  /// the strategy.
  void add_timer(const std::string & id, int priority, Duration deadline,
                 const TaskTopics & topics = {});
  void add_timer(const std::string & id, int priority, int deadline_ms,
                 const TaskTopics & topics = {}) {
    add_timer(id, priority, std::chrono::milliseconds(deadline_ms), topics);
  }
  /// Sets the parameters of any task. Throws Error if the scenario has the task already or a value
  /// is out of range. `where`: the place in a file, for error texts; default: the names of scenario
  /// and task.
  void set_task(const std::string & id, const TaskTiming & timing, const std::string & where = {});

  /// Sets the policy while the scenario is active. Default: the executor's own. Throws Error for an
  /// unknown name.
  void set_scheduling_policy(const SchedulingPolicy & policy);
  /// Sets a comparator as policy, as in the thesis: whether the first job goes before the second.
  void set_scheduling_policy_function(SchedulingPolicy::Before before) {
    set_scheduling_policy(comparator_policy(std::move(before)));
  }

  /// The parameters of one task.
  struct Entry {
    std::string id;
    TaskTiming timing;
    bool is_timer = false;  ///< the task must be a timer
    std::string where;
  };
  const std::vector<Entry> & tasks() const noexcept { return tasks_; }
  const std::optional<SchedulingPolicy> & policy() const noexcept { return policy_; }

 private:
  void add(Entry entry);

  std::string name_;
  std::optional<SchedulingPolicy> policy_;
  std::vector<Entry> tasks_;
};

namespace tasks {

/// Throws Error, which names the value, if one is out of range.
void check(const TaskTiming & timing);

}  // namespace tasks
}  // namespace takt
