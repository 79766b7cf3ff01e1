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

/// What runs nodes: their entities as tasks, and while it spins a thread of ordinary priority
/// (`takt.nodes`) that looks for entities that come and go. Thread-safe.
class SchedulingExecutor::Impl : public PreShutdown::Executor {
 public:
  Impl(SchedulingExecutor & executor, const SchedulingOptions & options);
  ~Impl() override;
  Impl(const Impl &) = delete;
  Impl & operator=(const Impl &) = delete;

  NodeList & nodes() noexcept { return nodes_; }
  const Entities & entities() const noexcept { return entities_; }

  /// As SchedulingExecutor.
  void spin();
  /// False if it does not schedule.
  bool cancel();
  /// Stops it and waits until spin() has left the executor.
  void end();

  // While the context's pre-shutdown callbacks are called.
  bool quiesce() noexcept override;
  void give_up(const std::string & why) noexcept override;
  std::chrono::nanoseconds limit() const noexcept override { return pre_shutdown_limit_; }

  /// For who must not wait: by the thread that looks after nodes.
  void later(std::function<void()> change);
  /// Something may have come or gone.
  void look_again() noexcept { notifier_->look_again(); }
  /// Groups have gone from rclcpp's collection.
  void let_go();
  /// Waits until they run no more, those of this node alone unless it is nullptr, but not beyond that
  /// instant. Names of callbacks that have not returned.
  std::vector<std::string> finish_removals(const NodeView::Base::SharedPtr & node,
                                           os::Time instant);
  /// Timers read what it says, and `apply` makes the rest of it hold. One after the other; if either
  /// throws, the old one stays.
  void set_strategy(const SchedulingStrategy::SharedPtr & strategy,
                    const std::function<void()> & apply);
  /// `task`: as the options make it.
  void set_task(const std::shared_ptr<const void> & entity, const model::Task & task,
                const TaskOptions & options);
  /// While it does not spin: tasks of what there is, which nothing releases. While it does, they are
  /// brought in line soon.
  void peek();
  /// Before one of rclcpp's own ways to spin: so that its first wait knows what there is.
  void collect();

 private:
  class Spin;
  void refresh();
  /// The same.
  void look() TAKT_REQUIRES(changing_);
  /// By the calling thread while it spins; what goes wrong is told by the one that looks after nodes.
  /// False if it does not spin.
  bool look_while_spinning() noexcept;
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
  std::atomic<bool> ending_ = false;                // the thread that looks after nodes
  os::Mutex strategies_{os::LockRank::strategies};  // one at a time
  SchedulingStrategy::SharedPtr strategy_ TAKT_GUARDED_BY(strategies_);
  // One refresh at a time; whoever has it sees no spin end.
  os::Mutex changing_{os::LockRank::refresh};
  os::Mutex mutex_{os::LockRank::changes};
  std::vector<std::function<void()>> changes_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
