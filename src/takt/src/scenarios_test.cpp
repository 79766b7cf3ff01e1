// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Scenarios of an executor that spins: by whom one may be requested, and what is refused.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <takt_msgs/srv/set_scenario.hpp>
#include <thread>
#include <utility>

#include "takt/takt.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/tasks/testing/error_of.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::error_of;
using testing::eventually;
using ::testing::HasSubstr;
using testing::Seen;
using Message = std_msgs::msg::UInt64;
using takt_msgs::srv::SetScenario;

/// An executor with a node `robot`, whose timer `work` has a deadline of 9 ms by its options, of 8
/// ms in the scenario drive, which is the default, and of 7 ms in the scenario dock.
class ScenariosTest : public ::testing::Test {
 protected:
  ScenariosTest() {
    work_ = robot_->create_timer("work", 10ms, {.deadline = 9ms}, [this](const JobInfo & job) {
      deadline_ = (job.deadline - job.release) / 1'000'000;
      const std::lock_guard lock(mutex_);
      if (in_job_) std::exchange(in_job_, nullptr)();
    });
  }
  ~ScenariosTest() override { stop(); }

  static SchedulingStrategy::SharedPtr strategy(Duration drive = 8ms, Duration dock = 7ms) {
    const auto strategy = std::make_shared<SchedulingStrategy>();
    for (const auto & [name, deadline] : {std::pair("drive", drive), std::pair("dock", dock)}) {
      SchedulingScenario scenario(name);
      scenario.set_task("work", {.deadline = deadline});
      strategy->add_scenario(scenario);
    }
    strategy->set_default_scenario("drive");
    return strategy;
  }

  void start() {
    spinning_ = std::thread([this] { executor_.spin(); });
  }
  void stop() {
    executor_.cancel();
    if (spinning_.joinable()) spinning_.join();
  }
  /// Sets a function to be called once, by the next job of `work`.
  void in_job(std::function<void()> function) {
    const std::lock_guard lock(mutex_);
    in_job_ = std::move(function);
  }
  bool comes_to(int deadline) {
    return eventually([&] { return deadline_ == deadline; });
  }
  std::string log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::mutex mutex_;
  std::string log_;
  std::function<void()> in_job_;
  std::atomic<std::int64_t> deadline_ = 0;  // of the last job, ms
  std::shared_ptr<Node> robot_ = std::make_shared<Node>("robot", NodeOptions{.context = context_});
  std::shared_ptr<Timer> work_;
  SchedulingExecutor executor_{{.policy = "edf",
                                .lock_memory = false,
                                .log =
                                    [this](const std::string & line) {
                                      const std::lock_guard lock(mutex_);
                                      log_ += line + "\n";
                                    },
                                .context = context_}};
  std::thread spinning_;
};

TEST_F(ScenariosTest, TheDefaultHoldsFromTheStart) {
  executor_.add_node(robot_);
  EXPECT_EQ(executor_.scenario(), "");
  executor_.set_scheduling_strategy(strategy());
  EXPECT_EQ(executor_.scenario(), "drive");
  Seen<std::int64_t> first;
  in_job([&] { first.add(deadline_); });
  start();
  EXPECT_EQ(first.wait_for(1).at(0), 8);
  EXPECT_EQ(executor_.statistics().scenario_switches, 0u);
}

TEST_F(ScenariosTest, AnotherThreadAsks) {
  executor_.add_node(robot_);
  executor_.set_scheduling_strategy(strategy());
  start();
  ASSERT_TRUE(comes_to(8));
  executor_.request_scenario("dock");
  ASSERT_TRUE(comes_to(7));
  EXPECT_EQ(executor_.scenario(), "dock");
  const Statistics statistics = executor_.statistics();
  EXPECT_EQ(statistics.scenario_switches, 1u);
  EXPECT_EQ(statistics.scenario, executor_.scenario_number("dock"));
  EXPECT_GT(statistics.last_switch_ns, 0);
  EXPECT_GE(statistics.longest_switch_ns, statistics.last_switch_ns);
  const ScenarioId drive = executor_.scenario_number("drive");
  executor_.request_scenario(drive);
  ASSERT_TRUE(comes_to(8));
  // A number that belongs to no scenario has no effect.
  executor_.request_scenario(ScenarioId{77});
  executor_.request_scenario(executor_.scenario_number("dock"));
  ASSERT_TRUE(comes_to(7));
}

