// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/task_names.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>

#include "takt_core/tasks/node.hpp"

namespace takt::tasks {
namespace {

/// The part of the identifier after the node's name.
std::string_view bare_name(const Callback & callback) {
  const std::string_view id = callback.id();
  // The identifier has no leading slash, the node's name has.
  return id.substr(std::min(id.size(), std::strlen(callback.node().fully_qualified_name())));
}

/// The name without the number that tells it from others of the same name.
std::string_view without_number(std::string_view name) {
  const std::size_t at = name.rfind('#');
  const bool numbered = at != std::string_view::npos && at + 1 < name.size() &&
                        name.find_first_not_of("0123456789", at + 1) == std::string_view::npos;
  return numbered ? name.substr(0, at) : name;
}

/// A name with a kind before its last part.
struct KindAndName {
  model::TaskKind kind;
  std::string name;
};
std::optional<KindAndName> kind_in(std::string_view wanted) {
  constexpr std::array kinds{model::TaskKind::timer, model::TaskKind::subscription,
                             model::TaskKind::service, model::TaskKind::client};
  for (const model::TaskKind kind : kinds) {
    const std::string prefix = std::string(model::to_string(kind)) + ":";
    const std::size_t at = wanted.find(prefix);
    if (at == std::string_view::npos || (at > 0 && wanted[at - 1] != '/')) continue;
    std::string_view rest = wanted.substr(at + prefix.size());
    if (rest.starts_with('/')) rest.remove_prefix(1);
    return KindAndName{kind, std::string(wanted.substr(0, at)).append(rest)};
  }
  return std::nullopt;
}

std::string several(const std::vector<std::shared_ptr<Callback>> & found) {
  std::set<std::string_view> ids;
  std::string names;
  for (const auto & callback : found) {
    if (!ids.insert(callback->id()).second) {
      return "several nodes are called '" +
             std::string(callback->node().fully_qualified_name()).substr(1) +
             "': give each a name of its own";
    }
    names.append(names.empty() ? "" : ", ").append(callback->id());
  }
  return "several tasks have this name: say which of " + names;
}

}  // namespace

void TaskNames::add(const std::shared_ptr<Callback> & callback) {
  callbacks_.push_back(callback);
  by_id_[callback->id()].push_back(callback);
  by_bare_name_[std::string(bare_name(*callback))].push_back(callback);
  by_id_without_number_[std::string(without_number(callback->id()))].push_back(callback);
}

const TaskNames::Callbacks & TaskNames::callbacks_named(const ByName & all, std::string_view name) {
  static const Callbacks none;
  const auto found = all.find(name);
  return found != all.end() ? found->second : none;
}

TaskNames::Found TaskNames::find(const std::string & name) const {
  std::string_view wanted = std::string_view(name).substr(name.starts_with('/') ? 1 : 0);
  Found found = find_exactly(wanted, false);
  constexpr std::string_view number = "#1";
  if (found.missing && wanted.ends_with(number)) {
    found = find_exactly(wanted.substr(0, wanted.size() - number.size()), true);
  }
  if (found.missing) found = find_of_kind(wanted);
  if (found.missing) found.problem = "there is no such task";
  return found;
}

/// `first`: whether the name stands for the first of several that only numbers tell apart.
TaskNames::Found TaskNames::find_exactly(std::string_view wanted, bool first) const {
  const Callbacks & whole = callbacks_named(by_id_, wanted);
  const Callbacks & found = whole.empty() ? callbacks_named(by_bare_name_, wanted) : whole;
  if (found.empty()) return {nullptr, {}, true};
  if (found.size() > 1) return {nullptr, several(found), false};
  if (first || !found.front()->numbered()) return {found.front(), {}, false};
  const auto others = numbered_as(found.front()->id());
  if (others.empty()) return {found.front(), {}, false};
  std::string problem = "its node has several such: write " + found.front()->id() + "#1";
  for (const auto & other : others) problem += " or " + other->id();
  return {nullptr, problem + ", in the order in which it made them", false};
}

TaskNames::Found TaskNames::find_of_kind(std::string_view wanted) const {
  const auto named = kind_in(wanted);
  if (!named) return {nullptr, {}, true};
  std::vector<std::shared_ptr<Callback>> found;
  for (const auto & callback : callbacks_) {
    if (callback->kind() != named->kind) continue;
    if (without_number(callback->id()) == named->name ||
        without_number(bare_name(*callback)) == named->name) {
      found.push_back(callback);
    }
  }
  if (found.empty()) return {nullptr, {}, true};
  if (found.size() > 1) return {nullptr, several(found), false};
  return {found.front(), {}, false};
}

std::vector<std::shared_ptr<Callback>> TaskNames::numbered_as(const std::string & id) const {
  Callbacks others = callbacks_named(by_id_without_number_, id);
  std::erase_if(others, [&id](const auto & callback) { return callback->id() == id; });
  return others;
}

std::string TaskNames::known(const std::string & name) const {
  constexpr std::size_t most = 12;
  const std::string_view wanted = std::string_view(name).substr(name.starts_with('/') ? 1 : 0);
  const auto asked = kind_in(wanted);
  const std::string_view like = asked ? std::string_view(asked->name) : wanted;
  struct Known {
    std::ptrdiff_t common;  // characters at the beginning
    std::size_t number;     // in the order of addition
    std::string_view name;
    bool operator<(const Known & other) const noexcept {
      return common != other.common ? common > other.common : number < other.number;
    }
  };
  std::vector<Known> names;
  for (const auto & callback : callbacks_) {
    const bool timer = callback->kind() == model::TaskKind::timer;
    const bool subscription = callback->kind() == model::TaskKind::subscription &&
                              callback->topic() != "/parameter_events";
    if (asked ? callback->kind() != asked->kind : !timer && !subscription) continue;
    const std::string_view id = callback->id();
    const auto common = std::mismatch(like.begin(), like.end(), id.begin(), id.end()).first;
    names.push_back({common - like.begin(), names.size(), id});
  }
  std::sort(names.begin(), names.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    text.append(i == 0 ? known_begin : ", ").append(names[i].name);
  }
  return text + (names.size() > most ? " ..." : "");
}

}  // namespace takt::tasks
