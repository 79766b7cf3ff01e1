// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A soak test: runs an application for a given time while scenarios change and nodes are added and removed.
// Records every job, every deadline miss that the executor reports, every change, the resources of the
// process, and which threads ran on the CPU, by the kernel's records. The record is written continuously, so
// memory does not grow with it.

#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <takt/context.hpp>
#include <takt/scheduling_executor.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/lock.hpp>
#include <takt_core/os/rights.hpp>
#include <takt_core/os/thread.hpp>
#include <thread>

#include "command_line.hpp"
#include "cpu_turns.hpp"
#include "error.hpp"
#include "gauge.hpp"
#include "interrupt.hpp"
#include "npy.hpp"
#include "peer.hpp"
#include "program.hpp"
#include "report.hpp"
#include "soak_applications.hpp"

namespace takt::lab::soak {
namespace {

constexpr model::Duration ms = 1'000'000;
constexpr model::Duration second = 1'000 * ms;

/// Time from the end of the set-up to t0.
constexpr model::Duration lead = 300 * ms;
/// Period of writing the record and of reading the resources of the process.
constexpr model::Duration look = second / 2;
/// Time between two requests for a scenario by the thread, and by a callback. They are not multiples of each
/// other, so that all phases between them occur.
constexpr model::Duration between_requests = 700 * ms;
constexpr model::Duration between_requests_by_callback = 1'130 * ms;
/// For how long a guest node exists, and for how long there is none.
constexpr model::Duration stay = 1'500 * ms;
constexpr model::Duration away = 200 * ms;
/// The number of different names of guest nodes. Names are reused, as those of a restarted program.
constexpr std::uint64_t guest_names = 8;
/// The capacity for jobs of a task, events and misses until they are written.
constexpr std::size_t room = 4096;
constexpr const char * reader = "reader";

struct Arguments {
  int cpu = 0;
  model::Duration warmup = 10 * second;
  model::Duration duration = 0;
  std::string out;
  std::string application = "full";
  std::string peer;
};

/// Writes rows of one kind, from several threads, to a file.
template <typename Row>
class Log {
 public:
  explicit Log(const std::string & path) : file_(path), ring_(room) {}
  void add(const Row & row) noexcept {
    const os::Lock lock(mutex_);
    ring_.push(row);
  }
  void write() {
    Row row;
    while (ring_.pop(row)) file_.append(std::span(&row, 1));
  }
  void commit() { file_.commit(); }
  std::uint64_t dropped() const noexcept { return ring_.dropped(); }

 private:
  NpyWriter<Row> file_;
  os::PiMutex mutex_{os::LockRank::program_data};  // held to push a row
  RowRing<Row> ring_;
};

/// Sums of the executor's counters of all tasks.
struct Totals {
  std::uint64_t released = 0;
  std::uint64_t skipped = 0;
  std::uint64_t missed = 0;
  std::uint64_t transition = 0;

  void add(const TaskCounters & counters) {
    released += counters.released;
    skipped += counters.skipped;
    missed += counters.missed;
    transition += counters.transition_misses;
  }
};

class Soak {
 public:
  /// `outside` is the other process that reads, or nullptr.
  Soak(const Arguments & arguments, Application application, std::unique_ptr<Peer> outside)
      : arguments_(arguments),
        application_(std::move(application)),
        outside_(std::move(outside)),
        work_(calibration_),
        jobs_file_(arguments.out + "/soak.jobs.npy"),
        gauges_file_(arguments.out + "/soak.gauges.npy"),
        cpu_file_(arguments.out + "/soak.cpu.npy"),
        misses_(arguments.out + "/soak.misses.npy"),
        events_(arguments.out + "/soak.events.npy"),
        cpu_(arguments.cpu),
        executor_({.policy = application_.policy,
                   .cpus = {arguments.cpu},
                   .diagnostics = {.enabled = false}}) {
    for (const SoakTask & task : application_.tasks) {
      jobs_.emplace_back(room);
      const auto number = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(std::make_unique<SoakNode>(task.name, number, task, work_, jobs_.back()));
      numbers_[nodes_.back()->id()] = number;
      executor_.add_node(nodes_.back()->node());
    }
    jobs_.emplace_back(room);  // for guests
    executor_.set_scheduling_strategy(application_.strategy);
    for (std::size_t i = 0; i < scenarios_.size(); ++i) {
      scenarios_[i] = executor_.scenario_number(scenario_names[i]);
    }
    executor_.on_deadline_miss(
        [this](const Miss & miss, const std::string & callback) { note(miss, callback); });
    const auto every = static_cast<std::uint64_t>(between_requests_by_callback /
                                                  application_.tasks.front().period);
    nodes_.front()->then([this, every](std::uint64_t index) {
      if (index % every == every - 1) {
        ask(soak_events::by_callback);
      }
    });
  }

