// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/node.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "takt/callback.hpp"
#include "takt/callback_group.hpp"
#include "takt/clock.hpp"
#include "takt/context.hpp"
#include "takt/exceptions.hpp"
#include "takt/scheduling_strategy.hpp"

namespace takt {

/// What an executor hears of the nodes it runs. Called without the node's locks, any thread.
class NodeListener {
 public:
  virtual ~NodeListener() = default;
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

/// The inner part of a node, shared by everything that was made by it: the rcl node, the list of
/// its callbacks, the executor that runs them. Thread-safe.
class NodeBase : public std::enable_shared_from_this<NodeBase> {
 public:
  /// Throws NameError, RclError. Allocates, blocks.
  NodeBase(std::shared_ptr<Context> context, const std::string & name,
           const std::string & namespace_, const rcl_node_options_t & options,
           bool intra_process = true, std::optional<std::size_t> processor = std::nullopt);
  ~NodeBase();
  NodeBase(const NodeBase &) = delete;
  NodeBase & operator=(const NodeBase &) = delete;

  rcl_node_t * rcl_node() noexcept { return &rcl_node_; }
  const std::shared_ptr<Context> & context() const noexcept { return context_; }
  const CallbackGroup::SharedPtr & default_group() const noexcept { return default_group_; }
  /// Of ROS time, the node's own.
  const Clock::SharedPtr & clock() const noexcept { return clock_; }
  /// Whether its subscriptions exchange inside the process unless told otherwise.
  bool intra_process() const noexcept { return intra_process_; }
  /// See NodeOptions.
  std::optional<std::size_t> processor() const noexcept { return processor_; }
  const char * name() const noexcept { return rcl_node_get_name(&rcl_node_); }
  const char * fully_qualified_name() const noexcept {
    return rcl_node_get_fully_qualified_name(&rcl_node_);
  }
  /// Held while entities of this node are made and ended: rcl keeps lists in the node without one.
  std::mutex & rcl_mutex() noexcept { return rcl_mutex_; }

  /// An entity of rcl in this node: `init(entity, node)` under the lock; ended likewise. It keeps
  /// the node alive. Throws as detail::check, with `what`.
  template <typename Entity, typename Init>
  std::shared_ptr<Entity> make_entity(const Entity & zero, const Init & init,
                                      rcl_ret_t (*fini)(Entity *, rcl_node_t *),
                                      const std::string & what) {
    auto made = std::make_unique<Entity>(zero);
    {
      const std::lock_guard lock(rcl_mutex_);
      detail::check(init(made.get(), &rcl_node_), what);
    }
    return {made.release(), [node = shared_from_this(), fini](Entity * entity) {
              {
                const std::lock_guard lock(node->rcl_mutex_);
                if (fini(entity, &node->rcl_node_) != RCL_RET_OK) detail::take_rcl_error();
              }
              delete entity;
            }};
  }

  /// Expanded and remapped. Throws NameError.
  std::string resolve_name(const std::string & name, bool is_service) const;

  /// Lists a callback, gives it its identifier `node/name` and tells the executor. Returns the
  /// handle whose last copy detaches it. Names that are taken get `#2`, `#3` ...; if `unique` they
  /// throw NameError instead.
  template <std::derived_from<Callback> C>
  std::shared_ptr<C> add(std::shared_ptr<C> callback, bool unique = false) {
    list(callback, unique);
    C * const raw = callback.get();
    return std::shared_ptr<C>(raw, [inner = std::move(callback)](C *) mutable {
      inner->detach();
      inner.reset();
    });
  }
  void remove(Callback & callback);
  void changed(const std::shared_ptr<Callback> & callback);

  /// In the order in which they were made.
  std::vector<std::shared_ptr<Callback>> callbacks() const;

  /// The first callback of this kind, in the order in which they were made, that `function` says
  /// true to. It is called under a lock of the node.
  template <typename F>
  std::shared_ptr<Callback> find_if(TaskKind kind, const F & function) const {
    const std::lock_guard lock(mutex_);
    for (const auto & weak : by_kind_[static_cast<std::size_t>(kind)]) {
      auto callback = weak.lock();
      if (callback != nullptr && function(callback)) return callback;
    }
    return nullptr;
  }

  /// Makes `listener` the node's executor and returns the callbacks there are; of later ones it is
  /// told. Throws Error if the node has another executor. nullptr: leaves it.
  std::vector<std::shared_ptr<Callback>> set_listener(
      const std::shared_ptr<NodeListener> & listener);
  /// nullptr: it has none.
  std::shared_ptr<NodeListener> listener() const;

  // ---- scheduling strategies

  /// Tells the executor. Throws what that one throws; nothing has changed then.
  void set_strategy(const detail::GivenStrategy & strategy);
  detail::GivenStrategy strategy() const;

  /// Topics (resolved) of the publishers there are, each once for each publisher.
  std::vector<std::string> published() const;
  void add_published(const std::string & topic);
  void remove_published(const std::string & topic);

 private:
  void list(const std::shared_ptr<Callback> & callback, bool unique);
  std::vector<std::shared_ptr<Callback>> present() const;

  std::shared_ptr<Context> context_;
  rcl_node_t rcl_node_;
  std::mutex rcl_mutex_;
  bool intra_process_;
  std::optional<std::size_t> processor_;
  CallbackGroup::SharedPtr default_group_;
  const Clock::SharedPtr clock_ = std::make_shared<Clock>(ClockType::ros);
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Callback>> callbacks_;
  std::array<std::vector<std::weak_ptr<Callback>>, 5> by_kind_;
  std::weak_ptr<NodeListener> listener_;
  detail::GivenStrategy strategy_;
  std::vector<std::string> published_;
};

}  // namespace takt
