// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_rclcpp/scheduling_executor.hpp"

#include <rclcpp/utilities.hpp>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "entities.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/tasks/binder.hpp"
#include "takt_core/tasks/current_job.hpp"
#include "takt_core/tasks/error.hpp"
#include "waiter.hpp"

namespace takt::rclcpp {
namespace {

/// Tells the executor's threads, while there are any.
class Bell : public Keeper {
 public:
  void look_again() noexcept override { nodes.post(); }
  void wait_again() noexcept override {
    const std::lock_guard lock(mutex);
    if (waiter != nullptr) waiter->interrupt();
  }

  os::Event nodes;
  std::atomic<bool> changed = true;  // entities, since it was last looked
  os::PiMutex mutex;
  Waiter * waiter = nullptr;
};

}  // namespace

/// What runs nodes: their entities as tasks, and while it spins a thread of ordinary priority
/// (`takt.nodes`) that looks for entities that come and go.
class SchedulingExecutor::Impl {
 public:
  explicit Impl(SchedulingExecutor & executor)
      : executor_(executor),
        bell_(std::make_shared<Bell>()),
        entities_(executor.binder_, bell_),
        waiter_(executor.context_, entities_,
                [this](const std::string & line) { executor_.binder_->log(line); }) {
    executor_.notify_waitable_->set_on_ready_callback([bell = bell_](std::size_t, int) {
      bell->changed.store(true);
      bell->look_again();
    });
  }
  ~Impl() {
    executor_.notify_waitable_->clear_on_ready_callback();
    entities_.clear();
  }
  Impl(const Impl &) = delete;
  Impl & operator=(const Impl &) = delete;

  void know(const NodeView::Base::SharedPtr & node) {
    const std::lock_guard lock(mutex_);
    std::erase_if(nodes_, [](const auto & weak) { return weak.expired(); });
    nodes_.push_back(node);
  }
  void know(const ::rclcpp::CallbackGroup::SharedPtr & group,
            const NodeView::Base::SharedPtr & node) {
    const std::lock_guard lock(mutex_);
    std::erase_if(groups_, [](const auto & known) { return known.first.expired(); });
    groups_.emplace_back(group, node);
  }

  /// Of a thread that is about to spin(); false if one spins already.
  bool begin() {
    const std::lock_guard lock(canceling_);
    if (executor_.spinning.exchange(true)) return false;
    scheduling_.store(true);
    return true;
  }
  /// After begin().
  void spin();
  /// False if it does not schedule.
  bool cancel() {
    const std::lock_guard lock(canceling_);
    if (scheduling_.load()) executor_.binder_->processors().stop();
    return scheduling_.load();
  }

  /// For who must not wait: by the thread that looks after nodes.
  void later(std::function<void()> change) {
    {
      const std::lock_guard lock(mutex_);
      changes_.push_back(std::move(change));
    }
    bell_->look_again();
  }
  void set_strategy(const SchedulingStrategy::SharedPtr & strategy);
  const SchedulingStrategy::SharedPtr & strategy() const noexcept { return strategy_; }
  /// `task`: as the options make it.
  void set_task(const std::shared_ptr<const void> & entity, const model::Task & task,
                const TaskOptions & options) {
    try {
      model::Scheduler(model::make_policy("fp")).add_task(task);
    } catch (const std::invalid_argument & error) {
      throw Error(error.what());
    }
    entities_.options().set(entity, options);
    bell_->look_again();
  }
  /// While it does not spin: tasks of what there is, which nothing releases.
  void peek() {
    const std::lock_guard lock(beginning_);
    if (executor_.spinning.load() || scheduling_.load()) return;
    refresh();
    entities_.listen(false);
  }
  /// Before one of rclcpp's own ways to spin: so that its first wait knows what there is.
  void collect() {
    if (bell_->changed.exchange(false)) executor_.entities_need_rebuild_.store(true);
  }
  /// Whether it schedules, or is about to.
  bool scheduling() const noexcept { return scheduling_.load(); }

 private:
  Entities::Groups groups();
  void refresh() {
    const std::lock_guard lock(changing_);
    executor_.entities_need_rebuild_.store(false);
    executor_.collector_.update_collections();
    entities_.refresh(groups());
  }
  void keep_nodes() noexcept;

