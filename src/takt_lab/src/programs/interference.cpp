// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Measures how a less urgent task, or changes of the application, delay the most urgent task, a timer of 1 kHz
// with priority 98. Turns with and without the interference alternate in one run.

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <takt/context.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/lock_waits.hpp>
#include <thread>
#include <vector>

#include "benchmark.hpp"
#include "command_line.hpp"
#include "cpu_turns.hpp"
#include "error.hpp"
#include "interference_peer.hpp"
#include "interference_scene.hpp"
#include "interrupt.hpp"
#include "npy.hpp"
#include "peer.hpp"
#include "program.hpp"
#include "rclcpp_nodes/executors.hpp"
#include "rclcpp_nodes/rclcpp_interference.hpp"
#include "report.hpp"

namespace takt::lab::interference {
namespace {

using Json = nlohmann::ordered_json;

constexpr model::Duration ms = 1'000'000;
constexpr model::Duration second = 1'000 * ms;
/// The longest time until t0, when the executor must be running, in ns; at most the length of a turn.
constexpr model::Duration longest_lead = 300 * ms;
/// The longest pause before the first turn and between turns, in ns; at most the length of a turn. The
/// effects of a turn end in it.
constexpr model::Duration longest_settle = 200 * ms;
constexpr model::Duration matching = 30 * second;
/// The longest time for which activities of a turn may continue after it, in ns.
constexpr model::Duration calming = 10 * second;
constexpr model::Duration look = 5 * ms;

struct Arguments {
  Interference interference;
  std::string peer;
  std::string front_end = "takt";
  int cpu = 0;
  std::uint32_t rounds = 5;
  model::Duration turn = second;
  std::string out;
  std::string tag = "interference";
};

/// Returns what jobs waited for between two readings of the executor's statistics: counts are differences,
/// times are the longest up to now. The list must be the same as WAITS in the command's
/// analysis/interference.py.
Json waits_between(const Statistics & before, const Statistics & now,
                   const std::optional<os::LockWaits> & locks_before,
                   const std::optional<os::LockWaits> & locks) {
  Json waits = {{"deferred", now.deferred - before.deferred},
                {"longest_section_ns", now.longest_section_ns},
                {"overlong_sections", now.overlong_sections - before.overlong_sections},
                {"entity_waits", now.entity_waits - before.entity_waits},
                {"longest_wait_ns", now.longest_wait_ns}};
  if (locks && locks_before) {
    waits["lock_waits"] = locks->waits - locks_before->waits;
    waits["longest_lock_wait_ns"] = locks->longest_ns;
    waits["longest_lock_wait_in"] = locks->where;
    waits["longest_lock_held_by"] = locks->held_by;
  }
  return waits;
}

/// Returns the differences of the executor's counters of the most urgent task.
Json counters_between(const model::TaskCounters & before, const model::TaskCounters & now) {
  return {{"released", now.released - before.released},
          {"skipped", now.skipped - before.skipped},
          {"missed", now.missed - before.missed}};
}

Json done_between(const SceneCounts & before, const SceneCounts & now) {
  return {{"published", now.published - before.published},
          {"failed", now.failed - before.failed},
          {"bytes", now.bytes - before.bytes},
          {"received", now.received - before.received},
          {"received_bytes", now.received_bytes - before.received_bytes},
          {"called", now.called - before.called},
          {"read", now.read - before.read},
          {"added", now.added - before.added},
          {"added_inside", now.added_inside - before.added_inside},
          {"removed", now.removed - before.removed},
          {"removed_inside", now.removed_inside - before.removed_inside},
          {"switched", now.switched - before.switched},
          {"restarted", now.restarted - before.restarted},
          {"allocated", now.allocated - before.allocated},
          {"logged", now.logged - before.logged},
          {"sim_jobs", now.sim_jobs - before.sim_jobs},
          {"middle_jobs", now.middle_jobs - before.middle_jobs},
          {"longest_job_ns", now.longest_job}};
}

class Measurement {
 public:
  Measurement(const Arguments & arguments, Interrupt & interrupt)
      : arguments_(arguments),
        of_(arguments.interference),
        interrupt_(interrupt),
        notes_(room()),
        cpu_(arguments.cpu) {
    for (const std::string & role : peers_of(of_)) {
      peers_.push_back(std::make_unique<Peer>(role, options_of(of_), interrupt));
    }
    scene_ = arguments.front_end == "takt" ? make_takt_scene(of_, arguments.cpu, notes_)
                                           : make_rclcpp_scene(of_, arguments.cpu, notes_);
  }

