// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Timers that bound the age of what they read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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

/// A node `lidar` that publishes `scan` once an hour, and a node `planner` that reads it.
class DataAgeTest : public ::testing::Test {
 protected:
  ~DataAgeTest() override { stop(); }

  SchedulingExecutorOptions options(const char * policy = "fp") {
    return {.policy = policy,
            .lock_memory = false,
            .log = [this](const std::string & line) { log_.add(line); },
            .context = context_};
  }
  std::shared_ptr<Node> node(const char * name) {
    return std::make_shared<Node>(name, NodeOptions{.context = context_});
  }

  void make_lidar(TimerOptions timer = {.extra_releases = true}) {
    scan_ = lidar_->create_publisher<Message>("scan", 1);
    ticks_.push_back(lidar_->create_timer("tick", 1h, timer, [this](const JobInfo & job) {
      Message message;
      message.data = job.index;
      scan_->publish(message);
    }));
  }
  void make_planner(ReadOptions read, Duration period = 10ms) {
    scans_ = planner_->create_subscription<Message>(
        "scan", 1, [this](const Message & message) { latest_ = message.data; });
    plan_ = planner_->create_timer("plan", period, {.priority = 50, .reads = {{scans_, read}}},
                                   [this](const JobInfo & job) {
                                     jobs_.add({job, latest_});
                                     if (in_job_) in_job_();
                                   });
  }
  void start() {
    spinning_ = std::thread([this] { executor_->spin(); });
  }
  void stop() {
    if (executor_) executor_->cancel();
    if (spinning_.joinable()) spinning_.join();
  }
  TaskCounters counters() { return executor_->counters("planner/plan"); }

  struct Job {
    JobInfo info;
    std::optional<std::uint64_t> latest;
  };

  std::shared_ptr<Context> context_ = testing::make_context();
  Seen<std::string> log_;
  std::shared_ptr<Node> lidar_ = node("lidar");
  std::shared_ptr<Node> planner_ = node("planner");
  std::shared_ptr<Publisher<Message>> scan_;
  std::shared_ptr<Subscription<Message>> scans_;
  std::vector<std::shared_ptr<Timer>> ticks_;
  std::shared_ptr<Timer> plan_;
  std::optional<std::uint64_t> latest_;
  std::function<void()> in_job_;
  Seen<Job> jobs_;
  std::optional<SchedulingExecutor> executor_;
  std::thread spinning_;
};

TEST_F(DataAgeTest, TheProducerIsReleasedOnceMore) {
  for (const char * policy : {"fp", "np-fp", "edf"}) {
    executor_.emplace(options(policy));
    latest_.reset();
    make_lidar();
    make_planner({.max_age = 100ms}, 250ms);
    executor_->add_node(planner_);
    executor_->add_node(lidar_);
    start();
    // On a stalled host the publisher's first job is so late that further jobs of the reader find
    // its message young enough.
    const auto jobs = jobs_.wait_until([](const Job & job) { return job.latest != 0u; });
    ASSERT_GE(jobs.size(), 2u) << "the publisher's pending job must run before the reader's";
    EXPECT_EQ(jobs.back().latest, model::first_extra_job);
    for (const Job & job : jobs) {
      EXPECT_GE(job.info.data_age(), 0);
      // If the machine stalls between release and start, the data is older by that time.
      EXPECT_TRUE(job.info.stale ||
                  job.info.data_age() <= 100'000'000 + job.info.start - job.info.release);
    }
    EXPECT_GE(executor_->statistics().ages.extra_releases, 1u);
    EXPECT_GE(counters().refreshed, 2u);
    EXPECT_GE(executor_->counters("lidar/tick").extra_releases, 1u);
    stop();
    // Each policy is tested with new callbacks and a new executor.
    plan_ = nullptr;
    scans_ = nullptr;
    ticks_.clear();
    scan_ = nullptr;
    jobs_.clear();
    executor_.reset();
  }
}

TEST_F(DataAgeTest, OrItsPendingJobAloneGoesFirst) {
  executor_.emplace(options());
  make_lidar({});
  make_planner({.max_age = 100ms}, 250ms);
  executor_->add_node(planner_);
  executor_->add_node(lidar_);
  start();
  // No pending job is left, and extra jobs are not permitted.
  const auto jobs = jobs_.wait_until([](const Job & job) { return job.info.stale; });
  ASSERT_GE(jobs.size(), 2u);
  for (const Job & job : jobs) EXPECT_EQ(job.latest, 0u);
  EXPECT_TRUE(jobs.back().info.stale);
  EXPECT_GT(jobs.back().info.data_age(), 100'000'000);
  EXPECT_EQ(executor_->statistics().ages.extra_releases, 0u);
  EXPECT_EQ(executor_->statistics().ages.refreshed, 1u);
  EXPECT_GE(counters().stale_reported, 1u);
}

