// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "takt_core/model/application_state.hpp"
#include "takt_core/model/job.hpp"
#include "takt_core/model/plan.hpp"
#include "takt_core/model/policy.hpp"
#include "takt_core/model/scenario.hpp"
#include "takt_core/model/setup.hpp"
#include "takt_core/model/task.hpp"

namespace takt::model {

/// The result of a release.
enum class Release : std::uint8_t {
  accepted,  ///< the job is pending
  delayed,   ///< the minimum interval has not passed, or the task is suspended: to be released (or
             ///< skipped) when that has ended
  skipped,   ///< overrun: the previous job has not finished and no further one may be queued
};

/// A release, as reported to the observer.
struct ReleaseNotice {
  Job job;
  /// Either accepted or skipped.
  Release what = Release::accepted;
  /// The number of consecutive releases of the task, the first of which is `job`; above 1 only if
  /// skipped.
  std::uint64_t count = 1;
  /// The time from each of them to the next, in ns.
  Duration apart = 0;
};

/// What the executor is to do now.
struct Decision {
  enum class Kind : std::uint8_t {
    nothing,  ///< no job may start before the next input
    start,    ///< start `job` on the worker of `job.level`
    raise,    ///< continue `job`, started on `worker`, at `job.level`, above all started jobs
    lower,  ///< continue `job`, started on `worker`, in the background; the worker's level is free
    hold,   ///< the policy starts nothing before `until`
  };
  Kind kind = Kind::nothing;
  /// The job that starts or is held, else nullptr. For `start`: valid until the job has finished;
  /// for `hold`: until the next input.
  const Job * job = nullptr;
  Time until = never;
  /// The worker on which the job was started: its level at that time.
  Level worker = 0;
  /// For `raise`: the worker of the job directly above it in the stack; 0 if it was on top.
  Level above = 0;
  /// For `start` and `raise`, if the job goes first to refresh data for another one: the task of
  /// the reader.
  TaskId reader = none;
  /// Whether an input is older than allowed and could not be refreshed.
  bool stale = false;
  /// For `start`: whether the job has a budget, so that its CPU time must be measured.
  bool budgeted = false;
  /// For `start`: the publication time of the oldest of its inputs with a `max_age`; -never if one
  /// has no data, `never` if there are no such inputs.
  Time oldest_input = never;
  /// For `start`: until when all of these inputs are young enough, as the job may get the CPU
  /// later; `never` if there are no such inputs.
  Time fresh_until = never;
};

/// An overrun: a release at which the previous job of the task had not finished, or with too many
/// delayed releases of the task.
template <typename Id>
struct OverrunOf {
  JobOf<Id> job;
  /// The number of consecutive releases, the first of which is `job`.
  std::uint64_t count = 1;
  /// Whether the releases were skipped; otherwise the job is queued.
  bool skipped = false;
};
using Overrun = OverrunOf<TaskId>;

/// A job that has used up its budget of CPU time; reported once per job.
template <typename Id>
struct ExhaustionOf {
  JobOf<Id> job;
  /// When it was noticed.
  Time noticed = 0;
  /// The CPU time that the job had used by then, in ns.
  Duration used = 0;
  /// Whether the job goes on in the background.
  bool lowered = false;
};
using Exhaustion = ExhaustionOf<TaskId>;

/// A job that has not finished at its deadline, or has finished after it.
template <typename Id>
struct MissOf {
  JobOf<Id> job;
  /// When it was noticed.
  Time noticed = 0;
  /// Whether the job had not even started.
  bool pending = false;
  /// Whether the job existed during a change of scenario: from the switch until all jobs released
  /// before it have finished.
  bool transition = false;
};
using Miss = MissOf<TaskId>;

/// Counters of a task, since it was added.
struct TaskCounters {
  /// Releases of the grid, skipped ones included; delayed ones count when they are due.
  std::uint64_t released = 0;
  std::uint64_t skipped = 0;
  std::uint64_t started = 0;
  std::uint64_t finished = 0;
  /// Late jobs, noticed at the deadline or finished late, each once; skipped jobs are not included.
  std::uint64_t missed = 0;
  /// Those of `missed` with Miss::transition.
  std::uint64_t transition_misses = 0;
  /// Jobs for which an input was refreshed before they started.
  std::uint64_t refreshed = 0;
  /// Those of `released` that were made to refresh data for another task.
  std::uint64_t extra_releases = 0;
  /// Those of `skipped` that had an input that was too old.
  std::uint64_t stale_skipped = 0;
  /// Jobs that started although an input was too old.
  std::uint64_t stale_reported = 0;
  /// Jobs that used up their budget.
  std::uint64_t exhausted = 0;
  /// Those of `exhausted` that went on in the background.
  std::uint64_t lowered = 0;
  /// Releases at which the previous job had not finished, or with too many delayed releases.
  std::uint64_t overruns = 0;
};

/// Counters over all tasks, removed ones included; see TaskCounters.
struct LoadCounters {
  std::uint64_t overruns = 0;
  std::uint64_t exhausted = 0;
  std::uint64_t lowered = 0;
};

/// Counters over all tasks, removed ones included; see TaskCounters.
struct AgeCounters {
  std::uint64_t refreshed = 0;
  std::uint64_t extra_releases = 0;
  std::uint64_t stale_skipped = 0;
  std::uint64_t stale_reported = 0;
};

/// The scheduler of one processor, as a state machine.
///
/// Its inputs are: a task was released, a job finished, time passed, the application's state
/// changed. Its outputs are decisions. Started jobs form a stack: their levels rise strictly from
/// bottom to top, so the operating system, given one priority per level, always runs the top one. A
/// job starts only if it is the most urgent pending job, is more urgent than the top of the stack,
/// and its level is above the level of every started job and above the ceiling of every busy group
/// (stack resource policy: Baker, "Stack-based scheduling of realtime processes", Real-Time Systems
/// 3, 1991).
///
/// If a job that may start reads a channel whose newest data is older than its `max_age`, the job
/// of a task that publishes to the channel goes first, at the reader's level: a started job is
/// raised, a pending one is started, or an extra job is released if the task allows that; jobs that
/// keep the producer's group busy are raised before. This happens once per job and input; if the
/// input is then still too old, the job is skipped or reported. The relation "refreshes data for"
/// must not contain a cycle.
///
/// A started job that has used up its budget of CPU time is reported and, if its task says so,
/// lowered: it leaves the stack and goes on in the background, below everything that is started.
/// Under a non-preemptive policy an exhausted budget is noticed when the job finishes, and only
/// reported.
///
/// Members neither allocate nor throw unless noted. Not thread-safe: the executor calls them under
/// the processor's lock.
class Scheduler {
 public:
  /// Makes a scheduler of the initial state of the setup. Allocates; throws std::invalid_argument.
  explicit Scheduler(Setup & setup);
  ~Scheduler();
  Scheduler(Scheduler &&) noexcept;
  Scheduler & operator=(Scheduler &&) noexcept;

