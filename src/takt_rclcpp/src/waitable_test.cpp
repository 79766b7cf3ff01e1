// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Waitables, actions and callback groups under takt's executor.
#include <gmock/gmock.h>

#include <rclcpp_action/rclcpp_action.hpp>
#include <test_msgs/action/fibonacci.hpp>
#include <test_msgs/msg/empty.hpp>

#include "takt_core/os/clock.hpp"
#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using testing::Watched;
using Fibonacci = test_msgs::action::Fibonacci;

/// A user-defined waitable that does not support notification functions.
class Plain : public ::rclcpp::Waitable {
 public:
  explicit Plain(const ::rclcpp::Context::SharedPtr & context) : guard_(context) {}
  void trigger() { guard_.trigger(); }

  std::size_t get_number_of_ready_guard_conditions() override { return 1; }
  void add_to_wait_set(rcl_wait_set_t & set) override { guard_.add_to_wait_set(set); }
  bool is_ready(const rcl_wait_set_t & set) override {
    for (std::size_t i = 0; i < set.size_of_guard_conditions; ++i) {
      if (set.guard_conditions[i] == &guard_.get_rcl_guard_condition()) return true;
    }
    return false;
  }
  std::shared_ptr<void> take_data() override { return nullptr; }
  void execute(const std::shared_ptr<void> &) override { jobs.add(1); }

  // As rclcpp's own in Jazzy; Kilted has none.
  std::shared_ptr<void> take_data_by_entity_id(std::size_t) override { throw unknown(); }
  void set_on_ready_callback(std::function<void(std::size_t, int)>) override { throw unknown(); }
  void clear_on_ready_callback() override { throw unknown(); }
  // NOLINTNEXTLINE(modernize-use-override): Jazzy's waitables have no timers.
  virtual std::vector<std::shared_ptr<::rclcpp::TimerBase>> get_timers() const { return {}; }

  Watched<int> jobs;

 private:
  static std::runtime_error unknown() { return std::runtime_error("it knows no callbacks"); }

  ::rclcpp::GuardCondition guard_;
};

/// Counts how often it is added to a wait set.
class Counted : public Plain {
 public:
  using Plain::Plain;
  void add_to_wait_set(rcl_wait_set_t & set) override {
    waits.add(1);
    Plain::add_to_wait_set(set);
  }
  Watched<int> waits;
};

/// Ready once for each come(), until it is taken, like the server of an action.
class Once : public Plain {
 public:
  using Plain::Plain;
  void come() {
    came_ = true;
    trigger();
  }
  void add_to_wait_set(rcl_wait_set_t & set) override {
    if (came_) trigger();
    Plain::add_to_wait_set(set);
  }
  bool is_ready(const rcl_wait_set_t &) override {
    const bool ready = came_;
    if (ready) found.add(1);
    return ready;
  }
  std::shared_ptr<void> take_data() override {
    if (!came_.exchange(false)) in_vain.add(1);
    return nullptr;
  }
  Watched<int> found;
  Watched<int> in_vain;

 private:
  std::atomic<bool> came_ = false;
};

/// Supports notification functions.
class Calling : public Plain {
 public:
  using Plain::Plain;
  void set_on_ready_callback(std::function<void(std::size_t, int)> callback) override {
    const std::lock_guard lock(mutex_);
    callback_ = std::move(callback);
  }
  void clear_on_ready_callback() override {
    const std::lock_guard lock(mutex_);
    callback_ = nullptr;
  }
  std::shared_ptr<void> take_data_by_entity_id(std::size_t id) override {
    last = id;
    return nullptr;
  }
  bool came(int id) {
    const std::lock_guard lock(mutex_);
    if (callback_ == nullptr) return false;
    callback_(1, id);
    return true;
  }
  std::atomic<std::size_t> last = 99;

 private:
  std::mutex mutex_;
  std::function<void(std::size_t, int)> callback_;
};

// The tests poll: rclcpp_action's own function that waits for a server gives up at once in a
// context that is not the default one.
class WaitableTest : public testing::ExecutorTest {};

TEST_F(WaitableTest, OneWithoutCallbacksIsWaitedFor) {
  const auto node = make_node("a");
  const auto waitable = std::make_shared<Plain>(context_);
  node->get_node_waitables_interface()->add_waitable(waitable, nullptr);
  executor_->add_node(node);
  start();
  for (int i = 1; i <= 3; ++i) {
    waitable->trigger();
    ASSERT_TRUE(waitable->jobs.wait_for_at_least(i)) << i << ::testing::PrintToString(log());
  }
  stop();
}

