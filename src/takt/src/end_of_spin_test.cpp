// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// spin() can be ended by any thread, callback, shutdown or destruction, and can be called again.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <thread>
#include <vector>

#include "takt/takt.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"
#include "testing/several_processors.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using Message = std_msgs::msg::UInt64;

/// An executor on GetParam() CPUs, with a node on each whose timer counts its jobs.
class EndOfSpinTest : public ::testing::TestWithParam<std::size_t> {
 protected:
  EndOfSpinTest() {
    std::vector<int> cpus = testing::two_cpus();
    cpus.resize(GetParam());
    executor_ = std::make_unique<SchedulingExecutor>(
        SchedulingExecutorOptions{.policy = "fp",
                                  .cpus = cpus,
                                  .lock_memory = false,
                                  .log = [](const std::string &) {},
                                  .context = context_});
    for (std::size_t i = 0; i < GetParam(); ++i) {
      nodes_.push_back(node("node" + std::to_string(i), i));
      timers_.push_back(nodes_.back()->create_timer("count", 2ms, [this, i] { ++jobs_[i]; }));
      executor_->add_node(nodes_.back());
    }
  }
  ~EndOfSpinTest() override {
    if (!thread_.joinable()) return;
    executor_->cancel();
    thread_.join();
  }

  std::shared_ptr<Node> node(const std::string & name, std::size_t processor) {
    return std::make_shared<Node>(name, NodeOptions{.context = context_, .processor = processor});
  }
  void start() {
    thread_ = std::thread([this] { executor_->spin(); });
  }
  bool runs() {
    const auto before = total();
    return eventually([&] { return total() >= before + 10; });
  }
  int total() const { return jobs_[0] + jobs_[1]; }

  /// Starts spin(), and calls `cause`, which ends it at once or later. Then spins twice more.
  void ends(const std::function<void()> & cause) {
    start();
    EXPECT_TRUE(runs());
    cause();
    thread_.join();
    EXPECT_FALSE(executor_->spinning());
    const int after = total();
    for (int again = 0; again < 2; ++again) {
      start();
      EXPECT_TRUE(runs());
      executor_->cancel();
      thread_.join();
    }
    EXPECT_GT(total(), after);
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::unique_ptr<SchedulingExecutor> executor_;
  std::vector<std::shared_ptr<Node>> nodes_;
  std::vector<std::shared_ptr<Timer>> timers_;
  std::atomic<int> jobs_[2] = {0, 0};
  std::thread thread_;
};

INSTANTIATE_TEST_SUITE_P(Cpus, EndOfSpinTest, ::testing::Values(1u, 2u));

TEST_P(EndOfSpinTest, ByAnotherThreadAndByMany) {
  ends([this] { executor_->cancel(); });
  ends([this] {
    std::vector<std::thread> many;
    for (int i = 0; i < 4; ++i) many.emplace_back([this] { executor_->cancel(); });
    for (std::thread & each : many) each.join();
    thread_.join();
    // A cancel() after the end of spin() applies to the next spin().
    executor_->cancel();
    executor_->spin();
    thread_ = std::thread([] {});
  });
}

TEST_P(EndOfSpinTest, ByACallbackOfATimerOrASubscription) {
  std::atomic<bool> end = false;
  const auto cancel = [&] {
    if (end.exchange(false)) executor_->cancel();
  };
  // On the last processor, which is not the first one if there are two.
  const auto timer = nodes_.back()->create_timer("end", 2ms, cancel);
  ends([&] { end = true; });
  timer->cancel();
  const auto publisher = nodes_.front()->create_publisher<Message>("end", 1);
  const auto subscription =
      nodes_.back()->create_subscription<Message>("end", 1, [&](const Message &) { cancel(); });
  ends([&] {
    end = true;
    publisher->publish(Message());
  });
}

SchedulingExecutor * interrupted = nullptr;

TEST_P(EndOfSpinTest, ByAHandlerOfSignals) {
  interrupted = executor_.get();
  const auto before = std::signal(SIGUSR1, [](int) { interrupted->cancel(); });
  ends([] { std::raise(SIGUSR1); });
  ends([] { kill(getpid(), SIGUSR1); });
  std::signal(SIGUSR1, before);
}

TEST_P(EndOfSpinTest, BeforeItBegins) {
  executor_->cancel();
  executor_->cancel();
  executor_->spin();  // returns at once
  EXPECT_EQ(total(), 0);
  ends([this] { executor_->cancel(); });
}

TEST_P(EndOfSpinTest, WhileNodesComeAndGo) {
  ends([this] {
    std::atomic<bool> over = false;
    std::atomic<int> rounds = 0;
    std::thread guests([&] {
      while (!over) {
        const auto guest = node("guest", nodes_.size() - 1);
        const auto timer = guest->create_timer("tick", 1ms, [] {});
        executor_->add_node(guest);
        executor_->remove_node(guest);
        ++rounds;
      }
    });
    EXPECT_TRUE(eventually([&] { return rounds > 5; }));
    executor_->cancel();
    thread_.join();
    // Neither add_node() nor remove_node() waits for a processor that does not spin.
    EXPECT_TRUE(eventually([&, so_far = rounds.load()] { return rounds > so_far + 5; }));
    over = true;
    guests.join();
    thread_ = std::thread([] {});
  });
}

TEST_P(EndOfSpinTest, AgainAndAgainAtAnyMoment) {
  std::atomic<bool> over = false;
  std::thread cancels([&] {
    while (!over) {
      executor_->cancel();
      std::this_thread::yield();
    }
  });
  for (int spin = 0; spin < 30; ++spin) executor_->spin();
  over = true;
  cancels.join();
  executor_->cancel();
  executor_->spin();  // consumes a cancel() that came after the last spin()
  ends([this] { executor_->cancel(); });
}

TEST_P(EndOfSpinTest, ByTheContextForGood) {
  start();
  EXPECT_TRUE(runs());
  context_->shutdown();
  thread_.join();
  const int after = total();
  executor_->spin();  // returns at once
  EXPECT_EQ(total(), after);
}

TEST_P(EndOfSpinTest, ByACallbackThatShutsDown) {
  const auto timer = nodes_.back()->create_timer("end", 10ms, [this] { context_->shutdown(); });
  executor_->spin();
  EXPECT_FALSE(context_->is_valid());
}

TEST_P(EndOfSpinTest, ByTheDestructor) {
  start();
  EXPECT_TRUE(runs());
  executor_.reset();
  thread_.join();
  // The destroyed executor's nodes can be added to another one.
  SchedulingExecutor another({.lock_memory = false, .context = context_});
  nodes_.front()->create_timer("unused", 1h, [] {});
  another.add_node(nodes_.front());
}

TEST_P(EndOfSpinTest, WhoeverGoesFirst) {
  for (const bool nodes_first : {true, false}) {
    start();
    EXPECT_TRUE(runs());
    if (nodes_first) {
      timers_.clear();
      nodes_.clear();
      executor_->cancel();
      thread_.join();
      nodes_.push_back(node("node0", 0));
      timers_.push_back(nodes_.back()->create_timer("count", 2ms, [this] { ++jobs_[0]; }));
      executor_->add_node(nodes_.back());
    } else {
      executor_.reset();
      thread_.join();
      timers_.clear();
      nodes_.clear();
      context_.reset();
    }
  }
}

}  // namespace
}  // namespace takt
