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
#include "takt_core/tasks/callback.hpp"
#include "takt_core/tasks/callback_group.hpp"
#include "takt_core/tasks/scheduling_strategy.hpp"

namespace takt::tasks {

/// What an executor hears of the nodes it runs. Called without the node's locks, any thread.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void added(const std::shared_ptr<Callback> & callback) = 0;
  /// On return no job of it runs or will; at once if called inside a job, of whichever executor.
  virtual void removed(Callback & callback) = 0;
  /// Its task() or is_task() has changed.
  virtual void changed(const std::shared_ptr<Callback> & callback) = 0;

  // ---- an executor that schedules by scenarios

  /// A node has another strategy. May throw: the node keeps its old one then.
  virtual void strategy_changed() {}
  /// A node publishes another topic, or one less.
  virtual void publishers_changed() {}
  /// Throws Error for an unknown name, or if the executor has no scenarios. Returns the time from
  /// the request to its effect in ns, -1 if it had none yet. Neither blocks nor allocates unless it
  /// throws.
  virtual std::int64_t request_scenario(std::string_view name);
};

/// A node as executors know it, of whichever front end: the list of its callbacks, its default
/// group and strategy, the executor that runs it. Thread-safe.
class Node : public std::enable_shared_from_this<Node> {
 public:
  /// `fully_qualified_name`: `/namespace/name`. `processor`: which of its executor's its callbacks
  /// run on unless told otherwise; not given: any.
  explicit Node(std::string fully_qualified_name,
                std::optional<std::size_t> processor = std::nullopt);
  virtual ~Node() = default;
  Node(const Node &) = delete;
  Node & operator=(const Node &) = delete;

  const char * name() const noexcept { return full_name_.c_str() + name_at_; }
  const char * fully_qualified_name() const noexcept { return full_name_.c_str(); }
  const CallbackGroup::SharedPtr & default_group() const noexcept { return default_group_; }
  std::optional<std::size_t> processor() const noexcept { return processor_; }

  /// Expanded and remapped. Throws NameError.
  virtual std::string resolve_name(const std::string & name, bool is_service) const = 0;
  /// The number of a topic (resolved) as schedulers know it. Allocates.
  virtual model::ChannelId channel(const std::string & topic) const = 0;
  /// All topics that have a number. Allocates.
  virtual std::map<std::string, model::ChannelId> channels() const = 0;
  /// What its clock says while time is simulated, ns; nothing otherwise.
  virtual std::optional<std::int64_t> simulated_now() const = 0;
  /// What of the node is in no plan of its executor, and what to do, in one line that does not name
  /// it: nodes of which the same is to be said have it in common. Empty: nothing.
  virtual std::string unplanned() const { return {}; }

  /// Lists a callback, gives it its identifier `node/name` and tells the executor. Names that are
  /// taken get `#2`, `#3` ...; if `unique` they throw NameError instead.
  void list(const std::shared_ptr<Callback> & callback, bool unique = false);
  void remove(Callback & callback);
  void changed(const std::shared_ptr<Callback> & callback);

  /// In the order in which they were made.
  std::vector<std::shared_ptr<Callback>> callbacks() const;

  /// The first callback of this kind, in the order in which they were made, that `function` says
  /// true to. It is called under a lock of the node.
  template <typename F>
  std::shared_ptr<Callback> find_if(model::TaskKind kind, const F & function) const {
    const os::Lock lock(mutex_);
    for (const auto & weak : by_kind_[static_cast<std::size_t>(kind)]) {
      auto callback = weak.lock();
      if (callback != nullptr && function(callback)) return callback;
    }
    return nullptr;
  }

  /// Makes `listener` the node's executor and returns the callbacks there are; of later ones it is
  /// told. Throws Error if the node has another executor. nullptr: leaves it.
  std::vector<std::shared_ptr<Callback>> set_listener(const std::shared_ptr<Listener> & listener);
  /// nullptr: it has none.
  std::shared_ptr<Listener> listener() const;

  // ---- scheduling strategies

  /// Tells the executor. Throws what that one throws; nothing has changed then.
  void set_strategy(const tasks::GivenStrategy & strategy);
  tasks::GivenStrategy strategy() const;

  /// Topics (resolved) of the publishers there are, each once for each publisher.
  virtual std::vector<std::string> published() const;
  void add_published(const std::string & topic);
  void remove_published(const std::string & topic);

 private:
  std::vector<std::shared_ptr<Callback>> present() const TAKT_REQUIRES(mutex_);

  const std::string full_name_;
  const std::size_t name_at_;
  const std::optional<std::size_t> processor_;
  const CallbackGroup::SharedPtr default_group_;
  mutable os::Mutex mutex_{os::LockRank::tasks_node};
  std::vector<std::weak_ptr<Callback>> callbacks_ TAKT_GUARDED_BY(mutex_);
  std::array<std::vector<std::weak_ptr<Callback>>, 5> by_kind_ TAKT_GUARDED_BY(mutex_);
  std::weak_ptr<Listener> listener_ TAKT_GUARDED_BY(mutex_);
  tasks::GivenStrategy strategy_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::string> published_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::tasks
