// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "takt_core/executor/processors.hpp"
#include "takt_core/model/placement.hpp"
#include "takt_core/os/condition.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/tasks/callback.hpp"
#include "takt_core/tasks/data_plan.hpp"
#include "takt_core/tasks/inspection.hpp"
#include "takt_core/tasks/node.hpp"
#include "takt_core/tasks/policy.hpp"
#include "takt_core/tasks/scenarios.hpp"
#include "takt_core/tasks/strategy_plan.hpp"
#include "takt_core/tasks/task_placement.hpp"

namespace takt::tasks {

/// Keeps the tasks of an executor's processors in agreement with the callbacks of its nodes.
///
/// Changes are requests that are carried out one at a time, without a lock held. A thread that runs
/// no job waits for its turn and carries out its own request. A job of any executor never waits:
/// its thread carries out the request, or, if another thread is carrying out one, that thread does.
/// The same holds for a thread under executor::Processor::NonblockingRemoval. No thread waits for
/// jobs during its turn: a thread that has removed tasks waits afterwards.
class TaskRegistry : public Listener, public std::enable_shared_from_this<TaskRegistry> {
 public:
  /// Creates the processors. Throws Error. Allocates; may block to open a trace and lock memory.
  TaskRegistry(executor::Options options, const std::vector<int> & cpus);
  ~TaskRegistry() override;

  using Nodes = std::vector<std::shared_ptr<Node>>;
  /// Adds nodes with their callbacks, in one change. Throws Error, without effect, except that
  /// nodes refused while spinning may be admitted by a later strategy.
  void add_nodes(const Nodes & nodes);
  /// Removes nodes, in one change; waits for started jobs of their callbacks as removed() does.
  /// Throws Error, without effect, if one of them is not the executor's.
  void remove_nodes(const Nodes & nodes);
  /// Adds callbacks that nodes of this executor have listed without notifying it (Node::enlist()),
  /// in one change; those of other nodes are left out.
  void add(const std::vector<std::shared_ptr<Callback>> & callbacks);
  /// One handle for each processor from which a task was removed.
  using Departures = std::vector<executor::Departures>;
  /// As removed() for all of these callbacks, in one change, but does not wait for jobs: the caller
  /// can wait for the jobs of each callback separately (executor::Departures). The nodes still list
  /// the callbacks. Throws Error.
  using DeparturesByCallback = std::map<const Callback *, Departures>;
  DeparturesByCallback retire(const std::vector<std::shared_ptr<Callback>> & callbacks);
  /// Leaves all nodes and destroys the processors. Afterwards only the members that say so may be
  /// called.
  void close();
  // ---- may be called after close(), too; any thread
  /// Ends spinning.
  void stop() noexcept;
  /// Stops all new jobs except those that receive responses of services. Returns whether all
  /// started jobs have finished.
  bool quiesce() noexcept;

  /// Replaces the policy. Throws Error while spinning and for an unknown policy.
  void set_policy(const SchedulingPolicy & policy);
  void set_start(model::Time t0);
  /// Calls `change` with the present handlers and sets the result.
  void set_handlers(const std::function<void(executor::Handlers &)> & change);

  /// Sets the executor's strategy. Throws Error if it does not fit the nodes there are.
  void set_strategy(const GivenStrategy & strategy);
  /// Throws Error if a strategy, or the `max_age` of a timer, does not fit the nodes there are.
  void check_plans();
  const Scenarios & scenarios() const noexcept { return *scenarios_; }
  void log(const std::string & line) const { log_(line); }

  // ---- placement, in task_registry_placement.cpp

  static constexpr const char * spins_already =
      "the executor spins already: one thread at a time may call spin()";
  /// Places all tasks anew. Throws Error if tasks that must be together are placed apart, and while
  /// spinning.
  void rebalance();
  /// Places the tasks that were added since the last end_spin(), and those that were refused a
  /// place. Until the next end_spin() tasks do not move. Throws Error as rebalance().
  void begin_spin();
  /// Resumes the timers with a grid of their own, before any job has started. Such a timer gets one
  /// release for all points of its grid that have passed meanwhile.
  void resume_grids() noexcept;
  /// Stops the timers with a grid of their own; tasks may be placed anew afterwards.
  void end_spin() noexcept;
  /// See SchedulingControls::placement().
  std::vector<TaskPlacement> placement() const;

