// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The scheduler does not allocate after commit(): operator new counts allocations.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "takt_core/model/comparator_policy.hpp"
#include "takt_core/model/urgency_policy.hpp"
#include "testing/virtual_run.hpp"

namespace {
std::atomic<std::uint64_t> allocations = 0;
}  // namespace

[[gnu::noinline]] void * operator new(std::size_t size) {
  ++allocations;
  if (void * memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
// Sanitizers replace this one, too, which would not match our delete.
[[gnu::noinline]] void * operator new(std::size_t size, const std::nothrow_t &) noexcept {
  ++allocations;
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void * memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void * memory, std::size_t) noexcept {
  std::free(memory);
}

namespace takt::model::testing {
namespace {

/// Drives the scheduler through releases, overruns, delays, misses, preemption and new states, and
/// returns the number of allocations.
std::uint64_t allocations_of(std::unique_ptr<Policy> policy) {
  TaskSet set = task_set({{.execution = 1, .period = 10, .priority = 9, .group = 0},
                          {.execution = 1, .period = 12, .deadline = 7, .priority = 8},
                          {.execution = 1, .period = 30, .deadline = 90, .queue = 3, .group = 0},
                          {.execution = 1, .period = 8, .queue = 1, .kind = TaskKind::subscription},
                          {.execution = 1, .kind = TaskKind::service},
                          {.execution = 1,
                           .period = 60,
                           .priority = 4,
                           .budget = 1,
                           .on_budget = OnBudget::background}},
                         1, {{.exclusive = true}});
  LocalScheduler scheduler = scheduler_of(set, std::move(policy));
  scheduler.store_overruns(true);
  ApplicationState states[2] = {ApplicationState::of(1), ApplicationState::of(2)};
  std::uint64_t started = 0;
  std::uint64_t misses = 0;
  std::uint64_t overruns = 0;
  const std::uint64_t before = allocations;
  for (Time now = 0; now < 5000; ++now) {
    if (now % 3 == 0) scheduler.release(3, now, now);
    if (now % 7 == 0) scheduler.release(4, now, now);
    if (now % 100 < 70) scheduler.advance(now);  // followed by a gap of several periods
    if (scheduler.to_charge() != nullptr) scheduler.charge(1, now);
    while (scheduler.decide(now).kind == Decision::Kind::start) ++started;
    if (now % 4 == 0 && !scheduler.idle()) scheduler.finish(scheduler.running(), now);
    if (now % 45 == 0) scheduler.finish_lowered(5, now);
    if (now % 50 == 0) states[now % 2] = scheduler.set_state(std::move(states[now % 2]));
    for (Miss miss; scheduler.next_miss(miss);) ++misses;
    for (Overrun overrun; scheduler.next_overrun(overrun);) ++overruns;
    for (Exhaustion exhaustion; scheduler.next_exhaustion(exhaustion);) ++started;
    if (scheduler.next_event() < now - 100) ++started;
  }
  const std::uint64_t taken = allocations - before;
  EXPECT_GT(started, 900u);
  EXPECT_GT(misses, 10u);
  EXPECT_GT(overruns, 10u);
  return taken;
}

TEST(AllocationTest, TheCounterCounts) {
  const std::uint64_t before = allocations;
  const auto owned = std::make_unique<std::vector<int>>(10);
  EXPECT_GE(allocations - before, 2u);
}

TEST(AllocationTest, NoneAfterCommit) {
  for (const std::string & name : policy_names()) {
    EXPECT_EQ(allocations_of(make_policy(name)), 0u) << name;
  }
  const auto by_deadline = [](const Task &, const Job & job, const ApplicationState & state) {
    return state.get<int>() != nullptr ? job.deadline / *state.get<int>() : job.deadline;
  };
  const auto rank = [](const Task & task) { return -task.deadline; };
  EXPECT_EQ(allocations_of(std::make_unique<UrgencyPolicy>("user", by_deadline, rank)), 0u);
  const auto before = [](const Job & a, const Task &, const Job & b, const Task &) {
    return a.release < b.release;
  };
  EXPECT_EQ(allocations_of(std::make_unique<ComparatorPolicy>(before)), 0u);
}

TEST(AllocationTest, NoneToPutAPlanInForce) {
  model::Setup setup(make_policy("fp"));
  setup.start_grid(0);
  Scheduler scheduler(setup);
  Time now = 0;
  // More tasks than ever before, with queues and pending jobs; then fewer.
  for (int round = 0; round < 200; ++round, now += 3) {
    scheduler.advance(now);
    scheduler.decide(now);
    for (TaskId id = 0; round >= 100 && id < 3; ++id) {
      if (setup.contains(id)) setup.remove_task(id, scheduler.retire(id));
    }
    for (int i = 0; round < 100 && i < 3; ++i) {
      setup.add_task(task_of({.period = 10 + i, .priority = 1 + round % 98, .queue = 2}));
    }
    std::unique_ptr<Plan> plan = scheduler.make_plan(setup, scheduler.begin_plan(now));
    const std::uint64_t before = allocations;
    scheduler.apply(plan, now + 1);
    EXPECT_EQ(allocations - before, 0u) << round;
    if (round % 2 == 0 && !scheduler.idle()) scheduler.finish(scheduler.running(), now + 2);
  }
}

}  // namespace
}  // namespace takt::model::testing
