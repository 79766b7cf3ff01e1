// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <takt_core/executor/priority_plan.hpp>
#include <takt_core/model/types.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <takt_core/os/thread.hpp>

namespace takt::lab {

/// The longest time for which a measurement uses the CPU without a pause of the same length, in ns. The
/// kernel throttles real-time threads that leave no time to others.
constexpr model::Duration most_at_once = 50'000'000;

/// Calls `stretch` repeatedly, until it has run for `turn` ns in total. Before each call, `end` is set to the
/// instant at which that call must return.
template <typename Stretch>
void in_stretches(model::Duration turn, model::Time & end, Stretch stretch) {
  for (model::Duration left = turn; left > 0; left -= most_at_once) {
    const model::Duration length = std::min(left, most_at_once);
    end = os::now() + length;
    stretch();
    os::sleep_until(os::now() + length);
  }
}

/// Makes two threads of a worker's priority wake each other until `end`, one on each of the CPUs, which may
/// be the same. Calls `measured(sent, back)` for each round trip, on the first thread.
template <typename Measured>
void hand_over(const std::array<int, 2> & cpus, model::Time end, Measured measured) {
  os::Event there;
  os::Event back;
  std::atomic<bool> over{false};
  const auto start = [](const char * name, int cpu, auto body) {
    const int priority = executor::PriorityPlan{}.workers_high;
    return os::Thread({.name = name, .priority = priority, .cpu = cpu}, body);
  };
  const os::Thread far = start("floor.far", cpus[1], [&] {
    for (there.wait(); !over.load(); there.wait()) back.post();
  });
  const os::Thread near = start("floor.near", cpus[0], [&] {
    for (model::Time now = 0; now < end;) {
      const model::Time sent = os::now();
      there.post();
      back.wait();
      now = os::now();
      measured(sent, now);
    }
    over.store(true);
    there.post();
  });
}

}  // namespace takt::lab
