// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/scheduling_executor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <memory>
#include <mutex>
#include <std_msgs/msg/u_int64.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "takt/exceptions.hpp"
#include "takt/takt.hpp"
#include "takt_core/os/clock.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::Seen;

class SchedulingExecutorTest : public ::testing::Test {
 protected:
  SchedulingExecutorOptions options(SchedulingPolicy policy) {
    return {.policy = std::move(policy),
            .lock_memory = false,
            .log = [](const std::string &) {},
            .context = context_};
  }
  /// Adds timers a, b, c of one period and phase, each in a node of its own; each appends its name
  /// to order_. The period is long, so that even a slow host runs all three within it.
  void add_three(SchedulingExecutor & executor, int rounds, Duration period = 200ms) {
    for (const char * name : {"a", "b", "c"}) {
      nodes_.push_back(std::make_shared<Node>(name, NodeOptions{.context = context_}));
      const int priority = name[0];  // c is the most urgent
      timers_.push_back(nodes_.back()->create_timer(
          "tick", period, {.priority = priority - 'a' + 1}, [this, &executor, name, rounds] {
            const std::lock_guard lock(mutex_);  // one may preempt another
            order_ += name;
            if (order_.size() >= static_cast<std::size_t>(3 * rounds)) executor.cancel();
          }));
      executor.add_node(nodes_.back());
    }
    executor.set_start(os::now() + 10'000'000);
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::vector<std::shared_ptr<Node>> nodes_;
  std::vector<std::shared_ptr<Timer>> timers_;
  std::mutex mutex_;
  std::string order_;
};

TEST_F(SchedulingExecutorTest, ACallbackHasAsMuchStackAsItIsGiven) {
  SchedulingExecutorOptions given = options("rm");
  given.stack_size = 1000;
  EXPECT_THROW(SchedulingExecutor{given}, Error);
  given.stack_size = std::size_t{16} << 20;
  SchedulingExecutor executor(given);
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context_});
  const auto timer = node->create_timer("deep", 1ms, {}, [&executor] {
    volatile char deep[std::size_t{12} << 20];
    for (std::size_t at = sizeof deep; at > 1024; at -= 1024) deep[at - 1] = 1;
    executor.cancel();
  });
  executor.add_node(node);
  executor.spin();
}

TEST_F(SchedulingExecutorTest, OrdersByPriority) {
  SchedulingExecutor executor(options("np-fp"));
  add_three(executor, 2);
  executor.spin();
  EXPECT_EQ(order_.substr(0, 6), "cbacba");
}

TEST_F(SchedulingExecutorTest, OrdersByAUsersComparator) {
  SchedulingExecutor executor(options("rm"));
  executor.set_scheduling_policy_function(
      [](const Job &, const Task & a, const Job &, const Task & b) { return a.id < b.id; });
  add_three(executor, 2);
  executor.spin();
  EXPECT_EQ(order_.substr(0, 6), "abcabc");
}

TEST_F(SchedulingExecutorTest, OrdersByAUsersUrgencyAndState) {
  const auto favour = [](const Task & task, const Job &, const ApplicationState & state) {
    const char * name = state.get<char>();
    return Urgency{name != nullptr && task.id[0] == *name ? 0 : 1};
  };
  SchedulingExecutor executor(options(urgency_policy("favour", favour)));
  executor.set_state('b');
  add_three(executor, 2);
  executor.spin();
  EXPECT_EQ(order_.substr(0, 6), "bacbac");
}

TEST_F(SchedulingExecutorTest, ThePolicyMayBeExchangedBetweenSpins) {
  SchedulingExecutor executor(options("np-fp"));
  add_three(executor, 1);
  executor.spin();
  EXPECT_EQ(order_.substr(0, 3), "cba");
  const auto tasks = executor.tasks();
  order_.clear();
  executor.set_scheduling_policy("fifo");
  EXPECT_EQ(executor.grants().policy, "fifo");
  EXPECT_EQ(executor.tasks().size(), tasks.size());
  executor.set_start(os::now() + 10'000'000);
  executor.spin();
  EXPECT_EQ(order_.substr(0, 3), "abc");
}

