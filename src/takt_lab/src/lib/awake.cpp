// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "awake.hpp"

#include <takt_core/os/event.hpp>
#include <takt_core/os/rights.hpp>
#include <takt_core/os/threads.hpp>

namespace takt::lab {

Awake::Awake(const std::vector<int> & cpus) {
  for (const int cpu : cpus) {
    os::Event begun;
    os::Granted idle;
    auto thread = std::make_unique<os::Thread>(
        os::ThreadOptions{.name = "lab.awake", .cpu = cpu}, [this, &begun, &idle] {
          idle = os::set_idle(0);
          const bool may_spin = idle.ok();
          begun.post();
          // Without SCHED_IDLE, the thread would take CPU time from what is measured, so it does not spin.
          while (may_spin && !over_.load(std::memory_order_relaxed)) os::relax();
        });
    begun.wait();
    threads_.push_back(
        {cpu, thread->cpu().ok() ? idle.error : thread->cpu().error, std::move(thread)});
  }
}

Awake::~Awake() {
  over_.store(true);
  threads_.clear();
}

std::int64_t Awake::cpu_time() const noexcept {
  std::int64_t used = 0;
  for (const One & one : threads_) used += os::thread_cpu_of(one.thread->tid());
  return used;
}

nlohmann::ordered_json Awake::to_json() const {
  auto list = nlohmann::ordered_json::array();
  for (const One & one : threads_) {
    list.push_back(
        {{"cpu", one.cpu}, {"cpu_ns", os::thread_cpu_of(one.thread->tid())}, {"error", one.error}});
  }
  return list;
}

}  // namespace takt::lab
