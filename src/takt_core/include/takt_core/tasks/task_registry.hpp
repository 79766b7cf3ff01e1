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

/// Keeps the tasks of an executor's processors in line with the callbacks of the nodes it runs.
///
/// Changes are requests, carried out one after the other and without a lock: a thread outside of jobs
/// waits for its turn and carries its own out; a job, of whichever executor, never waits, so its
/// request is carried out by itself or by whoever is at it. Nor does a thread that must not
/// (executor::Processor::Later). Nobody waits for a job in his turn: who removed tasks does after it.
class TaskRegistry : public Listener, public std::enable_shared_from_this<TaskRegistry> {
 public:
  /// Throws Error.
  TaskRegistry(executor::Options options, const std::vector<int> & cpus);
  ~TaskRegistry() override;

  void add_node(Node & node);
  void remove_node(Node & node);
  /// Of each processor that is concerned.
  using Departures = std::vector<executor::Departures>;
  /// As removed(), but waits for no job: the caller may, see executor::Departures. The node lists the
  /// callback still. Throws Error.
  Departures retire(Callback & callback);
  /// Leaves all nodes and ends the processors. Nothing may be called after it but what says so.
  void close();
  // Also after it. Any thread.
  /// Ends spinning.
  void stop() noexcept;
  /// From now on only answers to clients have jobs. Whether no job is started.
  bool quiesce() noexcept;

  void set_policy(const SchedulingPolicy & policy);
  void set_start(model::Time t0);
  void set_handlers(const std::function<void(executor::Handlers &)> & change);

  /// Throws Error if there are nodes and it does not fit to them.
  void set_strategy(const GivenStrategy & strategy);
  /// Throws Error if a strategy, or the age that a timer asks of its data, does not fit to the nodes
  /// there are.
  void check_plans();
  const Scenarios & scenarios() const noexcept { return *scenarios_; }
  void log(const std::string & line) const { log_(line); }

  // ---- placement, in binder_placement.cpp

  static constexpr const char * spins_already =
      "the executor spins already: one thread at a time may call spin()";
  /// Places all tasks anew. Throws Error if what must be together is placed apart, or it spins.
  void rebalance();
  /// The same with tasks that came since the last end_spin(), and those that were refused; until the
  /// next they hold their places. Throws Error also if that is so already.
  void begin_spin();
  /// No job has started: timers with a grid of their own go on, until end_spin(). Of the points that
  /// went by meanwhile each has one release.
  void resume_grids() noexcept;
  void end_spin() noexcept;
  std::vector<TaskPlacement> placement() const;

  const std::shared_ptr<trace::Recorder> & trace() const noexcept { return trace_; }
  executor::Processors & processors() noexcept { return *processors_; }
  const executor::Processors & processors() const noexcept { return *processors_; }
  model::TaskCounters counters(const std::string & callback) const;
  std::vector<std::pair<executor::TaskId, std::string>> tasks() const;
  /// Of the processors, with what their plan does not know of the nodes. Allocates.
  executor::Grants grants() const;  // in inspection.cpp
  /// All that there is to see but responses. Takes locks for short times, reads /proc, allocates.
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
  /// What a request changes of tasks. What follows for scenarios and data comes with it.
  struct Edit {
    struct Put {
      std::shared_ptr<Binding> binding;
      std::size_t processor;
    };
    std::vector<Put> put;
    Bindings drop;
  };
  /// The part of a callback group that is on one processor, which is all of it when it spins if its
  /// tasks exclude each other.
  struct GroupPart {
    executor::GroupId id = executor::GroupId::none;
    std::size_t tasks = 0;
  };
  using GroupParts = std::map<CallbackGroup::SharedPtr, GroupPart>;
  using Flows = std::map<executor::TaskId, model::DataFlow>;

  /// False if it was not one of them.
  bool forget(const Node & node);
  void leave(Node & node);
  static void execute(void * callback, const executor::JobInfo & job);
  static void run(void * callback, const executor::JobInfo & job);
  static void notify(void * binding, std::size_t count);
  static void restart(void * binding, model::Time first, model::Time reset);
  /// Carries it out, and waits for the jobs of tasks that it removed. Throws Error.
  void submit(const Request & request);
  /// The same without waiting for jobs. `again`: what was to move runs a job still, and is moved when
  /// that has ended and the request is carried out once more.
  struct Outcome {
    Departures departures;
    bool again = false;
  };
  Outcome carry_out(const Request & request);
  /// nullptr if there is one already.
  std::shared_ptr<Binding> make_binding(const std::shared_ptr<Callback> & callback);
  void count_bounds(Binding & binding);
  void submit_update(const std::shared_ptr<Binding> & binding);
  void update(const std::shared_ptr<Binding> & binding);
  std::shared_ptr<Binding> take(Callback & callback);
  static bool wants_task(const Binding & binding);
  std::shared_ptr<Binding> find(const Callback & callback) const;
  static executor::TaskId number_of(const Binding & binding) noexcept;
  /// The clients that a callback which blocks may wait for: those that it has asked by, else its node's.
  executor::Awaited awaited(executor::TaskId task) const;

