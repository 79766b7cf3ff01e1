// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// In steady state, takt allocates nothing when it exchanges messages of its pools inside the
// process. Over the middleware, only the middleware itself allocates. This also holds for calls
// that callbacks usually make: logging, reading the time and parameters, requesting a scenario.
// Every allocation of the process is recorded, with its thread and call stack.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <rosgraph_msgs/msg/clock.hpp>
#include <std_msgs/msg/string.hpp>
#include <std_msgs/msg/u_int64.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "takt/takt.hpp"
#include "testing/allocations.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::String;
using std_msgs::msg::UInt64;
using testing::Allocations;

/// Counts the allocations of something that is done in rounds. Counting begins with round `first`
/// and ends `rounds` rounds later, or later still if `enough` is false by then, because a busy host
/// may delay what the test needs. Then `over` is called.
class Counted {
 public:
  Counted(int first, int rounds, std::function<bool()> enough, std::function<void()> over)
      : first_(first), rounds_(rounds), enough_(std::move(enough)), over_(std::move(over)) {}
  /// To be called at the end of each round.
  void round() {
    constexpr int patience = 50;
    if (++done_ == first_) Allocations::begin();
    if (over_ && done_ >= first_ + rounds_ && (enough_() || done_ >= patience * rounds_)) {
      Allocations::end();
      std::exchange(over_, nullptr)();
    }
  }
  int done() const { return done_; }

 private:
  int first_;
  int rounds_;
  int done_ = 0;
  std::function<bool()> enough_;
  std::function<void()> over_;
};

void exchange_for_a_while(const char * policy, const std::string & trace = {}) {
  const auto context = testing::make_context();
  // Names too long for the buffer inside a std::string, so that each copy of them would allocate.
  const auto node =
      std::make_shared<Node>("a_node_whose_name_is_long", NodeOptions{.context = context});
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
  texts->prepare_messages([](String & message) { message.data.assign(200, 'x'); });
  SchedulingExecutor executor({.policy = policy,
                               .lock_memory = false,
                               .trace = {.file = trace},
                               .diagnostics = {.enabled = false},
                               .context = context});
  const String text = [] {
    String message;
    message.data = std::string(200, 'x');
    return message;
  }();
  node->declare_parameter("gain", 0.5);
  double gain = 0;
  // Incremented on the handlers' thread.
  std::atomic<std::uint64_t> misses = 0;
  std::atomic<std::uint64_t> overruns = 0;
  std::atomic<std::uint64_t> exhausted = 0;
  executor.on_deadline_miss([&](const Miss &, const std::string &) { ++misses; });
  executor.on_overrun([&](const Overrun &, const std::string &) { ++overruns; });
  executor.on_exhausted_budget([&](const Exhaustion &, const std::string &) { ++exhausted; });
  const auto enough = [&] {
    const auto seen = executor.statistics();
    return seen.scenario_switches > 50 && seen.ages.refreshed > 0 && seen.ages.extra_releases > 0 &&
           read > 20 && triggered > 20 * 200 && kept_alive > 20 && misses > 10 && overruns > 0 &&
           exhausted > 0;
  };
  Counted counted(30, 100, enough, [&] { executor.cancel(); });
  const TimerOptions producing{
      .priority = 9, .publishes = {"loans", "texts"}, .extra_releases = true};
  const auto produce = node->create_timer("produce", 1ms, producing, [&] {
    auto loan = loans->borrow_loaned_message();
    loan->data = static_cast<std::uint64_t>(counted.done());
    loans->publish(std::move(loan));
    texts->publish(text);
    TAKT_INFO(node->get_logger(), "loan %d at %.3f", counted.done(), node->now().seconds());
    node->get_parameter("gain", gain);
    node->request_scenario(counted.done() % 2 == 0 ? "a scenario whose name is long"
                                                   : "another one");
    counted.round();
  });
  // In the scenario in which its phase differs from its producer's, the data is older than
  // `max_age`, so the producer must run an extra job.
  const TimerOptions consuming{.reads = {{reads, {.max_age = 150us}}}, .queue = 2};
  const auto consume = node->create_timer("consume", 1ms, consuming, [] {});
  const auto late = node->create_timer("late", 5ms, {.deadline = 1ns}, [] {});
  const auto alone = node->create_callback_group(CallbackGroupType::mutually_exclusive);
  // Takes longer than its period, and than its budget.
  const auto busy =
      node->create_timer("busy", 10ms, {.priority = 1, .budget = 1ms, .group = alone}, [&] {
        const std::int64_t until = os::now() + 12'000'000;
        while (os::now() < until) {
        }
      });
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
  EXPECT_TRUE(enough()) << "read " << read << ", triggered " << triggered << ", kept " << kept_alive
                        << ", misses " << misses << ", overruns " << overruns << ", exhausted "
                        << exhausted;
  EXPECT_EQ(loans->pool_exhausted(), 0u);
  EXPECT_EQ(texts->pool_exhausted(), 0u);
  EXPECT_EQ(gain, 0.5);
}

