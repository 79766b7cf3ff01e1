// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "takt_core/os/clock.hpp"

/// What happened, kept at the price of a few stores: one bounded ring for each place that writes,
/// drained to a file by a thread of ordinary priority.
namespace takt::trace {

/// What an event tells. The numbers are those of the file and never change; what its fields mean is
/// said beside. Where nothing is said of `task`, `index` and `level`, they are the job's.
enum class Kind : std::uint8_t {
  text = 0,     ///< part of a line of JSON, see Recorder
  release = 1,  ///< a job is there; `at`: when that was noticed, `value`: when it was meant to be
  skip = 2,     ///< overrun, or released before and given up as stale; `value` as above
  choice = 3,   ///< the job was chosen; `value`: the task above whose job, not finished, it goes
  start = 4,    ///< on the worker's ring; `value`: the deadline
  finish = 5,   ///< `value`: execution time by the executor's stamps
  miss = 6,     ///< noticed now; `value`: the deadline
  raise = 7,    ///< the started job goes on above all others; `value` as of a refresh
  refresh = 8,  ///< the job just chosen goes first for data; `value`: the task that reads it
  lower = 9,    ///< the started job goes on in the background
  exhaustion = 10,   ///< budget used up; `value`: CPU time used
  deferral = 11,     ///< a start was put off by a middleware section; no job
  scenario = 12,     ///< took effect; `index`: its number, `value`: when it was asked for; no job
  section = 13,      ///< a middleware section has ended; `value`: when it began
  delivery = 14,     ///< to the ring's job; `task`: topic, `index`: sequence, `value`: published
  publication = 15,  ///< by the ring's job; `task`: topic, `index`: sequence
  spin = 16,         ///< `flags`: 1 began, 0 ended; no job
  skips = 17,  ///< right after a skip: so were all releases of the task from that one to this one
  wait =
      18,  ///< the ring's job waited for an entity of the middleware until now; `value`: since when,
           ///< `task`: whose job used it. Its name follows
  name =
      19,  ///< right after a wait, or another one: up to 16 bytes of the name, `task` of them, in
           ///< place of `index` and `value`
  expiry =
      20,  ///< the job's section puts off no start any more; `value`: the task whose start it did
};

namespace flags {
inline constexpr std::uint8_t late = 1;        ///< finish: after the deadline
inline constexpr std::uint8_t stale = 2;       ///< start: on data older than it may be
inline constexpr std::uint8_t pending = 4;     ///< miss: the job had not started
inline constexpr std::uint8_t transition = 8;  ///< miss: a change of scenario was under way
inline constexpr std::uint8_t lowered = 16;  ///< finish: in the background; exhaustion: goes there
/// delivery: by the middleware; `value` is its source timestamp, of the wall clock
inline constexpr std::uint8_t outside = 32;
}  // namespace flags

/// Of a name in one event.
inline constexpr std::size_t name_bytes = 16;

/// No job, or no such task.
inline constexpr std::uint32_t no_task = 0xffff'ffff;

/// One event as in memory and in the file. Instants of CLOCK_MONOTONIC, lengths in ns.
struct Event {
  os::Time at = 0;
  std::uint64_t index = 0;
  std::int64_t value = 0;
  std::uint32_t task = no_task;
  Kind kind = Kind::text;
  std::uint8_t level = 0;
  std::uint8_t flags = 0;
  std::uint8_t ring = 0;  ///< the number of the ring, which whoever pushes need not set
};
static_assert(sizeof(Event) == 32 && std::is_trivially_copyable_v<Event>);

}  // namespace takt::trace