TEST_F(DataAgeTest, WhatComesFromOutsideIsAsOldAsItsPublisherSays) {
  const auto other = testing::make_context();
  const auto outside = std::make_shared<Node>("outside", NodeOptions{.context = other});
  const auto publisher = outside->create_publisher<Message>("scan", 1);
  executor_.emplace(options());
  make_planner({.max_age = 300ms, .on_stale = OnStale::skip});
  executor_->add_node(planner_);
  start();
  ASSERT_TRUE(eventually([&] { return counters().stale_skipped > 3; }));
  EXPECT_EQ(jobs_.size(), 0u);
  ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 1; }));
  ASSERT_TRUE(eventually([&] {
    publisher->publish(Message());
    return jobs_.size() > 0;
  }));
  const auto jobs = jobs_.wait_for(1);
  EXPECT_TRUE(jobs[0].latest.has_value());
  EXPECT_GE(jobs[0].info.data_age(), 0);
  EXPECT_LE(jobs[0].info.data_age(), 300'000'000 + (jobs[0].info.start - jobs[0].info.release));
  const auto skipped = counters().stale_skipped;
  EXPECT_TRUE(eventually([&] { return counters().stale_skipped > skipped; }));
  EXPECT_EQ(counters().stale_reported, 0u);
}

TEST_F(DataAgeTest, WhatCannotBeRefreshedMustSayWhatBecomesOfIt) {
  executor_.emplace(options());
  make_planner({.max_age = 20ms});
  executor_->add_node(planner_);
  const auto spin = [&] { return error_of([&] { executor_->spin(); }); };
  EXPECT_EQ(spin(),
            "timer 'planner/plan' reads '/scan' with a max_age, and no task of the executor "
            "publishes it: give on_stale, which says what becomes of a job whose data is too old");
  SchedulingExecutor another(options());
  make_lidar();
  another.add_node(lidar_);
  EXPECT_THAT(spin(), HasSubstr("publishes it (what does is of another executor, or no task)"));
  another.remove_node(lidar_);
  executor_->add_node(lidar_);
  executor_->cancel();
  EXPECT_EQ(spin(), "");
}

TEST_F(DataAgeTest, ANodeOfSeveralTasksSaysWhichPublishes) {
  executor_.emplace(options());
  make_planner({.max_age = 1h, .on_stale = OnStale::report});
  make_lidar();
  ticks_.push_back(lidar_->create_timer("other", 1h, [] {}));
  executor_->add_node(planner_);
  executor_->add_node(lidar_);
  EXPECT_THAT(error_of([&] { executor_->spin(); }),
              HasSubstr("node 'lidar' that publishes it has several tasks: say which one does"));
  ticks_.erase(ticks_.begin());
  ticks_.push_back(lidar_->create_timer("tack", 1h, {.publishes = "scan", .extra_releases = true},
                                        [this] { scan_->publish(Message()); }));
  start();
  EXPECT_FALSE(jobs_.wait_for(1)[0].info.stale);
  stop();
  ticks_.push_back(lidar_->create_timer("wrong", 1h, {.publishes = "scam"}, [] {}));
  EXPECT_THAT(error_of([&] { executor_->spin(); }),
              HasSubstr("'lidar/wrong' publishes: node 'lidar' does not publish '/scam'"));
}

TEST_F(DataAgeTest, ACircleIsRefused) {
  executor_.emplace(options());
  make_lidar();
  make_planner({.max_age = 20ms});
  executor_->add_node(planner_);
  executor_->add_node(lidar_);
  const auto plans = planner_->create_publisher<Message>("plans", 1);
  const auto back = lidar_->create_subscription<Message>("plans", 1, [](const Message &) {});
  ticks_.clear();
  ticks_.push_back(lidar_->create_timer("tick", 1h, {.reads = {{back, {.max_age = 1s}}}}, [] {}));
  EXPECT_THAT(error_of([&] { executor_->spin(); }),
              HasSubstr("would be refreshed to refresh itself: drop a max_age of the circle"));
}

TEST_F(DataAgeTest, WhatIsOutOfRangeIsRefused) {
  executor_.emplace(options());
  EXPECT_THAT(error_of([&] { make_planner({.max_age = 0ms}); }), HasSubstr("not above 0"));
  make_lidar();
  make_planner({.max_age = 100us});
  executor_->add_node(planner_);
  executor_->add_node(lidar_);
  EXPECT_THAT(error_of([&] { executor_->spin(); }),
              HasSubstr("max_age of 100 us, not above the executor's age_margin of 100 us"));
  SchedulingExecutorOptions negative = options();
  negative.age_margin = -1ns;
  EXPECT_THAT(error_of([&] { SchedulingExecutor executor(negative); }), HasSubstr("negative"));
}

