// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/stock_executor.hpp"

#include <rcl/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "guard_condition.hpp"
#include "takt/exceptions.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/lock.hpp"

namespace takt {
namespace {

constexpr std::array kinds{TaskKind::timer, TaskKind::subscription, TaskKind::service,
                           TaskKind::client, TaskKind::other};

}  // namespace

/// Performs each step as rclcpp did, including the costly ones, so that measurements against it are fair:
/// it locks weak references one by one, rebuilds the wait set in each round, searches all nodes for the
/// owner of a ready entity, and triggers a guard condition after each callback.
class StockExecutor::State : public NodeListener, public std::enable_shared_from_this<State> {
 public:
  State(const std::shared_ptr<Context> & context, bool time_decisions)
      : context_(context),
        time_decisions_(time_decisions),
        interrupt_(detail::make_guard_condition(context)),
        wait_set_(rcl_get_zero_initialized_wait_set()) {
    detail::check(rcl_wait_set_init(&wait_set_, 0, 1, 0, 0, 0, 0, context_->rcl_context(),
                                    rcl_get_default_allocator()),
                  "cannot create a wait set");
  }
  ~State() override {
    if (rcl_wait_set_fini(&wait_set_) != RCL_RET_OK) detail::take_rcl_error();
  }

  void add_node(NodeBase & node);
  void remove_node(NodeBase & node);
  void close();
  void spin();
  void cancel() {
    canceled_.store(true);
    detail::trigger(*interrupt_);
  }
  void forget_cancel() noexcept { canceled_.store(false); }
  /// From the first call on, only responses to clients are executed. Returns whether no callback is being
  /// executed.
  bool quiesce() {
    if (!quiescent_.exchange(true)) detail::trigger(*interrupt_);
    return executing_.load() == nullptr;
  }
  bool spinning() const noexcept { return spinning_.load(); }
  void set_start(model::Time t0);

  void added(const std::shared_ptr<tasks::Callback> & callback) override;
  void removed(tasks::Callback & callback) override;
  void changed(const std::shared_ptr<tasks::Callback> &) override { detail::trigger(*interrupt_); }

 private:
  struct Entry {
    std::weak_ptr<NodeBase> node;
    std::shared_ptr<rcl_guard_condition_t> notify;
  };
  using Ready = std::vector<std::shared_ptr<Callback>>;

  bool served(TaskKind kind) const noexcept {
    return !quiescent_.load() || kind == TaskKind::client;
  }
  Ready & ready(TaskKind kind) { return ready_[static_cast<std::size_t>(kind)]; }
  void wait_for_work();
  void collect();
  void drop_what_is_not_ready();
  std::shared_ptr<Callback> next_of(TaskKind kind);
  std::shared_ptr<Callback> next();
  bool owned(const std::shared_ptr<Callback> & callback);
  CallbackGroup::SharedPtr group_of(const std::shared_ptr<Callback> & callback);
  std::shared_ptr<NodeBase> node_of(const std::shared_ptr<Callback> & callback);
  void execute(Callback & callback);

  std::shared_ptr<Context> context_;
  const bool time_decisions_;
  model::Duration decision_ = -1;  // for the callback about to run; -1: not known
  std::shared_ptr<rcl_guard_condition_t> interrupt_;
  rcl_wait_set_t wait_set_;
  std::atomic<bool> spinning_ = false;
  std::atomic<bool> canceled_ = false;
  std::atomic<bool> quiescent_ = false;
  std::atomic<const tasks::Callback *> executing_ = nullptr;
  std::atomic<std::thread::id> spinner_{};

  os::Mutex mutex_{os::LockRank::stock_executor};
  std::vector<Entry> nodes_ TAKT_GUARDED_BY(mutex_);
  std::optional<model::Time> start_ TAKT_GUARDED_BY(mutex_);
  std::uint32_t tasks_ TAKT_GUARDED_BY(mutex_) = 0;

