// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Measures back-to-back round trips of a message between two nodes of one process as a function of its size:
// with loaned messages, so that nothing is copied, and with copied ones, which shows the cost of copying; for
// comparison, two threads that wake each other.

#include <memory>
#include <takt/context.hpp>
#include <takt/node.hpp>
#include <takt/scheduling_executor.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <thread>

#include "benchmark.hpp"
#include "command_line.hpp"
#include "payload.hpp"
#include "program.hpp"
#include "report.hpp"
#include "round_trip.hpp"

namespace takt::lab::exchange {
namespace {

enum Variant : std::uint32_t { loaned, copied, bare };
const std::vector<std::string> names = {"loaned", "copied", "wake-up"};

struct Arguments : BenchmarkArguments {
  std::vector<std::uint32_t> sizes = {16,       128,       1024,    8 << 10,
                                      64 << 10, 512 << 10, 2 << 20, 8 << 20};
};

/// The current measurement, which the nodes' callbacks use.
struct Turn {
  Samples & samples;
  std::uint32_t round = 0;
  Variant variant = loaned;
  model::Time end = 0;
  os::Event over{};

  void measured(std::int64_t size, model::Time sent, model::Time back) noexcept {
    samples.add({.round = round,
                 .variant = variant,
                 .x = size,
                 .at = sent,
                 .value = static_cast<double>(back - sent)});
  }
};

/// A node that sends, and one that sends back, for messages of one size.
class Pair {
 public:
  Pair(Turn & turn, std::uint32_t size)
      : turn_(turn),
        size_(size),
        near_(std::make_shared<Node>("near" + std::to_string(size))),
        far_(std::make_shared<Node>("far" + std::to_string(size))),
        message_(std::make_unique<Payload>()) {
    const std::string there = "there" + std::to_string(size);
    const std::string back = "back" + std::to_string(size);
    message_->data.assign(size, 1);
    ping_ = near_->create_publisher<Payload>(there, 1);
    pong_ = far_->create_publisher<Payload>(back, 1);
    at_far_ = far_->create_subscription<Payload>(there, 1, [this](const Payload & message) {
      send(*pong_, message.sequence, message.stamp_ns);
    });
    at_near_ = near_->create_subscription<Payload>(back, 1, [this](const Payload & message) {
      const model::Time now = os::now();
      turn_.measured(size_, message.stamp_ns, now);
      if (now >= turn_.end) {
        turn_.over.post();
      } else {
        begin();
      }
    });
    for (const auto & publisher : {ping_, pong_}) {
      publisher->prepare_messages([size](Payload & message) { message.data.assign(size, 1); });
    }
  }

  void add_to(SchedulingExecutor & executor) {
    executor.add_node(near_);
    executor.add_node(far_);
  }
  /// Sends the first message of a stretch; each received message causes the next one.
  void begin() { send(*ping_, sequence_++, os::now()); }

 private:
  void send(Publisher<Payload> & publisher, std::uint64_t sequence, model::Time stamp) {
    if (turn_.variant == copied) {
      message_->sequence = sequence;
      message_->stamp_ns = stamp;
      publisher.publish(*message_);
      return;
    }
    auto loan = publisher.borrow_loaned_message();
    loan->sequence = sequence;
    loan->stamp_ns = stamp;
    publisher.publish(std::move(loan));
  }

  Turn & turn_;
  std::uint32_t size_;
  std::uint64_t sequence_ = 0;
  std::shared_ptr<Node> near_;
  std::shared_ptr<Node> far_;
  std::unique_ptr<Payload> message_;
  Publisher<Payload>::SharedPtr ping_;
  Publisher<Payload>::SharedPtr pong_;
  std::shared_ptr<Subscription<Payload>> at_near_;
  std::shared_ptr<Subscription<Payload>> at_far_;
};

class Exchange {
 public:
  Exchange(const Arguments & arguments, Samples & samples)
      : arguments_(arguments),
        turn_{.samples = samples},
        executor_({.policy = "fp", .cpus = {arguments.cpu}, .diagnostics = {.enabled = false}}) {
    for (const std::uint32_t size : arguments.sizes) {
      pairs_.push_back(std::make_unique<Pair>(turn_, size));
      pairs_.back()->add_to(executor_);
    }
  }

  void run() {
    std::thread spin([this] { executor_.spin(); });
    while (!executor_.spinning()) os::sleep_until(os::now() + 1'000'000);
    for (std::uint32_t round = 0; round < arguments_.rounds; ++round) {
      turn_.round = round;
      for (const std::size_t i : turns(round, 2 * pairs_.size() + 1)) {
        if (i == 2 * pairs_.size()) {
          take_turn(bare, [&] {
            hand_over({arguments_.cpu, arguments_.cpu}, turn_.end,
                      [&](model::Time sent, model::Time back) { turn_.measured(0, sent, back); });
          });
        } else {
          take_turn(i % 2 == 0 ? loaned : copied,
                    [&] { pairs_[i / 2]->begin(), turn_.over.wait(); });
        }
      }
    }
    grants_ = executor_.grants();
    executor_.cancel();
    spin.join();
  }
  const executor::Grants & grants() const noexcept { return grants_; }

 private:
  template <typename Stretch>
  void take_turn(Variant variant, Stretch stretch) {
    turn_.variant = variant;
    in_stretches(arguments_.turn, turn_.end, stretch);
  }

  const Arguments & arguments_;
  Turn turn_;
  std::vector<std::unique_ptr<Pair>> pairs_;
  SchedulingExecutor executor_;
  executor::Grants grants_;
};

void run(const Arguments & arguments) {
  make_folder(arguments.out);
  confine_process({arguments.cpu});
  announce(os::now());
  takt::InitOptions options;
  options.handle_signals = false;
  takt::init(0, nullptr, options);
  Samples samples(names, arguments.samples);
  {
    Exchange exchange(arguments, samples);
    exchange.run();
    samples.write("exchange", arguments, exchange.grants(), {{"rmw", takt::rmw_identifier()}});
  }
  takt::shutdown();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("exchange", "Measures round trips inside a process by the size of the message");
  Arguments arguments;
  add_options(line, arguments);
  line.option("--sizes", arguments.sizes, "Message sizes in bytes, one or several")
      .above_zero()
      .shows_default();
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::exchange
