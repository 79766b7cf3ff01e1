// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "virtual_run.hpp"

namespace takt::model::testing {

/// Generates random task sets: timers and other tasks, groups, queues, budgets, overload, merged
/// levels, stalls.
class RandomTaskSet {
 public:
  explicit RandomTaskSet(std::uint64_t seed) : seed_(seed), random_(seed) {}

  TaskSet make() {
    TaskSet set;
    const auto groups = between(0, 4);
    for (std::int64_t i = 0; i < groups; ++i) set.groups.push_back({between(0, 3) > 0});
    const auto tasks = between(1, 10);
    const double load = static_cast<double>(between(30, 140)) / 100;
    std::vector<Duration> worst;
    for (std::int64_t i = 0; i < tasks; ++i) {
      set.tasks.push_back(task(set.groups.size()));
      if (between(0, 3) == 0) add_budget(set.tasks.back(), set.groups);
      const double share =
          load / static_cast<double>(tasks) * static_cast<double>(between(20, 180));
      const auto period = static_cast<double>(std::max<Duration>(set.tasks.back().period, 20));
      worst.push_back(std::max<Duration>(1, static_cast<Duration>(share * period / 100)));
    }
    set.execution = [worst, seed = seed_](TaskId task, std::uint64_t index) {
      std::seed_seq job{seed, std::uint64_t{task}, index};
      std::minstd_rand random(job);
      return std::uniform_int_distribution<Duration>(1, worst[task])(random);
    };
    set.max_levels = between(0, 3) > 0 ? 45 : static_cast<Level>(between(1, 4));
    set.options.end = between(200, 1000);
    set.options.keep_slices = true;
    add_arrivals(set);
    if (between(0, 3) == 0) add_stalls(set);
    return set;
  }

 private:
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

  Task task(std::size_t groups) {
    constexpr Duration periods[] = {10, 15, 20, 25, 40, 50, 80, 100};
    Spec spec;
    spec.kind = between(0, 4) > 0 ? TaskKind::timer : static_cast<TaskKind>(between(1, 4));
    spec.period = periods[between(0, 7)];
    if (spec.kind != TaskKind::timer && between(0, 1) == 0) spec.period = 0;
    spec.queue = static_cast<std::uint32_t>(between(0, 2) > 0 ? 0 : between(1, 2));
    if (spec.period > 0 && between(0, 1) == 0) {
      spec.deadline = between(spec.period / 2, spec.period);
      if (spec.queue > 0) spec.deadline += between(0, spec.period);
    }
    if (between(0, 1) == 0) spec.phase = between(0, 120);
    spec.priority = static_cast<int>(between(1, 12));
    if (groups > 0 && between(0, 3) > 0) {
      spec.group = static_cast<GroupId>(between(0, static_cast<std::int64_t>(groups) - 1));
    }
    return task_of(spec);
  }

  void add_budget(Task & task, const std::vector<Group> & groups) {
    task.budget = between(1, std::max<Duration>(2, task.period / 4));
    const bool alone = task.group == none || !groups[task.group].exclusive;
    if (alone && between(0, 1) == 0) task.on_budget = OnBudget::background;
  }

  void add_arrivals(TaskSet & set) {
    for (TaskId id = 0; id < set.tasks.size(); ++id) {
      if (set.tasks[id].kind == TaskKind::timer) continue;
      const Duration gap = std::max<Duration>(set.tasks[id].period, 20);
      for (Time at = between(0, gap); at < set.options.end; at += between(0, 2 * gap)) {
        set.options.arrivals.push_back({at, id});
      }
    }
    std::sort(set.options.arrivals.begin(), set.options.arrivals.end(),
              [](const Arrival & a, const Arrival & b) {
                return std::pair(a.at, a.task) < std::pair(b.at, b.task);
              });
  }

  void add_stalls(TaskSet & set) {
    for (Time at = between(0, 100); at < set.options.end; at += between(50, 300)) {
      const Time end = at + between(1, 60);
      set.options.stalls.emplace_back(at, end);
      at = end;
    }
  }

  std::uint64_t seed_;
  std::mt19937_64 random_;
};

}  // namespace takt::model::testing
