// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/node.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "takt/callback.hpp"
#include "takt/clock.hpp"
#include "takt/context.hpp"
#include "takt/exceptions.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/tasks/node.hpp"

namespace takt {

using NodeListener = tasks::Listener;

namespace detail {

/// An rcl node. A base class, so that it is created before the members that need the node's name.
class RclNode {
 public:
  /// Throws NameError, RclError. Allocates, blocks.
  RclNode(std::shared_ptr<Context> context, const std::string & name,
          const std::string & namespace_, const rcl_node_options_t & options);
  ~RclNode();
  RclNode(const RclNode &) = delete;
  RclNode & operator=(const RclNode &) = delete;

  rcl_node_t * rcl_node() noexcept { return &rcl_node_; }
  const std::shared_ptr<Context> & context() const noexcept { return context_; }

 protected:
  std::shared_ptr<Context> context_;
  rcl_node_t rcl_node_;
};

}  // namespace detail

/// The part of a node that is shared by everything that the node created: the rcl node, and what
/// executors know of it. Thread-safe.
class NodeBase : public detail::RclNode, public tasks::Node {
 public:
  /// Throws NameError, RclError. Allocates, blocks.
  NodeBase(std::shared_ptr<Context> context, const std::string & name,
           const std::string & namespace_, const rcl_node_options_t & options,
           bool intra_process = true, std::optional<std::size_t> processor = std::nullopt);

  std::shared_ptr<NodeBase> shared_from_this() {
    return std::static_pointer_cast<NodeBase>(tasks::Node::shared_from_this());
  }
  /// The node's own ROS time clock.
  const Clock::SharedPtr & clock() const noexcept { return clock_; }
  /// The default of SubscriptionOptions::intra_process for subscriptions of this node.
  bool intra_process() const noexcept { return intra_process_; }
  /// The mutex that must be held while rcl entities of this node are created or finalised, because rcl
  /// keeps lists in the node without a lock of its own.
  os::PiMutex & rcl_mutex() noexcept TAKT_RETURN_CAPABILITY(rcl_mutex_) { return rcl_mutex_; }

  /// Creates an rcl entity of this node by `init(entity, node)`, with rcl_mutex() held; the last copy of
  /// the returned pointer finalises it by `fini` in the same way. `zero` is rcl's zero-initialised entity.
  /// The entity keeps the node alive. If `init` fails, throws as detail::check() with `what`. Allocates,
  /// blocks.
  template <typename Entity, typename Init>
  std::shared_ptr<Entity> make_entity(const Entity & zero, const Init & init,
                                      rcl_ret_t (*fini)(Entity *, rcl_node_t *),
                                      const std::string & what) {
    auto made = std::make_unique<Entity>(zero);
    {
      const os::Lock lock(rcl_mutex_);
      detail::check(init(made.get(), &rcl_node_), what);
    }
    return {made.release(), [node = shared_from_this(), fini](Entity * entity) {
              {
                const os::Lock lock(node->rcl_mutex_);
                if (fini(entity, &node->rcl_node_) != RCL_RET_OK) detail::take_rcl_error();
              }
              delete entity;
            }};
  }

  std::string resolve_name(const std::string & name, bool is_service) const override;
  model::ChannelId channel(const std::string & topic) const override;
  std::map<std::string, model::ChannelId> channels() const override;
  std::optional<std::int64_t> simulated_now() const override;

  /// Adds a callback to the node, gives it its identifier `node/name` and notifies the executor. Returns
  /// the handle, whose last copy detaches the callback when it is destroyed. If the name is in use, `#2`,
  /// `#3` ... is appended, or NameError is thrown if `unique` is true. Allocates, blocks.
  template <std::derived_from<Callback> C>
  std::shared_ptr<C> add(std::shared_ptr<C> callback, bool unique = false) {
    list(callback, unique);
    C * const raw = callback.get();
    return std::shared_ptr<C>(raw, [inner = std::move(callback)](C *) mutable {
      inner->detach();
      inner.reset();
    });
  }

 private:
  os::PiMutex rcl_mutex_{os::LockRank::rcl_node};
  bool intra_process_;
  const Clock::SharedPtr clock_ = std::make_shared<Clock>(ClockType::ros);
};

}  // namespace takt
