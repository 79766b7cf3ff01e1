// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/subscription.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <rosgraph_msgs/msg/clock.hpp>
#include <string>
#include <vector>

#include "takt/clock.hpp"
#include "takt/logger.hpp"
#include "takt/node_base.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::detail {

/// Subscribes to one topic of simulated time (/clock, or its remapped name) on behalf of all nodes
/// of a context that follow this topic, by one subscription of a hidden node. A thread of its own,
/// `takt.clock`, at the priority of the middleware's threads, sets the clocks of these nodes one
/// after another, so that time advances while jobs run. Exists as long as a pointer to it is held.
/// Thread-safe.
///
/// Order of locks: a clock's hold_changes() is taken before the lock of the list of followers, which is a
/// leaf. While a clock's functions are called, only that clock's lock is held.
class ClockFollower {
 public:
  /// Returns the follower of the topic to which this node's /clock resolves, and creates it if there is
  /// none. The destruction of the last copy ends it and joins its thread, unless that thread itself
  /// destroys it, which a jump callback may cause. Throws RclError, std::system_error. Allocates,
  /// blocks.
  static std::shared_ptr<ClockFollower> of(NodeBase & node);
  ClockFollower(const ClockFollower &) = delete;
  ClockFollower & operator=(const ClockFollower &) = delete;

  /// Makes the clock follow the simulated time, and sets it at once if the time is known. Exceptions of
  /// jump callbacks are logged by `logger` later on; those of this change are thrown.
  void add(const std::shared_ptr<Clock> & clock, const Logger & logger);
  /// Makes the clock return to system time. It is not accessed any more afterwards.
  void remove(Clock & clock) noexcept;

 private:
  struct Member {
    std::shared_ptr<Clock> clock;
    Logger logger;
  };
  using Members = std::vector<Member>;
  using ClockMessage = rosgraph_msgs::msg::Clock;

  ClockFollower(std::shared_ptr<Context> context, const std::string & topic);
  ~ClockFollower();
  static void let_go(ClockFollower * follower) noexcept;
  void run() noexcept;
  bool take(ClockMessage & message) noexcept;
  void tell(std::int64_t now_ns) noexcept;
  void end() noexcept;

  RclNode node_;
  std::shared_ptr<rcl_subscription_t> subscription_;
  os::PiMutex mutex_{os::LockRank::clock_follower};
  // Shared between the thread and callers of add() and remove(). The list is copied to be changed.
  std::shared_ptr<const Members> members_ TAKT_GUARDED_BY(mutex_) = std::make_shared<Members>();
  std::optional<std::int64_t> now_ns_ TAKT_GUARDED_BY(mutex_);
  os::Event arrived_;
  std::atomic<bool> ending_{false};
  bool ends_itself_ = false;  // used only by the thread
  os::Thread thread_;
};

/// The clock followers of a context, by topic.
struct ClockFollowers {
  os::PiMutex mutex{os::LockRank::clock_followers};
  std::map<std::string, std::weak_ptr<ClockFollower>> by_topic TAKT_GUARDED_BY(mutex);
};

}  // namespace takt::detail
