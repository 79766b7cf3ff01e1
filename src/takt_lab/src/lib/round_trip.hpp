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

/// Real-time threads that leave nothing to others are stopped by the kernel: so long at a stretch,
/// then as long a pause. ns.
constexpr model::Duration most_at_once = 50'000'000;

/// Calls `stretch` until it has had `turn` ns: what it does back to back ends at `end`, which is set
/// before.
template <typename Stretch>
void in_stretches(model::Duration turn, model::Time & end, Stretch stretch) {
  for (model::Duration left = turn; left > 0; left -= most_at_once) {
    const model::Duration length = std::min(left, most_at_once);
    end = os::now() + length;
    stretch();
    os::sleep_until(os::now() + length);
  }
}

/// Two threads at a worker's priority wake each other until `end`: one on each of the CPUs, which may
/// be the same. Of each round trip `measured(sent, back)` is told, on the first one's thread.
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
