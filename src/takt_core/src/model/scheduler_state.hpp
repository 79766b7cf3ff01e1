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

/// What the scheduler stores per task, in the order in which a job uses it: most jobs find the
/// memory of their task evicted from the cache, so the number of cache lines matters. Values that
/// follow from the plan and the active scenario are copied here when the task is first used after a
/// change, see State::at().
struct alignas(64) TaskRecord {
  JobQueue jobs;                 ///< unfinished jobs; only the first one can be ready or started
  std::uint64_t next_index = 0;  ///< index of the next release
  Duration deadline = never;     ///< relative deadline of the task
  std::uint32_t noticed = 0;     ///< how many of `jobs`, from the first, have a noticed miss
  std::uint32_t entered = 0;     ///< State::exchanges when the copied values were last updated
  std::uint16_t level = 1;
  std::uint16_t ceiling = 1;  ///< of its group if that is exclusive, otherwise its own level
  bool alive : 1 = false;     ///< the task exists; a job of one that does not may still be started
  bool timer : 1 = false;
  bool own_grid : 1 = false;  ///< as the task was added
  bool started : 1 = false;
  bool suspended : 1 = false;
  bool aged : 1 = false;       ///< an input has a `max_age`
  bool extra : 1 = false;      ///< an extra job was released, or a new grid has begun since
  bool budgeted : 1 = false;   ///< jobs that start have a budget
  bool lowered : 1 = false;    ///< `started`, and the job is in the background
  bool watched : 1 = false;    ///< its first deadline may differ from its next release
  bool waits : 1 = false;      ///< timer: its last reset may be less than a period ago
  std::uint64_t released = 0;  ///< including skipped ones
  Duration period = 0;         ///< or minimum interval
  Time earliest = -never;     ///< an earlier release is delayed; for a timer that `waits`: its last
                              ///< reset, or `never` if it is stopped
  std::uint32_t delayed = 0;  ///< delayed releases, the first until `earliest`
  std::uint32_t held = 0;     ///< releases held until the task is not suspended any more
  std::uint32_t old = 0;      ///< how many of `jobs`, from the first, were released before the
                              ///< switch of scenario
  std::uint32_t grid = 0;     ///< the grid that its indices count on, as CompiledPlan::grid
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
  bool restarted = false;  ///< restarted while a plan was being made

  /// Releases that were not skipped have either finished or are in the queue.
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

/// The scheduler's state. The member functions are in several files, by the headings below.
struct Scheduler::State {
  std::unique_ptr<CompiledPlan> plan;     ///< in effect
  CompiledScenario * compiled = nullptr;  ///< the active scenario of the plan
  ScenarioId scenario = base_scenario;    ///< the number of the active scenario
  /// Changes of plan or scenario so far, each of which may invalidate the copies in the records.
  std::uint32_t exchanges = 1;
  ApplicationState application;
  std::uint64_t reranked = 0;

  StableArray<TaskRecord> records;  ///< this and the following ones are indexed by task
  StableArray<Job> places;          ///< storage for tasks without a queue
  Origins origins;
  PlanMaker maker;
  bool planning = false;  ///< a plan is being made
  /// All releases at or before this instant have been made.
  Time made = -never;

  /// For the current or last change of scenario: the number of unfinished jobs that were released
  /// before it, and when the last of them finished.
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
  bool stores_overruns = false;
  bool quiescent = false;  ///< only tasks of clients are released
  std::size_t pending = 0;
  Time hold = never;

  // Tasks with something that waits, each at most once; there is room for all.
  std::vector<TaskId> delayed;    ///< releases, until the minimum interval has passed
  std::vector<TaskId> held;       ///< releases, until the suspension ends
  std::vector<TaskId> lowered;    ///< a job in the background
  std::vector<TaskId> restarted;  ///< restarted while a plan was being made
  std::vector<TaskId> entering;   ///< with pending jobs, during a change
  std::vector<MovedJob> moved;    ///< by the last change of plan

  void (*observer)(void *, const ReleaseNotice &) = nullptr;
  void * observer_context = nullptr;

  /// The task's record, with values of the plan and scenario in effect.
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

  /// Makes room for tasks. May run concurrently with the use of the scheduler.
  void make_room(std::size_t tasks);
  void apply(std::unique_ptr<CompiledPlan> & next, Time now) noexcept;
  void use(Room & room) noexcept;
  /// Drops the task's pending jobs and waiting releases.
  void drop_pending(TaskId id) noexcept;
  /// Initialises the record of an added task.
  void begin(TaskId id, Time now) noexcept;
  /// Adapts the record of a task with other job storage or another grid.
  void change(TaskId id) noexcept;
  void release_now(TaskId id, Time now) noexcept;
  /// Makes timers due at their first points after `now`, and delayed releases when they are to be
  /// made.
  void aim(Time now) noexcept;
  /// Appends the tasks with a pending job and none started.
  void gather_pending(std::vector<TaskId> & to) const noexcept;
  /// Carries over which inputs were refreshed for which job, so that none is refreshed again.
  void keep_refreshed(const CompiledScenario & before) noexcept;
  /// Gives the started jobs the levels that their tasks have now, if these rise in the same order;
  /// otherwise they keep their levels. Their ceilings become the higher of old and new.
  void move_started() noexcept;