  // ---- plans
  // A change takes three steps: begin_plan() returns the state to plan for; make_plan() takes long,
  // and meanwhile another thread may use the scheduler; apply() puts the plan into effect. One
  // change at a time.

  /// Returns the state for which a plan is to be made. From now on restarts of timers are recorded
  /// for it.
  Outlook begin_plan(Time now) noexcept;
  /// Makes a plan of the setup. Allocates; throws std::bad_alloc, and std::length_error for too
  /// many tasks. The changes in the setup count as planned from now on.
  std::unique_ptr<Plan> make_plan(Setup & setup, const Outlook & outlook);
  /// Puts the plan into effect, which was made since the last apply(); the old plan is returned in
  /// `plan`, to be destroyed when there is time. Releases at or before `now` are made first.
  /// Started jobs finish with their old parameters; pending ones keep their release and get the new
  /// deadline and rank; timers continue on their grids. O(n log n) in the number of started and
  /// pending jobs, of tasks added and removed, and of releases due since begin_plan(); O(n) in the
  /// number of tasks if a new grid begins or the scenario has changed meanwhile.
  void apply(std::unique_ptr<Plan> & plan, Time now) noexcept;
  /// The started jobs that the last apply() has moved to other workers, in order of increasing
  /// level.
  std::span<const MovedJob> moved() const noexcept;
  /// Ends the releases of a task that is to be removed, and drops its pending jobs. Returns whether
  /// one of its jobs is started or in the background. O(pending jobs).
  bool retire(TaskId task) noexcept;
  /// Whether the task exists in the plan in effect.
  bool contains(TaskId task) const noexcept;
  /// Whether a job of the task is started or in the background; also for a task that was removed.
  bool busy(TaskId task) const noexcept;

