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

/// Gives each job an urgency when it is released (one that waits for the previous job of its task:
/// when that has finished). Ties break by deadline, then release, then task
/// index, so that a schedule is reproducible. Called by the scheduler, under its lock: must not
/// allocate, block or throw once configured. But for preemption_rank(), which is asked without it
/// when a plan is made, at the same time maybe as another member.
class Policy {
 public:
  virtual ~Policy() = default;

  /// Name as on the command line: `fp`, `np-edf`, ...
  virtual std::string_view name() const noexcept = 0;

  /// True if a job may preempt a started one of a lower level.
  virtual bool preemptive() const noexcept = 0;

  /// Static preemption rank of a task: the higher number may preempt the lower. Tasks of equal rank
  /// share a level. Only asked where preemptive(). The scheduler makes dense levels of it. Depends on the task
  /// alone.
  virtual std::int64_t preemption_rank(const Task & task) const noexcept = 0;

  /// Urgency of a job that may start from now on, or is ranked anew because the state has a new
  /// version. Constant otherwise.
  virtual Urgency urgency(const Task & task, const Job & job,
                          const ApplicationState & state) noexcept = 0;

  /// True if the urgency is the task's, whatever the job and the state: urgency() is then called once
  /// for each task and not for each job, when it is touched first after a change of tasks or
  /// scenario.
  virtual bool ranks_tasks() const noexcept { return false; }

  /// Told when a job starts (the `ros` order takes a new snapshot there).
  virtual void started(const Job & /*job*/) noexcept {}

  /// True if a new version of the application's state must re-rank the pending jobs.
  virtual bool uses_state() const noexcept { return false; }

  /// Non-null for a policy that compares pending jobs instead of ranking them (the thesis's form):
  /// true if the first goes before the second. Costs O(n) per decision.
  using Before = std::function<bool(const Job &, const Task &, const Job &, const Task &)>;
  virtual const Before * comparator() const noexcept { return nullptr; }

  /// Start nothing before this instant although `candidate` could (non-work-conserving);
  /// anything not above `now` means "start".
  virtual Time hold_until(const Task & /*task*/, const Job & /*candidate*/, Time now,
                          const ApplicationState & /*state*/) noexcept {
    return now;
  }
};

/// Makes a built-in policy: `fp`, `rm`, `dm`, `edf`, the same with `np-`, `fifo`, `ros`.
/// Throws std::invalid_argument that lists the known names. Allocates.
std::unique_ptr<Policy> make_policy(std::string_view name);

/// The names make_policy knows, in the order of the documentation.
const std::vector<std::string> & policy_names();

/// The non-preemptive form of a built-in policy's name (`rm` -> `np-rm`; others unchanged).
std::string non_preemptive_name(std::string_view name);

}  // namespace takt::model
