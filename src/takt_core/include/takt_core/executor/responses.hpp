// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "takt_core/model/types.hpp"

namespace takt::executor {

/// Response times (finish minus release) counted in buckets: up to 8.2 us in steps of 128 ns, above
/// in 32 steps for each doubling, so that none is off by more than 3.2 %; the last bucket holds all
/// from 137 s on. 6.7 KB.
struct ResponseBuckets {
  static constexpr std::size_t count = 832;
  /// The bucket of a response time, which counts as 0 below that. Any thread.
  static std::size_t of(model::Duration response) noexcept;
  /// The longest response time of a bucket but the last, ns.
  static model::Duration longest(std::size_t bucket) noexcept;
};

/// What was counted up to an instant, or between two.
struct ResponseCounts {
  std::array<std::uint64_t, ResponseBuckets::count> buckets{};
  std::uint64_t jobs = 0;  ///< the sum of `buckets`
  /// The longest response, ns; 0 without jobs. Between two instants as percentile(1).
  model::Duration worst = 0;
  /// The least time from a job's finish to its deadline, ns, below 0 if it was late; `never` if no
  /// job had a deadline. Always since the beginning: deadlines change with scenarios.
  model::Duration least_margin = model::never;
  /// The greatest age that an input with a `max_age` had at a start, ns; -1 if there was none,
  /// `never` if data was missing. Always since the beginning.
  model::Duration greatest_age = -1;

  /// The response time that so large a share of the jobs did not exceed: the longest of its bucket,
  /// `worst` at most; 0 without jobs. `share`: above 0, 1 at most.
  model::Duration percentile(double share) const noexcept;
  /// What came since `before`, an earlier count of the same task.
  ResponseCounts since(const ResponseCounts & before) const noexcept;
};

/// The response times of a task's jobs, counted while it runs.
class alignas(64) Responses {
 public:
  Responses() = default;
  Responses(const Responses &) = delete;
  Responses & operator=(const Responses &) = delete;

  /// A job has finished. `margin`: until its deadline, `never` without one; `age`: of its oldest
  /// input, -1 for none. Returns where it was counted: the next one is likely to be counted there.
  /// Neither allocates nor blocks; one thread at a time.
  const void * record(model::Duration response, model::Duration margin,
                      model::Duration age) noexcept;
  /// As of now, but for a job that just finishes. Any thread, no lock; copies some KB.
  ResponseCounts read() const noexcept;

 private:
  // Read by others while it is written: plain loads and stores on this machine. What every job
  // looks at is one cache line.
  std::atomic<model::Duration> worst_{0};
  std::atomic<model::Duration> least_margin_{model::never};
  std::atomic<model::Duration> greatest_age_{-1};
  std::array<std::atomic<std::uint64_t>, ResponseBuckets::count> buckets_{};
};

}  // namespace takt::executor
