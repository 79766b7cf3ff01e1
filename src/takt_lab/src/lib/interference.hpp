// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <takt_core/model/types.hpp>
#include <vector>

namespace takt::lab {

class CommandLine;

/// What the least urgent task does beside the most urgent one, or what changes beside it.
struct Interference {
  /// One of interference_kinds().
  std::string does = "publish";
  /// Of a message, or of all that a burst publishes each.
  std::uint64_t bytes = 8;
  /// Messages that one job publishes.
  std::uint32_t burst = 1;
  /// Period of the least urgent task, or of what another process does. ns.
  model::Duration every = 100'000'000;
  /// How long the least urgent task computes, by the clock, while the application changes. ns.
  model::Duration busy = 0;
  /// Whether the process that reads is stopped (SIGSTOP) meanwhile.
  bool stopped = false;
  /// Nodes that follow simulated time.
  std::uint32_t nodes = 0;
  /// Timers of each node that comes and goes.
  std::uint32_t callbacks = 1;
  /// Further tasks that the executor has, which do nothing.
  std::uint32_t tasks = 0;
  /// What the most urgent task publishes or calls itself, 8 bytes each time: one of probe_sends().
  std::string sends = "nothing";
  /// What the most urgent task reads: one of probe_reads().
  std::string reads = "nothing";
  /// How long a task between the two computes, by the clock, while the least urgent one is inside;
  /// 0: there is none. ns.
  model::Duration middle = 0;

  /// For how long a middleware section keeps others from starting (executor::Options). ns.
  model::Duration max_section = 200'000;
  /// How much freed memory malloc's arenas keep (executor::Options), in bytes; 0: as by itself.
  std::int64_t kept_heap = 0;

  /// Of the history of messages: where small ones follow on the same topic, a large one must not be
  /// replaced before it has left.
  std::size_t depth() const {
    return (sends == "same-topic" || sends == "same-publisher") ? 10 : 1;
  }
  /// Whether a process reads what this one publishes.
  bool is_read() const { return does == "publish" || sends == "other-topic"; }
  /// Whether a process writes what this one reads.
  bool is_written() const { return does == "take" || reads == "other-topic"; }
  /// Whether a process answers what this one asks.
  bool is_answered() const {
    return does == "call" || sends.ends_with("-service") || sends == "same-client";
  }
};

/// publish, take: messages to a process and from one; call: a service of a process; add: nodes come and
/// go in this process; switch: strategies are exchanged in it, and scenarios; discover: nodes come and go
/// in another one; clock: nodes follow a /clock of another process.
const std::vector<std::string> & interference_kinds();
/// nothing; a message on `other-topic`; on the topic of the least urgent task, by a publisher of its own
/// (`same-topic`) or by that task's (`same-publisher`); a request to `other-service`; to the service of
/// the least urgent task, by a client of its own (`same-service`) or by that task's (`same-client`).
const std::vector<std::string> & probe_sends();
/// nothing; messages of 8 bytes, one a ms, on `other-topic`; what the least urgent task takes, by the
/// subscription of both (`same-reader`).
const std::vector<std::string> & probe_reads();

void add_options(CommandLine & line, Interference & interference);
/// Throws Error for what cannot go together.
void check(const Interference & interference);
/// As options of the command line, for a process beside.
std::vector<std::string> options_of(const Interference & interference);

namespace interference {

/// The most urgent task: a timer that starts when it is released, unless it is kept from it.
inline constexpr model::Duration period = 1'000'000;
inline constexpr int highest = 98;
inline constexpr int between = 50;
inline constexpr int coming = 2;
inline constexpr int lowest = 1;
inline constexpr std::size_t small_message = 8;
inline constexpr const char * topic = "interference";
inline constexpr const char * other_topic = "interference_other";
inline constexpr const char * read_topic = "interference_read";
inline constexpr const char * service = "interference_service";
inline constexpr const char * other_service = "interference_other_service";

}  // namespace interference
}  // namespace takt::lab
