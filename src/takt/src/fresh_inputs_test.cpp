// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The three-task application of the thesis (figures 2.4 and 2.5): task 3 computes with what task 1
// has produced in the same period, if that is delivered before task 3 starts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <vector>

#include "takt/takt.hpp"
#include "takt_core/os/clock.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::UInt64;

struct ThreeTasks {
  explicit ThreeTasks(const std::shared_ptr<Context> & context, Duration period) {
    for (const char * name : {"task1", "task2", "task3"}) {
      nodes.push_back(std::make_shared<Node>(name, NodeOptions{.context = context}));
    }
    publisher = nodes[0]->create_publisher<UInt64>("reading", 1);
    subscription = nodes[2]->create_subscription<UInt64>(
        "reading", 1, [this](const UInt64 & message) { latest = message.data; });
    timers.push_back(nodes[0]->create_timer("produce", period, {.priority = 98}, [this] {
      ran('1');
      UInt64 message;
      message.data = ++produced;
      publisher->publish(message);
      returned = os::now();
    }));
    timers.push_back(
        nodes[1]->create_timer("telemetry", period, {.priority = 96}, [this] { ran('2'); }));
    timers.push_back(nodes[2]->create_timer(
        "compute", period, {.priority = 97, .reads = {{subscription}}}, [this] {
          ran('3');
          if (returned < current_job()->start && latest < produced) ++stale;
          if (++computed == rounds) done();
        }));
  }

  /// Takes a mutex: on a slow host, one task may preempt another anywhere, on another thread.
  void ran(char task) {
    const std::lock_guard lock(mutex);
    order += task;
  }

  static constexpr int rounds = 20;
  std::mutex mutex;
  std::vector<std::shared_ptr<Node>> nodes;
  std::vector<std::shared_ptr<Timer>> timers;
  std::shared_ptr<Publisher<UInt64>> publisher;
  std::shared_ptr<Subscription<UInt64>> subscription;
  std::function<void()> done;
  std::string order;
  std::atomic<std::uint64_t> produced = 0;
  std::uint64_t latest = 0;
  std::atomic<model::Time> returned = model::never;
  int computed = 0;
  int stale = 0;
};

TEST(FreshInputsTest, TheStockOrderDeliversWhenTheReaderHasRun) {
  const auto context = testing::make_context();
  ThreeTasks tasks(context, 10ms);
  StockExecutor executor({.context = context});
  for (const auto & node : tasks.nodes) executor.add_node(node);
  executor.set_start(os::now() + 20'000'000);
  tasks.done = [&] { executor.cancel(); };
  executor.spin();
  EXPECT_GT(tasks.stale, 0);
  EXPECT_NE(tasks.order.find("123"), std::string::npos) << tasks.order;
}

TEST(FreshInputsTest, AReaderGetsThemAtItsStart) {
  for (const char * policy : {"fp", "np-fp"}) {
    const auto context = testing::make_context();
    ThreeTasks tasks(context, 10ms);
    SchedulingExecutor executor({.policy = policy, .lock_memory = false, .context = context});
    for (const auto & node : tasks.nodes) executor.add_node(node);
    executor.set_start(os::now() + 20'000'000);
    tasks.done = [&] { executor.cancel(); };
    executor.spin();
    EXPECT_EQ(tasks.stale, 0) << policy;
    EXPECT_NE(tasks.order.find("132"), std::string::npos) << policy << ": " << tasks.order;
  }
}

TEST(FreshInputsTest, AllMessagesPresentComeOldestFirstBoundedByTheDepth) {
  const auto context = testing::make_context();
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context});
  std::vector<std::uint64_t> values;
  const auto subscription = node->create_subscription<UInt64>(
      "t", 3, [&](const UInt64 & message) { values.push_back(message.data); });
  const auto publisher = node->create_publisher<UInt64>("t", 3);
  SchedulingExecutor executor({.policy = "fp", .lock_memory = false, .context = context});
  const auto timer = node->create_timer("read", 5ms, {.reads = {{subscription}}}, [&] {
    // The messages were delivered before this callback began, on the same thread, as part of the
    // same job.
    EXPECT_EQ(values, (std::vector<std::uint64_t>{3, 4, 5}));
    executor.cancel();
  });
  for (std::uint64_t i = 1; i <= 5; ++i) {
    auto message = std::make_unique<UInt64>();
    message->data = i;
    publisher->publish(std::move(message));
  }
  executor.add_node(node);
  executor.spin();
  EXPECT_EQ(subscription->lost(), 2u);
}