/// Runs two nodes that follow simulated time, with a jump callback and a timer on ROS time.
void follow_simulated_time() {
  using rosgraph_msgs::msg::Clock;
  const auto here = testing::make_context();
  const auto world =
      std::make_shared<Node>("world", NodeOptions{.context = testing::make_context()});
  const auto clock = world->create_publisher<Clock>("/clock", clock_qos());
  std::vector<std::shared_ptr<Node>> nodes;
  SchedulingExecutor executor(
      {.lock_memory = false, .diagnostics = {.enabled = false}, .context = here});
  for (const char * name : {"one", "other"}) {
    nodes.push_back(std::make_shared<Node>(
        name, NodeOptions{.context = here, .parameter_overrides = {{"use_sim_time", true}}}));
    executor.add_node(nodes.back());
  }
  std::atomic<bool> over = false;
  std::atomic<int> jumps = 0;
  const auto jump = nodes.back()->get_clock()->create_jump_callback(
      nullptr, [&](const TimeUpdate &) { ++jumps; }, {.min_forward = 1ns});
  Counted counted(30, 100, [&] { return jumps > 100; }, [&] { over = true; });
  const auto timer = nodes.front()->create_timer("timer", 1ms, {.clock = ClockType::ros},
                                                 [&] { counted.round(); });
  std::thread source([&] {
    Clock message;
    while (!over) {
      message.clock.nanosec += 1'000'000;
      message.clock.sec += static_cast<int>(message.clock.nanosec / 1'000'000'000);
      message.clock.nanosec %= 1'000'000'000;
      clock->publish(message);
      std::this_thread::yield();
    }
    executor.cancel();
  });
  executor.spin();
  source.join();
}

/// Exchanges messages in both directions between two contexts. The middleware treats them like two
/// processes.
void exchange_over_the_middleware() {
  const auto here = testing::make_context();
  const auto there = testing::make_context();
  const auto node = std::make_shared<Node>("here", NodeOptions{.context = here});
  const auto other = std::make_shared<Node>("there", NodeOptions{.context = there});
  const auto ping = node->create_publisher<UInt64>("ping", 3);
  const auto pong = other->create_publisher<UInt64>("pong", 3);
  std::atomic<std::uint64_t> read = 0;
  const auto reads = node->create_subscription<UInt64>("pong", 3, [&](const UInt64 &) { ++read; });
  const auto answers =
      other->create_subscription<UInt64>("ping", 3, [&pong](const UInt64 & message) {
        auto loan = pong->borrow_loaned_message();
        loan->data = message.data;
        pong->publish(std::move(loan));
      });
  testing::Background<SchedulingExecutor> answering(there);
  answering.add(other);
  answering.start();
  SchedulingExecutor executor(
      {.lock_memory = false, .diagnostics = {.enabled = false}, .context = here});
  ASSERT_TRUE(testing::eventually(
      [&] { return ping->get_subscription_count() == 1 && pong->get_subscription_count() == 1; }));
  // Counting begins after 300 rounds, when the middleware's own pools have stopped growing.
  Counted counted(300, 200, [&] { return read > 100; }, [&] { executor.cancel(); });
  const auto asks = node->create_timer("asks", 1ms, {.reads = {{reads}}}, [&] {
    auto loan = ping->borrow_loaned_message();
    loan->data = read;
    ping->publish(std::move(loan));
    counted.round();
  });
  executor.add_node(node);
  executor.spin();
  EXPECT_GT(read, 100u);
}

/// Returns whether the library belongs to takt, or is the test program itself.
bool is_takts(const std::string & library) {
  return library.starts_with("libtakt") || library.find("test") != std::string::npos;
}

/// Returns whether the thread may allocate: threads that are not takt's may, and so may the one
/// that passes log messages on to the middleware.
bool may_allocate(std::string_view thread) {
  return !thread.starts_with("takt.") || thread == "takt.log";
}

/// The recorded allocations by thread and library. Those of the watchdog are left out: that thread
/// may block, and it wakes once a second, which happens during the test only on a slow host.
std::map<std::pair<std::string, std::string>, int> who() {
  std::map<std::pair<std::string, std::string>, int> counts;
  for (const testing::Allocation & each : Allocations::kept()) {
    if (each.thread_name() == "takt.watchdog") continue;
    ++counts[{std::string(each.thread_name()), testing::library_of(each)}];
  }
  return counts;
}

void expect_none_of_takts(const std::string & how) {
  ASSERT_EQ(Allocations::count(), Allocations::kept().size()) << "more than were recorded";
  for (const auto & [place, count] : who()) {
    const auto & [thread, library] = place;
    EXPECT_TRUE(may_allocate(thread) && !is_takts(library))
        << how << ": " << count << " on " << thread << " by " << library;
  }
}

TEST(AllocationTest, NoneInSteadyStateWithAndWithoutPreemption) {
  for (const char * policy : {"fp", "edf", "np-fp"}) {
    exchange_for_a_while(policy);
    expect_none_of_takts(policy);
  }
}

TEST(AllocationTest, NoneInSteadyStateWithATraceEither) {
  const std::string file = ::testing::TempDir() + "takt_allocation_test.trace";
  for (const char * policy : {"fp", "np-fp"}) {
    exchange_for_a_while(policy, file);
    expect_none_of_takts(policy);
  }
  std::remove(file.c_str());
}

TEST(AllocationTest, OverTheMiddlewareItIsTheMiddlewares) {
  exchange_over_the_middleware();
  for (const auto & [place, count] : who()) {
    const auto & [thread, library] = place;
    EXPECT_FALSE(is_takts(library)) << count << " on " << thread;
    std::printf("the middleware's own: %d on %s by %s\n", count, thread.c_str(), library.c_str());
    RecordProperty(thread + " " + library, count);
  }
}

TEST(AllocationTest, NorDoesSimulatedTimeThatGoesOn) {
  follow_simulated_time();
  for (const auto & [place, count] : who()) {
    const auto & [thread, library] = place;
    // The other threads belong to the middleware, or publish /clock, as another process would.
    if (!thread.starts_with("takt.")) continue;
    EXPECT_FALSE(is_takts(library)) << count << " on " << thread;
  }
}

TEST(AllocationTest, TheCounterCounts) {
  Allocations::begin();
  delete new std::string(100, 'x');
  std::free(std::calloc(3, 7));  // NOLINT(*-no-malloc)
  void * mapped = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Allocations::end();
  munmap(mapped, 4096);
  EXPECT_GE(Allocations::count(), Allocations::sees_mappings ? 3u : 2u);
  for (const testing::Allocation & each : Allocations::kept()) {
    EXPECT_TRUE(is_takts(testing::library_of(each))) << testing::library_of(each);
  }
}

}  // namespace
}  // namespace takt
