// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// In steady state takt's own paths allocate nothing, with messages of takt's pools: operator new
// counts, in the test's thread and takt's, but for that which writes the log. That holds for what
// callbacks usually call, too: the log, the time, parameters, another scenario.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <std_msgs/msg/string.hpp>
#include <std_msgs/msg/u_int64.hpp>
#include <vector>

#include "takt/takt.hpp"
#include "testing/background.hpp"

namespace {
std::atomic<bool> counting = false;
std::atomic<std::uint64_t> allocations = 0;

/// The middleware's threads, some of them without a name of their own, allocate when they announce
/// themselves or discover others; that is not takt's path. The log is written by one that may.
bool may_allocate() noexcept {
  if (gettid() == getpid()) return false;
  char name[16] = {};
  prctl(PR_GET_NAME, name);
  return std::strncmp(name, "takt.", 5) != 0 || std::strcmp(name, "takt.log") == 0;
}
}  // namespace

[[gnu::noinline]] void * operator new(std::size_t size) {
  if (counting && !may_allocate()) ++allocations;
  if (void * memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void * operator new(std::size_t size, const std::nothrow_t &) noexcept {
  if (counting && !may_allocate()) ++allocations;
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void * memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void * memory, std::size_t) noexcept {
  std::free(memory);
}

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::String;
using std_msgs::msg::UInt64;

/// Makes all strings of the pool as long as they need to be: three in the reader's queue, one in its
/// hands, one in the writer's. On a busy machine the last of them is not used for a while.
void make_long(Publisher<String> & texts) {
  std::vector<LoanedMessage<String>> loans;
  for (int i = 0; i < 5; ++i) {
    loans.push_back(texts.borrow_loaned_message());
    loans.back()->data = std::string(200, 'x');
  }
}

void exchange_for_a_while(const char * policy) {
  const auto context = testing::make_context();
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context});
  const auto loans = node->create_publisher<UInt64>("loans", 3);
  const auto texts = node->create_publisher<String>("texts", 3);
  std::uint64_t read = 0;
  std::uint64_t triggered = 0;
  std::uint64_t kept_alive = 0;
  const auto reads = node->create_subscription<UInt64>("loans", 3, [&](const UInt64 &) { ++read; });
  const auto triggers = node->create_subscription<String>(
      "texts", 3, [&](std::shared_ptr<const String> message) { triggered += message->data.size(); },
      {.min_interval = 100us});
  const auto informed =
      node->create_subscription<UInt64>("loans", 2, [&](const UInt64 &, const MessageInfo & info) {
        kept_alive += info.from_intra_process ? 1 : 0;
      });
  SchedulingExecutor executor({.policy = policy, .lock_memory = false, .context = context});
  const String text = [] {
    String message;
    message.data = std::string(200, 'x');
    return message;
  }();
  node->declare_parameter("gain", 0.5);
  double gain = 0;
  int count = 0;
  const TimerOptions producing{
      .priority = 9, .publishes = {"loans", "texts"}, .extra_releases = true};
  const auto produce = node->create_timer("produce", 1ms, producing, [&] {
    if (count == 0) make_long(*texts);
    auto loan = loans->borrow_loaned_message();
    loan->data = static_cast<std::uint64_t>(count);
    loans->publish(std::move(loan));
    texts->publish(text);
    TAKT_INFO(node->get_logger(), "loan %d at %.3f", count, node->now().seconds());
    node->get_parameter("gain", gain);
    node->request_scenario(count % 2 == 0 ? "a scenario whose name is long" : "another one");
    if (++count == 30) counting = true;
    if (count == 130) {
      counting = false;
      executor.cancel();
    }
  });
  // With every phase but its producer's, it needs a job of it beyond the grid.
  const auto consume =
      node->create_timer("consume", 1ms, {.reads = {{reads, {.max_age = 150us}}}}, [] {});
  executor.add_node(node);
  const auto strategy = std::make_shared<SchedulingStrategy>();
  SchedulingScenario one("a scenario whose name is long");
  one.set_task("consume", {.phase = 200us, .priority = 20});
  SchedulingScenario two("another one");
  two.set_task("produce", {.deadline = 900us, .priority = 30});
  strategy->add_scenario(one);
  strategy->add_scenario(two);
  strategy->set_default_scenario("another one");
  executor.set_scheduling_strategy(strategy);
  executor.spin();
  EXPECT_GT(executor.statistics().scenario_switches, 50u);
  EXPECT_GT(executor.statistics().ages.refreshed, 0u);
  EXPECT_GT(executor.statistics().ages.extra_releases, 0u);
  EXPECT_GT(read, 50u);
  EXPECT_GT(triggered, 50u * 200u);
  EXPECT_GT(kept_alive, 50u);
  EXPECT_EQ(loans->pool_exhausted(), 0u);
  EXPECT_EQ(texts->pool_exhausted(), 0u);
  EXPECT_EQ(gain, 0.5);
}

TEST(Allocation, NoneInSteadyStateWithAndWithoutPreemption) {
  for (const char * policy : {"fp", "edf", "np-fp"}) {
    allocations = 0;
    exchange_for_a_while(policy);
    EXPECT_EQ(allocations, 0u) << policy;
  }
}

TEST(Allocation, TheCounterCounts) {
  allocations = 0;
  counting = true;
  delete new std::string(100, 'x');
  counting = false;
  EXPECT_GE(allocations, 1u);
}

}  // namespace
}  // namespace takt