TEST(FreshInputsTest, MessagesFromOutsideAreDeliveredToReadersToo) {
  const auto context = testing::make_context();
  const auto other = testing::make_context();
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context});
  const auto outside = std::make_shared<Node>("outside", NodeOptions{.context = other});
  std::uint64_t latest = 0;
  bool same_job = true;
  std::uint64_t job = 0;
  const auto subscription = node->create_subscription<UInt64>("t", 2, [&](const UInt64 & message) {
    latest = message.data;
    job = current_job()->index;
  });
  const auto publisher = outside->create_publisher<UInt64>("t", 2);
  SchedulingExecutor executor({.policy = "fp", .lock_memory = false, .context = context});
  std::uint64_t sent = 0;
  const auto timer =
      node->create_timer("read", 2ms, {.reads = {{subscription}}}, [&](const JobInfo & info) {
        if (latest > 0) {
          same_job = job == info.index;
          executor.cancel();
        }
        UInt64 message;
        message.data = ++sent;
        publisher->publish(message);
      });
  executor.add_node(node);
  executor.spin();
  EXPECT_TRUE(same_job);
  EXPECT_GT(latest, 0u);
  for (const auto & [number, id] : executor.tasks()) EXPECT_NE(id, "node/t");
}

TEST(FreshInputsTest, UnderTheStockOrderWhatIsReadIsDeliveredByItsOwnJobs) {
  const auto context = testing::make_context();
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context});
  const auto outside =
      std::make_shared<Node>("outside", NodeOptions{.context = testing::make_context()});
  StockExecutor executor({.context = context});
  const auto subscription =
      node->create_subscription<UInt64>("t", 1, [&](const UInt64 &) { executor.cancel(); });
  const auto publisher = outside->create_publisher<UInt64>("t", 1);
  const auto timer = node->create_timer("read", 2ms, {.reads = {{subscription, {.max_age = 1ms}}}},
                                        [&] { publisher->publish(UInt64()); });
  executor.add_node(node);
  executor.spin();
  EXPECT_EQ(subscription->delivered(), 1u);
}

/// Publishes on one topic alternately from another context, as another process would, and from
/// inside, before the executor delivers anything.
class FromBothSides {
 public:
  explicit FromBothSides(const SubscriptionOptions & options) {
    subscription = node->create_subscription<UInt64>(
        "t", 10,
        [this](const UInt64 & message) {
          values.push_back(message.data);
          tasks.push_back(current_job()->task);
          if (values.size() == 4) executor.cancel();
        },
        options);
    inside_ = node->create_publisher<UInt64>("t", 10);
    outside_ = other_->create_publisher<UInt64>("t", 10);
  }

  void publish() {
    executor.add_node(node);
    ASSERT_TRUE(testing::eventually([&] { return outside_->get_subscription_count() == 1; }));
    UInt64 message;
    for (const auto & publisher : {outside_, inside_, outside_, inside_}) {
      const auto released = executor.counters("node/t").released;
      ++message.data;
      publisher->publish(message);
      ASSERT_TRUE(
          testing::eventually([&] { return executor.counters("node/t").released > released; }));
    }
  }

  const std::shared_ptr<Context> context = testing::make_context();
  const std::shared_ptr<Node> node =
      std::make_shared<Node>("node", NodeOptions{.context = context});
  SchedulingExecutor executor{{.policy = "np-fp", .lock_memory = false, .context = context}};
  std::shared_ptr<Subscription<UInt64>> subscription;
  std::vector<std::uint64_t> values;
  std::vector<TaskId> tasks;

 private:
  const std::shared_ptr<Node> other_ =
      std::make_shared<Node>("outside", NodeOptions{.context = testing::make_context()});
  std::shared_ptr<Publisher<UInt64>> inside_;
  std::shared_ptr<Publisher<UInt64>> outside_;
};

using Values = std::vector<std::uint64_t>;

TEST(FreshInputsTest, AReaderGetsThemInOrderOfPublicationWhereverTheyComeFrom) {
  FromBothSides both({.priority = 1, .triggers = true});
  const auto timer =
      both.node->create_timer("read", 1h, {.priority = 2, .reads = {{both.subscription}}}, [&] {});
  both.publish();
  both.executor.spin();
  EXPECT_EQ(both.values, (Values{1, 2, 3, 4}));
  // One message may be delivered before the timer is released; the timer's only job delivers the
  // others.
  const auto tasks = both.executor.tasks();
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_THAT(tasks, ::testing::Contains(std::pair(both.tasks[i], std::string("node/read"))));
  }
  EXPECT_EQ(both.executor.counters("node/read").finished, 1u);
}

TEST(FreshInputsTest, SoDoesASubscriptionThatTriggersWork) {
  FromBothSides both({});
  both.publish();
  both.executor.spin();
  EXPECT_EQ(both.values, (Values{1, 2, 3, 4}));
}

}  // namespace
}  // namespace takt
