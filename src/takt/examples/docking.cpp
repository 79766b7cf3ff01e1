// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Figure 2.9 of Krukiewicz-Gacek's thesis (TU Delft, 2021): a rover plans with the data of its
// proximity sensor. In the scenario "drive", the planner has the highest priority and runs first, on
// the data of the period before. While the rover docks, such data is too old: in the scenario "dock",
// the planner bounds its age by 10 ms. The executor then runs the sensor's job before the planner's,
// and telemetry waits, although it has a higher priority than the sensor. Afterwards, the rover
// returns to "drive".
//
//   docking                 the scenarios are defined in code
//   docking docking.yaml    the same scenarios from a file, to be tuned without compiling

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <takt/takt.hpp>
#include <vector>

using namespace std::chrono_literals;
using Range = std_msgs::msg::UInt64;

namespace {

constexpr std::uint64_t periods_each = 5;
constexpr std::uint64_t periods = 3 * periods_each;  // drive, dock, drive

/// What happened in one period. Instants are of CLOCK_MONOTONIC, in ns.
struct Period {
  std::string scenario;
  /// When the data that the planner used was published; -1: it had none.
  std::int64_t published = -1;
  /// The starts of the jobs of planner, telemetry and proximity sensor.
  std::array<std::int64_t, 3> starts{};
};

class Rover {
 public:
  Rover() {
    ranges_ = planner_->create_subscription<Range>(
        "range", 1,
        [this](const Range &, const takt::MessageInfo & info) { published_ = info.published; });
    plan_ = planner_->create_timer("plan", 50ms, {.priority = 90, .reads = {{ranges_}}},
                                   [this](const takt::JobInfo & job) { plan(job); });
    send_ = telemetry_->create_timer("send", 50ms, {.priority = 50},
                                     [this](const takt::JobInfo & job) { begin(job, 1); });
    range_ = proximity_->create_publisher<Range>("range", 1);
    sense_ = proximity_->create_timer("sense", 50ms, {.priority = 10, .extra_releases = true},
                                      [this](const takt::JobInfo & job) { sense(job); });
    for (const auto & node : {planner_, telemetry_, proximity_}) executor_.add_node(node);
  }

  void run(const takt::SchedulingStrategy::SharedPtr & strategy) {
    executor_.set_scheduling_strategy(strategy);
    executor_.spin();
    for (const Period & period : history_) {
      if (period.scenario.empty()) continue;  // the planner's job was skipped on a slow machine
      std::printf("%s:", period.scenario.c_str());
      std::array<std::size_t, 3> order = {0, 1, 2};
      std::sort(order.begin(), order.end(), [&period](std::size_t a, std::size_t b) {
        return period.starts[a] < period.starts[b];
      });
      constexpr std::array names = {"plan", "send", "sense"};
      for (const std::size_t task : order) std::printf(" %s", names[task]);
      if (period.published < 0) {
        std::printf("; planned without sensor data\n");
      } else {
        std::printf("; planned with data %.2f ms old\n",
                    static_cast<double>(period.starts[0] - period.published) / 1e6);
      }
    }
    const takt::TaskCounters counters = executor_.counters("planner/plan");
    std::printf("sensor data refreshed %ju times\n",
                static_cast<std::uintmax_t>(counters.refreshed));
  }

 private:
  void begin(const takt::JobInfo & job, std::size_t task) {
    if (job.index < history_.size()) history_[job.index].starts[task] = job.start;
  }

  void plan(const takt::JobInfo & job) {
    begin(job, 0);
    if (job.index < history_.size()) {
      history_[job.index].scenario = executor_.scenario();
      history_[job.index].published = published_;
    }
    // Compared by >=, because on a slow machine the job of a certain index may be skipped.
    if (asked_ < 1 && job.index + 1 >= periods_each) ask_for("dock");
    if (asked_ < 2 && job.index + 1 >= 2 * periods_each) ask_for("drive");
    if (job.index >= periods) executor_.cancel();
  }

  void ask_for(const char * scenario) {
    planner_->request_scenario(scenario);
    ++asked_;
  }

  void sense(const takt::JobInfo & job) {
    begin(job, 2);
    range_->publish(Range());
  }

  std::vector<Period> history_ = std::vector<Period>(periods);
  std::int64_t published_ = -1;
  int asked_ = 0;
  std::shared_ptr<takt::Node> planner_ = std::make_shared<takt::Node>("planner");
  std::shared_ptr<takt::Node> telemetry_ = std::make_shared<takt::Node>("telemetry");
  std::shared_ptr<takt::Node> proximity_ = std::make_shared<takt::Node>("proximity");
  std::shared_ptr<takt::Subscription<Range>> ranges_;
  std::shared_ptr<takt::Publisher<Range>> range_;
  std::shared_ptr<takt::Timer> plan_;
  std::shared_ptr<takt::Timer> send_;
  std::shared_ptr<takt::Timer> sense_;
  takt::SchedulingExecutor executor_{{.policy = "fp"}};
};

takt::SchedulingStrategy::SharedPtr make_strategy() {
  const takt::SchedulingScenario drive("drive");
  takt::SchedulingScenario dock("dock");
  dock.set_task("planner/plan", {.max_age = {{"range", 10ms}}});
  auto strategy = std::make_shared<takt::SchedulingStrategy>();
  strategy->add_scenario(drive);
  strategy->add_scenario(dock);
  strategy->set_default_scenario("drive");
  return strategy;
}

}  // namespace

int main(int argc, char ** argv) {
  takt::init(argc, argv);
  const auto arguments = takt::remove_ros_arguments(argc, argv);
  try {
    Rover().run(arguments.size() > 1 ? takt::load_strategy(arguments[1]) : make_strategy());
  } catch (const takt::Error & error) {
    std::fprintf(stderr, "docking: %s\n", error.what());
    return 2;
  }
  takt::shutdown();
}
