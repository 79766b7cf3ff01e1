// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "cpu_turns.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include "takt_core/os/threads.hpp"

namespace takt::lab {
namespace {

// 8 MiB, for about 250,000 records.
constexpr std::size_t ring_pages = 2048;

}  // namespace

CpuTurns::CpuTurns(int cpu) : records_(os::SwitchRecords::Of::cpu, cpu, ring_pages) {}

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
  const auto [at, is_new] = threads_.try_emplace(tid);
  if (!is_new) return;
  Thread & thread = at->second;
  std::getline(std::ifstream("/proc/" + std::to_string(tid) + "/comm"), thread.name);
  thread.priority = os::realtime_priority(tid);
  thread.own = std::filesystem::exists("/proc/self/task/" + std::to_string(tid));
}

nlohmann::ordered_json CpuTurns::facts() const {
  nlohmann::ordered_json threads = nlohmann::ordered_json::array();
  for (const auto & [tid, thread] : threads_) {
    threads.push_back(
        {{"tid", tid}, {"name", thread.name}, {"priority", thread.priority}, {"own", thread.own}});
  }
  return {{"refused", records_.refusal()}, {"lost", lost_}, {"threads", std::move(threads)}};
}

}  // namespace takt::lab
