// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/node_base.hpp"

#include <algorithm>
#include <utility>

#include "logging_system.hpp"
#include "takt/exceptions.hpp"

namespace takt {
namespace {

/// `node`, or `namespace/node` outside the root: without the leading slash.
std::string id_prefix(const char * fully_qualified_name) {
  return std::string(fully_qualified_name + 1) + "/";
}

bool same(const std::weak_ptr<Callback> & a, const std::weak_ptr<Callback> & b) noexcept {
  return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace

std::int64_t NodeListener::request_scenario(std::string_view name) {
  throw Error("scenario '" + std::string(name) +
              "': the node's executor has no scenarios, a SchedulingExecutor has");
}

NodeBase::NodeBase(std::shared_ptr<Context> context, const std::string & name,
                   const std::string & namespace_, const rcl_node_options_t & options,
                   bool intra_process, std::optional<std::size_t> processor)
    : context_(std::move(context)),
      rcl_node_(rcl_get_zero_initialized_node()),
      intra_process_(intra_process),
      processor_(processor),
      default_group_(std::make_shared<CallbackGroup>(CallbackGroupType::mutually_exclusive)) {
  detail::check(rcl_node_init(&rcl_node_, name.c_str(), namespace_.c_str(), context_->rcl_context(),
                              &options),
                "cannot create node '" + name + "'");
  detail::rosout_add(rcl_node_);
}

NodeBase::~NodeBase() {
  detail::rosout_remove(rcl_node_);
  if (rcl_node_fini(&rcl_node_) != RCL_RET_OK) detail::take_rcl_error();
}

std::string NodeBase::resolve_name(const std::string & name, bool is_service) const {
  char * resolved = nullptr;
  const rcl_allocator_t allocator = rcl_get_default_allocator();
  detail::check(
      rcl_node_resolve_name(&rcl_node_, name.c_str(), allocator, is_service, false, &resolved),
      "node '" + std::string(this->name()) + "' cannot resolve the name '" + name + "'");
  std::string result(resolved);
  allocator.deallocate(resolved, allocator.state);
  return result;
}

void NodeBase::list(const std::shared_ptr<Callback> & callback, bool unique) {
  const std::string prefix = id_prefix(fully_qualified_name());
  std::shared_ptr<NodeListener> listener;
  {
    const std::lock_guard lock(mutex_);
    const auto taken = [this](const std::string & id) {
      return std::any_of(callbacks_.begin(), callbacks_.end(), [&id](const auto & weak) {
        const auto other = weak.lock();
        return other != nullptr && other->id() == id;
      });
    };
    std::string & id = callback->task_.id;
    // Private and absolute names lose what only topics need.
    const std::size_t bare = id.starts_with("~/") ? 2 : id.find_first_not_of('/');
    const std::string wanted = prefix + id.substr(bare);
    id = wanted;
    for (int n = 2; taken(id); ++n) {
      if (unique) throw NameError("callback '" + wanted + "' exists already: give it another name");
      id = wanted + "#" + std::to_string(n);
    }
    callbacks_.push_back(callback);
    by_kind_[static_cast<std::size_t>(callback->kind())].push_back(callback);
    listener = listener_.lock();
  }
  try {
    callback->attach();
    if (listener != nullptr) listener->added(callback);
  } catch (...) {
    callback->detach();
    throw;
  }
}

void NodeBase::remove(Callback & callback) {
  std::shared_ptr<NodeListener> listener;
  {
    const std::lock_guard lock(mutex_);
    const auto self = callback.weak_from_this();
    const auto is_self = [&self](const auto & weak) { return same(weak, self); };
    if (std::erase_if(callbacks_, is_self) == 0) return;
    std::erase_if(by_kind_[static_cast<std::size_t>(callback.kind())], is_self);
    listener = listener_.lock();
  }
  if (listener != nullptr) listener->removed(callback);
}

void NodeBase::changed(const std::shared_ptr<Callback> & callback) {
  std::shared_ptr<NodeListener> listener;
  {
    const std::lock_guard lock(mutex_);
    listener = listener_.lock();
  }
  if (listener != nullptr) listener->changed(callback);
}

std::vector<std::shared_ptr<Callback>> NodeBase::callbacks() const {
  const std::lock_guard lock(mutex_);
  return present();
}

std::vector<std::shared_ptr<Callback>> NodeBase::present() const {
  std::vector<std::shared_ptr<Callback>> result;
  for (const auto & weak : callbacks_) {
    if (auto callback = weak.lock()) result.push_back(std::move(callback));
  }
  return result;
}

std::vector<std::shared_ptr<Callback>> NodeBase::set_listener(
    const std::shared_ptr<NodeListener> & listener) {
  const std::lock_guard lock(mutex_);
  if (listener != nullptr && !listener_.expired()) {
    throw Error("node '" + std::string(name()) +
                "' has an executor: remove it from that one first");
  }
  listener_ = listener;
  return present();
}

std::shared_ptr<NodeListener> NodeBase::listener() const {
  const std::lock_guard lock(mutex_);
  return listener_.lock();
}

// ---- scheduling strategies ----------------------------------------------------------------------

void NodeBase::set_strategy(const detail::GivenStrategy & strategy) {
  detail::GivenStrategy old;
  std::shared_ptr<NodeListener> listener;
  {
    const std::lock_guard lock(mutex_);
    old = std::exchange(strategy_, strategy);
    listener = listener_.lock();
  }
  if (listener == nullptr) return;
  try {
    listener->strategy_changed();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    strategy_ = old;
    throw;
  }
}

detail::GivenStrategy NodeBase::strategy() const {
  const std::lock_guard lock(mutex_);
  return strategy_;
}

std::vector<std::string> NodeBase::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

void NodeBase::add_published(const std::string & topic) {
  {
    const std::lock_guard lock(mutex_);
    published_.push_back(topic);
  }
  if (const auto to = listener()) to->publishers_changed();
}

void NodeBase::remove_published(const std::string & topic) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find(published_.begin(), published_.end(), topic);
    if (found != published_.end()) published_.erase(found);
  }
  if (const auto to = listener()) to->publishers_changed();
}

}  // namespace takt