  // ---- settings

  /// Sets how much younger than their `max_age` inputs must be at a decision, in ns, to allow for
  /// the time until the job reads them. Throws std::invalid_argument if negative or too large.
  void set_age_margin(Duration margin);
  /// Sets a function that is called for every release, inside the call that makes it, and once for
  /// a series of skipped releases, so that a stall of hours takes no time. It must not allocate,
  /// block, throw or call the scheduler. nullptr: none.
  void set_release_observer(void (*observer)(void * context, const ReleaseNotice & notice),
                            void * context) noexcept;

  /// Sets whether overruns are stored for next_overrun(), in addition to being counted.
  void store_overruns(bool store) noexcept;

  // ---- inputs

  /// Releases every timer, and every delayed job, that is due at or before `now`, at its own
  /// instant, in order of release. If a timer is several periods late, each release is either
  /// accepted or skipped. Then notices the jobs that have not finished at deadlines at or before
  /// `now`: see next_miss(). So if a job finishes at the same instant, call finish() first.
  void advance(Time now) noexcept;
  /// Releases a task that is not a timer at `release` (<= now), after the timers due by then. No
  /// effect on a timer or an unknown task: returns `skipped`, which is not counted.
  Release release(TaskId task, Time release, Time now) noexcept;
  /// Sets the next release of a timer with a grid of its own to `first`, with further ones every
  /// period; `never` stops it until it is restarted. A job that it has already stays. Points in the
  /// past are released or skipped as those of other timers; pass the last of them for a single
  /// release. If a scenario gives the timer another period, its grid has that period, beginning at
  /// the last point of its own grid before `first`, and the next release is the first point of the
  /// new grid after that one that is not before `now`. If a scenario gives it a phase, it follows
  /// the scheduler's grid, as other timers do, while it is not stopped; `first` then tells only
  /// whether it is stopped. `reset`: when the timer was last reset, `-never` if never. On the
  /// scheduler's grid it has no release within a period of that (the scenario's period, if given);
  /// points passed over are not counted. O(n). No effect on other tasks.
  void restart(TaskId task, Time first, Time now, Time reset = -never) noexcept;
  /// Reports data published at `at` on the channel to all readers. O(n); to avoid that, call the
  /// inputs' Newest::published().
  void published(ChannelId channel, Time at) noexcept;
  /// Reports that the task's job got the CPU after Decision::fresh_until.
  void began_stale(TaskId task) noexcept;
  /// Reports that the job started on worker `level` has finished at `now`. `used`: the CPU time
  /// that it has used, in ns; -1 if not known, then its budget is not checked. Returns whether the
  /// job was late. Releases before `now` are made first, since they found it unfinished; those at
  /// `now` are left to advance(). No effect if no job of the level is started.
  bool finish(Level level, Time now, Duration used = -1) noexcept;
  /// As finish(), for the job that a task has in the background.
  bool finish_lowered(TaskId task, Time now) noexcept;
  /// The running job whose budget was exhausted at the last advance() if it has had the CPU without
  /// interruption; nullptr if there is none. The caller is to measure the CPU time that it has used
  /// and to call charge(). Until then, next_event() does not include its budget.
  const Job * to_charge() const noexcept;
  /// Reports that the job of to_charge() has used `used` ns of CPU time. If that is less than its
  /// budget, the job goes on and is to be charged again when the rest, but at least `least` ns, has
  /// passed. Otherwise the budget is exhausted: see next_exhaustion(). If its task says so, the job
  /// is lowered; the returned decision `lower` counts as carried out.
  Decision charge(Duration used, Time now, Duration least = 0) noexcept;
  /// Sets a new application state, whose version is the old one + 1. Re-ranks the pending jobs,
  /// O(n), if the policy uses the state. Returns the previous state, for the caller to free it.
  ApplicationState set_state(ApplicationState state) noexcept;
  /// With `true`, only tasks of clients are released from now on: pending jobs of other tasks are
  /// dropped and count as never released, and a timer that becomes due meanwhile is not released
  /// before the next plan is applied. O(n); no effect on started jobs.
  void set_quiescent(bool quiescent) noexcept;

