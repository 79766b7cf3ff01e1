// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "takt_core/os/clock.hpp"

/// Tracing at the cost of a few stores per event: bounded rings, drained to a file by a thread of
/// ordinary priority.
namespace takt::trace {

/// The kinds of event, with the meaning of the event's fields. The numbers are those in the file
/// and never change. Unless noted otherwise, `task`, `index` and `level` are those of the job. In
/// events marked "no job", `task` is the number of the processor's first task, which identifies the
/// processor. "The ring's job" is the one that is running on the worker to which the ring belongs.
enum class Kind : std::uint8_t {
  /// Part of a line of JSON, see Recorder.
  text = 0,
  /// A job was released; `at`: when that was noticed, `value`: the nominal release.
  release = 1,
  /// A release was skipped as an overrun, or a released job because of stale input; `value` as for
  /// `release`.
  skip = 2,
  /// The job was chosen to start; `value`: the task of the unfinished job that it preempts, -1 if
  /// it preempts none.
  choice = 3,
  /// The job starts, in the ring of its worker; `value`: the absolute deadline.
  start = 4,
  /// The job has finished; `value`: its execution time by the executor's stamps.
  finish = 5,
  /// A deadline miss is noticed; `value`: the deadline.
  miss = 6,
  /// The started job continues above all other started jobs, to refresh data; `value` as for
  /// `refresh`, -1 if there is no such task.
  raise = 7,
  /// The job just chosen goes first to refresh data; `value`: the task that reads the data.
  refresh = 8,
  /// The started job goes on in the background.
  lower = 9,
  /// The job has used up its budget; `value`: the CPU time that it has used by then.
  exhaustion = 10,
  /// A start is deferred by a middleware section; no job.
  deferral = 11,
  /// A scenario takes effect; `index`: its number, `value`: when it was requested; no job.
  scenario = 12,
  /// A middleware section of the ring's job has ended; `value`: when it began.
  section = 13,
  /// A message was delivered to the ring's job; `task`: topic, `index`: sequence number, `value`:
  /// when it was published.
  delivery = 14,
  /// The ring's job has published a message; `task`: topic, `index`: sequence number.
  publication = 15,
  /// Spinning has begun (`flags` 1) or ended (`flags` 0); no job.
  spin = 16,
  /// Directly after a skip: all further releases of the task up to this one were skipped, too.
  skips = 17,
  /// The ring's job has waited for an entity of the middleware until now; `value`: since when;
  /// `task`: the task whose job was using the entity, no_task for a thread that runs no job. Events
  /// of the kind `name` follow, with the entity's name.
  wait = 18,
  /// Directly after a `wait` or another `name`: the next 1 to 16 bytes of the entity's name, in
  /// place of `index` and `value`; `task`: the number of these bytes.
  name = 19,
  /// The job's middleware section has lasted too long and does not defer starts any more; `value`:
  /// the task whose start it deferred, -1 if that is not known.
  expiry = 20,
};

namespace flags {
inline constexpr std::uint8_t late = 1;        ///< finish: after the deadline
inline constexpr std::uint8_t stale = 2;       ///< start: with an input older than allowed
inline constexpr std::uint8_t pending = 4;     ///< miss: the job had not started
inline constexpr std::uint8_t transition = 8;  ///< miss: during a change of scenario
/// finish: of a job in the background; exhaustion: the job continues in the background
inline constexpr std::uint8_t lowered = 16;
/// delivery: by the middleware; `value` is the source timestamp, by the system clock
inline constexpr std::uint8_t outside = 32;
}  // namespace flags

/// The greatest number of bytes of a name in one event.
inline constexpr std::size_t name_bytes = 16;

/// No job, or no such task.
inline constexpr std::uint32_t no_task = 0xffff'ffff;

/// An event, as in memory and in the file. Instants are those of CLOCK_MONOTONIC; instants and
/// lengths in ns.
struct Event {
  os::Time at = 0;               ///< when it happened
  std::uint64_t index = 0;       ///< index of the job, unless Kind says otherwise
  std::int64_t value = 0;        ///< depends on the kind
  std::uint32_t task = no_task;  ///< number of the task, unless Kind says otherwise
  Kind kind = Kind::text;
  std::uint8_t level = 0;  ///< preemption level of the job
  std::uint8_t flags = 0;  ///< see trace::flags
  std::uint8_t ring = 0;   ///< the number of the ring, which Ring::push() sets
};
static_assert(sizeof(Event) == 32 && std::is_trivially_copyable_v<Event>);

}  // namespace takt::trace