TEST_F(SchedulingExecutorTest, ThePolicyMayBeExchangedWhileOthersUseTheExecutor) {
  SchedulingExecutor executor(options("rm"));
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context_});
  Seen<std::uint64_t> seen;
  const auto subscription = node->create_subscription<std_msgs::msg::UInt64>(
      "t", 1, [&](const std_msgs::msg::UInt64 & message) { seen.add(message.data); });
  const auto publisher = node->create_publisher<std_msgs::msg::UInt64>("t", 1);
  executor.add_node(node);
  std::atomic<bool> done = false;
  std::atomic<int> rounds = 0;
  std::vector<std::thread> users;
  const auto use = [&](auto function) {
    users.emplace_back([&, function] {
      while (!done) {
        function();
        ++rounds;
      }
    });
  };
  use([&] {
    EXPECT_EQ(executor.counters("node/t").missed, 0u);
    EXPECT_FALSE(executor.grants().policy.empty());
    EXPECT_EQ(executor.statistics().exceptions, 0u);
    EXPECT_FALSE(executor.tasks().empty());
  });
  std::atomic<bool> published = false;
  use([&] {
    publisher->publish(std_msgs::msg::UInt64());
    published = true;
  });
  use([&] { executor.set_state(1); });
  use([&] {
    executor.set_start(os::now());
    executor.cancel();
  });
  for (const int until = rounds + 200; rounds < until || !published;) {
    for (const char * policy : {"edf", "np-fp", "ros", "rm"})
      executor.set_scheduling_policy(policy);
  }
  done = true;
  for (auto & user : users) user.join();
  executor.cancel();
  executor.spin();  // returns at once
  // A message that was published meanwhile is still delivered.
  std::thread spinning([&] { executor.spin(); });
  EXPECT_EQ(seen.wait_for(1).size(), 1u);
  executor.cancel();
  spinning.join();
}

TEST_F(SchedulingExecutorTest, APolicyIsExchangedOrASpinBegins) {
  SchedulingExecutor executor(options("rm"));
  add_three(executor, 1, 5ms);
  std::thread spinning([&] {
    for (int i = 0; i < 20; ++i) {
      order_.clear();
      executor.spin();
    }
  });
  int exchanged = 0;
  while (exchanged < 20) {
    try {
      executor.set_scheduling_policy("edf");
      ++exchanged;
    } catch (const Error &) {
      // Refused because the executor spins at that moment.
    }
  }
  spinning.join();
  EXPECT_EQ(executor.grants().policy, "edf");
}

TEST_F(SchedulingExecutorTest, CallbacksOfTwoMayChangeEachOthersNodesAtOnce) {
  const auto create = [](Node & node) { return node.create_timer("made", 1h, [] {}); };
  const auto a = std::make_shared<Node>("a", NodeOptions{.context = context_});
  const auto b = std::make_shared<Node>("b", NodeOptions{.context = context_});
  testing::Background<SchedulingExecutor> of_a(context_);
  testing::Background<SchedulingExecutor> of_b(context_);
  of_a.add(a);
  of_b.add(b);
  std::latch both(2);
  Seen<std::shared_ptr<Timer>> made;
  const auto change = [&](Node & other) {
    both.arrive_and_wait();
    made.add(create(other));
  };
  auto in_a = a->create_timer("once", 1h, [&] { change(*b); });
  auto in_b = b->create_timer("once", 1h, [&] { change(*a); });
  of_a.start();
  of_b.start();
  EXPECT_EQ(made.wait_for(2).size(), 2u);
  EXPECT_TRUE(testing::eventually([&] {
    return of_a.executor().tasks().size() == of_b.executor().tasks().size() &&
           !of_a.executor().tasks().empty();
  }));
  EXPECT_NO_THROW(of_a.executor().counters("a/made"));
  EXPECT_NO_THROW(of_b.executor().counters("b/made"));
}

TEST_F(SchedulingExecutorTest, RefusesWhatItCannotDo) {
  EXPECT_THROW(SchedulingExecutor(options("no-such-policy")), Error);
  auto twice = options("rm");
  twice.cpus = {0, 0};
  EXPECT_THROW(SchedulingExecutor{twice}, Error);
  auto plan = options("rm");
  plan.plan.workers_high = 120;
  EXPECT_THROW(SchedulingExecutor{plan}, Error);
  SchedulingExecutor executor(options("rm"));
  EXPECT_THROW(executor.set_scheduling_policy("no-such-policy"), Error);
  EXPECT_EQ(executor.grants().policy, "rm");
  EXPECT_THROW(executor.counters("no/task"), Error);
  const auto never = std::make_shared<Context>();
  SchedulingExecutor uninitialised({.lock_memory = false, .context = never});
  EXPECT_THROW(uninitialised.spin(), Error);
}