  /// Activates a scenario; no effect if there is none of that number. Releases at or before `now`
  /// are made first. Started jobs finish with their old parameters; pending ones keep their release
  /// and get the new deadline and rank. A timer's first release with its new timing is the first
  /// point of t0 + phase + k * period after `now`; its job indices continue. Until the jobs started
  /// before have finished, each ceiling is the higher of the old and the new one. O(n).
  void set_scenario(ScenarioId scenario, Time now) noexcept;

  // ---- decisions

  /// The next thing to do at `now`. A `start` counts as carried out: the job is on the stack. To be
  /// called again until it returns another kind (two levels cannot start at the same instant unless
  /// the second job preempts the first). O(log n) for policies that rank.
  Decision decide(Time now) noexcept;

  /// The earliest instant at which advance() has something to do (a release, deadline, budget or
  /// hold); `never` if there is none.
  Time next_event() const noexcept;
  /// Takes the oldest miss not yet reported; false if there is none. Misses are stored in a ring
  /// with room for one per task and queue place. Those that do not fit are counted by unreported();
  /// all are counted per task.
  bool next_miss(Miss & miss) noexcept;
  /// As next_miss(), for overruns; see store_overruns().
  bool next_overrun(Overrun & overrun) noexcept;
  /// As next_miss(), for exhausted budgets, with room for one per task.
  bool next_exhaustion(Exhaustion & exhaustion) noexcept;
  /// Whether a miss, overrun or exhausted budget has not been taken yet.
  bool has_notices() const noexcept;

  // ---- looking

  /// Whether no job is started; jobs in the background do not count.
  bool idle() const noexcept;
  /// The number of jobs in the background.
  std::size_t lowered() const noexcept;
  /// Whether a job of the task is in the background.
  bool lowered(TaskId task) const noexcept;
  /// The number of jobs that are released and not started.
  std::size_t pending() const noexcept;
  /// The level of the top started job, 0 if none.
  Level running() const noexcept;
  /// The pending jobs that will probably start next, and after that, for prefetching; nullptr if
  /// there is none, it is not readily available, or the policy compares jobs.
  std::array<const Job *, 2> upcoming() const noexcept;
  /// The pending job that may start now, as far as the policy's holds and the age of its inputs
  /// permit; nullptr if there is none. O(1); O(n) if the policy compares jobs.
  const Job * startable() noexcept;
  /// The job started on the worker `level`; nullptr if there is none. Valid until it has finished.
  const Job * started(Level level) const noexcept;
  /// The active scenario.
  ScenarioId scenario() const noexcept;
  /// The plan in effect.
  const Plan & plan() const noexcept;
  /// The number of levels in the plan.
  Level levels() const noexcept;
  /// The level of a task in the active scenario. This member and the following ones throw
  /// std::invalid_argument if there is no such task or group.
  Level level(TaskId task) const;
  /// The ceiling of a group in the active scenario.
  Level ceiling(GroupId group) const;
  /// The task as it was added; valid until the next apply().
  const Task & task(TaskId task) const;
  /// The task in the active scenario; valid until the next apply().
  const Task & task_now(TaskId task) const;
  /// Whether the task is suspended in the active scenario.
  bool suspended(TaskId task) const;
  /// The counters of a task.
  TaskCounters counters(TaskId task) const;
  LoadCounters load_counters() const noexcept;
  AgeCounters age_counters() const noexcept;
  /// How often a new state has re-ranked the pending jobs.
  std::uint64_t reranked() const noexcept;
  /// Misses, overruns and exhausted budgets that were not stored for lack of room.
  std::uint64_t unreported() const noexcept;
  /// The origin t0 of the release grid, once it is set.
  std::optional<Time> grid() const noexcept;
  /// The policy of the base scenario.
  const Policy & policy() const noexcept;
  /// The policy of the active scenario.
  const Policy & policy_now() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace takt::model