TEST_F(WaitableTest, NobodyLooksAtItWhileNothingComes) {
  const auto node = make_node("a");
  const auto waitable = std::make_shared<Counted>(context_);
  node->get_node_waitables_interface()->add_waitable(waitable, nullptr);
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  waitable->trigger();
  ASSERT_TRUE(waitable->jobs.wait_for_at_least(1));
  ASSERT_TRUE(calls.wait_for_at_least(calls.get() + 5));
  const int before = waitable->waits.get();
  const os::Time cpu_before = os::process_cpu();
  const os::Time began = os::now();
  ASSERT_TRUE(calls.wait_for_at_least(calls.get() + 100));
  // A busy wait would add it thousands of times in this time, or would occupy a CPU.
  EXPECT_LE(waitable->waits.get(), before + 5);
  EXPECT_LT(os::process_cpu() - cpu_before, (os::now() - began) * 3 / 4);
  stop();
}

TEST_F(WaitableTest, OneThatComesWhileItSpinsIsWaitedForToo) {
  const auto node = make_node("a");
  executor_->add_node(node);
  start();
  const auto waitable = std::make_shared<Plain>(context_);
  node->get_node_waitables_interface()->add_waitable(waitable, nullptr);
  waitable->trigger();
  EXPECT_TRUE(waitable->jobs.wait_for_at_least(1));
  stop();
}

/// Throws when it is asked whether it is ready.
class Faulty : public Plain {
 public:
  using Plain::Plain;
  bool is_ready(const rcl_wait_set_t &) override { throw std::runtime_error("a fault of its own"); }
};

TEST_F(WaitableTest, OneWithAFaultDoesNotStopTheOthers) {
  const auto node = make_node("a");
  const auto faulty = std::make_shared<Faulty>(context_);
  const auto waitable = std::make_shared<Plain>(context_);
  for (const ::rclcpp::Waitable::SharedPtr & each :
       {::rclcpp::Waitable::SharedPtr(faulty), ::rclcpp::Waitable::SharedPtr(waitable)}) {
    node->get_node_waitables_interface()->add_waitable(each, nullptr);
  }
  executor_->add_node(node);
  start();
  for (int i = 1; i <= 3; ++i) {
    waitable->trigger();
    ASSERT_TRUE(waitable->jobs.wait_for_at_least(i)) << i;
  }
  stop();
  EXPECT_THAT(log(), ::testing::Contains(::testing::HasSubstr("a fault of its own")));
}

TEST_F(WaitableTest, OneThatWasFoundBeforeItSpunAgainIsTakenOnce) {
  const auto node = make_node("a");
  const auto once = std::make_shared<Once>(context_);
  const auto other = std::make_shared<Once>(context_);
  const auto urgent = make_node("urgent");
  Watched<int> rounds;
  // The waiting thread has found the waitable ready, but no less urgent job has run yet.
  const auto timer = urgent->create_wall_timer(1ms, [&] {
    if (rounds.get() == 2) return;
    const auto & found = rounds.get() == 0 ? once : other;
    found->come();
    EXPECT_TRUE(found->found.wait_for_at_least(1));
    if (rounds.get() == 0) executor_->cancel();
    rounds.add(1);
  });
  for (const auto & each : {once, other}) {
    node->get_node_waitables_interface()->add_waitable(each, nullptr);
  }
  for (const auto & each : {urgent, node}) executor_->add_node(each);
  executor_->set_task(timer, {.priority = 90});
  executor_->set_scheduling_policy("fp");
  executor_->spin();
  start();
  EXPECT_TRUE(other->jobs.wait_for_at_least(1));
  EXPECT_TRUE(once->jobs.wait_for_at_least(1));
  stop();
  EXPECT_EQ(once->in_vain.get(), 0);
  EXPECT_EQ(once->jobs.get(), 1);
}

TEST_F(WaitableTest, MoreThanJobsMayWaitAreAllTaken) {
  const auto node = make_node("a");
  const auto waitable = std::make_shared<Calling>(context_);
  node->get_node_waitables_interface()->add_waitable(waitable, nullptr);
  executor_->add_node(node);
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] {
    calls.add(1);
    if (calls.get() != 1) return;
    for (int i = 0; i < 500; ++i) EXPECT_TRUE(waitable->came(i % 3));
  });
  start();
  EXPECT_TRUE(waitable->jobs.wait_for_at_least(500)) << waitable->jobs.get();
  stop();
  EXPECT_EQ(waitable->jobs.get(), 500);
}

