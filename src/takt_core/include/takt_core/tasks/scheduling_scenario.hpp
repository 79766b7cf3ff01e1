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

/// The topics that a task deals with, as in TaskTiming.
struct TaskTopics {
  Topics subscribes = {};
  Topics publishes = {};
};

/// What a scenario says of a task. What is not given stays as the callback was made with.
struct TaskTiming {
  /// Of a timer, above 0. Its releases are the points of t0 + phase + k * period. Under simulated
  /// time only its rank follows: the clock makes the releases.
  std::optional<Duration> period = std::nullopt;
  /// Of a timer, 0 or more.
  std::optional<Duration> phase = std::nullopt;
  /// Of a task that is no timer, 0 or more: the least time between two releases.
  std::optional<Duration> min_interval = std::nullopt;
  /// Above 0, from the release; Duration::max() for none. A timer's that was its period follows the
  /// period if it is not given.
  std::optional<Duration> deadline = std::nullopt;
  /// 1 to 98, higher is more urgent; for `fp`.
  std::optional<int> priority = std::nullopt;
  /// Above 0: CPU time that a job may use which starts while the scenario holds; Duration::max()
  /// for as much as it needs. What becomes of one that has used it up is the callback's
  /// `on_budget`.
  std::optional<Duration> budget = std::nullopt;
  /// Of a timer, by topic: how old its newest message may be when a job starts, above 0, in place
  /// of what its reads say (ReadOptions::max_age); Duration::max() for any age. It must read the
  /// topic.
  std::map<std::string, Duration> max_age = {};
  /// Of a timer: what becomes of a job whose message is too old and cannot be refreshed, in place of
  /// what its reads say (ReadOptions::on_stale).
  std::optional<model::OnStale> on_stale = std::nullopt;
  /// Of a timer: whether it may be released beyond its grid to refresh what another reads, in place
  /// of what it was made with.
  std::optional<bool> extra_releases = std::nullopt;
  /// A timer has no releases while the scenario holds; those of others wait for its end, as many as
  /// may wait.
  bool suspended = false;
  /// Must be among the topics that the task's node subscribes to. A subscription of the node that
  /// takes its rank from who reads its topic takes it from this task, too.
  Topics subscribes = {};
  /// Must be among the topics that the task's node publishes. It is the node's task that does, see
  /// TimerOptions::publishes, in every scenario.
  Topics publishes = {};
  /// The task may be made later: it is no error that there is none yet.
  bool optional = false;
};

/// Timing of tasks and a policy, to be asked for and dropped as the application runs: a part of a
/// SchedulingStrategy. A value; members that change it allocate and throw Error; one thread at a
/// time.
///
/// Tasks are named by the identifiers of their callbacks, `node/name`, or by the bare name where
/// only one callback has it.
class SchedulingScenario {
 public:
  /// Throws Error for an empty name.
  explicit SchedulingScenario(std::string name);

  const std::string & name() const noexcept { return name_; }

  /// A timer's priority and relative deadline; the deadline is also given in milliseconds, as in
  /// the thesis. Throws as set_task; if `id` is no timer, that shows when an executor checks the
  /// strategy.
  void add_timer(const std::string & id, int priority, Duration deadline,
                 const TaskTopics & topics = {});
  void add_timer(const std::string & id, int priority, int deadline_ms,
                 const TaskTopics & topics = {}) {
    add_timer(id, priority, std::chrono::milliseconds(deadline_ms), topics);
  }
  /// Any task. Throws Error if the scenario has the task already or a value is out of range.
  /// `where` it is written, for messages; default: the names of scenario and task.
  void set_task(const std::string & id, const TaskTiming & timing, const std::string & where = {});

  /// While the scenario holds. Default: the executor's own. Throws Error for an unknown name.
  void set_scheduling_policy(const SchedulingPolicy & policy);
  /// The thesis's form: true if the first job goes before the second.
  void set_scheduling_policy_function(SchedulingPolicy::Before before) {
    set_scheduling_policy(comparator_policy(std::move(before)));
  }

  struct Entry {
    std::string id;
    TaskTiming timing;
    bool is_timer = false;  ///< it must be
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

/// Throws Error that says which value is out of range.
void check(const TaskTiming & timing);

}  // namespace tasks
}  // namespace takt