TEST_F(SchedulingExecutorTest, WhileSpinningItRefusesAnotherSpinAndAnotherPolicy) {
  SchedulingExecutor executor(options("rm"));
  add_three(executor, 1000000);
  bool done = false;
  timers_.push_back(nodes_[0]->create_timer("check", 5ms, [&] {
    if (std::exchange(done, true)) return;
    EXPECT_TRUE(executor.spinning());
    EXPECT_THROW(executor.spin(), Error);
    EXPECT_THROW(executor.set_scheduling_policy("edf"), Error);
    executor.cancel();
  }));
  executor.spin();
  EXPECT_TRUE(done);
  EXPECT_FALSE(executor.spinning());
}

TEST_F(SchedulingExecutorTest, OfTwoThreadsThatSpinAtOnceOneIsRefused) {
  constexpr int rounds = 20;
  std::atomic<int> refused = 0;
  std::atomic<int> failed = 0;
  for (int round = 0; round < rounds; ++round) {
    SchedulingExecutor executor(options("rm"));
    std::latch both(2);
    const auto spin = [&] {
      both.arrive_and_wait();
      try {
        executor.spin();
        return;
      } catch (const Error &) {
        ++refused;
      } catch (const std::exception &) {
        ++failed;
      }
      executor.cancel();
    };
    std::thread first(spin);
    std::thread second(spin);
    first.join();
    second.join();
  }
  EXPECT_EQ(refused, rounds);
  EXPECT_EQ(failed, 0);
}

TEST_F(SchedulingExecutorTest, AnExceptionComesOutOfSpinAndIsToldByTheNameOfItsCallback) {
  std::vector<std::string> lines;
  auto telling = options("rm");
  telling.log = [&lines](const std::string & line) { lines.push_back(line); };
  SchedulingExecutor executor(telling);
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context_});
  const auto timer = node->create_timer("a", 1ms, [] { throw std::domain_error("mine"); });
  executor.add_node(node);
  EXPECT_THROW(executor.spin(), std::domain_error);
  EXPECT_THAT(lines,
              ::testing::Contains("exception in callback 'node/a', which ends spin(): mine"));
}

TEST_F(SchedulingExecutorTest, OrIsReported) {
  auto reporting = options("rm");
  reporting.on_exception = OnException::report;
  SchedulingExecutor executor(reporting);
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context_});
  int count = 0;
  const auto timer = node->create_timer("a", 1ms, [&] {
    if (++count == 5) executor.cancel();
    throw std::domain_error("mine");
  });
  executor.add_node(node);
  executor.spin();
  EXPECT_GE(executor.statistics().exceptions, 5u);
}

TEST_F(SchedulingExecutorTest, TellsOfMissedDeadlines) {
  SchedulingExecutor executor(options("rm"));
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context_});
  const auto timer = node->create_timer("slow", 10ms, {.deadline = 1ms}, [] {
    const model::Time end = os::now() + 3'000'000;
    while (os::now() < end) {
    }
  });
  Seen<std::string> seen;
  executor.on_deadline_miss([&](const Miss & miss, const std::string & callback) {
    EXPECT_GE(miss.noticed, miss.job.deadline);
    seen.add(callback);
    executor.cancel();
  });
  executor.add_node(node);
  executor.spin();
  EXPECT_EQ(seen.wait_for(1).at(0), "node/slow");
  EXPECT_GE(executor.counters("node/slow").missed, 1u);
}

TEST_F(SchedulingExecutorTest, ShutdownEndsSpin) {
  SchedulingExecutor executor(options("rm"));
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context_});
  const auto timer = node->create_timer("a", 1ms, [this] { context_->shutdown(); });
  executor.add_node(node);
  executor.spin();
  executor.spin();  // returns at once
  EXPECT_FALSE(context_->is_valid());
}

TEST_F(SchedulingExecutorTest, CancelBeforeSpinEndsIt) {
  SchedulingExecutor executor(options("rm"));
  executor.cancel();
  executor.spin();
}

TEST_F(SchedulingExecutorTest, SaysWhatWasGranted) {
  SchedulingExecutor executor(options("rm"));
  add_three(executor, 3);
  executor.spin();
  const Grants grants = executor.grants();
  EXPECT_EQ(grants.policy, "rm");
  EXPECT_GE(grants.cpu, 0);
  EXPECT_EQ(grants.realtime, grants.policy_in_use == "rm");
  // The three timers, and the built-in services of each node.
  const auto tasks = executor.tasks();
  EXPECT_EQ(std::count_if(tasks.begin(), tasks.end(),
                          [](const auto & task) { return task.second.ends_with("/tick"); }),
            3);
}

}  // namespace
}  // namespace takt
