// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "entities.hpp"
#include "node_list.hpp"
#include "notifier.hpp"
#include "pre_shutdown.hpp"
#include "spin_state.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_rclcpp/scheduling_executor.hpp"
#include "waiter.hpp"

namespace takt::rclcpp {

/// The implementation of SchedulingExecutor. It runs the entities of nodes as tasks and has, while it
/// spins, a thread of ordinary priority (`takt.nodes`) that finds entities that are created or
/// destroyed. Thread-safe.
class SchedulingExecutor::Impl : public PreShutdown::Executor {
 public:
  Impl(SchedulingExecutor & executor, const SchedulingOptions & options);
  ~Impl() override;
  Impl(const Impl &) = delete;
  Impl & operator=(const Impl &) = delete;

  NodeList & nodes() noexcept { return nodes_; }
  const Entities & entities() const noexcept { return entities_; }

  /// See SchedulingExecutor.
  void spin();
  /// Ends spin(). Returns false if the executor does not schedule.
  bool cancel();
  /// Ends spin() and waits until it does not use the executor any more.
  void end();

  // Called while the context's pre-shutdown callbacks are called.
  bool quiesce() noexcept override;
  void give_up(const std::string & why) noexcept override;
  std::chrono::nanoseconds limit() const noexcept override { return pre_shutdown_limit_; }

  /// Makes the thread `takt.nodes` perform a change, for callers that must not wait.
  void post_change(std::function<void()> change);
  /// Makes that thread look for new and destroyed entities.
  void look_again() noexcept { notifier_->look_again(); }
  /// Called when groups have left rclcpp's collection.
  void end_departed();
  /// Waits until the callbacks of removed entities (of this node only, unless it is nullptr) have returned,
  /// but not beyond `instant`. Returns the names of those that have not.
  std::vector<std::string> finish_removals(const NodeView::Base::SharedPtr & node,
                                           os::Time instant);
  /// Makes timers read the topics that the strategy says, and then calls `apply`, which puts the rest of
  /// it in force. If either throws, the old strategy stays. One call at a time.
  void set_strategy(const SchedulingStrategy::SharedPtr & strategy,
                    const std::function<void()> & apply);
  /// Sets the options of an entity. `task` is the task that follows from them.
  void set_task(const std::shared_ptr<const void> & entity, const model::Task & task,
                const TaskOptions & options);
  /// Updates the tasks: at once while the executor does not spin (nothing releases them then), soon while
  /// it spins.
  void update_tasks();
  /// Called before one of rclcpp's own ways to spin, so that its first wait includes all entities.
  void collect();

 private:
  class Spin;
  void refresh();
  /// Does what refresh() does, with the lock held.
  void refresh_locked() TAKT_REQUIRES(changing_);
  /// Does the same on the calling thread while the executor spins; the thread `takt.nodes` reports errors.
  /// Returns false if it does not spin.
  bool refresh_while_spinning() noexcept;
  template <typename FunctionT>
  void attempt(const FunctionT & function) noexcept;
  void keep_nodes() noexcept;
  void make_changes() noexcept;

  SchedulingExecutor & executor_;
  const Diagnostics diagnostics_;
  const std::chrono::nanoseconds pre_shutdown_limit_;
  const std::shared_ptr<PreShutdown> pre_shutdown_;
  const std::shared_ptr<Notifier> notifier_;
  const std::shared_ptr<SpinState> state_ = std::make_shared<SpinState>();
  NodeList nodes_;
  Entities entities_;
  Waiter waiter_;
  std::atomic<bool> ending_ = false;                // for the thread `takt.nodes`
  os::Mutex strategies_{os::LockRank::strategies};  // held while a strategy is set
  SchedulingStrategy::SharedPtr strategy_ TAKT_GUARDED_BY(strategies_);
  // Held during a refresh; spin() cannot end meanwhile.
  os::Mutex changing_{os::LockRank::refresh};
  os::Mutex mutex_{os::LockRank::changes};
  std::vector<std::function<void()>> changes_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
