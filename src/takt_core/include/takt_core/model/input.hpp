// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "takt_core/model/types.hpp"

namespace takt::model {

/// The number of a data channel that tasks publish to and read from; a topic in the front end.
/// Readers and producers must use the same number.
using ChannelId = std::uint32_t;

/// The publication time of the newest data that a reader has. It is the only input of a scheduler
/// that is updated without the processor's lock: the members may be called from any thread, and
/// neither allocate nor block.
class Newest {
 public:
  /// Reports data published at `at`; older data than the newest has no effect.
  void published(Time at) noexcept {
    Time newest = newest_.load(std::memory_order_relaxed);
    while (at > newest && !newest_.compare_exchange_weak(newest, at, std::memory_order_release,
                                                         std::memory_order_relaxed)) {
    }
  }
  /// The publication time of the newest data; -never if there is none yet.
  Time at() const noexcept { return newest_.load(std::memory_order_acquire); }

 private:
  std::atomic<Time> newest_{-never};
};

/// What to do with a job whose input is too old and cannot be refreshed.
enum class OnStale : std::uint8_t {
  report,  ///< run it with JobInfo::stale set, and count it
  skip,    ///< do not run it; it is counted among the skipped jobs, too
};

/// A channel that the jobs of a task read.
struct Input {
  ChannelId channel = 0;  ///< the channel that is read
  /// The greatest age of its newest data when a job starts, in ns, above 0; `never` for no limit.
  Duration max_age = never;
  /// What to do with a job if the data is older and cannot be refreshed.
  OnStale on_stale = OnStale::report;
  /// The publication time to be used; with nullptr one is created, which Scheduler::published()
  /// updates.
  std::shared_ptr<Newest> newest = nullptr;

  friend bool operator==(const Input &, const Input &) = default;
};

/// The channels that a task reads and publishes, as far as the age of data matters.
struct DataFlow {
  std::vector<Input> inputs = {};       ///< channels that its jobs read
  std::vector<ChannelId> outputs = {};  ///< channels that its jobs publish
  /// Whether the task may be released in addition to its timing, to refresh data for a reader.
  bool extra_releases = false;

  friend bool operator==(const DataFlow &, const DataFlow &) = default;
};

}  // namespace takt::model
