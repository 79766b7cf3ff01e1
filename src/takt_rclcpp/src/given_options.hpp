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

/// The options that entities were given, whether an executor has a task of them or not. Keeps no
/// entity alive. Thread-safe.
class GivenOptions {
 public:
  struct Given {
    std::weak_ptr<const void> entity;
    /// Without reads.
    TaskOptions options;
    std::vector<std::pair<::rclcpp::SubscriptionBase::WeakPtr, ReadOptions>> reads;
    /// Another one each time.
    std::uint64_t version = 0;
  };

  void set(const std::shared_ptr<const void> & entity, const TaskOptions & options);
  /// Version 0 if it was given none. `key` is where the entity lies.
  Given of(const void * key, const std::weak_ptr<const void> & entity) const;

 private:
  mutable os::Mutex mutex_{os::LockRank::given_options};
  std::uint64_t versions_ TAKT_GUARDED_BY(mutex_) = 0;
  std::map<const void *, Given> given_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
