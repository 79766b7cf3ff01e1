// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "given_options.hpp"

#include "takt_core/tasks/same_owner.hpp"

namespace takt::rclcpp {

void GivenOptions::set(const std::shared_ptr<const void> & entity, const TaskOptions & options) {
  Given given{entity, options, {}, 0};
  given.options.reads.clear();
  for (const Read & read : options.reads) {
    given.reads.emplace_back(read.subscription, read.options);
  }
  const os::Lock lock(mutex_);
  std::erase_if(given_, [](const auto & other) { return other.second.entity.expired(); });
  given.version = ++versions_;
  given_[entity.get()] = std::move(given);
}

GivenOptions::Given GivenOptions::of(const void * key,
                                     const std::weak_ptr<const void> & entity) const {
  const os::Lock lock(mutex_);
  const auto found = given_.find(key);
  if (found == given_.end() || !tasks::same_owner(found->second.entity, entity)) return {};
  return found->second;
}

}  // namespace takt::rclcpp
