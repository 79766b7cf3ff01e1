// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Measures the time of a message from right before its publication to the first instruction of the
// subscription's callback, one message at a time, as a function of its size: to another node of the process,
// under takt or under the stock executor, and through the middleware to another process. For comparison, a
// bare copy of the same number of bytes.

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <takt/context.hpp>
#include <takt/node.hpp>
#include <takt/scheduling_executor.hpp>
#include <takt/stock_executor.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <takt_core/os/locked_memory.hpp>
#include <takt_core/os/rights.hpp>
#include <takt_core/os/threads.hpp>
#include <thread>

#include "benchmark.hpp"
#include "command_line.hpp"
#include "error.hpp"
#include "interrupt.hpp"
#include "payload.hpp"
#include "program.hpp"
#include "report.hpp"
#include "round_trip.hpp"

namespace takt::lab::transport {
namespace {

const std::vector<std::string> ways = {"middleware", "stock", "takt", "copy"};
constexpr int reply_timeout_ms = 5'000;
/// The sequence number of the message that ends the other process.
constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();

struct Arguments : BenchmarkArguments {
  std::string way;
  std::string side = "near";
  std::string replies;
  model::Duration match_timeout = 30'000'000'000;
  /// The maximum number of messages in one turn, which limits the memory for the samples of short ones.
  std::uint64_t most = 10'000;
  int os_priority = executor::PriorityPlan{}.workers_high;
  std::vector<std::uint32_t> sizes = {512, 256 << 10, 1 << 20, 8 << 20};

  std::uint32_t variant() const {
    const auto place = std::find(ways.begin(), ways.end(), way);
    return static_cast<std::uint32_t>(place - ways.begin());
  }
};

std::string topic_of(std::uint32_t size) {
  return "transport" + std::to_string(size);
}

/// The report of the receiving process about a message: its number, and when its callback began.
struct Reply {
  std::uint64_t sequence = 0;
  model::Time received = 0;
};

/// A named pipe between the two processes. Each opens it for reading and writing, so that opening does not
/// wait for the other process.
class Replies {
 public:
  explicit Replies(const std::string & path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
    if (descriptor_ < 0) throw Error(path + ": cannot be opened: " + std::strerror(errno));
  }
  ~Replies() { ::close(descriptor_); }
  Replies(const Replies &) = delete;
  Replies & operator=(const Replies &) = delete;

  void send(const Reply & reply) const {
    if (::write(descriptor_, &reply, sizeof(reply)) != sizeof(reply)) {
      throw Error(path_ + ": cannot be written: " + std::strerror(errno));
    }
  }
  Reply receive(Interrupt & interrupt, std::uint32_t size) const {
    pollfd one{.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (::poll(&one, 1, reply_timeout_ms) != 1) {
      throw Error(interrupt.raised() ? "interrupted"
                                     : "a message of " + std::to_string(size) +
                                           " bytes did not reach the other process");
    }
    Reply reply;
    if (::read(descriptor_, &reply, sizeof(reply)) != sizeof(reply)) {
      throw Error(path_ + ": cannot be read: " + std::strerror(errno));
    }
    return reply;
  }

 private:
  std::string path_;
  int descriptor_;
};

/// The current measurement, which the callbacks use.
struct Turn {
  Samples & samples;
  std::uint32_t variant = 0;
  std::uint64_t most = 0;
  std::uint32_t round = 0;
  std::uint64_t count = 0;
  model::Time end = 0;
  os::Event over{};

  bool done(model::Time now) const noexcept { return now >= end || count >= most; }
  void measured(std::int64_t size, model::Time sent, model::Time received) noexcept {
    ++count;
    samples.add({.round = round,
                 .variant = variant,
                 .x = size,
                 .at = sent,
                 .value = static_cast<double>(received - sent)});
  }
};

/// Publishes messages of one size, which are allocated in advance.
class Sender {
 public:
  Sender(Node & node, std::uint32_t size)
      : publisher_(node.create_publisher<Payload>(topic_of(size), 1)) {
    publisher_->prepare_messages([size](Payload & message) { message.data.assign(size, 1); });
  }
  /// Publishes a message and returns the instant right before.
  model::Time send(std::uint64_t sequence) {
    auto message = publisher_->borrow_loaned_message();
    message->sequence = sequence;
    const model::Time now = os::now();
    message->stamp_ns = now;
    publisher_->publish(std::move(message));
    return now;
  }
  bool matched() const { return publisher_->get_subscription_count() > 0; }

