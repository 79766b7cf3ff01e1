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

/// How a timer reads a subscription.
struct ReadOptions {
  /// The greatest age of the subscription's newest message, from its publication to the start of a
  /// job; above the executor's `age_margin`; Duration::max() for no limit. If the message is older,
  /// the task that publishes the topic on the same executor runs first; with several CPUs both
  /// tasks are placed on the same one. The age of a message from another process is by the clocks
  /// of the two hosts, and it cannot be refreshed.
  Duration max_age = Duration::max();
  /// What to do with a job whose message is too old and cannot be refreshed: run and report it, or
  /// skip it; counted either way. Default: run and report it, but spin() throws Error if no task
  /// could refresh the message, or if that task is placed by hand on another CPU.
  std::optional<model::OnStale> on_stale = std::nullopt;
};

}  // namespace takt

namespace takt::tasks {

class Callback;
class Node;

/// Returns the task of a subscription, `task`, if the tasks `readers` read its topic. Unless the
/// priority (deadline) is its own, it gets the highest priority (shortest deadline) among the
/// readers' and its present one. Its `rank_period` becomes the readers' shortest period. Allocates.
model::Task read_by(model::Task task, const std::vector<model::Task> & readers, bool own_priority,
                    bool own_deadline);

/// A callback's requirements on an executor with several processors.
struct Demand {
  /// The processor it must be on, as an index into the executor's CPUs. Not given: the group's,
  /// else the node's.
  std::optional<std::size_t> processor = std::nullopt;
  /// The worst-case execution time (WCET) of a job; at least 0, 0 for not known.
  Duration wcet = Duration::zero();
};

/// A subscription whose messages are delivered to a callback's jobs before they run.
struct TopicRead {
  std::shared_ptr<Callback> subscription;
  ReadOptions options = {};
};

/// A schedulable unit with the identifier `node/name`, of any front end: what executors know of a
/// timer, a subscription, a service, a client or an event.
///
/// Lifetime: the node has a weak pointer to it; an executor has a shared pointer as long as it has
/// a task for it. The owner calls detach() to end it: on return no job of it is running, and none
/// will run. Called inside a job of any executor, detach() does not wait for a running job.
class Callback : public std::enable_shared_from_this<Callback> {
 public:
  /// `task` gives kind, timing and priority; its `id` is the bare name, which Node::list() makes
  /// `node/name`; its `group` is ignored. `group`: nullptr for the node's default group. Throws
  /// Error for timing or a priority out of range, and for a processor other than the group's.
  /// Allocates.
  Callback(std::shared_ptr<Node> node, model::Task task, CallbackGroup::SharedPtr group,
           const Demand & demand = {});
  virtual ~Callback();
  Callback(const Callback &) = delete;
  Callback & operator=(const Callback &) = delete;

  const std::string & id() const noexcept { return task_.id; }
  model::TaskKind kind() const noexcept { return task_.kind; }
  Node & node() const noexcept { return *node_; }

  /// The task's parameters for the scheduler; `group` is model::none.
  virtual model::Task task() const { return task_; }
  virtual CallbackGroup::SharedPtr group() const;
  /// Whether it has releases of its own. False for a subscription that is only read, and for a
  /// canceled timer.
  virtual bool is_task() const noexcept { return true; }

  /// The processor it must be on, by its own options, its group's or its node's; no value: any.
  std::optional<std::size_t> processor() const;
  /// The declared utilisation: WCET, or the budget if there is none, divided by the period, with a
  /// scenario's values where given; 0: not known.
  double utilisation(const model::Timing & timing = {}) const;

  /// Whether its name describes only its kind, so that callbacks of the same node with the same
  /// name are told apart by a number: timers of rclcpp have no names.
  virtual bool numbered() const noexcept { return false; }

  /// For a timer: whether it can follow the executor's release grid, which is one of steady time.
  virtual bool may_have_phase() const noexcept { return true; }

  /// Runs one job: takes the items that have arrived and calls the user's function, whose
  /// exceptions it passes on. Called on a thread of the executor, by one thread at a time.
  virtual void execute(const executor::JobInfo & job) = 0;
  /// The memory that execute() touches first, for prefetching. To be called at set-up.
  virtual executor::Footprint footprint() const noexcept {
    executor::Footprint footprint;
    footprint.add(this);
    return footprint;
  }