  /// Runs the test. Throws Error on a signal.
  void run(Interrupt & interrupt) {
    t0_ = os::now() + lead;
    executor_.set_start(t0_);
    std::thread spin([this] { executor_.spin(); });
    const auto end = [&] {
      executor_.cancel();
      spin.join();
    };
    try {
      announce(t0_);
      keep_busy(interrupt);
      for (const auto & node : nodes_) totals_.add(executor_.counters(node->id()));
      grants_ = executor_.grants();
    } catch (...) {
      end();
      throw;
    }
    end();
    if (interrupt.raised()) throw Error("interrupted; there is no result");
    finish();
  }

 private:
  void keep_busy(Interrupt & interrupt) {
    struct Ending {
      Soak & soak;
      ~Ending() {
        soak.over_ = true;
        soak.wake_requests_.post();
        soak.wake_guests_.post();
      }
    };
    const os::Thread asking({.name = "lab.requests"}, [this] { make_requests(); });
    const os::Thread coming({.name = "lab.guests"}, [this] { receive_guests(); });
    const Ending ending{*this};  // destroyed, and so stops the threads, before they are joined
    const model::Time end = t0_ + arguments_.warmup + arguments_.duration;
    for (model::Time next = t0_; next < end && !interrupt.raised(); next += look) {
      interrupt.sleep_until(std::min(next, end));
      write();
      const GaugeRow row = gauge();
      gauges_file_.append(std::span(&row, 1));
      // Throws at once if the process has died, instead of hours later.
      if (outside_ != nullptr) read_outside_ = outside_->counts();
    }
  }

  void ask(std::uint32_t kind) noexcept {
    const auto which = static_cast<std::uint32_t>(asked_.fetch_add(1) % scenarios_.size());
    const model::Time now = os::now();
    executor_.request_scenario(scenarios_[which]);
    events_.add({.from = now, .to = os::now(), .kind = kind, .scenario = which});
  }

  void note(const Miss & miss, const std::string & callback) {
    const auto found = numbers_.find(callback);
    misses_.add({.noticed = miss.noticed,
                 .release = miss.job.release,
                 .deadline = miss.job.deadline,
                 .task = found == numbers_.end() ? guest_number() : found->second,
                 .transition = miss.transition ? 1u : 0u});
  }

  void make_requests() {
    while (!over_) {
      wake_requests_.wait_until(os::now() + between_requests);
      if (!over_) ask(soak_events::by_thread);
    }
  }

  void receive_guests() {
    while (!over_) {
      const std::string name = "guest_" + std::to_string(guests_++ % guest_names);
      {
        SoakNode guest(name, guest_number(), guest_task(), work_, jobs_.back());
        change(soak_events::added, [&] { executor_.add_node(guest.node()); });
        wake_guests_.wait_until(os::now() + stay);
        totals_.add(executor_.counters(guest.id()));
        change(soak_events::removed, [&] { executor_.remove_node(guest.node()); });
      }
      if (!over_) wake_guests_.wait_until(os::now() + away);
    }
  }

  template <typename Change>
  void change(std::uint32_t kind, Change make) {
    const model::Time begin = os::now();
    make();
    events_.add({.from = begin, .to = os::now(), .kind = kind});
  }

  std::uint32_t guest_number() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }

  void write() {
    SoakJobRow row;
    for (SoakJobs & jobs : jobs_) {
      while (jobs.pop(row)) jobs_file_.append(std::span(&row, 1));
    }
    misses_.write();
    events_.write();
    cpu_.look();
    cpu_file_.append(cpu_.take());
  }