TEST_F(ScenariosTest, ACallbackAsks) {
  executor_.add_node(robot_);
  executor_.set_scheduling_strategy(strategy());
  start();
  in_job([this] { executor_.request_scenario("dock"); });
  ASSERT_TRUE(comes_to(7));
  in_job([this] { robot_->request_scenario("drive"); });
  ASSERT_TRUE(comes_to(8));
}

TEST_F(ScenariosTest, TheLastOfSeveralRequestsWins) {
  executor_.add_node(robot_);
  executor_.set_scheduling_strategy(strategy());
  executor_.request_scenario("drive");
  executor_.request_scenario("dock");
  start();
  ASSERT_TRUE(comes_to(7));
  EXPECT_EQ(executor_.statistics().scenario_switches, 1u);
}

TEST_F(ScenariosTest, AHandlerOfMissesAsks) {
  executor_.add_node(robot_);
  executor_.set_scheduling_strategy(strategy());
  Seen<std::string> missed;
  executor_.on_deadline_miss([&](const Miss &, const std::string & callback) {
    executor_.request_scenario("dock");
    missed.add(callback);
  });
  start();
  in_job([] {
    const model::Time end = current_job()->deadline + 1'000'000;
    while (os::now() < end) {
    }
  });
  EXPECT_EQ(missed.wait_for(1).at(0), "robot/work");
  EXPECT_TRUE(comes_to(7));
  stop();  // the handler uses this test's variables
}

TEST_F(ScenariosTest, AServiceAsks) {
  robot_->set_scheduling_strategy(strategy());
  executor_.add_node(robot_);
  start();
  ASSERT_TRUE(comes_to(8));
  testing::Background<SchedulingExecutor> others(context_);
  const auto user = std::make_shared<Node>("user", NodeOptions{.context = context_});
  const auto client = user->create_client<SetScenario>("/robot/set_scenario");
  others.add(user);
  others.start();
  ASSERT_TRUE(client->wait_for_service(testing::patience));
  const auto ask = [&](const char * name) {
    const auto request = std::make_shared<SetScenario::Request>();
    request->name = name;
    return *client->async_send_request(request).future.get();
  };
  SetScenario::Response response = ask("dock");
  EXPECT_TRUE(response.success) << response.message;
  if (executor_.grants().realtime) {
    EXPECT_GT(response.effect_ns, 0);
  } else {
    // Without preemption, the scenario takes effect when the job that sends the response has ended.
    EXPECT_EQ(response.effect_ns, -1);
  }
  ASSERT_TRUE(comes_to(7));
  response = ask("dcok");
  EXPECT_FALSE(response.success);
  EXPECT_EQ(response.message, "no scenario 'dcok': there are drive, dock");
  EXPECT_EQ(response.effect_ns, -1);
  // The service is a task, so a scenario may give it a priority.
  EXPECT_NO_THROW(executor_.counters("robot/set_scenario"));
}

TEST_F(ScenariosTest, NodesServeThemIfTheyAreToldOrHaveSome) {
  const auto serves = [this](const char * name, std::optional<bool> enable, bool has) {
    Node node(name, {.context = context_, .enable_scenario_service = enable});
    if (has) node.set_scheduling_strategy(strategy());
    const auto callbacks = node.base()->callbacks();
    return std::any_of(callbacks.begin(), callbacks.end(),
                       [](const auto & each) { return each->id().ends_with("/set_scenario"); });
  };
  EXPECT_FALSE(serves("a", std::nullopt, false));
  EXPECT_TRUE(serves("b", std::nullopt, true));
  EXPECT_TRUE(serves("c", true, false));
  EXPECT_TRUE(serves("d", true, true));
  EXPECT_FALSE(serves("e", false, true));
}

TEST_F(ScenariosTest, UnknownOnesAreRefused) {
  EXPECT_EQ(error_of([&] { executor_.request_scenario("dock"); }),
            "no scenario 'dock': no strategy was given to the executor");
  EXPECT_THAT(error_of([&] { robot_->request_scenario("dock"); }), HasSubstr("no executor"));
  executor_.add_node(robot_);
  executor_.set_scheduling_strategy(strategy());
  EXPECT_EQ(error_of([&] { executor_.request_scenario("dcok"); }),
            "no scenario 'dcok': there are drive, dock");
  EXPECT_THROW(executor_.scenario_number(""), Error);
  StockExecutor stock({.context = context_});
  Node other("other", {.context = context_});
  stock.add_node(other);
  EXPECT_THAT(error_of([&] { other.request_scenario("dock"); }), HasSubstr("no scenarios"));
}