  // ---- scenarios

  void set_scenario(ScenarioId to, Time now) noexcept;
  /// Copies what the active scenario says of the task into its record.
  void enter(TaskId id) noexcept;
  /// Calls `each` for the tasks in `entering` and those with a started job.
  template <typename Each>
  void each_with_jobs(const Each & each) noexcept;
  /// To be called when a plan or scenario takes effect: updates every task with a job and re-ranks
  /// the pending jobs.
  void enter_tasks_with_jobs() noexcept;
  /// Makes the held releases of tasks that are not suspended any more.
  void release_held(Time now) noexcept;
  /// Determines whether the task's deadlines must be watched.
  void set_watched(TaskId id) noexcept;
  /// Accounts for a finished job that was released before the switch of scenario.
  void leave_old(TaskId id, Time now) noexcept;

  bool changing_scenario() const noexcept { return old_jobs > 0; }

  // ---- releases and deadlines

  /// Makes every release due at or before `limit`.
  void make_due(Time limit, Time now) noexcept;
  void set_quiescent(bool on) noexcept;
  bool released_now(TaskId id) const noexcept {
    return !quiescent || plan->task(id).kind == TaskKind::client;
  }
  /// For a timer with a grid of its own.
  void restart(TaskId id, Time first, Time now) noexcept;
  /// Whether the timer, which `waits`, is not released at this point.
  bool passes_over(TaskId id, Time at) const noexcept;
  void release_timers(Time limit, Time now) noexcept;
  void release_delayed(TaskId id) noexcept;
  Release release(TaskId id, Time at, Time now) noexcept;
  /// Makes one release; false if it was skipped.
  bool accept(TaskRecord & record, TaskId id, Time at) noexcept;
  /// Skips `count` releases at `at` and the following points.
  void skip(TaskId id, Time at, std::uint64_t count) noexcept;
  /// The first of the task's jobs may start from now on.
  void make_ready(TaskRecord & record) noexcept;
  /// Notices the misses of deadlines at or before `limit`.
  void notice_due(Time limit, Time now) noexcept;
  void notice(TaskId id, Time limit, Time now) noexcept;
  /// Watches the task's first deadline that is not noticed as missed.
  void watch(TaskId id) noexcept;

  // ---- budgets

  Decision charge(Duration used, Time now, Duration least) noexcept;
  void exhaust(const Job & job, Duration used, Time now, bool lower) noexcept;
  /// The top job of the remaining stack is running from now on.
  void run_top(Time now) noexcept;

  // ---- data age

  /// The inputs with a `max_age` that a job would find.
  struct Inputs {
    std::optional<OnStale> stale;  ///< an input is too old: what to do with the job
    Time oldest = never;
    Time fresh_until = never;
  };

  /// The decision that must go before the job so that its inputs are young enough; `nothing` if
  /// they are, or if that is not possible. Returns in `found` what the job would find.
  Decision refresh(const Job & job, Level level, Time now, Inputs & found) noexcept;
  /// The decision that completes a job of the producer at `level`, or the job that keeps it from
  /// starting; `nothing` if that is not possible. `begun`: it is the producer's job.
  Decision complete(TaskId producer, Level level, Time now, bool & begun) noexcept;
  bool release_extra(TaskId id, Time now) noexcept;
  Decision raise(Job & job, Level level, Time now) noexcept;
  void report_stale(TaskId task) noexcept;
  /// Skips the first pending job, which could start.
  void drop_first() noexcept;

  // ---- decisions

  Decision decide(Time now) noexcept;
  /// The pending job that decide() would start, apart from holds and old inputs; nullptr if none.
  Job * startable() noexcept;
  /// Removes a pending job from the ready queue.
  void unready(const Job & job) noexcept;
  /// Starts a job that may start, at this level.
  Decision start(Job & job, Level level, Time now) noexcept;
  /// As above, for a job whose inputs have been examined.
  Decision start(Job & job, Level level, const Inputs & found, Time now) noexcept;
  bool finish(Level level, Time now, Duration used) noexcept;
  bool finish_lowered(TaskId id, Time now) noexcept;
  /// To be called before a started job finishes: makes what was due before, which found the job
  /// unfinished, even if the finish is reported late.
  void make_due_before_end(const TaskRecord & record, TaskId id, Time now) noexcept;
  /// Finishes the job; true if it was late.
  bool end(TaskRecord & record, TaskId id, Time now) noexcept;
  void rank_anew() noexcept;
  bool precedes(const Job & a, const Job & b) const noexcept;
  Urgency rank(const Job & job) const noexcept {
    return compiled->policy->urgency(timed(job.task), job, application);
  }
};

}  // namespace takt::model
