// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Measures the cost of entering and leaving a middleware section: alone, within another one, and outside of
// jobs; for comparison, the two clock reads that it includes, and a mutex, which it replaces.

#include <array>
#include <takt_core/executor/processor.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/lock.hpp>
#include <takt_core/os/pi_mutex.hpp>
#include <thread>

#include "benchmark.hpp"
#include "command_line.hpp"
#include "program.hpp"
#include "report.hpp"

namespace takt::lab::section {
namespace {

enum Variant : std::uint32_t { section, nested, outside, clocks, lock };
const std::vector<std::string> names = {"section", "nested section", "outside of jobs",
                                        "two clock reads", "lock"};

constexpr model::Duration period = 5'000'000;
/// Calls of each variant in each job, which take some 20 us.
constexpr int times = 250;

/// Prevents the compiler from removing the computation of an unused value.
template <typename T>
void keep(const T & value) noexcept {
  asm volatile("" : : "g"(value) : "memory");
}

/// Returns the average duration of `times` calls, in ns.
template <typename What>
double cost_of(What what) noexcept {
  const model::Time begin = os::now();
  for (int i = 0; i < times; ++i) what();
  return static_cast<double>(os::now() - begin) / times;
}

class Sections {
 public:
  Sections(const BenchmarkArguments & arguments)
      : arguments_(arguments),
        samples_(names, arguments.samples),
        processor_({.policy = "fp", .cpu = arguments.cpu, .log = [](const std::string &) {}}) {
    processor_.add_task({.id = "n/sections", .period = period, .deadline = period},
                        {[](void * self, const executor::JobInfo & job) {
                           static_cast<Sections *>(self)->run_job(job);
                         },
                         this});
  }

  void run() {
    std::thread spin([this] { processor_.spin(); });
    while (!processor_.spinning()) os::sleep_until(os::now() + period);
    for (std::uint32_t round = 0; round < arguments_.rounds; ++round) {
      // Each round has at least one job, however slow the machine is.
      const std::uint64_t jobs = begin(round);
      for (const model::Time end = os::now() + arguments_.turn; os::now() < end || jobs_ == jobs;) {
        os::sleep_until(os::now() + period);
        const double cost = cost_of([] { const executor::Processor::Section none; });
        const os::Lock guard(mutex_);
        samples_.add({.round = round, .variant = outside, .at = os::now(), .value = cost});
      }
    }
    begin(arguments_.rounds);
    const executor::Grants grants = processor_.grants();
    processor_.stop();
    spin.join();
    const executor::Statistics statistics = processor_.statistics();
    const os::Lock guard(mutex_);
    samples_.write(
        "section", arguments_, grants,
        {{"longest_section_ns", statistics.longest_section_ns}, {"deferred", statistics.deferred}});
  }

 private:
  /// Begins a round; returns the number of jobs before it.
  std::uint64_t begin(std::uint32_t round) noexcept {
    const os::Lock guard(mutex_);
    round_ = round;
    return jobs_;
  }

  void run_job(const executor::JobInfo & job) noexcept {
    std::array<double, 5> costs{};
    for (const std::size_t variant : order_) {
      costs[variant] = measure(static_cast<Variant>(variant));
    }
    order_ = {order_[1], order_[2], order_[3], order_[0]};
    const os::Lock guard(mutex_);
    if (round_ == arguments_.rounds) return;
    ++jobs_;
    for (const std::size_t variant : order_) {
      samples_.add({.round = round_,
                    .variant = static_cast<std::uint32_t>(variant),
                    .at = job.start,
                    .value = costs[variant]});
    }
  }

  double measure(Variant variant) noexcept {
    switch (variant) {
      case section:
        return cost_of([] { const executor::Processor::Section one; });
      case nested: {
        const executor::Processor::Section outer;
        return cost_of([] { const executor::Processor::Section inner; });
      }
      case clocks:
        return cost_of([] {
          keep(os::now());
          keep(os::now());
        });
      case lock:
        return cost_of([this] { const os::Lock guard(free_); });
      case outside:
        break;
    }
    return 0;
  }

  const BenchmarkArguments & arguments_;
  os::PiMutex mutex_{os::LockRank::program_data};
  Samples samples_ TAKT_GUARDED_BY(mutex_);
  std::uint32_t round_ TAKT_GUARDED_BY(mutex_) = 0;
  std::atomic<std::uint64_t> jobs_{0};
  std::array<std::size_t, 4> order_ = {section, nested, clocks, lock};
  os::PiMutex free_;
  executor::Processor processor_;
};

void run(const BenchmarkArguments & arguments) {
  make_folder(arguments.out);
  confine_process({arguments.cpu});
  announce(os::now());
  Sections(arguments).run();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("section", "Measures the cost of a middleware section");
  BenchmarkArguments arguments;
  add_options(line, arguments);
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::section