TEST_F(ScenariosTest, AStrategyThatDoesNotFitIsRefusedAndTheOldOneStays) {
  executor_.add_node(robot_);
  executor_.set_scheduling_strategy(strategy());
  const auto wrong = strategy();
  SchedulingScenario scenario("wrong");
  scenario.set_task("wrok", {});
  wrong->add_scenario(scenario);
  const auto refused = [&] { return error_of([&] { executor_.set_scheduling_strategy(wrong); }); };
  EXPECT_THAT(refused(), HasSubstr("scenario 'wrong': task 'wrok': there is no such task"));
  EXPECT_THROW(executor_.scenario_number("wrong"), Error);
  start();
  ASSERT_TRUE(comes_to(8));
  EXPECT_THAT(refused(), HasSubstr("no such task"));
  // The executor's strategy names that task already.
  EXPECT_THAT(error_of([&] { robot_->set_scheduling_strategy(strategy()); }),
              HasSubstr("task 'work': another entry sets 'robot/work'"));
  executor_.request_scenario("dock");
  ASSERT_TRUE(comes_to(7));
  stop();
  start();  // the scenario remains
  ASSERT_TRUE(comes_to(7));
}

TEST_F(ScenariosTest, WithoutNodesItIsCheckedWhenSpinBegins) {
  executor_.set_scheduling_strategy(strategy());
  EXPECT_THAT(log(), HasSubstr("checked when spin() begins"));
  EXPECT_THAT(error_of([&] { executor_.spin(); }), HasSubstr("task 'work': there is no such task"));
  EXPECT_FALSE(executor_.spinning());
  executor_.add_node(robot_);
  start();
  ASSERT_TRUE(comes_to(8));
}

TEST_F(ScenariosTest, NodesStrategiesAreMergedWithTheExecutors) {
  executor_.set_scheduling_strategy([] {
    const auto strategy = std::make_shared<SchedulingStrategy>();
    strategy->add_scenario(SchedulingScenario("dock"));
    strategy->add_scenario(SchedulingScenario("charge"));
    strategy->set_default_scenario("dock");
    return strategy;
  }());
  const auto nodes = strategy();
  nodes->set_default_scenario("");
  robot_->set_scheduling_strategy(nodes);
  executor_.add_node(robot_);
  start();
  ASSERT_TRUE(comes_to(7));
  executor_.request_scenario("charge");
  ASSERT_TRUE(comes_to(9));
  executor_.request_scenario("drive");
  ASSERT_TRUE(comes_to(8));
  // Removing the node removes its scenarios; the default of the remaining strategy takes effect.
  executor_.remove_node(robot_);
  EXPECT_TRUE(eventually([&] { return executor_.scenario() == "dock"; }));
  EXPECT_THROW(executor_.request_scenario("drive"), Error);
  // Adding the node brings its scenarios back.
  executor_.add_node(robot_);
  ASSERT_TRUE(comes_to(7));
  executor_.request_scenario("drive");
  ASSERT_TRUE(comes_to(8));
}

TEST_F(ScenariosTest, ANodeThatDoesNotFitIsNotAddedWhileSpinning) {
  executor_.add_node(robot_);
  executor_.set_scheduling_strategy(strategy());
  start();
  ASSERT_TRUE(comes_to(8));
  const auto other = std::make_shared<Node>("other", NodeOptions{.context = context_});
  const auto timer = other->create_timer("tick", 1ms, [] {});
  other->set_scheduling_strategy(strategy());  // it names robot/work, a task of another node
  EXPECT_THAT(error_of([&] { executor_.add_node(other); }), HasSubstr("was not given to"));
  EXPECT_THROW(executor_.counters("other/tick"), Error);
  other->set_scheduling_strategy(nullptr);
  const auto second = other->create_timer("work", 1ms, [] {});
  EXPECT_THAT(error_of([&] { executor_.add_node(other); }), HasSubstr("several tasks"));
  SchedulingScenario both("both");
  both.set_task("robot/work", {.deadline = 6ms});
  both.set_task("other/work", {.priority = 3});
  const auto names_both = std::make_shared<SchedulingStrategy>();
  names_both->add_scenario(both);
  names_both->set_default_scenario("both");
  executor_.set_scheduling_strategy(names_both);
  EXPECT_TRUE(comes_to(6));
  executor_.add_node(other);
  EXPECT_NO_THROW(executor_.counters("other/tick"));
  EXPECT_THAT(log(), ::testing::Not(HasSubstr("no such task")));
}

