// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "diagnostics_message.hpp"

#include <gtest/gtest.h>

#include <diagnostic_msgs/msg/diagnostic_status.hpp>
#include <memory>

#include "recent_responses.hpp"
#include "takt_core/os/testing/comma_locale.hpp"

namespace takt::view {
namespace {

using diagnostic_msgs::msg::DiagnosticArray;
using diagnostic_msgs::msg::DiagnosticStatus;
constexpr model::Duration ms = 1'000'000;

std::string value(const DiagnosticStatus & status, const std::string & key) {
  for (const auto & pair : status.values) {
    if (pair.key == key) return pair.value;
  }
  return "(missing)";
}

tasks::InspectedTask task(const std::string & id, model::TaskCounters counters) {
  tasks::InspectedTask made;
  made.id = id;
  made.status.period = 10 * ms;
  made.status.deadline = 10 * ms;
  made.status.counters = counters;
  return made;
}

TEST(DiagnosticsMessageTest, OnlyWhatIsNewRaisesTheLevel) {
  DiagnosticsMessage diagnostics;
  tasks::Inspection inspection;
  inspection.tasks = {task("n/a", {.released = 5, .missed = 2})};
  DiagnosticArray message = diagnostics.make(inspection, "takt_1", "host");
  ASSERT_EQ(message.status.size(), 2U);
  EXPECT_EQ(message.status[0].name, "takt_1: executor");
  EXPECT_EQ(message.status[0].level, DiagnosticStatus::OK);
  EXPECT_EQ(message.status[1].name, "takt_1: n/a");
  EXPECT_EQ(message.status[1].hardware_id, "host");
  EXPECT_EQ(message.status[1].level, DiagnosticStatus::ERROR);
  EXPECT_EQ(message.status[1].message, "late jobs: 2");
  message = diagnostics.make(inspection, "takt_1", "host");
  EXPECT_EQ(message.status[1].level, DiagnosticStatus::OK);
  EXPECT_EQ(message.status[1].message, "OK");
  EXPECT_EQ(value(message.status[1], "late jobs"), "2");
  // Misses that only a change of scenario has caused are a warning, not an error.
  inspection.tasks[0].status.counters.missed = 3;
  inspection.tasks[0].status.counters.transition_misses = 1;
  inspection.tasks[0].status.counters.overruns = 4;
  message = diagnostics.make(inspection, "takt_1", "host");
  EXPECT_EQ(message.status[1].level, DiagnosticStatus::WARN);
  EXPECT_EQ(message.status[1].message, "late by a change of scenario: 1; overruns: 4");
  // The task has moved to another processor, so its counters began again at 0.
  inspection.tasks = {task("n/a", {.released = 2, .skipped = 1})};
  message = diagnostics.make(inspection, "takt_1", "host");
  EXPECT_EQ(message.status[1].message, "skipped releases: 1");
}

TEST(DiagnosticsMessageTest, WhatWasNotGrantedIsToldEveryTime) {
  DiagnosticsMessage diagnostics;
  tasks::Inspection inspection;
  inspection.grants.refused = {"SCHED_FIFO refused: no right", "locking memory refused: no"};
  inspection.processors.resize(2);
  inspection.processors[0].cpu = 3;
  inspection.processors[1].cpu = 5;
  inspection.statistics.longest_section_ns = 1'234'567;
  for (int i = 0; i < 2; ++i) {
    const DiagnosticStatus status = diagnostics.make(inspection, "x", "h").status.at(0);
    EXPECT_EQ(status.level, DiagnosticStatus::WARN);
    EXPECT_EQ(status.message, "SCHED_FIFO refused; locking memory refused");
    EXPECT_EQ(value(status, "not granted"), "SCHED_FIFO refused: no right");
    EXPECT_EQ(value(status, "CPUs"), "3,5");
    EXPECT_EQ(value(status, "longest middleware section (ms)"), "1.235");
  }
}

TEST(DiagnosticsMessageTest, WaitsForMutexesAreToldWhereTheyAreKnown) {
  DiagnosticsMessage diagnostics;
  tasks::Inspection inspection;
  const auto executor = [&] { return diagnostics.make(inspection, "x", "h").status.at(0); };
  EXPECT_EQ(value(executor(), "waits for mutexes"), "(missing)");
  inspection.lock_waits = {.waits = 7,
                           .longest_ns = 2'500'000,
                           .where = "write() in libx.so",
                           .held_by = "copy() in liby.so"};
  EXPECT_EQ(value(executor(), "waits for mutexes"), "7");
  EXPECT_EQ(value(executor(), "longest wait for a mutex (ms)"), "2.500");
  EXPECT_EQ(value(executor(), "longest wait for a mutex in"), "write() in libx.so");
  EXPECT_EQ(value(executor(), "mutex held meanwhile by"), "copy() in liby.so");
}

TEST(DiagnosticsMessageTest, WhatNeverHadWorkIsLeftOut) {
  DiagnosticsMessage diagnostics;
  tasks::Inspection inspection;
  inspection.tasks.resize(1);
  EXPECT_EQ(diagnostics.make(inspection, "x", "h").status.size(), 1U);
  inspection.tasks[0].status.counters.released = 1;
  EXPECT_EQ(diagnostics.make(inspection, "x", "h").status.size(), 2U);
}

TEST(DiagnosticsMessageTest, NumbersHaveADecimalPointWhateverLocaleTheProgramSets) {
  const os::testing::CommaLocale locale;
  if (!locale.holds()) GTEST_SKIP() << locale.why_not;
  DiagnosticsMessage diagnostics;
  tasks::Inspection inspection;
  inspection.tasks.emplace_back().status.deadline = 1'234'567'000;
  inspection.tasks[0].status.period = 1;
  const auto message = diagnostics.make(inspection, "takt_1", "host");
  EXPECT_EQ(value(message.status.at(1), "deadline (ms)"), "1234.567");
}

TEST(RecentResponsesTest, APeriodHoldsWhatCameInIt) {
  const auto responses = std::make_shared<executor::Responses>();
  const auto inspect = [&responses] {
    tasks::Inspection inspection;
    inspection.tasks = {task("n/a", {})};
    inspection.tasks[0].status.responses = responses;
    return inspection;
  };
  RecentResponses recent;
  responses->record(50 * ms, -40 * ms, -1);
  tasks::Inspection inspection = inspect();
  recent.end_period(inspection);
  EXPECT_EQ(inspection.tasks[0].recent.worst, 50 * ms);
  responses->record(2 * ms, 8 * ms, -1);
  inspection = inspect();
  recent.fill(inspection);  // the period has not ended
  EXPECT_EQ(inspection.tasks[0].total.jobs, 2U);
  EXPECT_EQ(inspection.tasks[0].recent.worst, 50 * ms);
  recent.end_period(inspection);
  EXPECT_EQ(inspection.tasks[0].recent.jobs, 1U);
  EXPECT_LT(inspection.tasks[0].recent.worst, 3 * ms);
  EXPECT_EQ(inspection.tasks[0].total.worst, 50 * ms);
  inspection = inspect();
  recent.end_period(inspection);
  EXPECT_EQ(inspection.tasks[0].recent.jobs, 0U);
  DiagnosticsMessage diagnostics;
  const DiagnosticStatus status = diagnostics.make(inspection, "x", "h").status.at(1);
  EXPECT_EQ(value(status, "response worst (ms)"), "50.000");
  EXPECT_EQ(value(status, "response worst recent (ms)"), "(missing)");
}

}  // namespace
}  // namespace takt::view