TEST_F(WaitableTest, OneThatCallsBackIsAskedForWhatCame) {
  const auto node = make_node("a");
  const auto waitable = std::make_shared<Calling>(context_);
  node->get_node_waitables_interface()->add_waitable(waitable, nullptr);
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return waitable->came(3); }));
  ASSERT_TRUE(waitable->jobs.wait_for_at_least(1));
  EXPECT_EQ(waitable->last.load(), 3u);
  stop();
}

TEST_F(WaitableTest, EventsThatComeAtOnceAreToldOnce) {
  constexpr int count = 8;
  const auto node = make_node("a");
  const auto others = make_node("b");
  Watched<int> total;
  std::atomic<int> sum = 0;
  std::atomic<bool> in_vain = false;
  ::rclcpp::SubscriptionOptions options;
  options.event_callbacks.incompatible_qos_callback =
      [&](::rclcpp::QOSRequestedIncompatibleQoSInfo & info) {
        if (info.total_count_change == 0) in_vain = true;
        sum += info.total_count_change;
        total.set(info.total_count);
      };
  const auto subscription = node->create_subscription<test_msgs::msg::Empty>(
      "t", ::rclcpp::QoS(1).reliable(), [](const test_msgs::msg::Empty &) {}, options);
  // All of the events occur while this callback runs, whose group excludes that of the event.
  Watched<int> calls;
  Watched<int> go_on;
  const auto timer = node->create_wall_timer(1ms, [&] {
    calls.add(1);
    if (calls.get() == 1) {
      EXPECT_TRUE(go_on.wait_for_at_least(1));
    }
  });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(1));
  std::vector<::rclcpp::PublisherBase::SharedPtr> publishers;
  std::atomic<int> seen = 0;
  ::rclcpp::PublisherOptions of_publisher;
  of_publisher.event_callbacks.incompatible_qos_callback =
      [&](::rclcpp::QOSOfferedIncompatibleQoSInfo &) { ++seen; };
  for (int i = 0; i < count; ++i) {
    publishers.push_back(others->create_publisher<test_msgs::msg::Empty>(
        "t", ::rclcpp::QoS(1).best_effort(), of_publisher));
  }
  const auto watching = one_more();
  watching->add_node(others);
  std::thread thread([&] { watching->spin(); });
  EXPECT_TRUE(testing::eventually([&] { return seen == count; }));
  watching->cancel();
  thread.join();
  go_on.set(1);
  EXPECT_TRUE(total.wait_for_at_least(count));
  // Jobs for announcements without a change have run by the time that other jobs have.
  EXPECT_TRUE(calls.wait_for_at_least(calls.get() + 20));
  stop();
  EXPECT_FALSE(in_vain);
  EXPECT_EQ(sum, count);
}

// An event that has been taken is not taken again: rmw_fastrtps would then lock the writer, and if
// the next deadline is missed at that moment, both threads deadlock.
TEST_F(WaitableTest, DeadlinesAreMissedOneAfterAnother) {
  const auto node = make_node("a");
  const auto qos = ::rclcpp::QoS(1).deadline(1ms);
  Watched<int> offered;
  Watched<int> requested;
  ::rclcpp::PublisherOptions of_publisher;
  of_publisher.event_callbacks.deadline_callback = [&](::rclcpp::QOSDeadlineOfferedInfo & info) {
    offered.set(info.total_count);
  };
  ::rclcpp::SubscriptionOptions of_subscription;
  of_subscription.event_callbacks.deadline_callback =
      [&](::rclcpp::QOSDeadlineRequestedInfo & info) { requested.set(info.total_count); };
  const auto publisher = node->create_publisher<test_msgs::msg::Empty>("t", qos, of_publisher);
  const auto subscription = node->create_subscription<test_msgs::msg::Empty>(
      "t", qos, [](const test_msgs::msg::Empty &) {}, of_subscription);
  // The notification function is set when spinning begins: no deadline may be missed before that
  // (decision 54).
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(1));
  publisher->publish(test_msgs::msg::Empty());
  EXPECT_TRUE(offered.wait_for_at_least(1000));
  EXPECT_TRUE(requested.wait_for_at_least(1000));
  stop();
}

