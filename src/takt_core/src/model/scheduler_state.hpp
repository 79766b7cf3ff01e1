// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "budget_watch.hpp"
#include "compiled_plan.hpp"
#include "deadline_watch.hpp"
#include "job_queue.hpp"
#include "notice_ring.hpp"
#include "plan_maker.hpp"
#include "ready_queue.hpp"
#include "started_stack.hpp"
#include "takt_core/model/scheduler.hpp"

namespace takt::model {

/// What the scheduler knows of a task, in the order in which a job touches it: most jobs find their
/// task's memory cold, so every cache line counts. What follows from the plan and the scenario that
/// hold is copied here when the task is touched first, see State::at().
struct alignas(64) TaskRecord {
  JobQueue jobs;                 ///< unfinished; only the first can be ready or started
  std::uint64_t next_index = 0;  ///< of the next release
  Duration deadline = never;     ///< the task's
  std::uint32_t noticed = 0;     ///< how many of `jobs`, from the first, are known as missed
  std::uint32_t entered = 0;     ///< the number of the exchange that it was entered after
  std::uint16_t level = 1;
  std::uint16_t ceiling = 1;  ///< of its group if that is exclusive, else its own level
  bool alive : 1 = false;     ///< it is there; a job of one that is not may still be started
  bool timer : 1 = false;
  bool own_grid : 1 = false;  ///< as it was added
  bool started : 1 = false;
  bool suspended : 1 = false;
  bool aged : 1 = false;       ///< an input of its jobs has a `max_age`
  bool extra : 1 = false;      ///< a job of its own was released beyond its timing, or the grid has
                               ///< begun anew since
  bool budgeted : 1 = false;   ///< jobs that start have a budget
  bool lowered : 1 = false;    ///< `started`, and in the background
  bool watched : 1 = false;    ///< its first deadline may not be that of its next release
  bool waits : 1 = false;      ///< timer: less than a period may have gone by since `earliest`
  std::uint64_t released = 0;  ///< skipped included
  Duration period = 0;         ///< or minimum interval
  Time earliest = -never;     ///< a release before it is delayed; of a timer that `waits`: its last
                              ///< reset, or `never` if it is stopped
  std::uint32_t delayed = 0;  ///< releases that wait, the first until `earliest`
  std::uint32_t held = 0;     ///< releases that wait for the end of its suspension
  std::uint32_t old = 0;      ///< how many of `jobs`, from the first, are of before the switch
  std::uint32_t grid = 0;     ///< as Plan::grid, of that which its indices count on
  std::uint64_t skipped = 0;
  std::uint64_t missed = 0;
  std::uint64_t transition_misses = 0;
  std::uint64_t overruns = 0;
  std::uint64_t refreshed = 0;
  std::uint64_t extra_releases = 0;
  std::uint64_t stale_skipped = 0;
  std::uint64_t stale_reported = 0;
  std::uint64_t exhausted = 0;
  std::uint64_t times_lowered = 0;
  bool restarted = false;  ///< since a plan is being made

  /// What was not skipped has finished or lies in the queue.
  TaskCounters counters() const noexcept {
    const std::uint64_t finished = released - skipped - jobs.size();
    return {released,       skipped,        finished + (started ? 1 : 0),
            finished,       missed,         transition_misses,
            refreshed,      extra_releases, stale_skipped,
            stale_reported, exhausted,      times_lowered,
            overruns};
  }
};

inline Time deadline_of(const TaskRecord & record, Time release) noexcept {
  return record.deadline == never ? never : release + record.deadline;
}

/// All of the scheduler. Its members are in files by what they are about, as below.
struct Scheduler::State {
  std::unique_ptr<CompiledPlan> plan;     ///< in force
  CompiledScenario * compiled = nullptr;  ///< of the plan, that holds
  ScenarioId scenario = base_scenario;    ///< likewise
  /// How often what follows for tasks may have changed: exchanges of plan and scenario.
  std::uint32_t exchanges = 1;
  ApplicationState application;
  std::uint64_t reranked = 0;

  StableArray<TaskRecord> records;  ///< by number, as what follows
  StableArray<Job> places;          ///< of the only jobs of those that have no queue
  Origins origins;
  PlanMaker maker;
  bool planning = false;  ///< a plan is being made
  /// All releases at or before this instant have been made.
  Time made = -never;

  /// The change of scenario that is under way, or the last: what was released before it, and when
  /// the last of that was done.
  std::size_t old_jobs = 0;
  Time change_ended = -never;

  Duration age_margin = 0;
  AgeCounters ages;

  ReadyQueue ready;
  DeadlineWatch deadlines;
  StartedStack started;
  BudgetWatch budgets;
  LoadCounters loads;
  NoticeRing<Miss> misses;
  NoticeRing<Overrun> overruns;
  NoticeRing<Exhaustion> exhaustions;
  bool tells_overruns = false;
  bool quiescent = false;  ///< only tasks of clients are released
  std::size_t pending = 0;
  Time hold = never;

  // Tasks of which something waits, each once; there is room for all.
  std::vector<TaskId> delayed;    ///< releases, for the end of the minimum interval
  std::vector<TaskId> held;       ///< likewise, of a suspension
  std::vector<TaskId> lowered;    ///< a job, for the CPU: in the background
  std::vector<TaskId> restarted;  ///< a plan that is being made is to know of it
  std::vector<TaskId> entering;   ///< with pending jobs, during an exchange
  std::vector<MovedJob> moved;    ///< by the last exchange of the plan

  void (*observer)(void *, const ReleaseNotice &) = nullptr;
  void * observer_context = nullptr;

