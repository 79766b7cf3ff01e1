// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "interference.hpp"

#include "command_line.hpp"
#include "error.hpp"

namespace takt::lab {

const std::vector<std::string> & interference_kinds() {
  static const std::vector<std::string> kinds = {"publish", "take",     "call",    "add",
                                                 "remove",  "switch",   "restart", "discover",
                                                 "clock",   "allocate", "log"};
  return kinds;
}

const std::vector<std::string> & probe_sends() {
  static const std::vector<std::string> all = {"nothing",        "other-topic",   "same-topic",
                                               "same-publisher", "other-service", "same-service",
                                               "same-client",    "same-heap",     "same-log"};
  return all;
}

const std::vector<std::string> & probe_reads() {
  static const std::vector<std::string> all = {"nothing", "other-topic", "same-reader"};
  return all;
}

void add_options(CommandLine & line, Interference & of) {
  line.option("--does", of.does, "Kind of interference with the most urgent task")
      .one_of(interference_kinds())
      .shows_default();
  line.option("--bytes", of.bytes, "Size of a message in bytes").above_zero().shows_default();
  line.option("--burst", of.burst, "Number of messages per job").above_zero().shows_default();
  line.option("--every-ns", of.every, "Period of the interference in ns")
      .above_zero()
      .shows_default();
  line.option("--busy-ns", of.busy,
              "For how long the least urgent task computes, or with remove sleeps, during a "
              "change, or allocates, in ns")
      .not_negative()
      .shows_default();
  line.flag("--stopped", of.stopped, "Stop the process that reads the messages (SIGSTOP)");
  line.option("--sim-nodes", of.nodes, "Number of nodes on simulated time").shows_default();
  line.option("--callbacks", of.callbacks, "Number of timers of each added node")
      .above_zero()
      .shows_default();
  line.option("--tasks", of.tasks, "Number of further tasks, which do nothing").shows_default();
  line.option("--sends", of.sends, "What the most urgent task publishes or calls")
      .one_of(probe_sends())
      .shows_default();
  line.option("--reads", of.reads, "What the most urgent task reads")
      .one_of(probe_reads())
      .shows_default();
  line.option("--max-section-ns", of.max_section,
              "Longest time for which a middleware section delays other jobs, in ns")
      .not_negative()
      .shows_default();
  line.option("--kept-heap", of.kept_heap, "Freed memory that each malloc arena keeps, in bytes")
      .not_negative()
      .shows_default();
  line.option("--middle-ns", of.middle,
              "Computing time of a task of medium urgency, in ns; 0: no such task")
      .not_negative()
      .shows_default();
  line.option("--beside-cpu", of.beside_cpu,
              "CPU of everything but the most urgent task; -1: the same CPU")
      .shows_default();
}

void check(const Interference & of) {
  const bool same = of.sends == "same-topic" || of.sends == "same-publisher";
  if (same && of.does != "publish") {
    throw Error("--sends " + of.sends + ": the least urgent task publishes nothing");
  }
  if ((of.sends == "same-service" || of.sends == "same-client") && of.does != "call") {
    throw Error("--sends " + of.sends + ": the least urgent task calls nothing");
  }
  if (of.sends == "same-heap" && of.does != "allocate") {
    throw Error("--sends same-heap: the least urgent task allocates nothing");
  }
  if (of.reads == "same-reader" && of.does != "take") {
    throw Error("--reads same-reader: the least urgent task takes nothing");
  }
  if (of.reads != "nothing" && of.sends != "nothing") {
    throw Error("--reads: the most urgent task either reads or sends");
  }
  if (of.reads == "same-reader" && of.beside_cpu >= 0) {
    throw Error("--reads same-reader: both tasks must be on one CPU; leave out --beside-cpu");
  }
  if (of.stopped && of.does != "publish") {
    throw Error("--stopped: no process reads messages; use it only with --does publish");
  }
  if (of.does == "clock" && of.nodes == 0) {
    throw Error("--does clock: no node follows simulated time; give --sim-nodes");
  }
  if (of.middle >= of.every) throw Error("--middle-ns: must be shorter than --every-ns");
}

std::vector<std::string> options_of(const Interference & of) {
  std::vector<std::string> options = {
      "--does",      of.does,
      "--bytes",     std::to_string(of.bytes),
      "--every-ns",  std::to_string(of.every),
      "--sends",     of.sends,
      "--reads",     of.reads,
      "--middle-ns", std::to_string(of.middle),
  };
  if (of.stopped) options.emplace_back("--stopped");
  return options;
}

}  // namespace takt::lab