TEST_F(WaitableTest, ActionsRunFromGoalToResult) {
  const auto node = make_node("a");
  Watched<std::shared_ptr<rclcpp_action::ServerGoalHandle<Fibonacci>>> accepted;
  const auto server = rclcpp_action::create_server<Fibonacci>(
      node, "fibonacci",
      [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal>) {
        return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](const auto &) { return rclcpp_action::CancelResponse::ACCEPT; },
      [&](const std::shared_ptr<rclcpp_action::ServerGoalHandle<Fibonacci>> & goal) {
        accepted.set(goal);
      });
  const auto client = rclcpp_action::create_client<Fibonacci>(node, "fibonacci");
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return client->action_server_is_ready(); }));
  Watched<int> feedbacks;
  rclcpp_action::Client<Fibonacci>::SendGoalOptions options;
  options.feedback_callback = [&](auto, const auto &) { feedbacks.add(1); };
  auto handle = client->async_send_goal(Fibonacci::Goal(), options);
  ASSERT_EQ(handle.wait_for(testing::patience), std::future_status::ready);
  // Feedback of a goal that the client does not know yet would be lost.
  auto result = client->async_get_result(handle.get());
  auto feedback = std::make_shared<Fibonacci::Feedback>();
  feedback->sequence = {0, 1};
  accepted.get()->publish_feedback(feedback);
  EXPECT_TRUE(feedbacks.wait_for_at_least(1));
  auto done = std::make_shared<Fibonacci::Result>();
  done->sequence = {0, 1, 1, 2};
  accepted.get()->succeed(done);
  ASSERT_EQ(result.wait_for(testing::patience), std::future_status::ready);
  EXPECT_EQ(result.get().result->sequence.size(), 4u);
  stop();
}

TEST_F(WaitableTest, ResultsOfActionsExpire) {
  const auto node = make_node("a");
  auto options = rcl_action_server_get_default_options();
  options.result_timeout.nanoseconds = 1;
  const auto server = rclcpp_action::create_server<Fibonacci>(
      node, "fibonacci",
      [](const rclcpp_action::GoalUUID &, std::shared_ptr<const Fibonacci::Goal>) {
        return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](const auto &) { return rclcpp_action::CancelResponse::ACCEPT; },
      [](const std::shared_ptr<rclcpp_action::ServerGoalHandle<Fibonacci>> & goal) {
        goal->succeed(std::make_shared<Fibonacci::Result>());
      },
      options);
  const auto client = rclcpp_action::create_client<Fibonacci>(node, "fibonacci");
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return client->action_server_is_ready(); }));
  // The server forgets a goal soon after it has ended.
  const auto code = [&] {
    auto handle = client->async_send_goal(Fibonacci::Goal());
    if (handle.wait_for(testing::patience) != std::future_status::ready) return std::int8_t{-1};
    auto result = client->async_get_result(handle.get());
    if (result.wait_for(testing::patience) != std::future_status::ready) return std::int8_t{-1};
    return static_cast<std::int8_t>(result.get().code);
  };
  EXPECT_TRUE(testing::eventually(
      [&] { return code() == static_cast<std::int8_t>(rclcpp_action::ResultCode::UNKNOWN); }));
  stop();
}

TEST_F(WaitableTest, GroupsThatAreAddedByHand) {
  const auto node = make_node("a");
  const auto group =
      node->create_callback_group(::rclcpp::CallbackGroupType::MutuallyExclusive, false);
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); }, group);
  executor_->add_callback_group(group, node->get_node_base_interface());
  start();
  ASSERT_TRUE(calls.wait_for_at_least(2));
  EXPECT_EQ(tasks(), std::vector<std::string>{"a/timer:1ms"});
  executor_->remove_callback_group(group);
  EXPECT_TRUE(testing::eventually([&] { return tasks().empty(); }));
  stop();
}

TEST_F(WaitableTest, MembersOfAnExclusiveGroupExcludeEachOtherThoseOfAReentrantOneNeedNot) {
  const auto node = make_node("a");
  std::atomic<int> inside = 0;
  std::atomic<bool> together = false;
  Watched<int> jobs;
  const auto job = [&](std::chrono::microseconds length) {
    if (inside.fetch_add(1) > 0) together = true;
    testing::busy_for(length);
    inside.fetch_sub(1);
    jobs.add(1);
  };
  const auto slow = node->create_wall_timer(7ms, [&] { job(3ms); });
  const auto fast = node->create_wall_timer(1ms, [&] { job(100us); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(jobs.wait_for_at_least(40));
  EXPECT_FALSE(together.load());
  stop();
  const bool preempts = executor_->grants().realtime;
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::Reentrant);
  const auto slow_too = node->create_wall_timer(7ms, [&] { job(3ms); }, group);
  const auto fast_too = node->create_wall_timer(1ms, [&] { job(100us); }, group);
  const int before = jobs.get();
  start();
  if (preempts) {
    EXPECT_TRUE(testing::eventually([&] { return together.load(); }));
  }
  EXPECT_TRUE(jobs.wait_for_at_least(before + 10));
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