  // Keep everything that is in the wait set alive during the wait.
  std::array<Ready, kinds.size()> ready_;
  std::vector<std::shared_ptr<rcl_guard_condition_t>> guards_;
};

// ---- nodes --------------------------------------------------------------------------------------

void StockExecutor::State::add_node(NodeBase & node) {
  const auto callbacks = node.set_listener(shared_from_this());
  for (const auto & callback : callbacks) added(callback);
  {
    const os::Lock lock(mutex_);
    nodes_.push_back({node.shared_from_this(), detail::make_guard_condition(context_)});
  }
  detail::trigger(*interrupt_);
}

void StockExecutor::State::remove_node(NodeBase & node) {
  {
    const os::Lock lock(mutex_);
    const auto is_node = [&node](const Entry & entry) { return entry.node.lock().get() == &node; };
    if (std::erase_if(nodes_, is_node) == 0) {
      throw Error("node '" + std::string(node.name()) + "' is not one of this executor");
    }
  }
  for (const auto & callback : node.set_listener(nullptr)) removed(*callback);
}

void StockExecutor::State::close() {
  std::vector<Entry> nodes;
  {
    const os::Lock lock(mutex_);
    nodes = nodes_;
  }
  for (const Entry & entry : nodes) {
    if (const auto node = entry.node.lock()) remove_node(*node);
  }
}

void StockExecutor::State::added(const std::shared_ptr<tasks::Callback> & listed) {
  const auto callback = std::static_pointer_cast<Callback>(listed);
  callback->prepare_wait_set();
  {
    const os::Lock lock(mutex_);
    if (start_) callback->set_start(*start_);
    callback->stock_jobs_ = 0;
    callback->stock_task_.store(TaskId{tasks_++});
  }
  detail::trigger(*interrupt_);
}

void StockExecutor::State::removed(tasks::Callback & callback) {
  // The callback has been removed from its node's list, so next_of() will not return it again.
  detail::trigger(*interrupt_);
  if (spinner_.load() == std::this_thread::get_id() || current_job() != nullptr) return;
  while (executing_.load() == &callback) executing_.wait(&callback);
}

void StockExecutor::State::set_start(model::Time t0) {
  const os::Lock lock(mutex_);
  start_ = t0;
  for (const Entry & entry : nodes_) {
    const auto node = entry.node.lock();
    if (node == nullptr) continue;
    for (const auto & callback : node->callbacks()) {
      std::static_pointer_cast<Callback>(callback)->set_start(t0);
    }
  }
}

// ---- rounds -------------------------------------------------------------------------------------

void StockExecutor::State::spin() {
  if (spinning_.exchange(true)) {
    throw Error("the executor spins already: one thread at a time may call spin()");
  }
  spinner_.store(std::this_thread::get_id());
  const auto handle = context_->on_shutdown([weak = weak_from_this()] {
    if (const auto state = weak.lock()) detail::trigger(*state->interrupt_);
  });
  const auto runner = context_->add_runner([weak = weak_from_this()] {
    const auto state = weak.lock();
    return state == nullptr || state->quiesce();
  });
  struct Finally {
    State & state;
    std::uint64_t handle;
    std::uint64_t runner;
    ~Finally() {
      state.context_->remove_on_shutdown(handle);
      state.context_->remove_runner(runner);
      state.spinner_.store({});
      state.spinning_.store(false);
      state.canceled_.store(false);
      for (Ready & ready : state.ready_) ready.clear();
    }
  } const finally{*this, handle, runner};
  while (context_->is_valid() && !canceled_.load()) {
    auto callback = next();
    if (callback == nullptr) {
      wait_for_work();
      if (canceled_.load()) return;
      callback = next();
    }
    if (callback != nullptr) execute(*callback);
  }
}

void StockExecutor::State::wait_for_work() {
  collect();
  WaitSetSize size{.guard_conditions = guards_.size()};
  for (const Ready & ready : ready_) {
    for (const auto & callback : ready) size += callback->wait_set_size();
  }
  detail::check(rcl_wait_set_clear(&wait_set_), "cannot clear the wait set");
  detail::check(rcl_wait_set_resize(&wait_set_, size.subscriptions, size.guard_conditions,
                                    size.timers, size.clients, size.services, 0),
                "cannot resize the wait set");
  bool held = false;
  for (const Ready & ready : ready_) {
    for (const auto & callback : ready) {
      callback->add_to_wait_set(wait_set_);
      held = held || callback->holds();
    }
  }
  for (const auto & guard : guards_) {
    detail::check(rcl_wait_set_add_guard_condition(&wait_set_, guard.get(), nullptr),
                  "cannot fill the wait set");
  }
  const rcl_ret_t code = rcl_wait(&wait_set_, held ? 0 : -1);
  if (code == RCL_RET_OK || (held && code == RCL_RET_TIMEOUT)) {
    drop_what_is_not_ready();
    return;
  }
  for (Ready & ready : ready_) ready.clear();
  if (!context_->is_valid()) {
    detail::take_rcl_error();
  } else if (code != RCL_RET_TIMEOUT) {
    detail::check(code, "cannot wait");
  }
}

void StockExecutor::State::collect() {
  for (Ready & ready : ready_) ready.clear();
  guards_.assign(1, interrupt_);
  const os::Lock lock(mutex_);
  std::erase_if(nodes_, [](const Entry & entry) { return entry.node.expired(); });
  for (const Entry & entry : nodes_) {
    const auto node = entry.node.lock();
    if (node == nullptr) continue;
    guards_.push_back(entry.notify);
    for (const TaskKind kind : kinds) {
      if (!served(kind)) continue;
      node->find_if(kind, [this, kind](const std::shared_ptr<tasks::Callback> & listed) {
        auto callback = std::static_pointer_cast<Callback>(listed);
        if (callback->stock_task_.load() != TaskId::none) {
          ready(kind).push_back(std::move(callback));
        }
        return false;
      });
    }
  }
}

void StockExecutor::State::drop_what_is_not_ready() {
  for (Ready & ready : ready_) {
    std::erase_if(ready, [this](const auto & callback) { return !callback->is_ready(wait_set_); });
  }
}

// ---- the next callback --------------------------------------------------------------------------

std::shared_ptr<Callback> StockExecutor::State::next() {
  const model::Time began = time_decisions_ ? os::now() : 0;
  for (const TaskKind kind : kinds) {
    auto callback = next_of(kind);
    if (callback == nullptr) continue;
    // next_of() has set executing_ before served() reads the flag. quiesce() accesses the two in the
    // opposite order, so one of the two threads notices the other.
    if (!served(kind)) {
      executing_.store(nullptr);
      executing_.notify_all();
      continue;
    }
    if (time_decisions_) decision_ = os::now() - began;
    return callback;
  }
  return nullptr;
}

std::shared_ptr<Callback> StockExecutor::State::next_of(TaskKind kind) {
  Ready & list = ready(kind);
  while (!list.empty()) {
    auto callback = std::move(list.front());
    list.erase(list.begin());
    // removed() is called after the callback has left its node's list, and then reads executing_. So one
    // of the two threads notices the other.
    executing_.store(callback.get());
    if (owned(callback) && group_of(callback) != nullptr && node_of(callback) != nullptr) {
      return callback;
    }
    executing_.store(nullptr);
    executing_.notify_all();
  }
  return nullptr;
}

bool StockExecutor::State::owned(const std::shared_ptr<Callback> & callback) {
  return node_of(callback) != nullptr;
}

CallbackGroup::SharedPtr StockExecutor::State::group_of(
    const std::shared_ptr<Callback> & callback) {
  const auto node = node_of(callback);
  return node != nullptr ? callback->group() : nullptr;
}

std::shared_ptr<NodeBase> StockExecutor::State::node_of(
    const std::shared_ptr<Callback> & callback) {
  const os::Lock lock(mutex_);
  for (const Entry & entry : nodes_) {
    auto node = entry.node.lock();
    if (node == nullptr) continue;
    const auto is_it = [&callback](const auto & other) { return other == callback; };
    if (node->find_if(callback->kind(), is_it) != nullptr) return node;
  }
  return nullptr;
}

void StockExecutor::State::execute(Callback & callback) {
  struct Finally {
    State & state;
    ~Finally() {
      state.executing_.store(nullptr);
      state.executing_.notify_all();
      detail::trigger(*state.interrupt_);
    }
  } const finally{*this};
  JobInfo job;
  job.task = callback.stock_task_.load();
  job.index = callback.stock_jobs_++;
  job.start = os::now();
  job.release = job.start;
  job.decision = decision_;
  if (!callback.claim(job)) return;
  const detail::CurrentJob current(job);
  callback.execute(job);
}

// ---- the executor -------------------------------------------------------------------------------

StockExecutor::StockExecutor(const StockExecutorOptions & options)
    : state_(
          std::make_shared<State>(options.context != nullptr ? options.context : default_context(),
                                  options.time_decisions)) {}

StockExecutor::~StockExecutor() {
  state_->close();
}

void StockExecutor::add_node(Node & node) {
  state_->add_node(*node.base());
}
void StockExecutor::remove_node(Node & node) {
  state_->remove_node(*node.base());
}
void StockExecutor::spin() {
  state_->spin();
}
void StockExecutor::cancel() {
  state_->cancel();
}
void StockExecutor::forget_cancel() {
  state_->forget_cancel();
}
bool StockExecutor::spinning() const noexcept {
  return state_->spinning();
}
void StockExecutor::set_start(model::Time t0) {
  state_->set_start(t0);
}

}  // namespace takt
