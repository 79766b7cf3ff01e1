// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Measures the cost of a trace per job: the CPU time of the threads that release and run jobs, in turns with
// and without a trace; and that of the thread that writes the trace to the file.

#include <array>
#include <filesystem>
#include <memory>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/threads.hpp>

#include "benchmark.hpp"
#include "command_line.hpp"
#include "error.hpp"
#include "program.hpp"
#include "spread_timers.hpp"

namespace takt::lab::tracing {
namespace {

enum Variant : std::uint32_t { traced, plain, drain };
const std::vector<std::string> names = {"traced", "not traced", "drain"};

/// Returns the CPU time of the thread that writes the trace, of which there is one in the process.
model::Duration drain_cpu() {
  for (const os::ThreadInfo & thread : os::threads_of_process()) {
    if (thread.name == "takt.trace") return thread.cpu_ns;
  }
  return 0;
}

/// The function of each job: like most jobs, it enters the middleware once. It writes the trace events of a
/// message that is delivered and one that is published.
void work(void *, const executor::JobInfo & job) {
  const executor::Processor::Section section;
  if (trace::Ring * ring = executor::Processor::trace(); ring != nullptr) {
    ring->push({.at = job.start, .index = job.index, .task = 1, .kind = trace::Kind::delivery});
    ring->push({.at = job.start, .index = job.index, .task = 2, .kind = trace::Kind::publication});
  }
}

class Trace {
 public:
  explicit Trace(const SpreadArguments & arguments)
      : arguments_(arguments),
        samples_(names, arguments.samples),
        file_(arguments.out + "/measured.trace"),
        recorder_(std::make_shared<trace::Recorder>(trace::Options{.file = file_})) {
    for (const std::uint32_t count : arguments.tasks) {
      SpreadTimers::Options options{.policy = arguments.policy,
                                    .cpu = arguments.cpu,
                                    .rate = arguments.rate,
                                    .function = {work, nullptr}};
      plain_.push_back(std::make_unique<SpreadTimers>(options, count));
      options.trace = recorder_;
      traced_.push_back(std::make_unique<SpreadTimers>(options, count));
    }
  }

  void run() {
    for (std::uint32_t round = 0; round < arguments_.rounds; ++round) {
      for (const std::size_t i : turns(round, arguments_.tasks.size())) {
        for (const std::size_t which : turns(round, 2)) take_turn(round, i, which == 0);
      }
    }
    recorder_->close();
    if (recorder_->dropped() > 0) {
      throw Error(std::to_string(recorder_->dropped()) +
                  " events were dropped, so the cost per event is not known");
    }
    const executor::Grants grants = traced_.back()->grants();
    samples_.write("trace", arguments_, grants,
                   {{"policy", arguments_.policy},
                    {"rate", arguments_.rate},
                    {"events", recorder_->written()}});
    std::filesystem::remove(file_);
  }

 private:
  void take_turn(std::uint32_t round, std::size_t i, bool with) {
    if (!with) return note(round, plain, i, plain_[i]->run_workers(arguments_.turn));
    const model::Duration before = drain_cpu();
    const Cost cost = traced_[i]->run_workers(arguments_.turn);
    note(round, traced, i, cost);
    note(round, drain, i, {cost.jobs, std::max<model::Duration>(drain_cpu() - before, 1)});
  }

  void note(std::uint32_t round, Variant variant, std::size_t i, const Cost & cost) {
    if (cost.jobs == 0) throw Error("no job ran: increase --turn-ns");
    samples_.add({.round = round,
                  .variant = variant,
                  .x = arguments_.tasks[i],
                  .at = os::now(),
                  .value = cost.per_job()});
  }

  const SpreadArguments & arguments_;
  Samples samples_;
  const std::string file_;
  std::shared_ptr<trace::Recorder> recorder_;
  std::vector<std::unique_ptr<SpreadTimers>> plain_;
  std::vector<std::unique_ptr<SpreadTimers>> traced_;
};

void run(const SpreadArguments & arguments) {
  make_folder(arguments.out);
  confine_process({arguments.cpu});
  announce(os::now());
  Trace(arguments).run();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("trace", "Measures the cost of a trace per job");
  SpreadArguments arguments;
  arguments.tasks = {10, 100};
  add_spread_options(line, arguments);
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::tracing
