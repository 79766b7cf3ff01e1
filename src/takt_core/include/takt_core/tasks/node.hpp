// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "takt_core/model/input.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/tasks/callback.hpp"
#include "takt_core/tasks/callback_group.hpp"
#include "takt_core/tasks/scheduling_strategy.hpp"

namespace takt::tasks {

/// Notifications from a node to its executor. Called without the node's locks, on any thread.
class Listener {
 public:
  virtual ~Listener() = default;
  /// A callback was added to the node: see Node::list().
  virtual void added(const std::shared_ptr<Callback> & callback) = 0;
  /// A callback was removed. On return no job of it is running, and none will run. Called inside a
  /// job of any executor, it returns without waiting for a running job.
  virtual void removed(Callback & callback) = 0;
  /// The callback's task() or is_task() has changed.
  virtual void changed(const std::shared_ptr<Callback> & callback) = 0;

  // ---- for an executor with scenarios

  /// The node's strategy was replaced. May throw: the node then keeps its old strategy.
  virtual void strategy_changed() {}
  /// A publisher of the node was added or removed.
  virtual void publishers_changed() {}
  /// Requests a scenario. Throws Error for an unknown name, or if the executor has no scenarios.
  /// Returns the time from the request to its effect in ns, -1 if it has not taken effect yet.
  /// Neither blocks nor allocates unless it throws.
  virtual std::int64_t request_scenario(std::string_view name);
};

/// A node, as executors know it, of any front end: its callbacks, its default group and strategy,
/// and the executor that runs it. Thread-safe.
class Node : public std::enable_shared_from_this<Node> {
 public:
  /// `fully_qualified_name`: `/namespace/name`. `processor`: the index of the executor's processor
  /// on which its callbacks run unless they say otherwise; no value: any.
  explicit Node(std::string fully_qualified_name,
                std::optional<std::size_t> processor = std::nullopt);
  virtual ~Node() = default;
  Node(const Node &) = delete;
  Node & operator=(const Node &) = delete;

  const char * name() const noexcept { return full_name_.c_str() + name_at_; }
  const char * fully_qualified_name() const noexcept { return full_name_.c_str(); }
  const CallbackGroup::SharedPtr & default_group() const noexcept { return default_group_; }
  std::optional<std::size_t> processor() const noexcept { return processor_; }

  /// The name expanded and remapped. Throws NameError.
  virtual std::string resolve_name(const std::string & name, bool is_service) const = 0;
  /// The scheduler's number of a topic (resolved name). Allocates.
  virtual model::ChannelId channel(const std::string & topic) const = 0;
  /// The topics that have a number. Allocates.
  virtual std::map<std::string, model::ChannelId> channels() const = 0;
  /// The simulated time in ns; no value if the node does not use simulated time.
  virtual std::optional<std::int64_t> simulated_now() const = 0;
  /// What the executor's priority plan does not cover in this node, and the remedy, in one line
  /// that does not name the node, so that nodes with the same line are reported together. Empty:
  /// nothing.
  virtual std::string unplanned() const { return {}; }

  /// Lists a callback, gives it its identifier `node/name` and notifies the executor. A name in use
  /// gets `#2`, `#3` ... appended; with `unique` it throws NameError instead. Allocates.
  void list(const std::shared_ptr<Callback> & callback, bool unique = false);
  /// As list(), but does not notify the executor: for several callbacks, which TaskRegistry::add()
  /// then adds in one change.
  void enlist(const std::shared_ptr<Callback> & callback, bool unique = false);
  /// Removes a callback from the list and notifies the executor.
  void remove(Callback & callback);
  /// Notifies the executor that the callback's task() or is_task() has changed.
  void changed(const std::shared_ptr<Callback> & callback);

  /// The callbacks, in order of creation. Allocates.
  std::vector<std::shared_ptr<Callback>> callbacks() const;

  /// The first callback of this kind, in order of creation, for which `function` returns true;
  /// nullptr if none. `function` is called under a lock of the node.
  template <typename F>
  std::shared_ptr<Callback> find_if(model::TaskKind kind, const F & function) const {
    const os::Lock lock(mutex_);
    for (const auto & weak : by_kind_[static_cast<std::size_t>(kind)]) {
      auto callback = weak.lock();
      if (callback != nullptr && function(callback)) return callback;
    }
    return nullptr;
  }

  /// Makes `listener` the node's executor and returns the callbacks that the node has so far; the
  /// executor is notified of later ones. Throws Error if the node has another executor. nullptr:
  /// removes the executor.
  std::vector<std::shared_ptr<Callback>> set_listener(const std::shared_ptr<Listener> & listener);
  /// The node's executor; nullptr if it has none.
  std::shared_ptr<Listener> listener() const;

  // ---- scheduling strategies

  /// Sets the strategy and notifies the executor. Throws what the executor throws, without effect
  /// then.
  void set_strategy(const tasks::GivenStrategy & strategy);
  tasks::GivenStrategy strategy() const;

  /// The topics (resolved names) of the node's publishers, one entry per publisher. Allocates.
  virtual std::vector<std::string> published() const;
  /// Adds a publisher of the topic (resolved name) and notifies the executor. Allocates.
  void add_published(const std::string & topic);
  /// Removes a publisher of the topic and notifies the executor.
  void remove_published(const std::string & topic);

 private:
  std::vector<std::shared_ptr<Callback>> present() const TAKT_REQUIRES(mutex_);

  const std::string full_name_;
  const std::size_t name_at_;
  const std::optional<std::size_t> processor_;
  const CallbackGroup::SharedPtr default_group_;
  mutable os::PiMutex mutex_{os::LockRank::tasks_node};
  std::vector<std::weak_ptr<Callback>> callbacks_ TAKT_GUARDED_BY(mutex_);
  std::array<std::vector<std::weak_ptr<Callback>>, 5> by_kind_ TAKT_GUARDED_BY(mutex_);
  std::weak_ptr<Listener> listener_ TAKT_GUARDED_BY(mutex_);
  tasks::GivenStrategy strategy_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::string> published_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::tasks
