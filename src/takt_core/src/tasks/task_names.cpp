// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/task_names.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "takt_core/tasks/node.hpp"

namespace takt::tasks {
namespace {

/// What follows the name of its node.
std::string_view bare_name(const Callback & callback) {
  const std::string_view id = callback.id();
  // The identifier has no slash at its front, the node's name has.
  return id.substr(std::min(id.size(), std::strlen(callback.node().fully_qualified_name())));
}

}  // namespace

TaskNames::Found TaskNames::find(const std::string & name) const {
  const std::string_view wanted = std::string_view(name).substr(name.starts_with('/') ? 1 : 0);
  Found found;
  for (const auto & callback : callbacks_) {
    if (callback->id() == wanted) return {callback, {}, false};
    if (bare_name(*callback) != wanted) continue;
    if (found.callback != nullptr) {
      found.problem += found.problem.empty() ? found.callback->id() : "";
      found.problem += ", " + callback->id();
    }
    found.callback = callback;
  }
  if (!found.problem.empty()) {
    return {nullptr, "several tasks have this name: say which of " + found.problem, false};
  }
  if (found.callback == nullptr) return {nullptr, "there is no such task" + known(), true};
  return found;
}

std::string TaskNames::known() const {
  constexpr int most = 12;
  std::string names;
  int count = 0;
  for (const auto & callback : callbacks_) {
    // Those that every node has by itself help nobody.
    if (callback->kind() != model::TaskKind::timer &&
        callback->kind() != model::TaskKind::subscription)
      continue;
    if (++count > most) return names + " ...";
    names += (names.empty() ? "; there are " : ", ") + callback->id();
  }
  return names;
}

}  // namespace takt::tasks