  const std::shared_ptr<trace::Recorder> & trace() const noexcept { return trace_; }
  executor::Processors & processors() noexcept { return *processors_; }
  const executor::Processors & processors() const noexcept { return *processors_; }
  /// See SchedulingControls::counters().
  model::TaskCounters counters(const std::string & callback) const;
  /// See SchedulingControls::tasks().
  std::vector<std::pair<executor::TaskId, std::string>> tasks() const;
  /// The grants of the processors, with notes on what their plan does not cover in the nodes.
  /// Allocates.
  executor::Grants grants() const;  // in inspection.cpp
  /// Everything but the histograms of response times. Takes locks for short times, reads /proc,
  /// allocates.
  Inspection inspect() const;  // in inspection.cpp

  void added(const std::shared_ptr<Callback> & callback) override;
  void removed(Callback & callback) override;
  void changed(const std::shared_ptr<Callback> & callback) override;
  void strategy_changed() override;
  void publishers_changed() override;
  std::int64_t request_scenario(std::string_view name) override;

 private:
  struct Binding;
  using Bindings = std::vector<std::shared_ptr<Binding>>;
  using Request = std::function<void()>;
  /// The changes of tasks that a request makes. Scenarios and data flow are adapted with them.
  struct Edit {
    struct Put {
      std::shared_ptr<Binding> binding;
      std::size_t processor;
    };
    std::vector<Put> put;
    Bindings drop;
  };
  /// The part of a callback group that is on one processor; while spinning, that of a mutually
  /// exclusive group is the entire group.
  struct GroupPart {
    executor::GroupId id = executor::GroupId::none;
    std::size_t tasks = 0;
  };
  using GroupParts = std::map<CallbackGroup::SharedPtr, GroupPart>;
  using Flows = std::map<executor::TaskId, model::DataFlow>;

  void forget(const Nodes & nodes);
  void leave(const Nodes & nodes);
  static void execute(void * callback, const executor::JobInfo & job);
  static void run(void * callback, const executor::JobInfo & job);
  static void notify(void * binding, std::size_t count);
  static void restart(void * binding, model::Time first, model::Time reset);
  /// Carries out the request, and then waits for the jobs of tasks that it removed. Throws Error.
  void submit(const Request & request);
  /// As submit(), without waiting for jobs. `again`: a task that was to move has a started job; it
  /// moves when that has finished and the request is carried out again.
  struct Outcome {
    DeparturesByCallback departures;
    bool again = false;
  };
  Outcome carry_out(const Request & request);
  static void wait_for(Outcome & outcome);
  /// nullptr if the callback has a binding already.
  std::shared_ptr<Binding> make_binding(const std::shared_ptr<Callback> & callback);
  void count_bounds(Binding & binding);
  void submit_update(const std::shared_ptr<Binding> & binding);
  void update(const std::shared_ptr<Binding> & binding);
  std::shared_ptr<Binding> take(Callback & callback);
  static bool wants_task(const Binding & binding);
  std::shared_ptr<Binding> find(const Callback & callback) const;
  static executor::TaskId number_of(const Binding & binding) noexcept;
  /// The clients that a blocked callback may be waiting for: those by which it has sent requests,
  /// else its node's.
  executor::Awaited awaited(executor::TaskId task) const;

  struct Plans {
    StrategyPlan strategies;
    DataPlan data;
  };

  // ---- exchanges, in task_registry_exchange.cpp
  class Exchange;
  /// Throws what the processors throw; then nothing has changed on the processor that threw and on
  /// later ones.
  void exchange(const Edit & edit);
  /// As exchange(); if scenarios or data flow cannot be adapted, they stay as they were and an
  /// error is logged.
  void exchange_or_log(const Edit & edit);
  void exchange_tasks(const Edit & edit, const Plans * plans);
  /// Removes the tasks that go to another processor or group. Returns the edit with those that can
  /// be added now.
  Edit move_out(const Edit & edit);
  void log_problems(const Plans & plans);

