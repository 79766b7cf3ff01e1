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

/// What became of a release.
enum class Release : std::uint8_t {
  accepted,  ///< the job is pending
  delayed,   ///< before the minimum interval, or while the task is suspended: released (or
             ///< skipped) when that has passed
  skipped,   ///< overrun: the previous job is unfinished and no further one may wait
};

/// What the observer of releases is told.
struct ReleaseNotice {
  Job job;
  /// Accepted or skipped.
  Release what = Release::accepted;
  /// How many releases of the task in a row, of which `job` is the first; above 1 if skipped only.
  std::uint64_t count = 1;
  /// From each of them to the next.
  Duration apart = 0;
};

/// What the scheduler wants done now.
struct Decision {
  enum class Kind : std::uint8_t {
    nothing,  ///< no job may start before the next input
    start,    ///< start `job` on the worker of `job.level`
    raise,    ///< let `job`, started on `worker`, go on at `job.level`, above all that are started
    lower,  ///< let `job`, started on `worker`, go on in the background: the worker's level is free
    hold,   ///< the policy declines to start anything before `until`
  };
  Kind kind = Kind::nothing;
  /// What starts or is held, else nullptr. Of a `start`: valid until it has finished; of a `hold`:
  /// until the next input.
  const Job * job = nullptr;
  Time until = never;
  /// Where the job is started: its level at its start.
  Level worker = 0;
  /// Of a `raise`: the worker of the job that was directly above it; 0 if it was the top one.
  Level above = 0;
  /// Of a `start` or `raise` that comes first so that another job finds young data: that job's task.
  TaskId reader = none;
  /// An input is older than it may be, and could not be refreshed.
  bool stale = false;
  /// Of a `start`: the job has a budget, so its CPU time matters.
  bool budgeted = false;
  /// Of a `start`: when the oldest of its inputs with a `max_age` was published; -never if one has
  /// no data, `never` if there are no such inputs.
  Time oldest_input = never;
  /// Of a `start`: until when all of them are young enough, if they are: it may come to the CPU
  /// later. `never` if there are no such inputs.
  Time fresh_until = never;
};

/// A release that found the previous job of its task unfinished, or too many of the task's releases
/// delayed.
template <typename Id>
struct OverrunOf {
  JobOf<Id> job;
  /// How many releases in a row, of which `job` is the first.
  std::uint64_t count = 1;
  /// They were shed; else the job waits.
  bool skipped = false;
};
using Overrun = OverrunOf<TaskId>;

/// A job that has used up its budget of CPU time, each once.
template <typename Id>
struct ExhaustionOf {
  JobOf<Id> job;
  /// The instant at which it was noticed.
  Time noticed = 0;
  /// CPU time that it had used by then.
  Duration used = 0;
  /// It goes on in the background.
  bool lowered = false;
};
using Exhaustion = ExhaustionOf<TaskId>;

/// A job that has not finished at its deadline, or finished after it.
template <typename Id>
struct MissOf {
  JobOf<Id> job;
  /// The instant at which it was noticed.
  Time noticed = 0;
  /// True if the job had not even started.
  bool pending = false;
  /// True if the job was there while a change of scenario was under way: from the switch until what
  /// had been released before it is done.
  bool transition = false;
};
using Miss = MissOf<TaskId>;

/// Per task, counted since it was added.
struct TaskCounters {
  std::uint64_t released = 0;  ///< on the grid, skipped included; delayed ones when they are due
  std::uint64_t skipped = 0;
  std::uint64_t started = 0;
  std::uint64_t finished = 0;
  std::uint64_t missed =
      0;  ///< late jobs (noticed or finished late), each once; skipped not included
  std::uint64_t transition_misses = 0;  ///< of `missed`, those with Miss::transition
  std::uint64_t refreshed = 0;          ///< jobs whose input was refreshed before they started
  std::uint64_t extra_releases = 0;     ///< of `released`, those made to refresh what another reads
  std::uint64_t stale_skipped = 0;      ///< of `skipped`, those whose input was too old
  std::uint64_t stale_reported = 0;     ///< jobs that started although their input was too old
  std::uint64_t exhausted = 0;          ///< jobs that used up their budget
  std::uint64_t lowered = 0;            ///< of `exhausted`, those that went on in the background
  std::uint64_t overruns = 0;  ///< releases that found the previous job unfinished, or too many
                               ///< of the task's releases delayed
};

/// Of all tasks, also those that are gone; each as in TaskCounters.
struct LoadCounters {
  std::uint64_t overruns = 0;
  std::uint64_t exhausted = 0;
  std::uint64_t lowered = 0;
};

/// Likewise.
struct AgeCounters {
  std::uint64_t refreshed = 0;
  std::uint64_t extra_releases = 0;
  std::uint64_t stale_skipped = 0;
  std::uint64_t stale_reported = 0;
};