  void run() {
    const model::Time t0 = os::now() + lead();
    scene_->controls().set_start(t0);
    std::exception_ptr fault;
    std::thread spin([&] {
      try {
        scene_->spin();
      } catch (...) {
        fault = std::current_exception();
        interrupt_.raise();
      }
    });
    try {
      match();
      announce(t0);
      wait_until(std::max(t0, os::now()) + settle());
      for (std::uint32_t round = 0; round < arguments_.rounds; ++round) {
        for (const std::size_t on : turns(round, 2)) take_turn(round, on == 1);
      }
      grants_ = scene_->controls().grants();
      statistics_ = scene_->controls().statistics();
    } catch (...) {
      scene_->cancel();
      spin.join();
      if (fault) std::rethrow_exception(fault);
      throw;
    }
    scene_->cancel();
    spin.join();
    if (fault) std::rethrow_exception(fault);
    write(t0);
  }

 private:
  model::Duration lead() const { return std::min(longest_lead, arguments_.turn); }
  model::Duration settle() const { return std::min(longest_settle, arguments_.turn); }
  std::size_t room() const {
    const model::Duration most = 2 * arguments_.rounds * (arguments_.turn + settle() + calming);
    return static_cast<std::size_t>((matching + longest_lead + most) / interference::period);
  }

  /// Waits until the instant or a signal, and reads the kernel's records of context switches meanwhile.
  void wait_until(model::Time instant) {
    constexpr model::Duration at_least_every = 200 * ms;
    do {
      interrupt_.sleep_until(std::min(instant, os::now() + at_least_every));
      cpu_.look();
    } while (os::now() < instant && !interrupt_.raised());
  }

  void check_interrupt() {
    if (interrupt_.raised()) throw Error("interrupted; there is no result");
  }

  /// Waits until `missing` returns an empty text, for at most `patience` ns. Throws Error.
  template <typename Missing>
  void wait_until_nothing(Missing missing, model::Duration patience) {
    const model::Time limit = os::now() + patience;
    for (std::string what = missing(); !what.empty(); what = missing()) {
      if (os::now() > limit)
        throw Error(what + " within " + std::to_string(patience / second) + " s");
      interrupt_.sleep_until(os::now() + look);
      check_interrupt();
    }
  }

  void match() {
    // With many tasks, it takes some time until the executor has all of them.
    wait_until_nothing(
        [&] { return notes_.begun() ? scene_->missing() : "the most urgent task has not begun"; },
        matching);
  }

  /// Returns the other processes whose activity is switched on and off; the reader always reads.
  std::vector<Peer *> actors() const {
    std::vector<Peer *> found;
    for (const auto & peer : peers_) {
      if (peer->role() != "reader") found.push_back(peer.get());
    }
    return found;
  }
  Peer * reader() const {
    for (const auto & peer : peers_) {
      if (peer->role() == "reader") return peer.get();
    }
    return nullptr;
  }

  void begin_acting() {
    if (of_.stopped) reader()->stop();
    scene_->act(true);
    for (Peer * peer : actors()) peer->act(true);
  }

  void end_acting() {
    for (Peer * peer : actors()) peer->act(false);
    scene_->act(false);
    if (of_.stopped) reader()->go_on();
  }

  /// Waits until the activities of the turn have ended, so that they do not affect the next one.
  void calm_down() {
    wait_until_nothing(
        [&] { return scene_->quiet() ? std::string() : "the least urgent job has not ended"; },
        calming);
    if (!of_.stopped) return;
    wait_until_nothing(
        [&] {
          const SceneCounts sent = scene_->counts();
          const bool all = reader()->counts().times >= sent.published - sent.failed;
          return all ? std::string() : "the reader has not received what was published";
        },
        calming);
  }