  SchedulingExecutor & executor_;
  const std::shared_ptr<Bell> bell_;
  Entities entities_;
  Waiter waiter_;
  std::mutex canceling_;  // of whether it schedules
  std::mutex beginning_;  // to spin, before changing_
  std::mutex changing_;   // one refresh at a time
  std::atomic<bool> ending_ = false;
  std::atomic<bool> scheduling_ = false;
  SchedulingStrategy::SharedPtr strategy_;
  std::mutex mutex_;  // of what follows
  std::vector<std::function<void()>> changes_;
  std::vector<NodeView::Base::WeakPtr> nodes_;
  std::vector<std::pair<::rclcpp::CallbackGroup::WeakPtr, NodeView::Base::WeakPtr>> groups_;
};

/// Those that the executor's collection has, in the order in which their nodes came and made them.
Entities::Groups SchedulingExecutor::Impl::groups() {
  std::set<const ::rclcpp::CallbackGroup *> collected;
  std::vector<::rclcpp::CallbackGroup::SharedPtr> alive;
  for (const auto & weak : executor_.collector_.get_all_callback_groups()) {
    if (auto group = weak.lock()) {
      collected.insert(group.get());
      alive.push_back(std::move(group));
    }
  }
  Entities::Groups all;
  const auto take = [&](const ::rclcpp::CallbackGroup::SharedPtr & group,
                        const NodeView::Base::SharedPtr & node) {
    if (collected.erase(group.get()) > 0) all.emplace_back(group, node);
  };
  const std::lock_guard lock(mutex_);
  for (const auto & weak : nodes_) {
    const auto node = weak.lock();
    if (node == nullptr) continue;
    node->for_each_callback_group(
        [&](const ::rclcpp::CallbackGroup::SharedPtr & group) { take(group, node); });
  }
  for (const auto & [weak_group, weak_node] : groups_) {
    const auto group = weak_group.lock();
    const auto node = weak_node.lock();
    if (group != nullptr && node != nullptr) take(group, node);
  }
  return all;
}

void SchedulingExecutor::Impl::keep_nodes() noexcept {
  for (bell_->nodes.wait(); !ending_.load(); bell_->nodes.wait()) {
    if (!::rclcpp::ok(executor_.context_)) executor_.binder_->processors().stop();
    const auto attempt = [this](const auto & function) {
      try {
        function();
      } catch (const std::exception & error) {
        executor_.binder_->log(error.what());
      }
    };
    attempt([this] {
      refresh();
      waiter_.start();
    });
    std::vector<std::function<void()>> changes;
    {
      const std::lock_guard lock(mutex_);
      changes.swap(changes_);
    }
    for (const auto & change : changes) attempt(change);
  }
}

void SchedulingExecutor::Impl::set_strategy(const SchedulingStrategy::SharedPtr & strategy) {
  peek();  // so that it is checked against what there is
  const std::lock_guard lock(changing_);
  entities_.set_strategy(strategy);
  strategy_ = strategy;
}

void SchedulingExecutor::Impl::spin() {
  struct Scheduling {
    Impl & impl;
    ~Scheduling() {
      const std::lock_guard lock(impl.canceling_);
      impl.scheduling_.store(false);
      impl.executor_.binder_->processors().forget_stop();
    }
  } const scheduling{*this};
  // Who peeks has done so.
  { const std::lock_guard lock(beginning_); }
  refresh();
  // Until all threads are there nothing comes, and timers owe nothing for the time until then.
  entities_.listen(false);
  executor_.binder_->check_plans();
  executor_.binder_->begin_spin();
  ending_.store(false);
  os::Thread nodes;
  struct End {
    Impl & impl;
    os::Thread & nodes;
    ~End() {
      impl.ending_.store(true);
      impl.bell_->nodes.post();
      nodes.join();
      {
        const std::lock_guard lock(impl.bell_->mutex);
        impl.bell_->waiter = nullptr;
      }
      impl.waiter_.stop();
      impl.entities_.listen(false);
      // What rclcpp's own ways to spin wait for is collected anew.
      impl.executor_.entities_need_rebuild_.store(true);
      impl.executor_.binder_->end_spin();
    }
  } const end{*this, nodes};
  nodes = os::Thread({.name = "takt.nodes"}, [this] { keep_nodes(); });
  {
    const std::lock_guard lock(bell_->mutex);
    bell_->waiter = &waiter_;
  }
  if (!::rclcpp::ok(executor_.context_)) return;
  executor_.binder_->processors().spin([this] {
    entities_.listen(true);
    waiter_.start();
  });
}

// ---- the executor -------------------------------------------------------------------------------

SchedulingExecutor::SchedulingExecutor(const ::rclcpp::ExecutorOptions & options,
                                       const SchedulingOptions & scheduling)
    : ::rclcpp::Executor(options),
      SchedulingControls(
          std::make_shared<tasks::Binder>(tasks::executor_options(scheduling), scheduling.cpus)),
      impl_(std::make_unique<Impl>(*this)) {}

SchedulingExecutor::~SchedulingExecutor() {
  if (impl_->scheduling()) binder_->processors().stop();
  impl_.reset();
  binder_->close();
}

void SchedulingExecutor::spin() {
  if (!impl_->begin()) throw std::runtime_error("spin() called while already spinning");
  struct End {
    std::atomic_bool & spinning;
    ~End() { spinning.store(false); }
  } const end{spinning};
  impl_->spin();
}

void SchedulingExecutor::cancel() {
  // rclcpp's would say that it spins no more, and jobs run to their end.
  if (!impl_->cancel()) ::rclcpp::Executor::cancel();
}

void SchedulingExecutor::spin_some(std::chrono::nanoseconds max_duration) {
  impl_->collect();
  ::rclcpp::Executor::spin_some(max_duration);
}

void SchedulingExecutor::spin_all(std::chrono::nanoseconds max_duration) {
  impl_->collect();
  ::rclcpp::Executor::spin_all(max_duration);
}

void SchedulingExecutor::spin_once(std::chrono::nanoseconds timeout) {
  impl_->collect();
  ::rclcpp::Executor::spin_once(timeout);
}

void SchedulingExecutor::add_node(Base::Node node, bool notify) {
  impl_->know(node);
  ::rclcpp::Executor::add_node(node, notify);
}

void SchedulingExecutor::add_callback_group(Base::Group group, Base::Node node, bool notify) {
  impl_->know(group, node);
  ::rclcpp::Executor::add_callback_group(group, node, notify);
}

void SchedulingExecutor::set_scheduling_strategy(const SchedulingStrategy::SharedPtr & strategy) {
  if (current_job() != nullptr || executor::Processor::Later::wanted()) {
    return impl_->later([this, strategy] { set_scheduling_strategy(strategy); });
  }
  const SchedulingStrategy::SharedPtr old = impl_->strategy();
  impl_->set_strategy(strategy);
  try {
    SchedulingControls::set_scheduling_strategy(strategy);
  } catch (...) {
    impl_->set_strategy(old);
    throw;
  }
}

std::vector<std::pair<model::TaskId, std::string>> SchedulingExecutor::tasks() const {
  impl_->peek();
  return SchedulingControls::tasks();
}

// ---- tasks --------------------------------------------------------------------------------------

namespace {

template <typename EntityT>
void demand(const std::shared_ptr<EntityT> & entity) {
  if (entity == nullptr) throw Error("there is no entity whose task could be set: it is nullptr");
}

}  // namespace

void SchedulingExecutor::set_task(const ::rclcpp::TimerBase::SharedPtr & timer,
                                  const TaskOptions & options) {
  demand(timer);
  impl_->set_task(timer, TimerEntity::task_of(timer, options), options);
}

void SchedulingExecutor::set_task(const ::rclcpp::SubscriptionBase::SharedPtr & subscription,
                                  const TaskOptions & options) {
  demand(subscription);
  impl_->set_task(subscription,
                  make_task(subscription->get_topic_name(), model::TaskKind::subscription, options),
                  options);
}

void SchedulingExecutor::set_task(const ::rclcpp::ServiceBase::SharedPtr & service,
                                  const TaskOptions & options) {
  demand(service);
  impl_->set_task(
      service, make_task(service->get_service_name(), model::TaskKind::service, options), options);
}

void SchedulingExecutor::set_task(const ::rclcpp::ClientBase::SharedPtr & client,
                                  const TaskOptions & options) {
  demand(client);
  impl_->set_task(client, make_task(client->get_service_name(), model::TaskKind::client, options),
                  options);
}

void SchedulingExecutor::set_task(const ::rclcpp::Waitable::SharedPtr & waitable,
                                  const TaskOptions & options) {
  demand(waitable);
  impl_->set_task(waitable, make_task("waitable", model::TaskKind::other, options), options);
}

}  // namespace takt::rclcpp