/// The scheduling of one processor.
///
/// Inputs: a task was released, a job finished, time passed, the application's state changed.
/// Output: decisions. Started jobs form a stack: their levels
/// rise strictly from bottom to top, so the operating system, given one priority per level, always
/// runs the top one. A job starts only if it is the most urgent pending one, more urgent than the
/// top of the stack, its level is above every started job's and above the ceiling of every busy
/// group (stack resource policy).
///
/// Where a job that may start reads a channel whose newest data is older than its `max_age`, the
/// job of a task that publishes there goes before it, at its level: one that is started is raised,
/// a pending one is started, or an extra one is released where the task allows that; what keeps
/// that job's group busy is raised before. Once for each job and input; if the input is then still
/// too old, the job is skipped or told. Which task refreshes for which must not go in a circle.
///
/// A started job with a budget of CPU time that has used it up is told and, where its task says so,
/// lowered: it leaves the stack and goes on in the background, below everything that is started.
/// Under a policy that does not preempt that is noticed when the job finishes, and only told.
///
/// No member allocates or throws but those that say so. Not thread-safe: the
/// executor calls it under the processor's lock.
class Scheduler {
 public:
  /// Of what the setup has at first. Allocates; throws std::invalid_argument.
  explicit Scheduler(Setup & setup);
  ~Scheduler();
  Scheduler(Scheduler &&) noexcept;
  Scheduler & operator=(Scheduler &&) noexcept;

  // ---- plans
  // A change takes three steps: begin_plan(), which tells what the plan is to be made for; make_plan(),
  // which takes long, while another thread may go on to use the scheduler; and apply(). One change at
  // a time.

  Outlook begin_plan(Time now) noexcept;
  /// Allocates; throws std::bad_alloc, and std::length_error for too many tasks. What is new in the
  /// setup counts as told from now on.
  std::unique_ptr<Plan> make_plan(Setup & setup, const Outlook & outlook);
  /// The plan, made since the last one was applied, is in force from now on; the old one is left in
  /// `plan`, to be destroyed by who may take the time. Releases at or before `now` are made first.
  /// Started jobs finish as they were; pending ones keep their release and get the new deadline and
  /// rank; timers go on on their grids. O(n log n) of the jobs that are started and pending, of what
  /// comes and goes, and of what is due since begin_plan(); O(n) of all tasks where a new grid begins
  /// or the scenario has changed meanwhile.
  void apply(std::unique_ptr<Plan> & plan, Time now) noexcept;
  /// The started jobs that the last apply() has moved, from the lowest.
  std::span<const MovedJob> moved() const noexcept;
  /// The task has no releases any more, and no pending jobs: it is about to be removed. True if one
  /// of its jobs is started, or in the background. O(pending).
  bool retire(TaskId task) noexcept;
  bool contains(TaskId task) const noexcept;
  /// Whether a job of the task is started, or in the background. Also of one that was removed.
  bool busy(TaskId task) const noexcept;

  // ---- settings

  /// How much younger than their `max_age` inputs must be at a decision: what may pass until the
  /// job has them. Throws std::invalid_argument.
  void set_age_margin(Duration margin);
  /// Has `observer(context, notice)` called for all releases, inside the call that makes them, and
  /// once for those that are skipped in a row: a stall of hours costs no time. It must not allocate,
  /// block, throw or call the scheduler. nullptr: nobody.
  void set_release_observer(void (*observer)(void * context, const ReleaseNotice & notice),
                            void * context) noexcept;

  /// From now on overruns are kept for next_overrun(), not only counted.
  void tell_overruns(bool tell) noexcept;

  // ---- inputs

