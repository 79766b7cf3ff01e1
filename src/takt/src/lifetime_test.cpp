// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Everything may be created and destroyed in any order, while an executor spins and in callbacks,
// too.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <vector>

#include "takt/exceptions.hpp"
#include "takt/takt.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::UInt64;
using testing::Seen;

template <typename Executor>
class LifetimeTest : public ::testing::Test {
 protected:
  std::shared_ptr<Node> make_node(const std::string & name) {
    return std::make_shared<Node>(name, NodeOptions{.context = context_});
  }
  std::shared_ptr<Context> context_ = testing::make_context();
};
TYPED_TEST_SUITE(LifetimeTest, testing::Executors);

TYPED_TEST(LifetimeTest, AnyOrderOfDestruction) {
  const char * given = std::getenv("TAKT_TEST_SEED");
  const auto seed = given != nullptr ? std::strtoul(given, nullptr, 10) : std::random_device{}();
  SCOPED_TRACE("TAKT_TEST_SEED=" + std::to_string(seed));
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  for (int round = 0; round < 12; ++round) {
    auto context = testing::make_context();
    auto node = std::make_shared<Node>("node", NodeOptions{.context = context});
    auto publisher = node->template create_publisher<UInt64>("t", 1);
    auto read = node->template create_subscription<UInt64>("t", 1, [](const UInt64 &) {});
    auto triggers = node->template create_subscription<UInt64>("t", 1, [](const UInt64 &) {});
    Seen<int> seen;
    auto timer = node->create_timer("a", 1ms, {.reads = {{read}}}, [&seen, publisher] {
      publisher->publish(UInt64());
      seen.add(1);
    });
    auto background = std::make_unique<testing::Background<TypeParam>>(context);
    background->add(node);
    background->start();
    EXPECT_GE(seen.wait_for(3).size(), 3u);
    if (round % 2 == 0) background->stop();
    std::vector<std::function<void()>> steps{[&] { context.reset(); },   [&] { node.reset(); },
                                             [&] { publisher.reset(); }, [&] { read.reset(); },
                                             [&] { triggers.reset(); },  [&] { timer.reset(); },
                                             [&] { background.reset(); }};
    std::shuffle(steps.begin(), steps.end(), random);
    for (const auto & step : steps) step();
  }
}

TYPED_TEST(LifetimeTest, WhenAHandleIsGoneItsCallbackDoesNotRun) {
  testing::Background<TypeParam> background(this->context_);
  const auto node = this->make_node("node");
  background.add(node);
  background.start();
  for (int i = 0; i < 20; ++i) {
    auto alive = std::make_unique<std::atomic<bool>>(true);
    std::atomic<bool> * const flag = alive.get();
    Seen<int> seen;
    std::atomic<bool> wrong = false;
    auto timer = node->create_timer("a", 200us, [&seen, &wrong, flag] {
      wrong = wrong || !flag->load();
      seen.add(1);
    });
    ASSERT_GE(seen.wait_for(2).size(), 2u);
    timer.reset();
    flag->store(false);
    alive.reset();  // a sanitizer would see a callback that still runs
    EXPECT_FALSE(wrong);
  }
}

TYPED_TEST(LifetimeTest, ACallbackMayLetGoOfItself) {
  testing::Background<TypeParam> background(this->context_);
  const auto node = this->make_node("node");
  background.add(node);
  Seen<std::string> seen;
  std::shared_ptr<Timer> timer;
  timer = node->create_timer("once", 1ms, [&, text = std::string(100, 'x')] {
    timer.reset();
    seen.add(text);  // its captures still exist
  });
  Seen<int> others;
  const auto other = node->create_timer("other", 1ms, [&others] { others.add(1); });
  background.start();
  EXPECT_EQ(seen.wait_for(1).at(0), std::string(100, 'x'));
  EXPECT_GE(others.wait_for(20).size(), 20u);
  EXPECT_EQ(seen.size(), 1u);
}

