// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "takt_core/model/application_state.hpp"
#include "takt_core/model/job.hpp"

namespace takt::model {

/// A scheduling policy: gives each job an urgency. It does so at the job's release or, if the
/// previous job of the task has not finished then, when that finishes. Ties are broken by deadline,
/// then release, then task index, so that a schedule is reproducible. The members are called under
/// the scheduler's lock and must not allocate, block or throw. The exception is preemption_rank(),
/// which is called without the lock while a plan is made, possibly concurrently with another
/// member.
class Policy {
 public:
  virtual ~Policy() = default;

  /// The name as on the command line: `fp`, `np-edf`, ...
  virtual std::string_view name() const noexcept = 0;

  /// Whether a job may preempt a started job of a lower level.
  virtual bool preemptive() const noexcept = 0;

  /// The static preemption rank of a task: it may preempt tasks with a lower number. Tasks of equal
  /// rank share a level; the scheduler maps ranks to consecutive levels. Must depend on the task
  /// only. Called only if preemptive().
  virtual std::int64_t preemption_rank(const Task & task) const noexcept = 0;

  /// The urgency of a job that has become eligible, or is to be re-ranked because the state has a
  /// new version. Must not change otherwise.
  virtual Urgency urgency(const Task & task, const Job & job,
                          const ApplicationState & state) noexcept = 0;

  /// Whether the urgency depends on the task only. urgency() is then called once per task and not
  /// per job: at the first use after a change of tasks or scenario.
  virtual bool ranks_tasks() const noexcept { return false; }

  /// Called when a job starts (the `ros` order takes a new snapshot then).
  virtual void started(const Job & /*job*/) noexcept {}

  /// Whether a new version of the application's state must re-rank the pending jobs.
  virtual bool uses_state() const noexcept { return false; }

  /// The comparator of a policy that compares pending jobs instead of ranking them (the form of the
  /// thesis): true if the first job precedes the second; O(n) per decision. nullptr for a policy
  /// that ranks.
  using Before = std::function<bool(const Job &, const Task &, const Job &, const Task &)>;
  virtual const Before * comparator() const noexcept { return nullptr; }

  /// For a policy that is not work-conserving: start nothing before the instant returned, although
  /// `candidate` could start. An instant at or before `now` means that it may start.
  virtual Time hold_until(const Task & /*task*/, const Job & /*candidate*/, Time now,
                          const ApplicationState & /*state*/) noexcept {
    return now;
  }
};

/// Creates a built-in policy: `fp`, `rm`, `dm`, `edf`, each also with the prefix `np-`, `fifo` or
/// `ros`. Throws std::invalid_argument, with a list of the names, for any other name. Allocates.
std::unique_ptr<Policy> make_policy(std::string_view name);

/// The names that make_policy() accepts, in the order of the documentation. Any thread; allocates
/// at the first call only.
const std::vector<std::string> & policy_names();

/// The non-preemptive form of a built-in policy's name (`np-rm` for `rm`); other names are returned
/// unchanged. Allocates.
std::string non_preemptive_name(std::string_view name);

}  // namespace takt::model
