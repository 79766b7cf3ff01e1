// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "takt_core/executor/processor.hpp"
#include "takt_core/model/scenario.hpp"
#include "takt_core/model/task.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/tasks/callback_group.hpp"
#include "takt_core/tasks/duration.hpp"
#include "takt_core/tasks/topics.hpp"

namespace takt {

struct ReadOptions {
  /// How old the subscription's newest message may be when a job starts, from its publication,
  /// above the executor's `age_margin`; Duration::max(): any age. Where it is older, the task that
  /// publishes the topic on the same executor goes first; of several CPUs the two are then on one.
  /// What comes from another process is as old as the clocks of the two hosts say, and cannot be
  /// refreshed.
  Duration max_age = Duration::max();
  /// What becomes of a job whose message is too old and cannot be refreshed: it runs and is told,
  /// or is skipped; counted either way. Default: it runs and is told, but where there is no task
  /// that could refresh it, or it is placed by hand on another CPU, spin() throws Error.
  std::optional<model::OnStale> on_stale = std::nullopt;
};

}  // namespace takt

namespace takt::tasks {

class Callback;
class Node;

/// The task of a subscription that these tasks read: it takes from them what was not given to it.
model::Task read_by(model::Task task, const std::vector<model::Task> & readers, bool own_priority,
                    bool own_deadline);

/// What a callback asks of an executor with several processors.
struct Demand {
  /// The one that it must be on: its place among the executor's CPUs, from 0. Not given: its
  /// group's, else the node's.
  std::optional<std::size_t> processor = std::nullopt;
  /// Execution time of a job, at most; at least 0, 0 for not known.
  Duration wcet = Duration::zero();
};

/// A subscription whose messages a callback's jobs are given before they begin.
struct TopicRead {
  std::shared_ptr<Callback> subscription;
  ReadOptions options = {};
};

/// A unit of execution with the identifier `node/name`, of whichever front end: what executors know
/// of a timer, a subscription, a service, a client, an event.
///
/// Life: the node lists it weakly, an executor keeps it while it has a task of it. Who ends it calls
/// detach(): on return no job of it runs or will, unless that happens inside a job, of whichever
/// executor: that never waits, and a job that runs still finishes.
class Callback : public std::enable_shared_from_this<Callback> {
 public:
  /// `task` says kind, timing and priority; its `id` is the bare name, made `node/name` by
  /// Node::list; its `group` is left out. `group`: nullptr for the node's default group. Throws
  /// Error for timing or a priority out of range, and for a processor that is not the group's.
  Callback(std::shared_ptr<Node> node, model::Task task, CallbackGroup::SharedPtr group,
           const Demand & demand = {});
  virtual ~Callback();
  Callback(const Callback &) = delete;
  Callback & operator=(const Callback &) = delete;

  const std::string & id() const noexcept { return task_.id; }
  model::TaskKind kind() const noexcept { return task_.kind; }
  Node & node() const noexcept { return *node_; }

  /// What the scheduler is to know; `group` is model::none.
  virtual model::Task task() const { return task_; }
  virtual CallbackGroup::SharedPtr group() const;
  /// False if it has no releases of its own: a subscription that is only read, a canceled timer.
  virtual bool is_task() const noexcept { return true; }

  /// The processor that it must be on, by its own options, its group's or the node's; none: any.
  std::optional<std::size_t> processor() const;
  /// The share of a processor that it declares to need: its WCET, else its budget, by its period,
  /// as a scenario has them; 0: not known.
  double utilisation(const model::Timing & timing = {}) const;

  /// Whether its name says only what it is like, so that where others of its node have the same,
  /// nothing but a number tells it from them: rclcpp's timers have no names.
  virtual bool numbered() const noexcept { return false; }

  /// Of a timer: whether it can lie on the executor's grid, which is one of steady time.
  virtual bool may_have_phase() const noexcept { return true; }

  /// Runs one job; takes what there is to take. May throw what the user's code throws. Called by
  /// one thread at a time, on an executor's thread.
  virtual void execute(const executor::JobInfo & job) = 0;
  /// What execute() touches first. Set-up.
  virtual executor::Footprint footprint() const noexcept {
    executor::Footprint footprint;
    footprint.add(this);
    return footprint;
  }

  // ---- data: which topics (resolved) its jobs deal with

