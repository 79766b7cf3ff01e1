// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "departing_components.hpp"

#include <algorithm>
#include <system_error>

#include "takt_core/tasks/decimal.hpp"

namespace takt::rclcpp {

void DepartingComponents::add(std::uint64_t id, Component component, Answer answer) {
  std::list<One> over;  // their threads are joined at its destruction, when no mutex is held
  One * one = nullptr;
  {
    const os::Lock lock(mutex_);
    for (auto each = all_.begin(); each != all_.end();) {
      const auto next = std::next(each);
      if (each->gone) over.splice(over.end(), all_, each);
      each = next;
    }
    const Node::SharedPtr node = component.get_node_base_interface();
    one = &all_.emplace_back();
    one->id = id;
    one->name = node->get_fully_qualified_name();
    one->node = node;
    one->component = std::move(component);
    if (answer) one->answers.push_back(std::move(answer));
  }
  try {
    one->thread = os::Thread({.name = "takt.unload"}, [this, one] { run(*one); });
  } catch (const std::system_error &) {
    run(*one);  // no thread could be created: runs here, and delays other requests
  }
}

bool DepartingComponents::ask(std::uint64_t id, const Answer & answer) {
  std::string error;
  {
    const os::Lock lock(mutex_);
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [id](const One & one) { return one.id == id && !one.gone; });
    if (found == all_.end()) return false;
    error = found->error;
    if (error.empty()) found->answers.push_back(answer);
  }
  if (!error.empty()) answer(error);
  return true;
}

std::vector<std::pair<std::uint64_t, std::string>> DepartingComponents::list() const {
  std::vector<std::pair<std::uint64_t, std::string>> list;
  const os::Lock lock(mutex_);
  for (const One & one : all_) {
    if (!one.gone) list.emplace_back(one.id, one.name);
  }
  return list;
}

std::vector<std::string> DepartingComponents::left(const Node::WeakPtr & node,
                                                   std::chrono::nanoseconds limit) const {
  const Node::SharedPtr present = node.lock();
  if (present == nullptr) return {};
  return executor_->finish_removals(limit, present);
}

void DepartingComponents::run(One & one) {
  const auto tell = [&](const std::string & error) {
    std::vector<Answer> answers;
    {
      const os::Lock lock(mutex_);
      one.error = error;
      answers.swap(one.answers);
    }
    for (const Answer & answer : answers) answer(error);
  };
  const std::vector<std::string> late = left(one.node, limit_);
  if (!late.empty()) {
    tell("node '" + one.name + "' is still there: callback '" + late.front() +
         "' has not returned within " +
         tasks::decimal(std::chrono::duration<double>(limit_).count()) +
         " s; the node is destroyed when it has");
    left(one.node, std::chrono::nanoseconds::max());
  }
  const auto set = [&](bool One::*is) {
    const os::Lock lock(mutex_);
    one.*is = true;
    changed_.notify_all();
  };
  set(&One::returned);
  one.component = {};
  set(&One::gone);  // ask() returns false from now on
  tell("");
}

std::vector<std::string> DepartingComponents::finish(std::chrono::nanoseconds limit) {
  const auto all = [this](bool One::*is) TAKT_REQUIRES(mutex_) {
    return std::all_of(all_.begin(), all_.end(), [is](const One & one) { return one.*is; });
  };
  std::vector<Node::WeakPtr> late;
  {
    os::UniqueLock lock(mutex_);
    changed_.wait_for(lock, limit, [&]() TAKT_REQUIRES(mutex_) { return all(&One::returned); });
    for (const One & one : all_) {
      if (!one.returned) late.push_back(one.node);
    }
  }
  std::vector<std::string> names;
  for (const Node::WeakPtr & node : late) {
    const std::vector<std::string> callbacks = left(node, std::chrono::nanoseconds::zero());
    names.insert(names.end(), callbacks.begin(), callbacks.end());
  }
  if (!names.empty()) return names;
  // All callbacks have returned: only destructors are waited for.
  os::UniqueLock lock(mutex_);
  changed_.wait(lock, [&]() TAKT_REQUIRES(mutex_) { return all(&One::gone); });
  return names;
}

}  // namespace takt::rclcpp
