// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/subscription_base.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "takt_core/os/lock.hpp"
#include "takt_rclcpp/task_options.hpp"

namespace takt::rclcpp {

/// The options that were given to entities, whether or not they have a task. Does not keep entities alive.
/// Thread-safe.
class GivenOptions {
 public:
  struct Given {
    std::weak_ptr<const void> entity;
    /// The options without `reads`.
    TaskOptions options;
    std::vector<std::pair<::rclcpp::SubscriptionBase::WeakPtr, ReadOptions>> reads;
    /// Different for each call of set().
    std::uint64_t version = 0;
  };

  void set(const std::shared_ptr<const void> & entity, const TaskOptions & options);
  /// Returns the options of an entity; with version 0 if it was given none. `key` is its address.
  Given of(const void * key, const std::weak_ptr<const void> & entity) const;

 private:
  mutable os::Mutex mutex_{os::LockRank::given_options};
  std::uint64_t versions_ TAKT_GUARDED_BY(mutex_) = 0;
  std::map<const void *, Given> given_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
