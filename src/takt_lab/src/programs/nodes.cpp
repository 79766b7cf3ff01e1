// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Measures how long it takes to add nodes to an executor that spins, and to remove them, as a function of
// their number: takt's part, one by one and in one change, and that of rcl and the middleware, which create
// and destroy the nodes.

#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <takt/takt.hpp>
#include <takt_core/os/clock.hpp>
#include <thread>
#include <vector>

#include "benchmark.hpp"
#include "command_line.hpp"
#include "error.hpp"
#include "program.hpp"

namespace takt::lab::nodes {
namespace {

enum Variant : std::uint32_t { made, added, removed, added_at_once, removed_at_once, destroyed };
const std::vector<std::string> names = {
    "rcl makes",   "takt adds", "takt removes", "takt adds at once", "takt removes at once",
    "rcl destroys"};

struct Arguments : BenchmarkArguments {
  std::vector<std::uint32_t> nodes = {10, 100, 1000};
  bool services = false;
};

/// A node with only a timer, which is rarely due. Optionally with the built-in services of a node (parameters
/// and the like), whose creation by rcl and the middleware takes minutes for thousands of nodes.
struct OneTimer {
  OneTimer(std::uint32_t number, bool services)
      : node(std::make_shared<Node>("node" + std::to_string(number),
                                    services ? NodeOptions() : without())),
        timer(node->create_timer("work", std::chrono::seconds(1), [] {})) {}

  static NodeOptions without() {
    NodeOptions options;
    options.enable_rosout = false;
    options.parameter_overrides = {Parameter("start_type_description_service", false)};
    options.start_parameter_services = false;
    options.start_parameter_event_publisher = false;
    options.enable_scenario_service = false;
    return options;
  }

  std::shared_ptr<Node> node;
  std::shared_ptr<Timer> timer;
};

class Nodes {
 public:
  explicit Nodes(const Arguments & arguments)
      : arguments_(arguments),
        samples_(names, arguments.samples),
        executor_({.policy = "fp", .cpus = {arguments.cpu}, .diagnostics = {.enabled = false}}) {}

  void run() {
    std::exception_ptr fault;
    std::atomic<bool> failed = false;
    std::thread spins([&] {
      try {
        executor_.spin();
      } catch (...) {
        fault = std::current_exception();
        failed = true;
      }
    });
    while (!executor_.spinning() && !failed.load()) std::this_thread::yield();
    for (std::uint32_t round = 0; round < arguments_.rounds && !failed.load(); ++round) {
      for (const std::size_t i : turns(round, arguments_.nodes.size())) {
        take_turn(round, arguments_.nodes[i]);
      }
    }
    const Grants grants = executor_.grants();
    executor_.cancel();
    spins.join();
    if (fault) std::rethrow_exception(fault);
    samples_.write("nodes", arguments_, grants);
  }

 private:
  void take_turn(std::uint32_t round, std::uint32_t count) {
    std::vector<OneTimer> nodes;
    nodes.reserve(count);
    model::Time before = os::now();
    const auto note = [&](Variant variant) {
      const model::Time now = os::now();
      samples_.add({.round = round,
                    .variant = variant,
                    .x = count,
                    .at = now,
                    .value = static_cast<double>(now - before)});
      before = os::now();
    };
    for (std::uint32_t number = 0; number < count; ++number)
      nodes.emplace_back(number, arguments_.services);
    note(made);
    for (const OneTimer & each : nodes) executor_.add_node(each.node);
    note(added);
    for (const OneTimer & each : nodes) executor_.remove_node(each.node);
    note(removed);
    std::vector<std::shared_ptr<Node>> all;
    for (const OneTimer & each : nodes) all.push_back(each.node);
    executor_.add_nodes(all);
    note(added_at_once);
    executor_.remove_nodes(all);
    note(removed_at_once);
    all.clear();
    nodes.clear();
    note(destroyed);
  }

  const Arguments & arguments_;
  Samples samples_;
  SchedulingExecutor executor_;
};

void run(const Arguments & arguments) {
  make_folder(arguments.out);
  announce(os::now());
  init(0, nullptr);
  Nodes(arguments).run();
  shutdown();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("nodes", "Measures the time to add nodes to an executor and to remove them");
  Arguments arguments;
  add_options(line, arguments);
  line.option("--nodes", arguments.nodes, "Numbers of nodes, one or several").shows_default();
  line.flag("--services", arguments.services, "Give the nodes their parameter services");
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::nodes
