// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

/// The rows of the lab's result files: numpy structured types, little-endian.
/// Instants are CLOCK_MONOTONIC in ns; -1 is none.
namespace takt::lab {

/// One field of a row as numpy names it.
struct Field {
  const char * name;
  const char * type;  ///< `<u4`, `<u8`, `<i8`, `<f8`, or `|V4` for padding, which has no name
};

namespace job_flags {
inline constexpr std::uint32_t skipped = 1;     ///< an overrun shed the release: it never ran
inline constexpr std::uint32_t unfinished = 2;  ///< released, not finished when the run ended
inline constexpr std::uint32_t late = 4;        ///< the executor noticed it missed its deadline
inline constexpr std::uint32_t extra = 8;       ///< beyond the grid, see model::first_extra_job
}  // namespace job_flags

/// One release on the ideal grid, or an extra one.
struct JobRow {
  std::uint32_t task = 0;
  std::uint32_t flags = 0;
  std::uint64_t index = 0;
  std::int64_t release = -1;
  std::int64_t start = -1;
  std::int64_t finish = -1;
  std::int64_t cpu = -1;       ///< CPU time inside the callback, ns
  std::int64_t decision = -1;  ///< how long the executor took to choose this job, ns
  /// CPU time of the job's thread since a callback ended on it last, ns; -1 for its first.
  std::int64_t dispatch_cpu = -1;

  static constexpr std::array fields = {
      Field{"task", "<u4"},    Field{"flags", "<u4"},    Field{"index", "<u8"},
      Field{"release", "<i8"}, Field{"start", "<i8"},    Field{"finish", "<i8"},
      Field{"cpu", "<i8"},     Field{"decision", "<i8"}, Field{"dispatch_cpu", "<i8"}};
};

/// The message a job used of one topic it reads.
struct ReadRow {
  std::uint32_t task = 0;
  std::uint32_t topic = 0;
  std::uint64_t index = 0;  ///< of the job
  std::int64_t start = -1;
  std::int64_t sequence = -1;
  std::int64_t published = -1;  ///< the stamp in the message

  static constexpr std::array fields = {Field{"task", "<u4"},     Field{"topic", "<u4"},
                                        Field{"index", "<u8"},    Field{"start", "<i8"},
                                        Field{"sequence", "<i8"}, Field{"published", "<i8"}};
};

/// A message a job published.
struct PublishRow {
  std::uint32_t topic = 0;
  std::uint32_t task = 0;
  std::uint64_t index = 0;  ///< of the job
  std::int64_t sequence = -1;
  std::int64_t stamp = -1;
  std::int64_t returned = -1;  ///< the instant at which publish returned

  static constexpr std::array fields = {Field{"topic", "<u4"}, Field{"task", "<u4"},
                                        Field{"index", "<u8"}, Field{"sequence", "<i8"},
                                        Field{"stamp", "<i8"}, Field{"returned", "<i8"}};
};

/// A stall of the host on one CPU: the probe should have run at `from` and ran at `to`.
struct StallRow {
  std::int64_t cpu = 0;
  std::int64_t from = 0;
  std::int64_t to = 0;

  static constexpr std::array fields = {Field{"cpu", "<i8"}, Field{"from", "<i8"},
                                        Field{"to", "<i8"}};
};

/// A stretch in which one job had the processor, in virtual time.
struct SliceRow {
  std::uint32_t task = 0;
  std::uint32_t padding = 0;
  std::uint64_t index = 0;
  std::int64_t from = 0;
  std::int64_t to = 0;

  static constexpr std::array fields = {Field{"task", "<u4"}, Field{"", "|V4"},
                                        Field{"index", "<u8"}, Field{"from", "<i8"},
                                        Field{"to", "<i8"}};
};

/// One figure of a benchmark.
struct SampleRow {
  std::uint32_t round = 0;
  std::uint32_t variant = 0;
  std::int64_t x = 0;    ///< what the benchmark varies: tasks, bytes
  std::int64_t at = -1;  ///< when it was taken
  double value = 0;      ///< ns

  static constexpr std::array fields = {Field{"round", "<u4"}, Field{"variant", "<u4"},
                                        Field{"x", "<i8"}, Field{"at", "<i8"},
                                        Field{"value", "<f8"}};
};

}  // namespace takt::lab