  struct Plans {
    StrategyPlan strategies;
    DataPlan data;
  };

  // Of exchanges, in binder_exchange.cpp.
  class Exchange;
  /// Throws what processors throw: then nothing has changed on the one that did and those after it.
  void exchange(const Edit & edit);
  /// The same; where scenarios or data cannot be had so, they stay as they were, which is told.
  void exchange_or_tell(const Edit & edit);
  void exchange_tasks(const Edit & edit, const Plans * plans);
  /// What goes elsewhere, or to another group, leaves first. Returns what can come now.
  Edit move_out(const Edit & edit);
  void tell(const Plans & plans);

  // Of placement, in binder_placement.cpp.
  /// All, in the order in which they came.
  Bindings in_order() const;
  /// Those that have a task.
  Bindings bound() const;
  std::optional<std::size_t> by_hand(const Callback & callback) const;
  model::Placement partition(const Bindings & bindings, std::size_t staying) const;
  Edit placed(const Bindings & coming) const;
  void place(bool all);
  void find_split(DataPlan & data) const;
  void run_grids(bool run) noexcept;
  /// Tells the trace the topics and scenarios that it has not been told.
  void define_names();

  // Of strategies and data, in binder_strategies.cpp.
  using Nodes = std::vector<std::shared_ptr<Node>>;
  Nodes nodes() const;
  /// For what they bring, while it spins: another strategy may let them in.
  Nodes refused() const;
  void set_refused(Node & node, bool refused);
  GivenStrategy strategy() const;
  /// Empty if there is nothing to plan. `also`: as if these were there.
  std::vector<StrategyNode> nodes_to_plan(const GivenStrategy & of_executor,
                                          const Nodes & also = {}) const;
  Plans plan(const GivenStrategy & of_executor, const Nodes & also = {}) const;
  std::vector<std::string> problems_of(const GivenStrategy & of_executor,
                                       const Nodes & also = {}) const;
  /// Those of the refused that fit under it: it may name their tasks, and they come next.
  Nodes let_in_by(const GivenStrategy & of_executor) const;
  void check_strategies(const GivenStrategy & of_executor) const;
  /// What is wrong with strategies, whatever else there is.
  std::set<std::string> faults() const;
  void demand_no_more_than(const std::set<std::string> & before, const Nodes & also = {}) const;
  void refresh() { exchange({}); }
  void refresh_or_tell() { exchange_or_tell({}); }

  std::unique_ptr<executor::Processors> processors_;  // until close()
  std::unique_ptr<Scenarios> scenarios_;
  std::function<void(const std::string &)> log_;
  const std::shared_ptr<trace::Recorder> trace_;  // nullptr if there is none
  const bool locks_memory_;
  std::set<std::string> defined_;  // of it; who spins

  mutable os::Mutex mutex_{os::LockRank::task_registry};
  os::Condition free_;
  std::map<const Callback *, std::shared_ptr<Binding>> bindings_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Node>> nodes_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Node>> refused_ TAKT_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<const Request>> requests_ TAKT_GUARDED_BY(mutex_);  // of jobs
  bool closed_ TAKT_GUARDED_BY(mutex_) = false;
  bool quiescent_ TAKT_GUARDED_BY(mutex_) = false;
  bool working_ TAKT_GUARDED_BY(mutex_) = false;
  std::thread::id worker_ TAKT_GUARDED_BY(mutex_);  // while working_
  std::uint64_t bindings_made_ TAKT_GUARDED_BY(mutex_) = 0;
  GivenStrategy strategy_ TAKT_GUARDED_BY(mutex_);

  // By whoever carries requests out.
  std::vector<GroupParts> groups_;  // by processor
  std::set<std::string> told_;      // problems of plans
  std::vector<Flows> flows_;        // by processor, as they were sent
  Outcome outcome_;                 // of the request

  std::atomic<bool> places_hold_ = false;  // it spins, or is about to
  std::atomic<bool> grids_run_ = false;    // timers with a grid of their own are released
  const Duration age_margin_;
  std::atomic<int> bounds_ = 0;  // timers that read with a max_age
  std::atomic<bool> ages_matter_ = false;

  os::Mutex handlers_mutex_{os::LockRank::handler_settings};
  executor::Handlers handlers_ TAKT_GUARDED_BY(handlers_mutex_);
};

}  // namespace takt::tasks