TEST_F(ScenariosTest, TasksMadeWhileSpinningTakeWhatTheScenarioSays) {
  const auto given = strategy();
  SchedulingScenario scenario("late");
  scenario.set_task("work", {.deadline = 6ms});
  scenario.set_task("made", {.deadline = 3ms, .optional = true});
  given->add_scenario(scenario);
  given->set_default_scenario("late");
  executor_.add_node(robot_);
  executor_.set_scheduling_strategy(given);
  start();
  ASSERT_TRUE(comes_to(6));
  Seen<std::int64_t> deadlines;
  const auto make = [&] {
    return robot_->create_timer("made", 5ms, [&](const JobInfo & job) {
      deadlines.add((job.deadline - job.release) / 1'000'000);
    });
  };
  auto made = make();
  EXPECT_TRUE(deadlines.wait_for_value(3));
  // The same if a callback creates the timer again and, below, if a task gets another number.
  made = nullptr;
  Seen<std::shared_ptr<Timer>> in_callback;
  const std::size_t before = deadlines.size();
  in_job([&] { in_callback.add(make()); });
  ASSERT_EQ(in_callback.wait_for(1).size(), 1u);
  EXPECT_TRUE(eventually([&] {
    const auto seen = deadlines.wait_for(before + 1);
    return seen.back() == 3;
  }));
  deadline_ = 0;
  work_->cancel();
  work_->reset();
  ASSERT_TRUE(comes_to(6));
  in_callback.wait_for(1).at(0)->cancel();
}

TEST_F(ScenariosTest, SuspendedTasksHaveNoJobs) {
  const auto given = strategy();
  SchedulingScenario rest("rest");
  rest.set_task("work", {.suspended = true});
  given->add_scenario(rest);
  executor_.add_node(robot_);
  const auto tick = robot_->create_timer("tick", 5ms, [] {});
  executor_.set_scheduling_strategy(given);
  start();
  ASSERT_TRUE(comes_to(8));
  executor_.request_scenario("rest");
  ASSERT_TRUE(eventually([&] { return executor_.scenario() == "rest"; }));
  const auto jobs = [&](const char * task) {
    const TaskCounters counters = executor_.counters(task);
    return counters.finished;
  };
  // A job that started before the change may still finish.
  ASSERT_TRUE(eventually([&, from = jobs("robot/tick")] { return jobs("robot/tick") > from + 2; }));
  const auto suspended = jobs("robot/work");
  ASSERT_TRUE(
      eventually([&, from = jobs("robot/tick")] { return jobs("robot/tick") > from + 10; }));
  EXPECT_EQ(jobs("robot/work"), suspended);
  executor_.request_scenario("dock");
  ASSERT_TRUE(comes_to(7));
}

TEST_F(ScenariosTest, ASubscriptionHasScenariosToo) {
  Seen<std::int64_t> seen;
  const auto subscription = robot_->create_subscription<Message>("news", 1, [&](const Message &) {
    const JobInfo & job = *current_job();
    seen.add(job.deadline == model::never ? 0 : (job.deadline - job.release) / 1'000'000);
  });
  const auto publisher = robot_->create_publisher<Message>("news", 1);
  const auto given = std::make_shared<SchedulingStrategy>();
  SchedulingScenario busy("busy");
  busy.set_task("news", {.min_interval = 1ms, .deadline = 4ms, .priority = 50});
  SchedulingScenario idle("idle");
  idle.set_task("news", {.suspended = true});
  given->add_scenario(busy);
  given->add_scenario(idle);
  given->set_default_scenario("busy");
  executor_.add_node(robot_);
  executor_.set_scheduling_strategy(given);
  start();
  publisher->publish(Message());
  EXPECT_EQ(seen.wait_for(1).at(0), 4);
  executor_.request_scenario("idle");
  ASSERT_TRUE(eventually([&] { return executor_.scenario() == "idle"; }));
  publisher->publish(Message());
  // The message waits until the scenario has ended.
  ASSERT_TRUE(comes_to(9));
  EXPECT_EQ(seen.size(), 1u);
  executor_.request_scenario("busy");
  EXPECT_EQ(seen.wait_for(2).size(), 2u);
}