TYPED_TEST(LifetimeTest, ACallbackMayMakeAndDestroyOthers) {
  testing::Background<TypeParam> background(this->context_);
  const auto node = this->make_node("node");
  background.add(node);
  Seen<std::uint64_t> seen;
  std::shared_ptr<Publisher<UInt64>> publisher;
  std::shared_ptr<Subscription<UInt64>> subscription;
  std::uint64_t count = 0;
  const auto timer = node->create_timer("a", 2ms, [&] {
    if (subscription == nullptr) {
      publisher = node->template create_publisher<UInt64>("t", 1);
      subscription = node->template create_subscription<UInt64>(
          "t", 1, [&seen](const UInt64 & message) { seen.add(message.data); });
    } else if (count % 4 == 3) {
      subscription.reset();
    }
    UInt64 message;
    message.data = ++count;
    publisher->publish(message);
  });
  background.start();
  EXPECT_GE(seen.wait_for(20).size(), 20u);
}

TYPED_TEST(LifetimeTest, NodesComeAndGoWhileSpinning) {
  testing::Background<TypeParam> background(this->context_);
  background.start();
  for (int i = 0; i < 5; ++i) {
    Seen<int> seen;
    auto node = this->make_node("node" + std::to_string(i));
    const auto timer = node->create_timer("a", 1ms, [&seen] { seen.add(1); });
    background.executor().add_node(node);
    EXPECT_GE(seen.wait_for(2).size(), 2u);
    EXPECT_THROW(background.executor().add_node(node), Error);
    if (i % 2 == 0) {
      background.executor().remove_node(node);
      const std::size_t count = seen.size();
      EXPECT_THROW(background.executor().remove_node(node), Error);
      background.executor().add_node(node);
      EXPECT_GT(seen.wait_for(count + 2).size(), count);
    }
  }
}

TYPED_TEST(LifetimeTest, ACallbackMayAddAndRemoveNodes) {
  testing::Background<TypeParam> background(this->context_);
  const auto node = this->make_node("node");
  const auto guest = this->make_node("guest");
  Seen<int> seen;
  const auto of_guest = guest->create_timer("a", 1ms, [&seen] { seen.add(1); });
  int count = 0;
  const auto timer = node->create_timer("a", 3ms, [&] {
    if (count++ % 2 == 0) {
      background.executor().add_node(guest);
    } else {
      background.executor().remove_node(guest);
    }
  });
  background.add(node);
  background.start();
  EXPECT_GE(seen.wait_for(10).size(), 10u);
}

TYPED_TEST(LifetimeTest, ANodeMovesToAnotherExecutor) {
  const auto node = this->make_node("node");
  Seen<int> seen;
  const auto timer = node->create_timer("a", 1ms, [&seen] { seen.add(1); });
  const auto subscription =
      node->template create_subscription<UInt64>("t", 1, [&seen](const UInt64 &) { seen.add(2); });
  {
    testing::Background<StockExecutor> background(this->context_);
    background.add(node);
    background.start();
    seen.wait_for(2);
  }
  const std::size_t count = seen.size();
  testing::Background<TypeParam> background(this->context_);
  background.add(node);
  background.start();
  EXPECT_GE(seen.wait_for(count + 3).size(), count + 3);
}

TYPED_TEST(LifetimeTest, MadeByOneThreadDestroyedByAnotherWhileSpinning) {
  testing::Background<TypeParam> background(this->context_);
  const auto node = this->make_node("node");
  background.add(node);
  const auto publisher = node->template create_publisher<UInt64>("t", 1);
  const auto timer =
      node->create_timer("publish", 100us, [&publisher] { publisher->publish(UInt64()); });
  background.start();
  std::atomic<int> delivered = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        const auto subscription = node->template create_subscription<UInt64>(
            "t", 1, [&delivered](const UInt64 &) { ++delivered; });
        const int before = delivered;
        EXPECT_TRUE(testing::eventually([&] { return delivered > before; }));
      }
    });
  }
  for (auto & thread : threads) thread.join();
}

}  // namespace
}  // namespace takt
