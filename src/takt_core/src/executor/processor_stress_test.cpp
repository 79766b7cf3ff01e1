// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Random tasks on real threads, while invariants are watched from inside the callbacks.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <random>
#include <thread>

#include "model/testing/random_seed.hpp"
#include "takt_core/executor/processor.hpp"
#include "takt_core/os/clock.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using testing::Rig;
using testing::Watched;

constexpr model::Duration ms = 1'000'000;

// The priorities of the jobs inside their functions, one bit each. A less urgent one may go on
// while a more urgent one waits for the processor's lock, but not begin.
class Inside {
 public:
  void enter(int priority, bool may_nest) {
    const std::uint32_t before = jobs_.fetch_or(1U << priority);
    EXPECT_TRUE(may_nest || before == 0);
    EXPECT_EQ(before >> priority, 0U) << "only a more urgent job may start inside another";
    EXPECT_FALSE(in_section_) << "no job may start inside a middleware section";
  }
  void leave(int priority) { jobs_.fetch_and(~(1U << priority)); }
  void section(bool inside) { in_section_ = inside; }

 private:
  std::atomic<std::uint32_t> jobs_{0};
  std::atomic<bool> in_section_{false};
};

class StressTest : public testing::ModeTest {};
TAKT_FOR_ALL_MODES(StressTest);

TEST_P(StressTest, invariants_hold) {
  constexpr int tasks = 16;
  constexpr int groups = 4;
  constexpr std::uint64_t jobs = 3000;
  std::mt19937_64 random(model::testing::random_seed());
  const auto any = [&](std::uint64_t bound) { return static_cast<int>(random() % bound); };

  Inside inside;
  std::array<std::atomic<int>, groups> busy{};
  std::array<model::GroupId, groups> ids{};
  std::vector<model::TaskId> events;
  std::atomic<std::uint64_t> finished{0};
  Watched<bool> enough;
  Rig rig(options("fp"), rights());
  for (auto & id : ids) id = rig.processor().add_group({.exclusive = true});

  for (int i = 0; i < tasks; ++i) {
    const int priority = 1 + any(10);
    const auto group = static_cast<std::size_t>(any(groups + 1));
    const auto work = std::chrono::microseconds(any(200));
    const bool section = any(2) == 0;
    const bool timer = i < tasks / 2;
    const auto other = static_cast<std::size_t>(any(tasks));
    model::Task task;
    task.id = "n/t" + std::to_string(i);
    task.kind = timer ? model::TaskKind::timer : model::TaskKind::subscription;
    task.period = timer ? (1 + any(5)) * ms : any(2) * ms / 2;
    task.phase = timer ? any(5) * ms / 5 : 0;
    task.deadline = timer ? task.period : ms;
    task.priority = priority;
    task.queue = static_cast<std::uint32_t>(any(3));
    if (group < groups) task.group = ids[group];
    const auto id = rig.add(task, [&, priority, group, work, section, other](const JobInfo & job) {
      inside.enter(priority, preempts());
      if (group < groups) {
        EXPECT_EQ(busy[group].fetch_add(1), 0) << "a group's jobs exclude each other";
      }
      EXPECT_LE(job.release, job.start);
      if (section) {
        const Processor::Section open;
        inside.section(true);
        testing::burn(work / 2);
        inside.section(false);
      }
      if (!events.empty()) rig.processor().release(events[other % events.size()]);
      testing::burn(work / 2);
      if (group < groups) busy[group].fetch_sub(1);
      inside.leave(priority);
      if (++finished == jobs) enough.set(true);
    });
    if (!timer) events.push_back(id);
  }

  std::atomic<bool> end{false};
  std::thread middleware([&, from = random()] {
    std::mt19937_64 choice(from);
    while (!end) {
      rig.processor().release(events[choice() % events.size()]);
      os::sleep_until(os::now() + static_cast<os::Time>(choice() % 300) * 1000);
    }
  });
  rig.start();
  EXPECT_TRUE(enough.wait_for(true));
  rig.stop();
  end = true;
  middleware.join();
}

}  // namespace
}  // namespace takt::executor
