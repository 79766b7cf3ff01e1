// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Handlers of misses, overruns and exhausted budgets are called for callbacks of rclcpp nodes, too.
#include <gmock/gmock.h>

#include <chrono>
#include <mutex>
#include <set>
#include <string>

#include "testing/strategy_files.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;

/// Records which handlers were called, and for which callbacks.
class Told {
 public:
  auto handler(const char * who) {
    return [this, who](const auto &, const std::string & callback) {
      const std::lock_guard lock(mutex_);
      told_.insert(who + (" of " + callback));
    };
  }
  bool comes(const std::string & what) const {
    return testing::eventually([&] {
      const std::lock_guard lock(mutex_);
      return told_.contains(what);
    });
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> told_;
};

using HandlersTest = testing::StrategyFileTest;

TEST_F(HandlersTest, AreToldWhatAFileMakesLate) {
  Told told;
  make_executor({.policy = "rm",
                 .on_deadline_miss = told.handler("miss"),
                 .on_overrun = told.handler("overrun"),
                 .on_exhausted_budget = told.handler("budget")});
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(5ms, [] { testing::busy_for(7ms); });
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"a/timer:5ms": {deadline: 1ms, budget: 1ms}}}}
)"));
  executor_->add_node(node);
  start();
  for (const char * who : {"miss", "overrun", "budget"}) {
    EXPECT_TRUE(told.comes(std::string(who) + " of a/timer:5ms")) << who;
  }
  executor_->on_deadline_miss(told.handler("another miss"));
  EXPECT_TRUE(told.comes("another miss of a/timer:5ms"));
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
