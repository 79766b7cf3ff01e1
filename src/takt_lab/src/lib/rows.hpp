// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

/// The rows of the lab's result files, as little-endian numpy structured types. Instants are of
/// CLOCK_MONOTONIC in ns; -1: none.
namespace takt::lab {

/// A field of a row, with name and type as in a numpy dtype.
struct Field {
  const char * name;
  const char * type;  ///< `<u4`, `<u8`, `<i8`, `<f8`, or `|V4` for padding, which has no name
};

namespace job_flags {
inline constexpr std::uint32_t skipped = 1;     ///< skipped because of an overrun; it never ran
inline constexpr std::uint32_t unfinished = 2;  ///< released, not finished when the run ended
inline constexpr std::uint32_t late = 4;        ///< the executor noticed a deadline miss
inline constexpr std::uint32_t extra = 8;       ///< extra job, see model::first_extra_job
}  // namespace job_flags

/// A job: a release on the ideal grid, or an extra job.
struct JobRow {
  std::uint32_t task = 0;
  std::uint32_t flags = 0;
  std::uint64_t index = 0;
  std::int64_t release = -1;
  std::int64_t start = -1;
  std::int64_t finish = -1;
  std::int64_t cpu = -1;       ///< CPU time inside the callback, ns
  std::int64_t decision = -1;  ///< time that the executor took to choose this job, ns
  /// CPU time of the job's thread since a callback last ended on it, ns; -1 for the first one.
  std::int64_t dispatch_cpu = -1;

  static constexpr std::array fields = {
      Field{"task", "<u4"},    Field{"flags", "<u4"},    Field{"index", "<u8"},
      Field{"release", "<i8"}, Field{"start", "<i8"},    Field{"finish", "<i8"},
      Field{"cpu", "<i8"},     Field{"decision", "<i8"}, Field{"dispatch_cpu", "<i8"}};
};

/// The message that a job used of one topic that it reads.
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

/// A message that a job published.
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

/// A stall of the host on one CPU: the probe was due at `from` and ran at `to`.
struct StallRow {
  std::int64_t cpu = 0;
  std::int64_t from = 0;
  std::int64_t to = 0;

  static constexpr std::array fields = {Field{"cpu", "<i8"}, Field{"from", "<i8"},
                                        Field{"to", "<i8"}};
};

/// An interval of virtual time in which one job ran on the processor.
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

/// A job of a soak test, in which periods change, so that there is no fixed grid.
struct SoakJobRow {
  std::uint32_t task = 0;
  std::uint32_t padding = 0;
  std::uint64_t index = 0;
  std::int64_t release = -1;
  std::int64_t deadline = -1;
  std::int64_t start = -1;
  std::int64_t finish = -1;
  std::int64_t cpu = -1;  ///< CPU time inside the callback, ns

  static constexpr std::array fields = {Field{"task", "<u4"},     Field{"", "|V4"},
                                        Field{"index", "<u8"},    Field{"release", "<i8"},
                                        Field{"deadline", "<i8"}, Field{"start", "<i8"},
                                        Field{"finish", "<i8"},   Field{"cpu", "<i8"}};
};

/// The instant at which a job finished in the model; -1: never.
struct FinishRow {
  std::int64_t finish = -1;

  static constexpr std::array fields = {Field{"finish", "<i8"}};
};

/// A deadline miss as the executor reports it.
struct SoakMissRow {
  std::int64_t noticed = -1;
  std::int64_t release = -1;
  std::int64_t deadline = -1;
  std::uint32_t task = 0;
  std::uint32_t transition = 0;  ///< 1: during a change of scenario

  static constexpr std::array fields = {Field{"noticed", "<i8"}, Field{"release", "<i8"},
                                        Field{"deadline", "<i8"}, Field{"task", "<u4"},
                                        Field{"transition", "<u4"}};
};

namespace soak_events {
inline constexpr std::uint32_t by_thread = 1;    ///< another scenario was requested by a thread
inline constexpr std::uint32_t by_callback = 2;  ///< another scenario was requested by a callback
inline constexpr std::uint32_t added = 3;        ///< a node was added between `from` and `to`
inline constexpr std::uint32_t removed = 4;      ///< a node was removed
}  // namespace soak_events

/// A change of the executor while it ran.
struct SoakEventRow {
  std::int64_t from = -1;
  std::int64_t to = -1;
  std::uint32_t kind = 0;
  std::uint32_t scenario = 0;  ///< the requested scenario

