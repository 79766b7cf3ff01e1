// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/cpu_stretches.hpp"

#include <algorithm>
#include <cerrno>

#include "takt_core/os/switch_records.hpp"

namespace takt::os {
namespace {

constexpr std::size_t ring_pages = 32;

}  // namespace

class CpuStretches::Watched {
 public:
  explicit Watched(int of)
      : tid(of),
        records(SwitchRecords::Of::thread, of, ring_pages),
        since_(now()),
        used_(thread_cpu_of(of)) {}

  void look() {
    records.read([this](const SwitchRecord & record) { take(record); },
                 [this](std::uint64_t count) {
                   longest.lost += count;
                   since_ = nowhere;
                   known_ = true;
                 });
    if (!known_) {
      // No record: either it has run without interruption, and its CPU time is one stretch, or it
      // has slept.
      longest.ns = std::max(longest.ns, thread_cpu_of(tid) - used_);
    } else if (since_ != nowhere) {
      longest.ns = std::max(longest.ns, now() - since_);  // it is still running
    }
  }

  const int tid;
  SwitchRecords records;
  Longest longest;

 private:
  static constexpr Time nowhere = -1;

  void take(const SwitchRecord & record) {
    known_ = true;
    if (record.in) {
      since_ = record.at;
    } else if (since_ != nowhere) {
      longest.ns = std::max(longest.ns, record.at - since_);
      since_ = nowhere;
    }
  }

  Time since_;          // when it got the CPU, or watching began
  Time used_;           // its CPU time at that instant
  bool known_ = false;  // whether it is known if it has a CPU: not before the first record
};

CpuStretches::CpuStretches() noexcept = default;
CpuStretches::~CpuStretches() = default;

std::string CpuStretches::watch(const std::vector<int> & tids) {
  std::string failure;
  for (const int tid : tids) {
    if (of(tid)) continue;
    auto watched = std::make_unique<Watched>(tid);
    if (watched->records.error() == 0) {
      watched_.push_back(std::move(watched));
    } else if (watched->records.error() != ESRCH) {
      failure = watched->records.refusal();
    }
  }
  return failure;
}

void CpuStretches::look() {
  for (const auto & watched : watched_) watched->look();
}

std::optional<CpuStretches::Longest> CpuStretches::of(int tid) const {
  const auto found = std::find_if(watched_.begin(), watched_.end(),
                                  [tid](const auto & watched) { return watched->tid == tid; });
  if (found == watched_.end()) return std::nullopt;
  return (*found)->longest;
}

void CpuStretches::clear() noexcept {
  watched_.clear();
}

}  // namespace takt::os
