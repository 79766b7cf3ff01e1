// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What handlers of misses, overruns and budgets may do.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "takt/takt.hpp"
#include "testing/background.hpp"
#include "testing/burn.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::burn;
using testing::eventually;
using testing::Seen;
using Message = std_msgs::msg::UInt64;

enum class Handled { miss, overrun, budget };

/// A node `node` whose timer `late` now and then misses its deadline, overruns and exhausts its
/// budget.
class HandlersTest : public ::testing::TestWithParam<Handled> {
 protected:
  ~HandlersTest() override { stop(); }

  void make(OnException rule = OnException::rethrow) {
    executor_ = std::make_unique<SchedulingExecutor>(
        SchedulingExecutorOptions{.policy = "fp",
                                  .on_exception = rule,
                                  .lock_memory = false,
                                  .log = [this](const std::string & line) { log_.add(line); },
                                  .context = context_});
    late_ =
        node_->create_timer("late", 10ms, {.priority = 2, .deadline = 1ms, .budget = 2ms}, [this] {
          // Only in every fourth job, so that other callbacks also run if they share its worker.
          if (++jobs_ % 4 == 0) burn(14ms);
        });
    executor_->add_node(node_);
  }
  void set(std::function<void()> function) {
    // Ignores other tasks, which `late` may delay.
    const auto handler = [function = std::move(function)](const auto &, const std::string & name) {
      if (name == "node/late") function();
    };
    switch (GetParam()) {
      case Handled::miss:
        return executor_->on_deadline_miss(handler);
      case Handled::overrun:
        return executor_->on_overrun(handler);
      case Handled::budget:
        return executor_->on_exhausted_budget(handler);
    }
  }
  void start() {
    thread_ = std::thread([this] { executor_->spin(); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    executor_->cancel();
    thread_.join();
  }
  bool goes_on() {
    const int so_far = jobs_;
    return eventually([this, so_far] { return jobs_ > so_far + 10; });
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
  std::unique_ptr<SchedulingExecutor> executor_;
  Seen<std::string> log_;
  std::atomic<int> jobs_ = 0;
  std::shared_ptr<Timer> late_;
  std::thread thread_;
};

std::string name_of_handled(const ::testing::TestParamInfo<Handled> & info) {
  switch (info.param) {
    case Handled::miss:
      return "miss";
    case Handled::overrun:
      return "overrun";
    case Handled::budget:
      break;
  }
  return "budget";
}
INSTANTIATE_TEST_SUITE_P(Kinds, HandlersTest,
                         ::testing::Values(Handled::miss, Handled::overrun, Handled::budget),
                         name_of_handled);

TEST_P(HandlersTest, WhatOneThrowsComesOutOfSpin) {
  make();
  set([] { throw std::domain_error("mine"); });
  EXPECT_THROW(executor_->spin(), std::domain_error);
  EXPECT_GE(executor_->statistics().exceptions, 1u);
  set([this] { executor_->cancel(); });
  executor_->spin();
}

TEST_P(HandlersTest, OrIsReportedAndItGoesOn) {
  make(OnException::report);
  std::atomic<int> thrown = 0;
  set([&] {
    ++thrown;
    throw std::domain_error("mine");
  });
  start();
  EXPECT_TRUE(eventually([&] { return thrown > 2; }));
  EXPECT_TRUE(goes_on());
  stop();
  EXPECT_EQ(executor_->statistics().exceptions, static_cast<std::uint64_t>(thrown));
  EXPECT_TRUE(log_.wait_for_value("exception in a handler of misses, overruns or budgets: mine"));
}

TEST_P(HandlersTest, ASlowOneHoldsUpNoCallback) {
  make();
  std::atomic<int> calls = 0;
  bool went_on = false;
  set([&] {
    if (calls++ == 0) went_on = goes_on();
  });
  start();
  EXPECT_TRUE(eventually([&] { return calls > 1; })) << "events meanwhile are handled later";
  stop();
  EXPECT_TRUE(went_on);
}

TEST_P(HandlersTest, ItMayAskForAScenario) {
  make();
  SchedulingScenario normal("normal");
  SchedulingScenario rare("rare");
  rare.set_task("late", {.period = 1h});
  const auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(normal);
  strategy->add_scenario(rare);
  strategy->set_default_scenario("normal");
  node_->set_scheduling_strategy(strategy);
  set([this] { executor_->request_scenario("rare"); });
  start();
  EXPECT_TRUE(eventually([this] { return executor_->scenario() == "rare"; }));
}

TEST_P(HandlersTest, ItMayCancel) {
  make();
  for (int spin = 0; spin < 3; ++spin) {
    set([this] { executor_->cancel(); });
    executor_->spin();
    EXPECT_FALSE(executor_->spinning());
  }
}

TEST_P(HandlersTest, ItMayShutDown) {
  make();
  set([this] { context_->shutdown(); });
  executor_->spin();
  EXPECT_FALSE(context_->is_valid());
}

TEST_P(HandlersTest, ItMayPublishLogAllocateAndLook) {
  make();
  Seen<std::uint64_t> heard;
  const auto publisher = node_->create_publisher<Message>("said", 10);
  const auto subscription = node_->create_subscription<Message>(
      "said", 10, [&](const Message & message) { heard.add(message.data); });
  std::uint64_t said = 0;
  set([&] {
    Message message;
    message.data = ++said;
    publisher->publish(message);
    TAKT_DEBUG(node_->get_logger(), "said %zu", static_cast<std::size_t>(said));
    EXPECT_GE(executor_->counters("node/late").released, 1u);
    EXPECT_FALSE(executor_->grants().policy_in_use.empty());
    EXPECT_EQ(current_job(), nullptr) << "a handler is not a job";
    executor_->set_state(said);
  });
  start();
  // On a busy host many messages may be published at once, and then some are not received.
  const auto values = heard.wait_for(2);
  EXPECT_GT(values.at(1), values.at(0));
  stop();  // the handler uses this test's variables
}

TEST_P(HandlersTest, ItMayBeExchangedFromWithin) {
  make();
  std::atomic<int> first = 0;
  std::atomic<int> second = 0;
  set([&] {
    ++first;
    set([&] { ++second; });
  });
  start();
  EXPECT_TRUE(eventually([&] { return second > 1; }));
  stop();
  EXPECT_EQ(first, 1);
}

// Not recommended: it waits for started jobs, and further events wait until the handler returns.
TEST_P(HandlersTest, ItMayRemoveTheNodeThatIsLate) {
  make();
  std::atomic<bool> removed = false;
  const auto other = std::make_shared<Node>("other", NodeOptions{.context = context_});
  std::atomic<int> ticks = 0;
  const auto tick = other->create_timer("tick", 5ms, [&] { ++ticks; });
  executor_->add_node(other);
  set([&] {
    if (removed.exchange(true)) return;
    executor_->remove_node(node_);
  });
  start();
  EXPECT_TRUE(eventually([&] { return removed.load(); }));
  EXPECT_TRUE(eventually([&, so_far = ticks.load()] { return ticks > so_far + 10; }));
  stop();
}

}  // namespace
}  // namespace takt