  static constexpr std::array fields = {Field{"from", "<i8"}, Field{"to", "<i8"},
                                        Field{"kind", "<u4"}, Field{"scenario", "<u4"}};
};

/// Memory, open files and threads of the process at an instant.
struct GaugeRow {
  std::int64_t at = -1;
  std::int64_t resident = -1;     ///< bytes of resident memory
  std::int64_t heap = -1;         ///< bytes in use on the heap
  std::int64_t descriptors = -1;  ///< open files
  std::int64_t threads = -1;

  static constexpr std::array fields = {Field{"at", "<i8"}, Field{"resident", "<i8"},
                                        Field{"heap", "<i8"}, Field{"descriptors", "<i8"},
                                        Field{"threads", "<i8"}};
};

/// A round trip of a message.
struct TripRow {
  std::uint64_t sequence = 0;
  std::int64_t intended = 0;
  std::int64_t sent = 0;
  std::int64_t received = 0;  ///< 0: lost

  static constexpr std::array fields = {Field{"sequence", "<u8"}, Field{"intended", "<i8"},
                                        Field{"sent", "<i8"}, Field{"received", "<i8"}};
};

/// A message that was sent in one direction. Sequence numbers count the instants of the grid from t0.
struct SentRow {
  std::uint64_t sequence = 0;
  std::int64_t bytes = 0;     ///< of the payload
  std::int64_t intended = 0;  ///< the instant of the grid
  std::int64_t sent = 0;      ///< right before it was published
  std::int64_t returned = 0;  ///< when the call returned

  static constexpr std::array fields = {Field{"sequence", "<u8"}, Field{"bytes", "<i8"},
                                        Field{"intended", "<i8"}, Field{"sent", "<i8"},
                                        Field{"returned", "<i8"}};
};

/// A message that arrived at a receiver.
struct ReceivedRow {
  std::uint64_t sequence = 0;
  std::int64_t receiver = 0;
  std::int64_t bytes = 0;     ///< of the payload
  std::int64_t received = 0;  ///< the first instruction of the callback

  static constexpr std::array fields = {Field{"sequence", "<u8"}, Field{"receiver", "<i8"},
                                        Field{"bytes", "<i8"}, Field{"received", "<i8"}};
};

/// The CPU time that a process had used up to a turn of one size.
struct CpuRow {
  std::uint64_t turn = 0;
  std::int64_t at = 0;
  std::int64_t cpu = 0;  ///< ns

  static constexpr std::array fields = {Field{"turn", "<u8"}, Field{"at", "<i8"},
                                        Field{"cpu", "<i8"}};
};

/// A cycle of a controller. An instant is 0 if the message did not arrive, or if another process recorded it.
struct CycleRow {
  std::uint64_t cycle = 0;
  std::int64_t ideal = 0;
  std::int64_t start = 0;
  std::int64_t request_sent = 0;
  std::int64_t request_received = 0;
  std::int64_t response_sent = 0;
  std::int64_t response_received = 0;

  static constexpr std::array fields = {Field{"cycle", "<u8"},
                                        Field{"ideal", "<i8"},
                                        Field{"start", "<i8"},
                                        Field{"request_sent", "<i8"},
                                        Field{"request_received", "<i8"},
                                        Field{"response_sent", "<i8"},
                                        Field{"response_received", "<i8"}};
};

/// The responder's part of a cycle, if the responder is in another process.
struct ResponseRow {
  std::uint64_t cycle = 0;
  std::int64_t request_received = 0;
  std::int64_t response_sent = 0;

  static constexpr std::array fields = {Field{"cycle", "<u8"}, Field{"request_received", "<i8"},
                                        Field{"response_sent", "<i8"}};
};

/// A sample of a benchmark.
struct SampleRow {
  std::uint32_t round = 0;
  std::uint32_t variant = 0;
  std::int64_t x = 0;    ///< the varied parameter: number of tasks, bytes ...
  std::int64_t at = -1;  ///< the instant of the sample
  double value = 0;      ///< ns

  static constexpr std::array fields = {Field{"round", "<u4"}, Field{"variant", "<u4"},
                                        Field{"x", "<i8"}, Field{"at", "<i8"},
                                        Field{"value", "<f8"}};
};

}  // namespace takt::lab
