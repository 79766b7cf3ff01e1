// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "cpu_turns.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "takt_core/os/threads.hpp"

namespace takt::lab {
namespace {

// 8 MiB, for about 250,000 records.
constexpr std::size_t ring_pages = 2048;

}  // namespace

CpuTurns::CpuTurns(int cpu) : records_(os::SwitchRecords::Of::cpu, cpu, ring_pages) {
  threads_.reserve(most_threads);
}

void CpuTurns::look() {
  records_.read(
      [this](const os::SwitchRecord & record) {
        if (!record.in) {
          preempted_ = record.preempted;
          return;
        }
        rows_.push_back({record.at, record.tid, preempted_ ? 1 : 0});
        if (record.tid != 0) meet(record.tid);
      },
      [this](std::uint64_t count) { lost_ += count; });
}

void CpuTurns::meet(int tid) {
  const auto at = std::ranges::lower_bound(threads_, tid, {}, &Thread::tid);
  const bool known = at != threads_.end() && at->tid == tid;
  if (known || threads_.size() == most_threads) return;
  Thread & thread = *threads_.insert(at, Thread{.tid = tid});
  std::ifstream("/proc/" + std::to_string(tid) + "/comm")
      .getline(thread.name.data(), std::ssize(thread.name));
  thread.priority = os::realtime_priority(tid);
  thread.own = std::filesystem::exists("/proc/self/task/" + std::to_string(tid));
}

nlohmann::ordered_json CpuTurns::facts() const {
  nlohmann::ordered_json threads = nlohmann::ordered_json::array();
  for (const Thread & thread : threads_) {
    threads.push_back({{"tid", thread.tid},
                       {"name", thread.name.data()},
                       {"priority", thread.priority},
                       {"own", thread.own}});
  }
  return {{"refused", records_.refusal()}, {"lost", lost_}, {"threads", std::move(threads)}};
}

}  // namespace takt::lab