TEST_F(DataAgeTest, AScenarioBoundsItForAWhile) {
  executor_.emplace(options());
  make_lidar();
  make_planner({});
  SchedulingScenario drive("drive");
  SchedulingScenario dock("dock");
  dock.set_task("planner/plan", {.max_age = {{"scan", 5ms}}});
  const auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(drive);
  strategy->add_scenario(dock);
  strategy->set_default_scenario("drive");
  executor_->add_node(planner_);
  executor_->add_node(lidar_);
  executor_->set_scheduling_strategy(strategy);
  start();
  jobs_.wait_for(3);
  EXPECT_EQ(executor_->statistics().ages.refreshed, 0u);
  executor_->request_scenario("dock");
  ASSERT_TRUE(eventually([&] { return counters().refreshed > 3; }));
  executor_->request_scenario("drive");
  ASSERT_TRUE(eventually([&] { return executor_->scenario() == "drive"; }));
  const auto refreshed = counters().refreshed;
  jobs_.wait_for(jobs_.size() + 3);
  EXPECT_EQ(counters().refreshed, refreshed);
}

TEST_F(DataAgeTest, AScenarioSaysWhatBecomesOfOldData) {
  executor_.emplace(options());
  make_planner({});
  SchedulingScenario dock("dock");
  dock.set_task("planner/plan", {.max_age = {{"scan", 5ms}}, .on_stale = OnStale::skip});
  const auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(dock);
  strategy->set_default_scenario("dock");
  executor_->add_node(planner_);
  executor_->set_scheduling_strategy(strategy);
  start();
  EXPECT_TRUE(eventually([&] { return counters().stale_skipped > 3; }));
  EXPECT_EQ(jobs_.size(), 0u);
}

TEST_F(DataAgeTest, AStrategyMaySayWhoPublishes) {
  executor_.emplace(options());
  make_planner({.max_age = 5ms});
  make_lidar();
  ticks_.push_back(lidar_->create_timer("other", 1h, [] {}));
  executor_->add_node(planner_);
  executor_->add_node(lidar_);
  EXPECT_THAT(error_of([&] { executor_->spin(); }), HasSubstr("say which one does"));
  SchedulingScenario drive("drive");
  drive.add_timer("tick", 10, 50, {.publishes = "scan"});
  const auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(drive);
  strategy->set_default_scenario("drive");
  executor_->set_scheduling_strategy(strategy);
  start();
  ASSERT_TRUE(eventually([&] { return counters().refreshed > 3; }));
}

TEST_F(DataAgeTest, AScenarioIsCheckedAsTimersAre) {
  executor_.emplace(options());
  make_planner({});
  const auto other = planner_->create_subscription<Message>("map", 1, [](const Message &) {});
  executor_->add_node(planner_);
  const auto error = [&](const std::string & topic, Duration age, bool optional = false) {
    return error_of([&] {
      SchedulingScenario scenario("dock");
      scenario.set_task("plan", {.max_age = {{topic, age}}, .optional = optional});
      const auto strategy = std::make_shared<SchedulingStrategy>();
      strategy->add_scenario(scenario);
      strategy->set_default_scenario("dock");
      executor_->set_scheduling_strategy(strategy);
    });
  };
  EXPECT_THAT(error("scan", 0ms), HasSubstr("max_age must be above 0"));
  EXPECT_THAT(error("scam", 1ms), HasSubstr("does not subscribe to '/scam'"));
  EXPECT_THAT(error("map", 1ms), HasSubstr("'planner/plan' does not read 'map'"));
  EXPECT_THAT(error("scan", 20ms),
              HasSubstr("scenario 'dock': task 'plan': reads '/scan' with a max_age, and no task"));
  make_lidar();
  executor_->add_node(lidar_);
  EXPECT_THAT(error("scan", 10us), HasSubstr("not above the executor's age_margin"));
  EXPECT_EQ(error("scan", 20ms), "");
}

TEST_F(DataAgeTest, ProducersMayComeAndGoWhileItSpins) {
  executor_.emplace(options());
  make_planner({.max_age = 5ms, .on_stale = OnStale::report});
  executor_->add_node(planner_);
  executor_->add_node(lidar_);
  start();
  jobs_.wait_for(2);
  make_lidar();
  ASSERT_TRUE(eventually([&] { return counters().refreshed > 3; }));
  // Destroys only the timer that publishes, so that no task can refresh the data any more.
  ticks_.clear();
  const auto reported = counters().stale_reported;
  EXPECT_TRUE(eventually([&] { return counters().stale_reported > reported + 3; }));
}

TEST_F(DataAgeTest, ACallbackMayMakeAReader) {
  executor_.emplace(options());
  make_lidar();
  executor_->add_node(lidar_);
  executor_->add_node(planner_);
  const auto once = lidar_->create_timer("once", 10ms, [&] {
    if (plan_ == nullptr) make_planner({.max_age = 5ms});
  });
  start();
  // The node `lidar` has two tasks, and neither declares that it publishes the topic.
  EXPECT_TRUE(eventually([&] {
    for (const std::string & line : log_.wait_for(0)) {
      if (line.find("node 'lidar' that publishes it has several tasks") != line.npos) return true;
    }
    return false;
  }));
  EXPECT_TRUE(eventually([&] { return counters().stale_reported > 0; }));
}

}  // namespace
}  // namespace takt
