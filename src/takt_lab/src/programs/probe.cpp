// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Detects stalls of the host on one CPU: a thread of the highest priority that should wake up periodically and
// records when it wakes up late. It is a process of its own, so that it is the same for every executor.

#include <algorithm>
#include <cstdio>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <takt_core/os/locked_memory.hpp>
#include <takt_core/os/rights.hpp>
#include <takt_core/os/thread.hpp>
#include <takt_core/os/throttling.hpp>
#include <vector>

#include "command_line.hpp"
#include "error.hpp"
#include "interrupt.hpp"
#include "npy.hpp"
#include "program.hpp"

namespace takt::lab::probe {
namespace {

constexpr int priority = 99;
/// Enough for a stall every 18 ms for an hour.
constexpr std::size_t most_stalls = 200'000;

struct Arguments {
  int cpu = 0;
  model::Duration duration = 0;
  model::Duration period = 1'000'000;
  model::Duration threshold = 100'000;
  std::string out;
};

struct Watch {
  model::Time from = 0;
  model::Time to = 0;
  std::uint64_t wakeups = 0;
  std::uint64_t dropped = 0;  ///< stalls that were not recorded for lack of room
  model::Duration worst = 0;
  std::vector<StallRow> stalls;
};

void watch(Watch & result, const Arguments & arguments, Interrupt & interrupt, os::Event & begun) {
  result.from = os::now();
  begun.post();
  const model::Time end = result.from + arguments.duration;
  model::Time now = result.from;
  model::Time next = now + arguments.period;
  do {
    os::sleep_until(next);
    now = os::now();
    ++result.wakeups;
    const model::Duration late = now - next;
    result.worst = std::max(result.worst, late);
    if (late > arguments.threshold) {
      if (result.stalls.size() < result.stalls.capacity()) {
        result.stalls.push_back({arguments.cpu, next, now});
      } else {
        ++result.dropped;
      }
    }
    // The grid continues; instants within a stall belong to that stall.
    next += (late / arguments.period + 1) * arguments.period;
  } while (now < end && !interrupt.raised());
  result.to = now;
}

std::string json_beside(const std::string & path) {
  const std::string ending = ".npy";
  if (!path.ends_with(ending)) throw Error("--out: '" + path + "' must end in .npy");
  return path.substr(0, path.size() - ending.size()) + ".json";
}

void run(const Arguments & arguments) {
  const std::string json = json_beside(arguments.out);
  NpyWriter<StallRow> file(arguments.out);
  confine_process({arguments.cpu});
  const os::Granted memory = os::lock_memory();
  Watch result;
  result.stalls.reserve(most_stalls);
  Interrupt interrupt;
  os::Event begun;
  os::Granted granted;
  {
    os::Thread thread({.name = "lab.probe", .priority = priority, .cpu = arguments.cpu},
                      [&] { watch(result, arguments, interrupt, begun); });
    granted = thread.priority();
    begun.wait();
    std::puts("ready");
    std::fflush(stdout);
  }
  file.append(result.stalls);
  file.commit();
  write_json(json, {{"schema_version", 1},
                    {"program", "probe"},
                    {"cpu", arguments.cpu},
                    {"asked", granted.asked},
                    {"granted", granted.granted},
                    {"error", granted.error},
                    {"memory_locked", memory.granted != 0},
                    {"realtime_throttling", os::realtime_throttling()},
                    {"period_ns", arguments.period},
                    {"threshold_ns", arguments.threshold},
                    {"from", result.from},
                    {"to", result.to},
                    {"wakeups", result.wakeups},
                    {"stalls", result.stalls.size()},
                    {"dropped", result.dropped},
                    {"worst_ns", result.worst},
                    {"process_cpu_ns", os::process_cpu()}});
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("probe", "Records stalls of the host on one CPU");
  Arguments arguments;
  line.option("--cpu", arguments.cpu, "CPU to watch").required();
  line.option("--duration-ns", arguments.duration,
              "How long to watch, in ns; SIGINT or SIGTERM end it earlier")
      .required()
      .above_zero();
  line.option("--period-ns", arguments.period, "Time between two wake-ups, in ns")
      .above_zero()
      .shows_default();
  line.option("--threshold-ns", arguments.threshold,
              "A wake-up that is later than this, in ns, counts as a stall")
      .not_negative()
      .shows_default();
  line.option("--out", arguments.out, "FILE.npy for the results; also writes FILE.json").required();
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::probe