  // ---- data flow; topics are resolved names

  /// Whether messages of this topic are delivered to its jobs before they run.
  virtual bool reads(const std::string & /*topic*/) const noexcept { return false; }
  /// The subscriptions that its jobs read. Allocates.
  virtual std::vector<TopicRead> topics_read() const { return {}; }
  /// Whether it reads a subscription with a `max_age`.
  virtual bool bounds_age() const noexcept { return false; }
  /// The topics that it is declared to publish; nullptr if its jobs publish nothing.
  virtual const Topics * topics_published() const noexcept { return nullptr; }
  /// Whether it may be released in addition to its timing, to refresh data that another task reads
  /// with a `max_age`.
  virtual bool extra_releases() const noexcept { return false; }

  // ---- for clients

  /// Whether a job of `task` may be waiting for a response that a job of this client would receive.
  /// Any thread; must not block.
  virtual bool is_awaited_by(executor::TaskId /*task*/) const noexcept { return false; }
  /// Whether the client knows which task has sent a request. If not, is_awaited_by() returns
  /// whether a response has arrived, whichever task it is for.
  virtual bool knows_requester() const noexcept { return true; }

  // ---- for subscriptions

  /// The resolved topic; empty if it is no subscription.
  virtual const std::string & topic() const noexcept;
  /// The task of this subscription if these tasks read its topic; see read_by(). Allocates.
  virtual model::Task task_read_by(const std::vector<model::Task> & /*readers*/) const {
    return task();
  }
  /// Keeps newest() up to date from now on, by jobs of its own if need be. To be called at set-up;
  /// any thread.
  virtual void watch_age() {}
  /// The publication time of the newest message that has arrived; only kept after watch_age().
  virtual std::shared_ptr<model::Newest> newest() const { return nullptr; }
  /// Whether its topic has a publisher in this process.
  virtual bool published_inside() const { return false; }

  // ---- for executors that are notified of releases

  /// Reports `count` releases. Called on any thread, the middleware's included; must not allocate
  /// or block.
  using Notify = void (*)(void * context, std::size_t count);
  /// Reports that a timer is restarted, see Processor::restart(). Called as Notify.
  using Restart = void (*)(void * context, model::Time first, model::Time reset);
  /// Sets the functions that are called from now on. `notify` is called for releases, also within
  /// this call if there are releases that have had no job yet; if it is nullptr, releases are only
  /// counted. `begin_anew` is called when a timer is restarted and, for a timer, also within this
  /// call, with next_release(); its argument `reset` is last_reset(). On return the previous
  /// functions are not running any more.
  void set_notify(Notify notify, Restart begin_anew, void * context);
  /// For a timer with a grid of its own: its next release, an instant of CLOCK_MONOTONIC;
  /// model::never if it is stopped. Any thread; must not block.
  virtual model::Time next_release() const noexcept;
  /// For a timer: when it was last reset, an instant of CLOCK_MONOTONIC; -model::never if never. On
  /// the executor's grid it has no release within a period of that. Any thread; must not block.
  virtual model::Time last_reset() const noexcept { return -model::never; }
  bool has_own_grid() const noexcept { return task_.own_grid; }
  /// Reports next_release() to the executor if the timer has a grid of its own. Any thread; neither
  /// allocates nor throws.
  void tell_next_release() noexcept;
  /// Runs the job of one release: counts it and calls execute().
  void run(const executor::JobInfo & job);
  /// Starts or stops listening for data. To be called at set-up; may throw.
  virtual void listen(bool /*on*/) {}

  /// Called by Node::list() when the object is complete and listed. May throw.
  virtual void attach() {}
  /// Leaves the node and its executor; see the class. Idempotent. An override must call this first.
  virtual void detach();

 protected:
  /// Reports `count` releases to the executor. Any thread; neither allocates nor throws.
  void released(std::size_t count = 1) noexcept;
  /// Reports a restart of the timer. Any thread; neither allocates nor throws.
  void restart(model::Time first) noexcept;
  /// Tells the executor that task() or is_task() has changed. Must not be called with the
  /// executor's locks held.
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
  std::atomic<std::size_t> waiting_ = 0;  // releases that have had no job yet
};

}  // namespace takt::tasks
