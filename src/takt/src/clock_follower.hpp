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

/// Takes one topic that carries the time, /clock or what it is remapped to, for all nodes of a
/// context that follow it, with one subscription, of a hidden node of its own. A thread of its own,
/// `takt.clock`, at the priority of the middleware's, sets their clocks one after the other: time
/// must go on while jobs run. Exists as long as somebody holds it. Thread-safe.
///
/// Locks: a clock's changes are held before the list of those who follow, which is a leaf; none but
/// that one clock's while its functions are called.
class ClockFollower {
 public:
  /// The one of the topic that is /clock to this node, made if there is none. Its last copy ends
  /// it, and on return the thread is gone, unless that is the caller: a function that is told of a
  /// jump may let go, too. Throws RclError, std::system_error. Allocates, blocks.
  static std::shared_ptr<ClockFollower> of(NodeBase & node);
  ClockFollower(const ClockFollower &) = delete;
  ClockFollower & operator=(const ClockFollower &) = delete;

  /// From now on the clock has this time: at once, where it is known. What goes wrong in functions
  /// that are told of it goes to the logger. Throws what those throw that are told of the change.
  void add(const std::shared_ptr<Clock> & clock, const Logger & logger);
  /// The clock has the system's time again, and is not touched any more.
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
  // What the thread shares with those who come and go.
  std::shared_ptr<const Members> members_ TAKT_GUARDED_BY(mutex_) = std::make_shared<Members>();
  std::optional<std::int64_t> now_ns_ TAKT_GUARDED_BY(mutex_);
  os::Event arrived_;
  std::atomic<bool> ending_{false};
  bool ends_itself_ = false;  // the thread's own
  os::Thread thread_;
};

/// Those of a context, by topic.
struct ClockFollowers {
  os::PiMutex mutex{os::LockRank::clock_followers};
  std::map<std::string, std::weak_ptr<ClockFollower>> by_topic TAKT_GUARDED_BY(mutex);
};

}  // namespace takt::detail