  /// Releases every timer (and every delayed sporadic job) due at or before `now`, at its own
  /// instant on the grid, in order of release. Of a timer that is several periods behind, every
  /// release is accounted for: accepted or skipped. Then notices the jobs unfinished at deadlines
  /// at or before `now`: see next_miss(). So of what happens at one instant, feed the finish first.
  void advance(Time now) noexcept;
  /// A task that is not a timer was released at `release` (<= now). Timers due by then are released
  /// before it. No effect on a timer or an unknown task: `skipped`, not counted.
  Release release(TaskId task, Time release, Time now) noexcept;
  /// A timer with a grid of its own is released next at `first`, then every period; `never`: not
  /// until it is restarted. A job that it has already stays. Points before the present are released
  /// or skipped as those of other timers: give the last of them to have one release. Where a scenario
  /// gives it another period, its grid is of that, from the point of its own before `first` on, and it
  /// is released next at the first point after that which is not before `now`. Where one gives it a
  /// phase, it lies on the scheduler's grid while it is not stopped, as another timer always does, and
  /// `first` says only whether it is: `never` or not. O(n).
  /// `reset`: when the timer was reset last, `-never` if it was not. On the scheduler's grid it is not
  /// released within a period of that, the scenario's if that gives it one; points that are passed
  /// over are not counted. No effect on other tasks.
  void restart(TaskId task, Time first, Time now, Time reset = -never) noexcept;
  /// Data of this instant is there for all who read the channel. O(n): who cares for time tells the
  /// inputs' Newest.
  void published(ChannelId channel, Time at) noexcept;
  /// The job of the task came to the CPU after Decision::fresh_until.
  void began_stale(TaskId task) noexcept;
  /// The job started on the worker `level` has finished at `now`. `used`: the CPU time it has used;
  /// -1 if that is not known, and then its budget is not looked at. Returns true if it was late.
  /// Releases before `now` are made first, for they found it unfinished; those at `now` are left to
  /// advance(). No effect if no job of the level is started.
  bool finish(Level level, Time now, Duration used = -1) noexcept;
  /// The same of the job that a task has in the background.
  bool finish_lowered(TaskId task, Time now) noexcept;
  /// The running job whose budget has ended by advance(), as if it had had the CPU all along;
  /// nullptr if there is none. charge() is to be told what it has used; its budget is no event until
  /// then.
  const Job * to_charge() const noexcept;
  /// The job of to_charge() has used so much CPU time. Where that is less than its budget it goes
  /// on for the rest, `least` at least before it is charged again; else it has used it up, see
  /// next_exhaustion(), and may be lowered, which counts as carried out.
  Decision charge(Duration used, Time now, Duration least = 0) noexcept;
  /// New application state; its version becomes the old one + 1. Ranks pending jobs anew, O(n), if
  /// the policy uses it. The previous state is handed back so that it can be freed by the caller.
  ApplicationState set_state(ApplicationState state) noexcept;
  /// From now on only tasks of clients are released: no other has pending jobs any more, which count
  /// as never released, and a timer that was due meanwhile is not released before the next plan is
  /// applied. O(n); no effect on started jobs.
  void set_quiescent(bool quiescent) noexcept;

  /// The scenario holds from now on; no effect if there is none of that number. Releases at or before `now` are made first. Started jobs finish as they were; pending ones keep
  /// their release and get the new deadline and rank; a timer's first release under its new timing
  /// is the first point of t0 + phase + k * period after `now`; indices go on counting. Until what was
  /// started has finished, ceilings are the higher of old and new. O(n).
  void set_scenario(ScenarioId scenario, Time now) noexcept;

  // ---- decisions

  /// The next thing to do at `now`. A `start` counts as carried out: the job is on the stack.
  /// Call again until it says something else (two levels cannot start at one instant unless the
  /// second preempts the first). O(log n) for ranked policies.
  Decision decide(Time now) noexcept;

  /// The earliest instant at which advance() has something to do (release, deadline, budget, hold);
  /// `never` if none.
  Time next_event() const noexcept;
  /// Takes the oldest miss not yet reported; false if there is none. Misses are kept in a bounded
  /// ring of one place per task and queue place; what does not fit is counted, and none is ever
  /// lost from the tasks' counters.
  bool next_miss(Miss & miss) noexcept;
  /// Likewise overruns, if tell_overruns().
  bool next_overrun(Overrun & overrun) noexcept;
  /// Likewise used up budgets, one place per task.
  bool next_exhaustion(Exhaustion & exhaustion) noexcept;
  /// Whether there is any of them not yet taken.
  bool has_notices() const noexcept;

  // ---- looking

  bool idle() const noexcept;                ///< nothing started, but in the background
  std::size_t lowered() const noexcept;      ///< jobs in the background
  bool lowered(TaskId task) const noexcept;  ///< whether one of the task's is
  std::size_t pending() const noexcept;      ///< jobs released and not started
  Level running() const noexcept;            ///< level of the top started job, 0 if none
  /// The pending jobs that will probably start next, and after that; nullptr if there is none, it is
  /// not at hand, or the policy compares jobs.
  std::array<const Job *, 2> upcoming() const noexcept;
  const Job * started(Level level) const noexcept;
  ScenarioId scenario() const noexcept;      ///< that holds
  const Plan & plan() const noexcept;        ///< in force
  Level levels() const noexcept;             ///< as the plan has them
  Level level(TaskId task) const;            ///< of a task, in the scenario that holds
  Level ceiling(GroupId group) const;        ///< of a group, likewise
  const Task & task(TaskId task) const;      ///< as it was added; until the next apply()
  const Task & task_now(TaskId task) const;  ///< in the scenario that holds; likewise
  bool suspended(TaskId task) const;         ///< in the scenario that holds
  TaskCounters counters(TaskId task) const;
  LoadCounters load_counters() const noexcept;
  AgeCounters age_counters() const noexcept;
  std::uint64_t reranked() const noexcept;    ///< how often a new state re-ranked the queue
  std::uint64_t unreported() const noexcept;  ///< not kept because nobody took them
  std::optional<Time> grid() const noexcept;  ///< t0, once it is set
  const Policy & policy() const noexcept;     ///< of the base

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace takt::model