 private:
  Publisher<Payload>::SharedPtr publisher_;
};

/// A sender and a receiver of one size in one process: each callback sends the next message.
class Pair {
 public:
  Pair(Turn & turn, std::uint32_t size)
      : near_(std::make_shared<Node>("near" + std::to_string(size))),
        far_(std::make_shared<Node>("far" + std::to_string(size))),
        sender_(*near_, size) {
    subscription_ = far_->create_subscription<Payload>(
        topic_of(size), 1, [this, &turn, size](const Payload & message) {
          const model::Time now = os::now();
          turn.measured(size, message.stamp_ns, now);
          if (turn.done(now)) {
            turn.over.post();
          } else {
            begin();
          }
        });
  }
  template <typename Executor>
  void add_to(Executor & executor) {
    executor.add_node(near_);
    executor.add_node(far_);
  }
  void begin() { sender_.send(sequence_++); }

 private:
  std::uint64_t sequence_ = 0;
  std::shared_ptr<Node> near_;
  std::shared_ptr<Node> far_;
  Sender sender_;
  std::shared_ptr<Subscription<Payload>> subscription_;
};

/// Measures each size in turn, in each round. `stretch(i)` sends messages of size i until the turn is over.
template <typename Stretch>
void take_turns(const Arguments & arguments, Turn & turn, Stretch stretch) {
  for (turn.round = 0; turn.round < arguments.rounds; ++turn.round) {
    for (const std::size_t i : turns(turn.round, arguments.sizes.size())) {
      turn.count = 0;
      in_stretches(arguments.turn, turn.end, [&] { stretch(i); });
    }
  }
}

template <typename Executor>
void inside(const Arguments & arguments, Turn & turn, Executor & executor) {
  std::vector<std::unique_ptr<Pair>> pairs;
  for (const std::uint32_t size : arguments.sizes) {
    pairs.push_back(std::make_unique<Pair>(turn, size));
    pairs.back()->add_to(executor);
  }
  std::thread spin([&] { executor.spin(); });
  while (!executor.spinning()) os::sleep_until(os::now() + 1'000'000);
  take_turns(arguments, turn, [&](std::size_t i) {
    pairs[i]->begin();
    turn.over.wait();
  });
  executor.cancel();
  spin.join();
}

/// The side that publishes to another process. It has no callbacks, so no executor spins.
void between(const Arguments & arguments, Turn & turn, Interrupt & interrupt) {
  const Replies replies(arguments.replies);
  Node node("near");
  std::vector<std::unique_ptr<Sender>> senders;
  for (const std::uint32_t size : arguments.sizes) {
    senders.push_back(std::make_unique<Sender>(node, size));
  }
  const model::Time limit = os::now() + arguments.match_timeout;
  for (const auto & sender : senders) {
    while (!sender->matched()) {
      if (os::now() > limit) {
        throw Error("the other process had no matching subscriptions within " +
                    std::to_string(arguments.match_timeout / 1'000'000'000) + " s");
      }
      if (interrupt.sleep_until(os::now() + 2'000'000)) throw Error("interrupted");
    }
  }
  std::uint64_t sequence = 0;
  take_turns(arguments, turn, [&](std::size_t i) {
    for (model::Time received = 0; !turn.done(received);) {
      const model::Time sent = senders[i]->send(++sequence);
      const Reply reply = replies.receive(interrupt, arguments.sizes[i]);
      if (reply.sequence != sequence) throw Error("messages arrived in the wrong order");
      received = reply.received;
      turn.measured(arguments.sizes[i], sent, received);
    }
  });
  senders.front()->send(last);
  replies.receive(interrupt, arguments.sizes.front());
}

/// The process that receives, with the stock executor on its main thread.
void far_side(const Arguments & arguments, Interrupt & interrupt) {
  const Replies replies(arguments.replies);
  auto node = std::make_shared<Node>("far");
  StockExecutor executor;
  std::vector<std::shared_ptr<Subscription<Payload>>> subscriptions;
  for (const std::uint32_t size : arguments.sizes) {
    subscriptions.push_back(
        node->create_subscription<Payload>(topic_of(size), 1, [&](const Payload & message) {
          replies.send({message.sequence, os::now()});
          if (message.sequence == last) executor.cancel();
        }));
  }
  executor.add_node(node);
  std::atomic<bool> over{false};
  std::thread watch([&] {
    while (!over.load() && !interrupt.sleep_until(os::now() + 100'000'000)) {
    }
    executor.cancel();
  });
  executor.spin();
  over.store(true);
  watch.join();
}

void copies(const Arguments & arguments, Turn & turn) {
  std::vector<std::vector<char>> from;
  std::vector<std::vector<char>> to;
  for (const std::uint32_t size : arguments.sizes) {
    from.emplace_back(size, '\1');
    to.emplace_back(size, '\2');
  }
  take_turns(arguments, turn, [&](std::size_t i) {
    for (model::Time now = 0; !turn.done(now);) {
      const model::Time begun = os::now();
      std::memcpy(to[i].data(), from[i].data(), from[i].size());
      asm volatile("" : : "r"(to[i].data()) : "memory");
      now = os::now();
      turn.measured(arguments.sizes[i], begun, now);
    }
  });
}

void near_side(const Arguments & arguments, const os::Granted & priority, Interrupt & interrupt) {
  Samples samples(ways, arguments.samples);
  Turn turn{.samples = samples, .variant = arguments.variant(), .most = arguments.most};
  executor::Grants grants = plain_grants("ros", priority, arguments.cpu, os::lock_memory());
  if (arguments.way == "takt") {
    SchedulingExecutor executor(
        {.policy = "fp", .cpus = {arguments.cpu}, .diagnostics = {.enabled = false}});
    inside(arguments, turn, executor);
    grants = executor.grants();
  } else if (arguments.way == "stock") {
    StockExecutor executor;
    inside(arguments, turn, executor);
  } else if (arguments.way == "middleware") {
    between(arguments, turn, interrupt);
  } else {
    copies(arguments, turn);
  }
  samples.write("transport", arguments, grants,
                {{"way", arguments.way}, {"rmw", takt::rmw_identifier()}});
}

void run(const Arguments & arguments) {
  make_folder(arguments.out);
  confine_process({arguments.cpu});
  // Set before anything else starts, so that the middleware's threads inherit it. takt has its own plan.
  const os::Granted priority =
      arguments.way == "takt" ? os::Granted{0, 0, {}} : os::set_fifo(0, arguments.os_priority);
  Interrupt interrupt;
  takt::InitOptions options;
  options.handle_signals = false;
  takt::init(0, nullptr, options);
  announce(os::now());
  if (arguments.side == "far") {
    far_side(arguments, interrupt);
  } else {
    near_side(arguments, priority, interrupt);
  }
  takt::shutdown();
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("transport", "Measures the time of a message until its callback, by its size");
  Arguments arguments;
  add_options(line, arguments);
  line.option("--way", arguments.way,
              "Between processes, inside a process under an executor, or a bare copy")
      .required()
      .one_of(ways);
  line.option("--side", arguments.side, "near publishes; far, in another process, receives")
      .one_of({"near", "far"})
      .shows_default();
  line.option("--replies", arguments.replies, "Named pipe from far to near");
  line.option("--match-timeout-ns", arguments.match_timeout,
              "Longest wait for the other side, in ns")
      .above_zero()
      .shows_default();
  line.option("--sizes", arguments.sizes, "Message sizes in bytes, one or several")
      .above_zero()
      .shows_default();
  line.option("--most", arguments.most, "Maximum number of messages of each size in a turn")
      .above_zero()
      .shows_default();
  line.option("--os-priority", arguments.os_priority,
              "SCHED_FIFO priority of the process, except for takt; 0: none")
      .within(0, 98)
      .shows_default();
  return line.run(argc, argv, [&] {
    if (arguments.way == "middleware" && arguments.replies.empty()) {
      throw Error("--replies: is required for --way middleware; give a named pipe");
    }
    run(arguments);
  });
}

}  // namespace takt::lab::transport