TEST_F(ScenariosTest, AFileMayBeReadAgainWhileSpinning) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("takt_scenarios_" + std::to_string(::getpid()) + ".yaml");
  const auto write = [&path](const char * drive, const char * dock) {
    std::ofstream(path) << "default: drive\nscenarios:\n  drive: {tasks: {robot/work: {deadline: "
                        << drive << "}}}\n  dock: {tasks: {work: {deadline: " << dock << "}}}\n";
  };
  write("8ms", "7ms");
  // The file is also given to the node, by its parameter; both then count as one strategy.
  const auto node = std::make_shared<Node>(
      "given",
      NodeOptions{.context = context_,
                  .arguments = {"--ros-args", "-p", "scheduling_strategy:=" + path.string()}});
  EXPECT_EQ(node->get_parameter("scheduling_strategy").as_string(), path.string());
  executor_.add_node(robot_);
  executor_.add_node(node);
  executor_.load_strategy(path.string());
  start();
  ASSERT_TRUE(comes_to(8));
  executor_.request_scenario("dock");
  ASSERT_TRUE(comes_to(7));
  write("8ms", "5ms");
  executor_.load_strategy(path.string());
  ASSERT_TRUE(comes_to(5));  // the current scenario remains, with its new timing
  write("8ms", "50ms");
  EXPECT_THAT(error_of([&] { executor_.load_strategy(path.string()); }),
              HasSubstr(".yaml:4: scenarios.dock.tasks.work: "));
  EXPECT_EQ(executor_.scenario(), "dock");
  // Only the node's strategy would remain, and it names a task of another node.
  EXPECT_THAT(error_of([&] { executor_.set_scheduling_strategy(nullptr); }),
              HasSubstr("was not given to"));
  executor_.remove_node(node);
  executor_.set_scheduling_strategy(nullptr);
  ASSERT_TRUE(comes_to(9));
  EXPECT_EQ(executor_.scenario(), "");
  std::filesystem::remove(path);
  const auto broken = [&] {
    Node("broken", {.context = context_,
                    .parameter_overrides = {Parameter("scheduling_strategy", path.string())}});
  };
  EXPECT_THAT(error_of(broken), HasSubstr("cannot be opened"));
}

TEST_F(ScenariosTest, APolicyHoldsAsLongAsItsScenario) {
  // A third job releases two jobs at once: the policy decides which of them starts first.
  const auto given = std::make_shared<SchedulingStrategy>();
  SchedulingScenario by_priority("priority");
  by_priority.set_task("a", {.deadline = 20ms, .priority = 90});
  by_priority.set_task("b", {.deadline = 10ms, .priority = 10});
  by_priority.set_scheduling_policy(np_fp_policy);
  SchedulingScenario by_name("name");
  by_name.set_scheduling_policy_function(
      [](const Job &, const Task & a, const Job &, const Task & b) { return a.id > b.id; });
  given->add_scenario(by_priority);
  given->add_scenario(by_name);
  given->set_default_scenario("priority");
  std::mutex mutex;
  std::string order;
  const auto say = [&](char name) {
    return [&, name] {
      const std::lock_guard lock(mutex);
      order += name;
    };
  };
  const auto a = robot_->create_timer("a", 20ms, say('a'));
  const auto b = robot_->create_timer("b", 20ms, say('b'));
  executor_.add_node(robot_);
  executor_.set_scheduling_strategy(given);
  const auto comes = [&](const char * what) {
    {
      const std::lock_guard lock(mutex);
      order.clear();
    }
    return eventually([&] {
      const std::lock_guard lock(mutex);
      return order.find(what) != std::string::npos;
    });
  };
  start();
  EXPECT_TRUE(comes("abab"));
  executor_.request_scenario("name");
  EXPECT_TRUE(comes("baba"));
}

}  // namespace
}  // namespace takt
