// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Measures the cost of communication between processors: round trips of a small message between two nodes of
// one process, on one CPU and on two, and the sender's time for publishing; for comparison, two
// threads that wake each other.

#include <atomic>
#include <memory>
#include <takt/context.hpp>
#include <takt/node.hpp>
#include <takt/scheduling_executor.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <thread>

#include "benchmark.hpp"
#include "command_line.hpp"
#include "error.hpp"
#include "payload.hpp"
#include "program.hpp"
#include "report.hpp"
#include "round_trip.hpp"

namespace takt::lab::crossing {
namespace {

enum Variant : std::uint32_t {
  trip_within,
  trip_across,
  publish_within,
  publish_across,
  bare_within,
  bare_across
};
const std::vector<std::string> names = {"round trip, one CPU", "round trip, two CPUs",
                                        "publish, one CPU",    "publish, two CPUs",
                                        "wake-up, one CPU",    "wake-up, two CPUs"};

/// The current measurement.
struct Turn {
  Samples & samples;
  std::uint32_t round = 0;
  model::Time end = 0;
  os::Event over{};

  void measured(Variant variant, model::Time from, model::Time to) noexcept {
    samples.add({.round = round,
                 .variant = variant,
                 .x = 0,
                 .at = from,
                 .value = static_cast<double>(to - from)});
  }
};

/// A node on the first processor that sends, and one that sends back.
class Pair {
 public:
  Pair(Turn & turn, const std::string & name, std::size_t processor, Variant trip, Variant publish)
      : turn_(turn),
        trip_(trip),
        publish_(publish),
        near_(std::make_shared<Node>("near_" + name, NodeOptions{.processor = 0})),
        far_(std::make_shared<Node>("far_" + name, NodeOptions{.processor = processor})) {
    ping_ = near_->create_publisher<Payload>("there_" + name, 1);
    pong_ = far_->create_publisher<Payload>("back_" + name, 1);
    at_far_ = far_->create_subscription<Payload>(
        "there_" + name, 1, [this](const Payload & message) { send(*pong_, message.stamp_ns); });
    at_near_ =
        near_->create_subscription<Payload>("back_" + name, 1, [this](const Payload & message) {
          const model::Time now = os::now();
          // The thread that sent the first message may not have stored the end of its publication yet.
          const model::Time published = published_;
          if (published > message.stamp_ns) turn_.measured(publish_, message.stamp_ns, published);
          turn_.measured(trip_, message.stamp_ns, now);
          if (now >= turn_.end) {
            turn_.over.post();
          } else {
            begin();
          }
        });
  }

  void add_to(SchedulingExecutor & executor) {
    executor.add_node(near_);
    executor.add_node(far_);
  }
  /// Sends the first message of a stretch; each received message causes the next one.
  void begin() {
    send(*ping_, os::now());
    published_ = os::now();
  }

 private:
  static void send(Publisher<Payload> & publisher, model::Time stamp) {
    auto loan = publisher.borrow_loaned_message();
    loan->stamp_ns = stamp;
    publisher.publish(std::move(loan));
  }

  Turn & turn_;
  Variant trip_;
  Variant publish_;
  std::atomic<model::Time> published_ = 0;  // when publishing the current message had returned
  std::shared_ptr<Node> near_;
  std::shared_ptr<Node> far_;
  Publisher<Payload>::SharedPtr ping_;
  Publisher<Payload>::SharedPtr pong_;
  std::shared_ptr<Subscription<Payload>> at_near_;
  std::shared_ptr<Subscription<Payload>> at_far_;
};

class Crossing {
 public:
  Crossing(const BenchmarkArguments & arguments, int other, Samples & samples)
      : arguments_(arguments),
        other_(other),
        turn_{.samples = samples},
        executor_(
            {.policy = "fp", .cpus = {arguments.cpu, other}, .diagnostics = {.enabled = false}}),
        within_(turn_, "within", 0, trip_within, publish_within),
        across_(turn_, "across", 1, trip_across, publish_across) {
    within_.add_to(executor_);
    across_.add_to(executor_);
  }

  void run() {
    std::thread spin([this] { executor_.spin(); });
    while (!executor_.spinning()) os::sleep_until(os::now() + 1'000'000);
    const int here = arguments_.cpu;
    const model::Duration length = arguments_.turn;
    for (std::uint32_t round = 0; round < arguments_.rounds; ++round) {
      turn_.round = round;
      for (const std::size_t i : turns(round, 4)) {
        const bool crosses = i % 2 != 0;
        if (i < 2) {
          Pair & pair = crosses ? across_ : within_;
          in_stretches(length, turn_.end, [&] { pair.begin(), turn_.over.wait(); });
        } else {
          const int there = crosses ? other_ : here;
          const Variant variant = crosses ? bare_across : bare_within;
          in_stretches(length, turn_.end, [&] {
            hand_over({here, there}, turn_.end, [&](model::Time sent, model::Time back) {
              turn_.measured(variant, sent, back);
            });
          });
        }
      }
    }
    grants_ = executor_.grants();
    statistics_ = executor_.statistics();
    executor_.cancel();
    spin.join();
  }
  const executor::Grants & grants() const noexcept { return grants_; }
  const Statistics & statistics() const noexcept { return statistics_; }

 private:
  const BenchmarkArguments & arguments_;
  const int other_;
  Turn turn_;
  SchedulingExecutor executor_;
  Pair within_;
  Pair across_;
  executor::Grants grants_;
  Statistics statistics_;
};

int another(int cpu) {
  for (const int each : os::allowed_cpus()) {
    if (each != cpu) return each;
  }
  throw Error("this process may use only one CPU, but crossing needs two: change its affinity");
}

void run(const BenchmarkArguments & arguments) {
  make_folder(arguments.out);
  const int other = another(arguments.cpu);
  confine_process({arguments.cpu, other});
  announce(os::now());
  takt::InitOptions options;
  options.handle_signals = false;
  takt::init(0, nullptr, options);
  Samples samples(names, arguments.samples);
  {
    Crossing crossing(arguments, other, samples);
    crossing.run();
    samples.write("crossing", arguments, crossing.grants(),
                  {{"rmw", takt::rmw_identifier()},
                   {"other_cpu", other},
                   {"statistics", to_json(crossing.statistics())}});
  }
  takt::shutdown();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("crossing", "Measures the cost of communication between processors");
  BenchmarkArguments arguments;
  add_options(line, arguments);
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::crossing