  void finish() {
    write();
    const Statistics statistics = executor_.statistics();
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    const auto describe = [&all](const std::string & id, const SoakTask & task) {
      all.push_back({{"task", id},
                     {"group", all.size()},
                     {"period_ns", task.period},
                     {"phase_ns", task.phase},
                     {"wcet_ns", task.wcet}});
    };
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      describe(nodes_[i]->id(), application_.tasks[i]);
    describe("guest", guest_task());
    std::uint64_t dropped = misses_.dropped() + events_.dropped();
    for (const SoakJobs & jobs : jobs_) dropped += jobs.dropped();
    std::uint64_t received = 0;
    for (const auto & node : nodes_) received += node->received();
    jobs_file_.commit();
    gauges_file_.commit();
    cpu_file_.commit();
    misses_.commit();
    events_.commit();
    const model::Time from = t0_ + arguments_.warmup;
    write_json(
        arguments_.out + "/soak.json",
        {{"schema_version", 1},
         {"program", "soak"},
         {"rmw", takt::rmw_identifier()},
         {"policy", {{"asked", application_.policy}, {"in_use", grants_.policy_in_use}}},
         {"t0", t0_},
         {"window", to_json(Window{from, from + arguments_.duration})},
         {"tasks", all},
         {"scenarios", scenario_names},
         {"guests", guests_},
         {"received", received},
         {"read_outside", {{"messages", read_outside_.times}, {"bytes", read_outside_.bytes}}},
         {"dropped", dropped},
         {"switches", cpu_.facts()},
         {"counters",
          {{"released", totals_.released},
           {"skipped", totals_.skipped},
           {"missed", totals_.missed},
           {"transition_misses", totals_.transition}}},
         {"statistics", to_json(statistics)},
         {"calibration", to_json(calibration_)},
         {"grants", to_json(grants_)},
         {"versions", versions_json()}});
  }

  const Arguments & arguments_;
  const Application application_;
  const std::unique_ptr<Peer> outside_;
  PeerCounts read_outside_;
  Calibration calibration_ = calibrate();
  Work work_;
  std::deque<SoakJobs> jobs_;  // by task; the last one is for guests
  NpyWriter<SoakJobRow> jobs_file_;
  NpyWriter<GaugeRow> gauges_file_;
  NpyWriter<CpuTurnRow> cpu_file_;
  Log<SoakMissRow> misses_;
  Log<SoakEventRow> events_;
  CpuTurns cpu_;
  std::vector<std::unique_ptr<SoakNode>> nodes_;
  std::map<std::string, std::uint32_t> numbers_;
  SchedulingExecutor executor_;
  std::array<ScenarioId, scenario_names.size()> scenarios_{};
  std::atomic<std::uint32_t> asked_{1};
  std::atomic<bool> over_{false};
  os::Event wake_requests_;
  os::Event wake_guests_;
  std::uint64_t guests_ = 0;
  model::Time t0_ = 0;
  Totals totals_;
  Grants grants_;
};

void initialise() {
  takt::InitOptions options;
  options.handle_signals = false;
  takt::init(0, nullptr, options);
}

/// Runs as the other process, which reads.
void read() {
  end_with_parent();
  initialise();
  {
    const auto node = std::make_shared<Node>("outside");
    std::atomic<std::uint64_t> times{0};
    std::atomic<std::uint64_t> bytes{0};
    const auto subscription = node->create_subscription<takt_msgs::msg::Payload>(
        panorama, 1, [&](const takt_msgs::msg::Payload & message) {
          times.fetch_add(1);
          bytes.fetch_add(message.data.size());
        });
    serve_peer(node, [](bool) {}, [&] { return PeerCounts{times.load(), bytes.load()}; });
  }
  takt::shutdown();
}

void run(const Arguments & arguments) {
  if (!arguments.peer.empty()) return read();
  make_folder(arguments.out);
  Interrupt interrupt;
  Application application = applications.at(arguments.application)();
  std::unique_ptr<Peer> outside;
  if (application.read_outside) {
    // Options that the command line requires, although the other process does not use them.
    const std::vector<std::string> required = {"--cpu",         std::to_string(arguments.cpu),
                                               "--duration-ns", std::to_string(arguments.duration),
                                               "--out",         arguments.out};
    outside = std::make_unique<Peer>(reader, required, interrupt);
  }
  confine_process({arguments.cpu});
  initialise();
  Soak(arguments, std::move(application), std::move(outside)).run(interrupt);
  takt::shutdown();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("soak", "Runs an application for a long time and records it");
  Arguments arguments;
  line.option("--cpu", arguments.cpu, "CPU of the whole process").required();
  line.option("--duration-ns", arguments.duration, "Length of the measured window in ns")
      .required()
      .above_zero();
  line.option("--warmup-ns", arguments.warmup, "Warm-up: time from t0 to the window, in ns")
      .not_negative()
      .shows_default();
  line.option("--out", arguments.out, "Folder for the results").required();
  std::vector<std::string> known;
  for (const auto & [name, make] : applications) known.push_back(name);
  line.option("--application", arguments.application, "Application to run")
      .one_of(known)
      .shows_default();
  line.option("--peer", arguments.peer, "Run as the other process, which reads, instead");
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::soak
