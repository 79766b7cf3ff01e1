// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "takt_core/model/types.hpp"

namespace takt::executor {

/// The buckets of a histogram of response times (finish minus release): 128 ns wide up to 8.2 us,
/// and above that 32 buckets for each doubling, so that the error is at most 3.2 %. The last bucket
/// holds everything from 137 s on. A histogram takes 6.7 KB.
struct ResponseBuckets {
  static constexpr std::size_t count = 832;
  /// The bucket of a response time in ns; below 0 counts as 0. Any thread; does not allocate.
  static std::size_t of(model::Duration response) noexcept;
  /// The longest response time that falls into a bucket, in ns. Not for the last bucket.
  static model::Duration longest(std::size_t bucket) noexcept;
};

/// A histogram of response times, from the beginning or between two readings.
struct ResponseCounts {
  /// The number of jobs per bucket.
  std::array<std::uint64_t, ResponseBuckets::count> buckets{};
  std::uint64_t jobs = 0;  ///< the sum of `buckets`
  /// The longest response time, in ns; 0 without jobs. Of a difference (since()): percentile(1).
  model::Duration worst = 0;
  /// The least time from a job's finish to its deadline, in ns, negative if it was late; `never` if
  /// no job had a deadline. Always since the beginning, also of a difference.
  model::Duration least_margin = model::never;
  /// The greatest age at a job's start of an input with a `max_age`, in ns; -1 if there was no such
  /// input, `never` if one had no data. Always since the beginning, also of a difference.
  model::Duration greatest_age = -1;

  /// The response time, in ns, that the given share of the jobs did not exceed (nearest rank): the
  /// upper end of its bucket, but at most `worst`; 0 without jobs. `share`: above 0, at most 1 (the
  /// 99th percentile is 0.99).
  model::Duration percentile(double share) const noexcept;
  /// The difference to `before`, an earlier reading of the same task.
  ResponseCounts since(const ResponseCounts & before) const noexcept;
};

/// The histogram of a task's response times, which is filled while the task runs.
class alignas(64) Responses {
 public:
  Responses() = default;
  Responses(const Responses &) = delete;
  Responses & operator=(const Responses &) = delete;

  /// Counts a finished job. `response` in ns; `margin`: the time left until its deadline in ns,
  /// `never` without a deadline; `age`: the age of its oldest input in ns, -1 for none. Returns the
  /// address of the bucket, to be prefetched for the next job, which is likely to fall into the
  /// same one. Neither allocates nor blocks; one thread at a time.
  const void * record(model::Duration response, model::Duration margin,
                      model::Duration age) noexcept;
  /// The histogram as of now; a job that finishes at the same time may be counted in part. Any
  /// thread, without a lock; copies some KB.
  ResponseCounts read() const noexcept;

 private:
  // Written by one thread and read by others: relaxed atomics, which are plain loads and stores on
  // x86-64. The members that every job uses lie in one cache line.
  std::atomic<model::Duration> worst_{0};
  std::atomic<model::Duration> least_margin_{model::never};
  std::atomic<model::Duration> greatest_age_{-1};
  std::array<std::atomic<std::uint64_t>, ResponseBuckets::count> buckets_{};
};

}  // namespace takt::executor