  // ---- placement, in task_registry_placement.cpp
  /// All bindings, in the order in which they were made.
  Bindings in_order() const;
  /// The bindings that have a task.
  Bindings bound() const;
  std::optional<std::size_t> explicit_processor(const Callback & callback) const;
  model::Placement partition(const Bindings & bindings, std::size_t staying) const;
  Edit placed(const Bindings & coming) const;
  void place(bool all);
  void find_split(DataPlan & data) const;
  void run_grids(bool run) noexcept;
  /// Defines in the trace the topics and scenarios that are new.
  void define_names();

  // ---- strategies and data, in task_registry_strategies.cpp
  Nodes nodes() const;
  /// The nodes refused while spinning because of their tasks: another strategy may admit them.
  Nodes refused() const;
  void set_refused(const Nodes & nodes, bool refused);
  GivenStrategy strategy() const;
  /// The input of plan_strategies(); empty if there is nothing to plan. `also`: nodes to be treated
  /// as added.
  std::vector<StrategyNode> nodes_to_plan(const GivenStrategy & of_executor,
                                          const Nodes & also = {}) const;
  Plans plan(const GivenStrategy & of_executor, const Nodes & also = {}) const;
  std::vector<std::string> problems_of(const GivenStrategy & of_executor,
                                       const Nodes & also = {}) const;
  /// The refused nodes that this strategy admits; it may name their tasks, and they are added next.
  Nodes nodes_admitted_by(const GivenStrategy & of_executor) const;
  void check_strategies(const GivenStrategy & of_executor) const;
  /// The errors in strategies that do not depend on the other nodes.
  std::set<std::string> faults() const;
  void demand_no_new_faults(const std::set<std::string> & before, const Nodes & also = {}) const;
  void refresh() { exchange({}); }
  void refresh_or_log() { exchange_or_log({}); }

  std::unique_ptr<executor::Processors> processors_;  // until close()
  std::unique_ptr<Scenarios> scenarios_;
  std::function<void(const std::string &)> log_;
  const std::shared_ptr<trace::Recorder> trace_;  // nullptr without a trace
  const bool locks_memory_;
  std::set<std::string> defined_;  // names in the trace; used by the spinning thread

  // For turns to carry out requests. Jobs take it too, but it is held for a few instructions only.
  mutable os::Mutex turns_mutex_{os::LockRank::task_registry_turns};
  os::Condition turn_free_;
  // Requests of jobs.
  std::deque<std::shared_ptr<const Request>> requests_ TAKT_GUARDED_BY(turns_mutex_);
  bool working_ TAKT_GUARDED_BY(turns_mutex_) = false;
  std::thread::id worker_ TAKT_GUARDED_BY(turns_mutex_);  // while working_

  mutable os::PiMutex mutex_{os::LockRank::task_registry};
  std::map<const Callback *, std::shared_ptr<Binding>> bindings_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Node>> nodes_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Node>> refused_ TAKT_GUARDED_BY(mutex_);
  bool closed_ TAKT_GUARDED_BY(mutex_) = false;
  bool quiescent_ TAKT_GUARDED_BY(mutex_) = false;
  std::uint64_t bindings_made_ TAKT_GUARDED_BY(mutex_) = 0;
  GivenStrategy strategy_ TAKT_GUARDED_BY(mutex_);

  // Used by the thread that carries out requests.
  std::vector<GroupParts> groups_;         // indexed by processor
  std::set<std::string> logged_problems_;  // problems of plans that were logged
  std::vector<Flows> flows_;               // indexed by processor; as last sent
  Outcome outcome_;                        // of the current request

  std::atomic<bool> placement_fixed_ = false;  // the executor spins or is about to
  std::atomic<bool> grids_run_ = false;        // timers with a grid of their own have releases
  const Duration age_margin_;
  std::atomic<int> bounds_ = 0;  // the number of timers that read with a max_age
  std::atomic<bool> ages_matter_ = false;

  os::Mutex handlers_mutex_{os::LockRank::handler_settings};
  executor::Handlers handlers_ TAKT_GUARDED_BY(handlers_mutex_);
};

}  // namespace takt::tasks
