// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What an executor's trace contains about messages and names. takt_core tests what it contains
// about decisions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <vector>

#include "takt/takt.hpp"
#include "takt_core/tasks/testing/error_of.hpp"
#include "testing/two_contexts.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::UInt64;
using trace::Event;
using trace::Kind;

class TraceOfMessagesTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  void read() {
    std::ifstream file(file_, std::ios::binary);
    for (Event record; file.read(reinterpret_cast<char *>(&record), sizeof(record));) {
      if (record.kind != Kind::text) {
        events_.push_back(record);
      } else if (record.task <= 24) {
        std::string part(record.task, '\0');
        std::memcpy(part.data(), &record, part.size());
        text_ += part;
      }
    }
    // The first record is the header.
    events_.erase(events_.begin());
  }
  std::vector<Event> of(Kind kind) const {
    std::vector<Event> found;
    std::copy_if(events_.begin(), events_.end(), std::back_inserter(found),
                 [kind](const Event & event) { return event.kind == kind; });
    return found;
  }

  const std::string file_ =
      ::testing::TempDir() + ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::vector<Event> events_;
  std::string text_;
};

TEST_F(TraceOfMessagesTest, WhatWasReadIsWhatWasPublished) {
  const auto context = testing::make_context();
  const auto node = std::make_shared<Node>("n", NodeOptions{.context = context});
  const auto numbers = node->create_publisher<UInt64>("numbers", 3);
  int read_count = 0;
  const auto reads =
      node->create_subscription<UInt64>("numbers", 3, [&](const UInt64 &) { ++read_count; });
  SchedulingExecutor executor(
      {.policy = "fp", .lock_memory = false, .trace = {.file = file_}, .context = context});
  const auto produce = node->create_timer("produce", 2ms, {.priority = 9}, [&] {
    auto loan = numbers->borrow_loaned_message();
    numbers->publish(std::move(loan));
  });
  int jobs = 0;
  const auto consume = node->create_timer("consume", 2ms, {.priority = 5, .reads = {{reads}}}, [&] {
    if (++jobs == 20) executor.cancel();
  });
  executor.add_node(node);
  executor.spin();
  ASSERT_NE(executor.trace(), nullptr);
  executor.trace()->close();
  EXPECT_EQ(executor.trace()->dropped(), 0u);
  read();
  const std::vector<Event> sent = of(Kind::publication);
  const std::vector<Event> got = of(Kind::delivery);
  ASSERT_EQ(got.size(), static_cast<std::size_t>(read_count));
  ASSERT_GE(got.size(), 10u);
  for (const Event & delivery : got) {
    EXPECT_EQ(delivery.flags, 0);
    EXPECT_TRUE(std::any_of(sent.begin(), sent.end(), [&](const Event & publication) {
      return publication.at == delivery.value && publication.index == delivery.index &&
             publication.task == delivery.task && publication.at < delivery.at;
    })) << delivery.index;
  }
  // Each record was written by the worker that ran the job.
  const std::vector<Event> started = of(Kind::start);
  const auto ring_of = [&](TaskId task) {
    return std::find_if(started.begin(), started.end(),
                        [task](const Event & event) { return event.task == to_number(task); })
        ->ring;
  };
  for (const auto & [task, name] : executor.tasks()) {
    EXPECT_TRUE(name != "n/produce" || sent.front().ring == ring_of(task));
    EXPECT_TRUE(name != "n/consume" || got.front().ring == ring_of(task));
  }
  EXPECT_NE(text_.find("\"name\": \"/numbers\""), std::string::npos);
  EXPECT_NE(text_.find("\"name\": \"n/produce\""), std::string::npos);
}

TEST_F(TraceOfMessagesTest, MessagesFromOutsideAndNamesOfScenariosAreInItToo) {
  const auto here = testing::make_context();
  const auto there = testing::make_context();
  const auto node = std::make_shared<Node>("n", NodeOptions{.context = here});
  const auto other = std::make_shared<Node>("o", NodeOptions{.context = there});
  const auto numbers = other->create_publisher<UInt64>("numbers", QoS(1).transient_local());
  numbers->publish(UInt64());
  SchedulingExecutor executor({.lock_memory = false, .trace = {.file = file_}, .context = here});
  const auto subscription = node->create_subscription<UInt64>(
      "numbers", QoS(1).transient_local(), [&](const UInt64 &) { executor.cancel(); });
  const auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(SchedulingScenario("careful"));
  strategy->set_default_scenario("careful");
  executor.add_node(node);
  executor.set_scheduling_strategy(strategy);
  executor.spin();
  executor.trace()->close();
  read();
  const std::vector<Event> got = of(Kind::delivery);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].flags, trace::flags::outside);
  EXPECT_GT(got[0].value, 0);
  EXPECT_NE(text_.find("\"define\": \"scenario\", \"scenario\": 1, \"name\": \"careful\""),
            std::string::npos);
}

TEST_F(TraceOfMessagesTest, AFileThatCannotBeWrittenIsAnError) {
  const std::string error = testing::error_of(
      [] { const SchedulingExecutor executor({.trace = {.file = "/nonexistent/a.trace"}}); });
  EXPECT_NE(error.find("/nonexistent/a.trace"), std::string::npos);
  EXPECT_EQ(SchedulingExecutor().trace(), nullptr);
}

TEST_F(TraceOfMessagesTest, AFileThatCannotBeWrittenToItsEndIsToldOnce) {
  std::mutex mutex;  // lines come from the trace's thread or from this one
  std::vector<std::string> lines;
  std::shared_ptr<trace::Recorder> kept;
  {
    const SchedulingExecutor executor({.lock_memory = false,
                                       .log =
                                           [&](const std::string & line) {
                                             const std::lock_guard lock(mutex);
                                             lines.push_back(line);
                                           },
                                       .trace = {.file = "/dev/full"}});
    kept = executor.trace();
  }
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("the trace '/dev/full' ends here"), std::string::npos);
  EXPECT_NE(lines[0].find("make room in '/dev'"), std::string::npos);
}

}  // namespace
}  // namespace takt