  void take_turn(std::uint32_t round, bool on) {
    check_interrupt();
    const Statistics statistics = scene_->controls().statistics();
    const model::TaskCounters counters = scene_->controls().counters(scene_->probe());
    const SceneCounts counts = scene_->counts();
    std::vector<PeerCounts> others;
    for (const auto & peer : peers_) others.push_back(peer->counts());
    const std::optional<os::LockWaits> locks = os::lock_waits();
    const model::Time from = os::now();
    if (on) begin_acting();
    wait_until(from + arguments_.turn);
    if (on) end_acting();
    const model::Time to = os::now();
    check_interrupt();
    if (on) calm_down();
    wait_until(os::now() + settle());
    Json peers = Json::object();
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      const PeerCounts now = peers_[i]->counts();
      peers[peers_[i]->role()] = {{"times", now.times - others[i].times},
                                  {"bytes", now.bytes - others[i].bytes}};
    }
    turns_.push_back(
        {{"round", round},
         {"on", on},
         {"from", from},
         {"to", to},
         {"stopped", on && of_.stopped},
         {"counters", counters_between(counters, scene_->controls().counters(scene_->probe()))},
         {"did", done_between(counts, scene_->counts())},
         {"peers", std::move(peers)},
         {"waits",
          waits_between(statistics, scene_->controls().statistics(), locks, os::lock_waits())}});
  }

  void write(model::Time t0) const {
    const std::string base = arguments_.out + "/" + arguments_.tag;
    const std::vector<JobRow> jobs = notes_.jobs();
    const std::vector<SampleRow> publishes = notes_.publishes();
    write_npy(base + ".jobs.npy", std::span<const JobRow>(jobs));
    write_npy(base + ".publishes.npy", std::span<const SampleRow>(publishes));
    write_npy(base + ".cpu.npy", std::span<const CpuTurnRow>(cpu_.rows()));
    write_json(base + ".json", {{"schema_version", 1},
                                {"program", "interference"},
                                {"front_end", arguments_.front_end},
                                {"rmw", takt::rmw_identifier()},
                                {"policy", {{"asked", "fp"}, {"in_use", grants_.policy_in_use}}},
                                {"t0", t0},
                                {"period_ns", interference::period},
                                {"rounds", arguments_.rounds},
                                {"turn_ns", arguments_.turn},
                                {"turns", turns_},
                                {"dropped", notes_.dropped()},
                                {"switches", cpu_.facts()},
                                {"statistics", to_json(statistics_)},
                                {"grants", to_json(grants_)},
                                {"versions", versions_json()}});
  }

  const Arguments & arguments_;
  const Interference & of_;
  Interrupt & interrupt_;
  ProbeNotes notes_;
  CpuTurns cpu_;
  std::vector<std::unique_ptr<Peer>> peers_;
  std::unique_ptr<InterferenceScene> scene_;
  Json turns_ = Json::array();
  Grants grants_;
  Statistics statistics_;
};

void run(const Arguments & arguments) {
  if (!arguments.peer.empty()) return run_peer(arguments.peer, arguments.interference);
  check(arguments.interference);
  if (arguments.interference.reads == "same-reader" && arguments.front_end != "takt") {
    throw Error(
        "--reads same-reader: not possible with rclcpp nodes, where a timer and the subscription "
        "that it reads exclude each other");
  }
  if (arguments.out.empty()) throw Error("--out: is missing; give a folder for the results");
  make_folder(arguments.out);
  Interrupt interrupt;
  Measurement(arguments, interrupt).run();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("interference", "Measures how other activities delay the most urgent task");
  Arguments arguments;
  add_options(line, arguments.interference);
  line.option("--peer", arguments.peer, "Run as the other process with this role instead");
  line.option("--front-end", arguments.front_end, "Front end of the nodes")
      .one_of({"takt", takts_for_rclcpp})
      .shows_default();
  line.option("--cpu", arguments.cpu, "CPU of the executor").shows_default();
  line.option("--rounds", arguments.rounds,
              "Number of rounds, each with a turn with and one without the interference")
      .above_zero()
      .shows_default();
  line.option("--turn-ns", arguments.turn, "Length of a turn in ns").above_zero().shows_default();
  line.option("--out", arguments.out, "Folder for the results");
  line.option("--tag", arguments.tag, "Prefix of the results' file names").shows_default();
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::interference
