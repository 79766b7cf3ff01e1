// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "deadline_watch.hpp"
#include "job_queue.hpp"
#include "levels.hpp"
#include "miss_ring.hpp"
#include "ready_queue.hpp"
#include "release_queue.hpp"
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
  bool alive = true;
  bool started = false;
  bool watched = false;        ///< its deadline is not that of its next release, so it is an event
  std::uint64_t released = 0;  ///< skipped included
  std::uint64_t skipped = 0;
  std::uint64_t missed = 0;
  std::uint64_t overruns = 0;
  Time earliest = -never;       ///< not a timer: a release before it is delayed
  std::uint32_t delayed = 0;    ///< releases that wait, the last until `earliest` - interval
  std::uint32_t source = none;  ///< in the release queue, where it has a minimum interval

  /// What was not skipped has finished or lies in the queue.
  TaskCounters counters() const noexcept {
    const std::uint64_t finished = released - skipped - jobs.size();
    return {released, skipped, finished + (started ? 1 : 0), finished, missed, overruns};
  }
};

/// All of the scheduler. Its members are in three files: set-up, releases and deadlines, decisions.
struct Scheduler::State {
  std::unique_ptr<Policy> policy;
  const Policy::Before * before = nullptr;  ///< the policy's comparator, if it has one
  bool ranks_tasks = false;                 ///< the policy says so
  Level max_levels = 1;
  ApplicationState application;
  std::uint64_t reranked = 0;

  std::vector<Task> tasks;
  std::vector<TaskRecord> records;
  std::vector<std::optional<Group>> groups;
  std::vector<Level> ceilings;  ///< by group; 0 without members
  std::optional<Time> t0;

  Levels levels;
  std::vector<Job> slots;  ///< where the tasks' queues of jobs lie
  ReadyQueue ready;
  ReleaseQueue releases;
  DeadlineWatch deadlines;
  StartedStack started;
  MissRing misses;
  std::size_t pending = 0;
  Time hold = never;

  void (*observer)(void *, const Job &, Release) = nullptr;
  void * observer_context = nullptr;

  // ---- set-up

  void change(const char * what);
  void make_levels();
  void make_slots();
  void make_releases();
  void make_ready_again();

  // ---- releases and deadlines

  /// Carries out every release due at or before `limit`.
  void make_due(Time limit, Time now) noexcept;
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

  // ---- decisions

  Decision decide(Time now) noexcept;
  const Job * start() noexcept;
  bool finish(Level level, Time now) noexcept;
  void rank_anew() noexcept;
  bool precedes(const Job & a, const Job & b) const noexcept;
  Urgency rank(const Job & job) const noexcept {
    return policy->urgency(tasks[job.task], job, application);
  }
};

}  // namespace takt::model
