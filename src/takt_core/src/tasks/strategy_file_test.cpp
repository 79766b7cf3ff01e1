// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/scheduling_strategy.hpp"
#include "takt_core/tasks/testing/error_of.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

const char * const whole = R"(# a comment
default: drive
scenarios:
  drive: {policy: edf}
  dock:
    policy: np-fp
    tasks:
      planner/plan: {period: 20ms, phase: 1.5ms, deadline: 10 ms, priority: 96, budget: 2ms,
                     max_age: {scan: 40ms, /map: none}, on_stale: skip, extra_releases: true}
      /planner/scan:
        min_interval: 2s
        deadline: none
        budget: none
        suspended: true
        subscribes: [scan, ~/map]
        publishes: command
        optional: true
)";

class StrategyFileTest : public ::testing::Test {
 protected:
  StrategyFileTest()
      : path_(std::filesystem::temp_directory_path() / ("takt_" + name() + ".yaml")) {}
  ~StrategyFileTest() override { std::filesystem::remove(path_); }

  SchedulingStrategy::SharedPtr load(const std::string & text) {
    std::ofstream(path_, std::ios::binary) << text;
    return load_strategy(path_.string());
  }
  /// The error without the leading file name.
  std::string refused(const std::string & text) {
    std::string error = error_of([&] { load(text); });
    EXPECT_THAT(error, StartsWith(path_.string() + ":"));
    return error.substr(std::min(error.size(), path_.string().size() + 1));
  }
  /// The error for the keys of a scenario's task.
  std::string refused_task(const std::string & keys) {
    return refused("scenarios: {s: {tasks: {a/b: {" + keys + "}}}}");
  }

  std::filesystem::path path_;

 private:
  static std::string name() {
    // Tests may run in parallel.
    return std::to_string(::getpid()) +
           ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }
};

TEST_F(StrategyFileTest, SaysWhatTheClassesSay) {
  const auto strategy = load(whole);
  EXPECT_EQ(strategy->default_scenario(), "drive");
  EXPECT_EQ(strategy->source(), std::filesystem::canonical(path_).string());
  ASSERT_EQ(strategy->scenarios().size(), 2u);
  EXPECT_EQ(strategy->scenarios()[0].policy()->name(), "edf");
  const SchedulingScenario & dock = strategy->scenarios()[1];
  EXPECT_EQ(dock.name(), "dock");
  ASSERT_EQ(dock.tasks().size(), 2u);
  const TaskTiming & plan = dock.tasks()[0].timing;
  EXPECT_EQ(dock.tasks()[0].id, "planner/plan");
  EXPECT_EQ(plan.period, 20ms);
  EXPECT_EQ(plan.phase, 1500us);
  EXPECT_EQ(plan.deadline, 10ms);
  EXPECT_EQ(plan.priority, 96);
  EXPECT_EQ(plan.budget, 2ms);
  EXPECT_FALSE(plan.suspended);
  EXPECT_THAT(plan.max_age, ElementsAre(Pair("/map", Duration::max()), Pair("scan", 40ms)));
  EXPECT_EQ(plan.on_stale, model::OnStale::skip);
  EXPECT_EQ(plan.extra_releases, true);
  const TaskTiming & scan = dock.tasks()[1].timing;
  EXPECT_EQ(scan.min_interval, 2s);
  EXPECT_EQ(scan.deadline, Duration::max());
  EXPECT_TRUE(scan.suspended);
  EXPECT_EQ(scan.on_stale, std::nullopt);
  EXPECT_EQ(scan.extra_releases, std::nullopt);
  EXPECT_THAT(scan.subscribes.names(), ElementsAre("scan", "~/map"));
  EXPECT_THAT(scan.publishes.names(), ElementsAre("command"));
  EXPECT_TRUE(scan.optional);
  EXPECT_THAT(dock.tasks()[1].where, EndsWith(":10: scenarios.dock.tasks./planner/scan"));
}

TEST_F(StrategyFileTest, SaysLineAndKeyOfWhatIsWrong) {
  EXPECT_EQ(refused("scenarios:\n  s:\n    polcy: edf"),
            "3: scenarios.s.polcy: there is no such key; there are policy, tasks");
  EXPECT_EQ(refused("scenarios:\n  s:\n    policy: 7"),
            "3: scenarios.s.policy: " +
                error_of([] { SchedulingScenario("s").set_scheduling_policy("7"); }));
  EXPECT_EQ(refused("scenarios: {s: {}}\ndefault: t"), "2: default: there is no scenario 't'");
  EXPECT_EQ(refused("scenarios:\n  s: {}\n  s: {}"), "3: scenarios: 's' is there twice");
  EXPECT_EQ(refused("scenarios:\n  s:\n    tasks:\n      a: {}\n      a: {}"),
            "5: scenarios.s.tasks: 'a' is there twice");
  EXPECT_EQ(refused("default: s"), "1: 'scenarios' is missing");
  EXPECT_EQ(refused("scenarios: {}"), "1: scenarios: must have a scenario at least");
  EXPECT_THAT(refused("scenarios: [s]"), StartsWith("1: scenarios: must be a map"));
  EXPECT_THAT(refused("scenarios:\n  s:\n"), StartsWith("2: scenarios.s: must be a map"));
  EXPECT_THAT(refused("- a"), StartsWith("1: must be a map"));
  EXPECT_THAT(refused("? [a]\n: b"), StartsWith("1: a key must be a text"));
  EXPECT_THAT(refused("a: b\n  c: d"), StartsWith("2: is not YAML: "));
  EXPECT_THAT(refused("scenarios: {s: {}}\n---\nb: c"), StartsWith("3: begins a second document"));
  EXPECT_THAT(refused("\xff\xff"), StartsWith(" is not YAML: "));
  EXPECT_EQ(refused(""), " is empty");
  EXPECT_THAT(refused(std::string(2 << 20, ' ')), StartsWith(" is longer than"));
  EXPECT_THAT(refused("scenarios: &a {s: *a}"), HasSubstr("there is no such key"));
  EXPECT_THAT(error_of([] { load_strategy("/no/such.yaml"); }),
              StartsWith("/no/such.yaml: cannot be opened: "));
}

