// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <takt_core/model/types.hpp>
#include <vector>

namespace takt::lab {

class CommandLine;

/// What the least urgent task, or another process, does while the most urgent task (the probe) is measured.
struct Interference {
  /// The kind of interference, one of interference_kinds().
  std::string does = "publish";
  /// Size of each message, in bytes.
  std::uint64_t bytes = 8;
  /// Number of messages that one job publishes, or of lines that it logs.
  std::uint32_t burst = 1;
  /// Period of the least urgent task, or of the activity of another process, in ns.
  model::Duration every = 100'000'000;
  /// For how long the least urgent task computes, or with `remove` sleeps, while the application changes, or
  /// for how long it allocates, in ns of real time.
  model::Duration busy = 0;
  /// Whether the process that reads the messages is stopped (SIGSTOP) during the turns with interference.
  bool stopped = false;
  /// Number of nodes that use simulated time.
  std::uint32_t nodes = 0;
  /// Number of timers of each node that is added and removed, or of the other executor.
  std::uint32_t callbacks = 1;
  /// Number of further tasks of the executor, which do nothing.
  std::uint32_t tasks = 0;
  /// What the most urgent task publishes or calls in each job, with 8 bytes: one of probe_sends().
  std::string sends = "nothing";
  /// What the most urgent task reads: one of probe_reads().
  std::string reads = "nothing";
  /// For how long a task of medium priority computes in each of its jobs, in ns of real time, while the
  /// least urgent task is inside its job; 0: there is no such task. With `take`, another process sends it a
  /// message 2 ms after each large one, so that it computes while the large one is being taken.
  model::Duration middle = 0;
  /// The CPU of everything but the most urgent task and what it reads; -1: the same CPU.
  int beside_cpu = -1;

  /// See executor::Options::max_section, in ns.
  model::Duration max_section = 200'000;
  /// See executor::Options::kept_heap, in bytes; 0: malloc's default.
  std::int64_t kept_heap = 0;

  /// Returns the CPUs of the executor, if the most urgent task has `cpu`.
  std::vector<int> cpus(int cpu) const {
    return beside_cpu < 0 ? std::vector<int>{cpu} : std::vector<int>{cpu, beside_cpu};
  }
  /// Returns the index of the processor of everything but the most urgent task and what it reads.
  std::size_t beside() const { return beside_cpu < 0 ? 0 : 1; }

  /// Depth of the messages' history. If small messages are published on the same topic, they must not
  /// replace a large one that has not been sent yet.
  std::size_t depth() const {
    return (sends == "same-topic" || sends == "same-publisher") ? 10 : 1;
  }
  /// Returns whether another process reads messages of this one.
  bool is_read() const { return does == "publish" || sends == "other-topic"; }
  /// Returns whether another process writes messages for this one.
  bool is_written() const { return does == "take" || reads == "other-topic"; }
  /// Returns whether another process writes messages that release the task of medium priority.
  bool middle_is_written() const { return middle > 0 && does == "take"; }
  /// Returns whether another process serves requests of this one.
  bool is_answered() const {
    return does == "call" || sends.ends_with("-service") || sends == "same-client";
  }
};

/// The kinds of interference. publish, take: messages to and from another process; call: a service of
/// another process; add: nodes are added and removed in this process; remove: the node of the least
/// urgent task is removed while its job sleeps; switch: strategies and scenarios are changed in this
/// process; restart: another executor of this process begins and ends; discover: nodes are created and
/// destroyed in another process; clock: nodes follow the /clock of another process; allocate: the least
/// urgent task allocates and frees memory; log: it logs lines.
const std::vector<std::string> & interference_kinds();
/// What the most urgent task can send: nothing; a message on another topic (`other-topic`), or on the topic
/// of the least urgent task by its own publisher (`same-topic`) or by that task's (`same-publisher`); a
/// request to another service (`other-service`), or to the service that the least urgent task calls, by
/// its own client (`same-service`) or by that task's (`same-client`). Or it frees memory that the least urgent
/// task has allocated, and the other way round (`same-heap`), or logs a line (`same-log`).
const std::vector<std::string> & probe_sends();
/// What the most urgent task can read: nothing; messages of 8 bytes every millisecond on another topic
/// (`other-topic`); or the messages of the least urgent task, by a subscription of both (`same-reader`).
const std::vector<std::string> & probe_reads();

void add_options(CommandLine & line, Interference & interference);
/// Throws Error for settings that exclude each other.
void check(const Interference & interference);
/// Returns the settings as command-line options, for another process.
std::vector<std::string> options_of(const Interference & interference);

namespace interference {

/// The period of the most urgent task, a timer, in ns. Then the priorities of the most urgent task, of the
/// one of medium urgency, of the timers of added nodes, and of the least urgent task.
inline constexpr model::Duration period = 1'000'000;
inline constexpr int highest = 98;
inline constexpr int between = 50;
inline constexpr int coming = 2;
inline constexpr int lowest = 1;
/// When the task of medium urgency is released, after the least urgent one, in ns.
inline constexpr model::Duration middle_delay = 2'000'000;
inline constexpr std::size_t small_message = 8;
inline constexpr const char * topic = "interference";
inline constexpr const char * other_topic = "interference_other";
inline constexpr const char * read_topic = "interference_read";
inline constexpr const char * middle_topic = "interference_middle";
inline constexpr const char * service = "interference_service";
inline constexpr const char * other_service = "interference_other_service";

}  // namespace interference
}  // namespace takt::lab
