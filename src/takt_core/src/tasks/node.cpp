// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/node.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/same_owner.hpp"

namespace takt::tasks {
namespace {

/// `node/`, or `namespace/node/` outside the root namespace: without the leading slash.
std::string id_prefix(const char * fully_qualified_name) {
  return std::string(fully_qualified_name + 1) + "/";
}

}  // namespace

std::int64_t Listener::request_scenario(std::string_view name) {
  throw Error("scenario '" + std::string(name) +
              "': the node's executor has no scenarios, a SchedulingExecutor has");
}

Node::Node(std::string fully_qualified_name, std::optional<std::size_t> processor)
    : full_name_(std::move(fully_qualified_name)),
      name_at_(full_name_.rfind('/') + 1),
      processor_(processor),
      default_group_(std::make_shared<CallbackGroup>(CallbackGroupType::mutually_exclusive)) {}

void Node::list(const std::shared_ptr<Callback> & callback, bool unique) {
  enlist(callback, unique);
  try {
    if (const auto to = listener()) to->added(callback);
  } catch (...) {
    callback->detach();
    throw;
  }
}

void Node::enlist(const std::shared_ptr<Callback> & callback, bool unique) {
  const std::string prefix = id_prefix(fully_qualified_name());
  {
    const os::Lock lock(mutex_);
    std::string & id = callback->task_.id;
    // Private (~/) and absolute names lose their prefix, which is only needed by topics.
    const std::size_t bare = id.starts_with("~/") ? 2 : id.find_first_not_of('/');
    const std::string wanted = prefix + id.substr(bare);
    id = wanted;
    // Collected once: a thousand callbacks may have the same name.
    std::unordered_set<std::string> taken;
    for (const auto & other : present()) {
      if (other->id().starts_with(wanted)) taken.insert(other->id());
    }
    for (int n = 2; taken.contains(id); ++n) {
      if (unique) throw NameError("callback '" + wanted + "' exists already: give it another name");
      id = wanted + "#" + std::to_string(n);
    }
    callbacks_.push_back(callback);
    by_kind_[static_cast<std::size_t>(callback->kind())].push_back(callback);
  }
  try {
    callback->attach();
  } catch (...) {
    callback->detach();
    throw;
  }
}

void Node::remove(Callback & callback) {
  std::shared_ptr<Listener> listener;
  {
    const os::Lock lock(mutex_);
    const auto self = callback.weak_from_this();
    const auto is_self = [&self](const auto & weak) { return same_owner(weak, self); };
    if (std::erase_if(callbacks_, is_self) == 0) return;
    std::erase_if(by_kind_[static_cast<std::size_t>(callback.kind())], is_self);
    listener = listener_.lock();
  }
  if (listener != nullptr) listener->removed(callback);
}

void Node::changed(const std::shared_ptr<Callback> & callback) {
  std::shared_ptr<Listener> listener;
  {
    const os::Lock lock(mutex_);
    listener = listener_.lock();
  }
  if (listener != nullptr) listener->changed(callback);
}

std::vector<std::shared_ptr<Callback>> Node::callbacks() const {
  const os::Lock lock(mutex_);
  return present();
}

std::vector<std::shared_ptr<Callback>> Node::present() const {
  std::vector<std::shared_ptr<Callback>> result;
  for (const auto & weak : callbacks_) {
    if (auto callback = weak.lock()) result.push_back(std::move(callback));
  }
  return result;
}

std::vector<std::shared_ptr<Callback>> Node::set_listener(
    const std::shared_ptr<Listener> & listener) {
  const os::Lock lock(mutex_);
  if (listener != nullptr && !listener_.expired()) {
    throw Error("node '" + std::string(name()) +
                "' has an executor: remove it from that one first");
  }
  listener_ = listener;
  return present();
}

std::shared_ptr<Listener> Node::listener() const {
  const os::Lock lock(mutex_);
  return listener_.lock();
}

// ---- scheduling strategies ----------------------------------------------------------------------

void Node::set_strategy(const tasks::GivenStrategy & strategy) {
  tasks::GivenStrategy old;
  std::shared_ptr<Listener> listener;
  {
    const os::Lock lock(mutex_);
    old = std::exchange(strategy_, strategy);
    listener = listener_.lock();
  }
  if (listener == nullptr) return;
  try {
    listener->strategy_changed();
  } catch (...) {
    const os::Lock lock(mutex_);
    strategy_ = old;
    throw;
  }
}

tasks::GivenStrategy Node::strategy() const {
  const os::Lock lock(mutex_);
  return strategy_;
}

std::vector<std::string> Node::published() const {
  const os::Lock lock(mutex_);
  return published_;
}

void Node::add_published(const std::string & topic) {
  {
    const os::Lock lock(mutex_);
    published_.push_back(topic);
  }
  if (const auto to = listener()) to->publishers_changed();
}

void Node::remove_published(const std::string & topic) {
  {
    const os::Lock lock(mutex_);
    const auto found = std::find(published_.begin(), published_.end(), topic);
    if (found != published_.end()) published_.erase(found);
  }
  if (const auto to = listener()) to->publishers_changed();
}

}  // namespace takt::tasks