TEST_F(StrategyFileTest, RefusesValuesThatMakeNoSense) {
  const std::string at = "1: scenarios.s.tasks.a/b";
  EXPECT_EQ(refused_task("priority: 99"), at + ".priority: priority must be from 1 to 98");
  EXPECT_THAT(refused_task("priority: 4294967297"), HasSubstr("from 1 to 98"));
  EXPECT_THAT(refused_task("priority: -3"), HasSubstr("from 1 to 98"));
  EXPECT_THAT(refused_task("priority: 1.5"), HasSubstr("must be a whole number, not '1.5'"));
  EXPECT_THAT(refused_task("priority: 99999999999999999999"), HasSubstr("must be a whole number"));
  EXPECT_THAT(refused_task("suspended: yes"), StartsWith(at + ".suspended: must be true or false"));
  EXPECT_THAT(refused_task("subscribes: {a: b}"),
              StartsWith(at + ".subscribes: must be one value"));
  EXPECT_THAT(refused_task("subscribes: ['']"), StartsWith(at + ".subscribes: must be a text"));
  EXPECT_THAT(refused_task("publishes: \"a\\0b\""), HasSubstr("must be one line of text"));
  EXPECT_EQ(refused_task("\"x\\ny\": 1"), "1: scenarios.s.tasks.a/b: must be one line of text");
  EXPECT_THAT(refused_task("priority: \"x\\ny\""), EndsWith("not 'x?y'"));
  EXPECT_THAT(refused_task("deadline: [none]"), HasSubstr("must be one value"));
  EXPECT_THAT(refused_task("period: 0ms"), StartsWith(at + ".period: period must be above 0"));
  EXPECT_THAT(refused_task("max_age: {scan: 0ms}"),
              StartsWith(at + ".max_age: max_age must be above 0"));
  EXPECT_THAT(refused_task("max_age: 40ms"), StartsWith(at + ".max_age: must be a map"));
  EXPECT_EQ(refused_task("on_stale: drop"), at + ".on_stale: must be skip or report");
  EXPECT_EQ(load("scenarios: {s: {tasks: {a: {on_stale: report}}}}")
                ->scenarios()[0]
                .tasks()[0]
                .timing.on_stale,
            model::OnStale::report);
  EXPECT_THAT(refused_task("extra_releases: 3"),
              StartsWith(at + ".extra_releases: must be true or false"));
  EXPECT_THAT(refused_task("period: 1ms, min_interval: 1ms"),
              StartsWith(at + ".min_interval: a timer has a period"));
  EXPECT_THAT(refused_task("x: 1"), StartsWith(at + ".x: there is no such key; there are budget"));
  for (const char * text :
       {"20", "ms", "20 parsecs", "-1ms", "+1ms", "1e3ms", "0.5ns", "1.2.3s", ".5s", "5.s",
        "1.0000000005s", "'20  ms'", "999999999999999min", "9999999999999999s", "none", "''"}) {
    EXPECT_THAT(refused_task(std::string("period: ") + text),
                StartsWith(at + ".period: must be a number of whole nanoseconds"))
        << text;
  }
}

TEST_F(StrategyFileTest, ReadsDurations) {
  const auto period = [this](const std::string & text) {
    return load("scenarios: {s: {tasks: {a: {period: " + text + "}}}}")
        ->scenarios()[0]
        .tasks()[0]
        .timing.period;
  };
  EXPECT_EQ(period("375us"), 375us);
  EXPECT_EQ(period("1.5 s"), 1500ms);
  EXPECT_EQ(period("0.25min"), 15s);
  EXPECT_EQ(period("2.000ns"), 2ns);
  EXPECT_EQ(period("0.000000001s"), 1ns);
}

// Whatever the file contains, the result is a strategy, or an error of one line that begins with
// its name.
TEST_F(StrategyFileTest, ABrokenFileIsRefusedInOneLine) {
  const std::string good = whole;
  int refused = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&random](std::size_t n) { return random() % n; };
    std::string text = good;
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      const std::size_t length = std::min(text.size() - at, below(12));
      constexpr std::string_view bytes = "{}[]:,&*!|>'\"%@#-? \n\t\\0a9.\xff";
      switch (below(4)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, text.substr(below(text.size()), length));
          break;
        case 2:
          text[at] = static_cast<char>(random());
          break;
        default:
          text[at] = bytes[below(bytes.size())];
      }
    }
    const std::string error = error_of([&] { load(text); });
    if (error.empty()) continue;
    ++refused;
    EXPECT_THAT(error, StartsWith(path_.string() + ":")) << "seed " << seed;
    EXPECT_EQ(error.find('\n'), std::string::npos) << "seed " << seed << ": " << error;
  }
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace takt
