// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "budget_watch.hpp"
#include "deadline_watch.hpp"
#include "job_queue.hpp"
#include "notice_ring.hpp"
#include "ready_queue.hpp"
#include "scene.hpp"
#include "slot_area.hpp"
#include "started_stack.hpp"
#include "takt_core/model/scheduler.hpp"

namespace takt::model {

/// What the scheduler knows of a task, in the order in which a job touches it: most jobs find their
/// task's memory cold, so every cache line counts.
struct alignas(64) TaskRecord {
  JobQueue jobs;                 ///< unfinished; only the first can be ready or started
  std::uint64_t next_index = 0;  ///< of the next release
  Duration deadline = never;     ///< the task's
  std::uint32_t noticed = 0;     ///< how many of `jobs`, from the first, are known as missed
  Level level = 1;
  Level ceiling = 1;  ///< of its group if that is exclusive, else its own level
  bool alive : 1 = true;
  bool started : 1 = false;
  bool suspended : 1 = false;
  bool aged : 1 = false;       ///< an input of its jobs has a `max_age`
  bool extra : 1 = false;      ///< a job of its own was released beyond its timing, or the grid has
                               ///< begun anew since
  bool budgeted : 1 = false;   ///< jobs that start have a budget
  bool lowered : 1 = false;    ///< `started`, and in the background
  bool watched : 1 = false;    ///< its first deadline may not be that of its next release
  std::uint64_t released = 0;  ///< skipped included
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
  Time earliest = -never;      ///< not a timer: a release before it is delayed
  std::uint64_t off_grid = 0;  ///< timer: `next_index` minus the k of its release, modulo 2^64
  Time origin = never;         ///< timer with a grid of its own: the point before its first
  std::uint32_t delayed = 0;   ///< releases that wait, the first until `earliest`
  std::uint32_t held = 0;      ///< releases that wait for the end of its suspension
  std::uint32_t old = 0;       ///< how many of `jobs`, from the first, are of before the switch

  /// Timer: the k of its next release.
  std::uint64_t next_point() const noexcept { return next_index - off_grid; }
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

/// Throws std::invalid_argument where an age is out of range or refreshing goes in a circle.
void check_inputs(const std::vector<Task> & tasks);
/// Gives every input a Newest.
void make_newest(DataFlow & data);

/// All of the scheduler. Its members are in files by what they are about, as below.
struct Scheduler::State {
  std::unique_ptr<Policy> policy;  ///< of the base
  Level max_levels = 1;
  ApplicationState application;
  std::uint64_t reranked = 0;

  std::vector<Task> tasks;  ///< as they were added
  std::vector<TaskRecord> records;
  std::vector<std::optional<Group>> groups;
  std::vector<std::unique_ptr<Scene>> scenes;  ///< by scenario
  std::optional<Time> aim_from;  ///< commit() makes timers due at their first points after it
  std::optional<Time> t0;

  Scene * scene = nullptr;  ///< that holds
  ScenarioId scenario = base_scenario;
  /// The change of scenario that is under way, or the last: what was released before it, and when
  /// the last of that was done.
  std::size_t old_jobs = 0;
  Time change_ended = -never;

  Duration age_margin = 0;
  AgeCounters ages;

  SlotArea single_slots;  ///< where the tasks' queues of jobs lie: those of one place
  SlotArea slots;         ///< the others
  ReadyQueue ready;
  DeadlineWatch deadlines;
  StartedStack started;
  BudgetWatch budgets;
  LoadCounters loads;
  NoticeRing<Miss> misses;
  NoticeRing<Overrun> overruns;
  NoticeRing<Exhaustion> exhaustions;
  bool tells_overruns = false;
  std::size_t lowered = 0;  ///< jobs in the background
  std::size_t pending = 0;
  Time hold = never;

  void (*observer)(void *, const ReleaseNotice &) = nullptr;
  void * observer_context = nullptr;

  // ---- set-up

  void change(const char * what);
  /// Whether the task's jobs keep others of its group from starting.
  bool exclusive(TaskId id) const noexcept {
    const GroupId group = tasks[id].group;
    return records[id].alive && group != none && groups[group]->exclusive;
  }
  /// Throws std::invalid_argument if the task cannot be in its group.
  void check_group(const Task & task) const;
  void make_scene(Scene & made);
  void make_levels(Scene & made) const;
  void make_slots();
  void make_sources(Scene & made) const;
  void make_ready_again();
  Level most_levels() const noexcept;

  // ---- scenarios

  void set_scenario(ScenarioId to, Time now) noexcept;
  /// Takes over what the scenario that holds says of the task.
  void enter(TaskId id) noexcept;
  /// Whether the task's deadlines are events from now on.
  void set_watched(TaskId id) noexcept;
  /// Of a task's jobs, one of before the switch has finished.
  void leave_old(TaskId id, Time now) noexcept;
  /// Makes every timer due at its first point after `now`.
  void aim_timers(Time now) noexcept;

  bool under_way() const noexcept { return old_jobs > 0; }

  // ---- releases and deadlines

  /// Carries out every release due at or before `limit`.
  void make_due(Time limit, Time now) noexcept;
  void restart(TaskId id, Time first, Time now) noexcept;
  /// Where a timer's point 0 lies; `never`: it has none.
  Time origin(TaskId id) const noexcept {
    const Task & task = scene->tasks[id];
    if (task.own_grid) return records[id].origin;
    const bool stopped = tasks[id].own_grid && records[id].origin == never;
    return t0 && !stopped ? *t0 + task.phase : never;
  }
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

  /// As check_inputs, for every scenario.
  void check_data(const std::vector<Task> & all) const;
  void make_inputs(Scene & made) const;
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
    return scene->policy->urgency(scene->tasks[job.task], job, application);
  }
};

}  // namespace takt::model