  /// Whether its jobs are given the messages of this topic before they begin.
  virtual bool reads(const std::string & /*topic*/) const noexcept { return false; }
  /// What they are given. Allocates.
  virtual std::vector<TopicRead> topics_read() const { return {}; }
  /// Whether something that it reads has a `max_age`.
  virtual bool bounds_age() const noexcept { return false; }
  /// The topics that it is said to publish; nullptr: its jobs publish nothing.
  virtual const Topics * topics_published() const noexcept { return nullptr; }
  /// It may be released beyond its timing, to refresh what another reads with a `max_age`.
  virtual bool extra_releases() const noexcept { return false; }

  // ---- of a client

  /// Whether a job of this task may be waiting for a response that a job of this one would receive. Any
  /// thread; must not block.
  virtual bool owes(executor::TaskId /*task*/) const noexcept { return false; }
  /// Whether it knows which task has asked. Otherwise a response that lies there may be another's.
  virtual bool knows_who_asked() const noexcept { return true; }

  // ---- of a subscription

  /// Empty: it is none.
  virtual const std::string & topic() const noexcept;
  /// What it is if these tasks read its topic. Allocates.
  virtual model::Task task_read_by(const std::vector<model::Task> & /*readers*/) const {
    return task();
  }
  /// From now on newest() is told, by jobs of its own if need be. Set-up, any thread.
  virtual void watch_age() {}
  /// When the newest message that has arrived was published; kept only if the age is watched.
  virtual std::shared_ptr<model::Newest> newest() const { return nullptr; }
  /// Whether something in this process publishes to it.
  virtual bool published_inside() const { return false; }

  // ---- for executors that are told of releases

  /// Tells of `count` releases. Any thread, the middleware's too. Must not allocate or block.
  using Notify = void (*)(void * context, std::size_t count);
  /// Tells that a timer begins anew, as Processor::restart(). Likewise.
  using Restart = void (*)(void * context, model::Time first, model::Time reset);
  /// From now on `notify` is called for each release, at once for those that had no job yet, and
  /// `begin_anew` when it does as a timer, at once with next_release(), each time with last_reset().
  /// nullptr: nobody is told, releases are counted. On return the previous ones are not being called.
  void set_notify(Notify notify, Restart begin_anew, void * context);
  /// Of a timer with a grid of its own: when its next release is, an instant of CLOCK_MONOTONIC;
  /// model::never: not until it is restarted. Any thread; must not block.
  virtual model::Time next_release() const noexcept;
  /// Of a timer: when it was reset last, likewise; -model::never: it was not. On the executor's grid it
  /// has no release within a period of that. Any thread; must not block.
  virtual model::Time last_reset() const noexcept { return -model::never; }
  bool has_own_grid() const noexcept { return task_.own_grid; }
  /// Tells of next_release(), if it has a grid of its own. Any thread; neither allocates nor throws.
  void tell_next_release() noexcept;
  /// Runs the job of one release. As execute.
  void run(const executor::JobInfo & job);
  /// Starts or stops to be told of what comes. Set-up; may throw.
  virtual void listen(bool /*on*/) {}

  /// Called by Node::list, when the object is complete and listed. May throw.
  virtual void attach() {}
  /// Leaves the node and its executor; see the class. Idempotent. Overriders call this one first.
  virtual void detach();

 protected:
  /// It was released `count` times. Any thread; never allocates or throws.
  void released(std::size_t count = 1) noexcept;
  /// As a timer it begins anew. Any thread; never allocates or throws.
  void restart(model::Time first) noexcept;
  /// Its task() or is_task() has changed: the executor is told. Not while its locks are held.
  void changed();

  model::Task task_;

 private:
  friend class Node;
  std::shared_ptr<Node> node_;
  CallbackGroup::SharedPtr group_;
  const Demand demand_;
  os::PiMutex notify_mutex_{os::LockRank::notify};
  Notify notify_ TAKT_GUARDED_BY(notify_mutex_) = nullptr;
  Restart restart_ TAKT_GUARDED_BY(notify_mutex_) = nullptr;
  void * notify_context_ TAKT_GUARDED_BY(notify_mutex_) = nullptr;
  std::atomic<std::size_t> waiting_ = 0;  // releases without a job so far
};

}  // namespace takt::tasks