  /// A task's record, with what holds now.
  TaskRecord & at(TaskId id) noexcept {
    TaskRecord & record = records[id];
    if (record.entered != exchanges) [[unlikely]]
      enter(id);
    return record;
  }
  std::size_t size() const noexcept { return plan->tasks.size(); }
  bool alive(TaskId id) const noexcept { return id < size() && records[id].alive; }
  const Task & timed(TaskId id) const noexcept { return *compiled->tasks[id]; }

  // ---- plans

  /// May run while others use the scheduler.
  void make_room(std::size_t tasks);
  void apply(std::unique_ptr<CompiledPlan> & next, Time now) noexcept;
  void use(Room & room) noexcept;
  /// The task's pending jobs are no more, nor is what waits of it.
  void drop_pending(TaskId id) noexcept;
  /// A task that comes has a record of its own.
  void begin(TaskId id, Time now) noexcept;
  /// A task that stays has other places for its jobs, or another grid.
  void change(TaskId id) noexcept;
  void release_now(TaskId id, Time now) noexcept;
  /// Timers are due at their first points after `now`, what is delayed when it was to be.
  void aim(Time now) noexcept;
  /// The tasks of which a job is pending and none started.
  void gather_pending(std::vector<TaskId> & to) const noexcept;
  /// What was refreshed for a job is not refreshed again.
  void keep_refreshed(const CompiledScenario & before) noexcept;
  /// The started jobs get the levels that their tasks have now, if those rise in the same order;
  /// else they keep theirs. They block as much as either does.
  void move_started() noexcept;

  // ---- scenarios

  void set_scenario(ScenarioId to, Time now) noexcept;
  /// Takes over what the scenario that holds says of the task.
  void enter(TaskId id) noexcept;
  /// Those of `entering`, and those that have a started job.
  template <typename Each>
  void each_with_jobs(const Each & each) noexcept;
  /// The scenario, or the plan, holds from now on: every task with a job is entered, pending
  /// jobs are ranked anew.
  void enter_those_that_matter() noexcept;
  /// Releases that were held of those that are suspended no more.
  void release_held(Time now) noexcept;
  /// Whether the task's deadlines are events from now on.
  void set_watched(TaskId id) noexcept;
  /// Of a task's jobs, one of before the switch has finished.
  void leave_old(TaskId id, Time now) noexcept;

  bool under_way() const noexcept { return old_jobs > 0; }

  // ---- releases and deadlines

  /// Carries out every release due at or before `limit`.
  void make_due(Time limit, Time now) noexcept;
  void set_quiescent(bool on) noexcept;
  bool released_now(TaskId id) const noexcept {
    return !quiescent || plan->task(id).kind == TaskKind::client;
  }
  /// Of one with a grid of its own.
  void restart(TaskId id, Time first, Time now) noexcept;
  /// Whether the timer, which `waits`, is not released at this point.
  bool passes_over(TaskId id, Time at) const noexcept;
  void release_timers(Time limit, Time now) noexcept;
  void release_delayed(TaskId id) noexcept;
  Release release(TaskId id, Time at, Time now) noexcept;
  /// One release; false if it was skipped.
  bool accept(TaskId id, Time at) noexcept;
  /// Skips releases at `at` and the points after it.
  void skip(TaskId id, Time at, std::uint64_t count) noexcept;
  /// The first of the task's jobs may start from now on.
  void make_ready(TaskId id) noexcept;
  /// Notices the misses of deadlines at or before `limit`.
  void notice_due(Time limit, Time now) noexcept;
  void notice(TaskId id, Time limit, Time now) noexcept;
  /// Watches the task's first deadline not yet missed.
  void watch(TaskId id) noexcept;

  // ---- budgets

  Decision charge(Duration used, Time now, Duration least) noexcept;
  void exhaust(const Job & job, Duration used, Time now, bool lower) noexcept;
  /// Of what is left on the stack the top one runs from now on.
  void run_top(Time now) noexcept;

  // ---- data age

  /// What a job finds that reads channels with a `max_age`.
  struct Inputs {
    std::optional<OnStale> stale;  ///< one of them is too old: what becomes of the job
    Time oldest = never;
    Time fresh_until = never;
  };

  /// What must go before the job, so that it finds its inputs young enough: nothing if they are, or
  /// if that is impossible. Tells what it finds then.
  Decision refresh(const Job & job, Level level, Time now, Inputs & found) noexcept;
  /// Completes a job of the producer at `level`, or what keeps it from starting; nothing if it
  /// cannot. `begun`: it was the producer's.
  Decision complete(TaskId producer, Level level, Time now, bool & begun) noexcept;
  bool release_extra(TaskId id, Time now) noexcept;
  Decision raise(Job & job, Level level, Time now) noexcept;
  void report_stale(TaskId task) noexcept;
  /// The first pending job, which could start, does not.
  void drop_first() noexcept;

  // ---- decisions

  Decision decide(Time now) noexcept;
  /// A pending job is pending no more.
  void unready(const Job & job) noexcept;
  /// Starts a job that could, at this level.
  Decision start(Job & job, Level level, Time now) noexcept;
  /// The same of one whose inputs have been looked at.
  Decision start(Job & job, Level level, const Inputs & found, Time now) noexcept;
  bool finish(Level level, Time now, Duration used) noexcept;
  bool finish_lowered(TaskId id, Time now) noexcept;
  /// A started job is about to finish: what was due before found it unfinished, however late we
  /// hear of it.
  void make_due_before_end(TaskId id, Time now) noexcept;
  /// It has; true if it was late.
  bool end(TaskId id, Time now) noexcept;
  void rank_anew() noexcept;
  bool precedes(const Job & a, const Job & b) const noexcept;
  Urgency rank(const Job & job) const noexcept {
    return compiled->policy->urgency(timed(job.task), job, application);
  }
};

}  // namespace takt::model
