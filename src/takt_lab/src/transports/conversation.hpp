// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "awake.hpp"
#include "interrupt.hpp"
#include "overseer.hpp"
#include "real_time.hpp"
#include "transports/transport.hpp"

namespace takt::lab {

class CommandLine;

/// The arguments that the round-trip and cycle benchmarks have in common. There are two sides, one that sends
/// requests (the asking side) and one that responds (the answering side), in one process or two, connected
/// by a transport. Durations are in ns.
struct ConversationArguments {
  std::string side;
  std::string transport;
  std::size_t payload = 500;  ///< of the longest message, in bytes
  model::Duration period = 10'000'000;
  model::Duration timeout = 500'000'000;
  model::Duration duration = 10'000'000'000;
  model::Duration warmup = 1'000'000'000;
  /// How long the asking side waits until the other is discovered.
  model::Duration match_timeout = 30'000'000'000;
  model::Duration checkpoint = 0;
  bool same_node = false;
  bool through_middleware = false;
  std::size_t beside = 0;
  std::optional<std::size_t> domain;
  std::string here;
  std::string there;
  bool reliable = false;
  std::size_t depth = 1;  ///< history depth; default 0: as many messages as can be in transit
  std::string out;
  std::string tag;
  RealTime real_time;
};

/// A program's names for its two sides and its topics.
struct ConversationWords {
  const char * program;
  const char * asks;     ///< name of the asking side and of its node
  const char * answers;  ///< name of the answering side and of its node
  const char * there;    ///< topic from the asking to the answering side
  const char * back;     ///< topic in the other direction
};

/// Adds the options but the payload, including `--transports`, which prints the transports of this build and ends
/// the program.
void add_options(CommandLine & line, ConversationArguments & arguments,
                 const ConversationWords & words);

/// The part of one process in a benchmark: it applies the settings, runs, and writes the results. Used on the
/// main thread.
class Conversation {
 public:
  /// Applies the settings and starts the middleware. Throws Error.
  Conversation(const ConversationArguments & arguments, const ConversationWords & words);

  bool asks() const noexcept;
  bool answers() const noexcept;
  /// Adds a party. Before ready().
  Party & add(PartyOptions options, Handlers handlers);
  /// Add the party of a side, which sends and receives. Each may be called once, before ready(), if this process has
  /// that side.
  Party & add_asking(Handlers handlers);
  Party & add_answering(Handlers handlers);
  /// Returns the address of a side for UDP, with a port that is higher by `offset`.
  std::string address(bool asking, std::size_t offset = 0) const;
  /// To be called when all parties have been added: applies the remaining settings, and then reports to the
  /// process that started the program.
  void ready();
  /// Waits until the other side is discovered. Throws Error on a signal or a time-out.
  void wait_until_matched(Party & party);
  /// Chooses a t0 shortly after now, starts the transport, announces t0 and returns it. window() is valid
  /// afterwards.
  model::Time start();
  /// Starts the transport of a process that only answers, without a t0.
  void serve();
  const Window & window() const noexcept { return window_; }
  /// Calls `look` periodically, and `checkpoint` when it is due, until `over` returns true or a signal
  /// arrives.
  void watch(const std::function<bool()> & over, const std::function<void()> & look,
             const std::function<void()> & checkpoint);
  /// Returns whether a signal has arrived.
  bool interrupted() noexcept { return interrupt_.raised(); }
  /// Stops the transport. After the return no handler runs. Throws what a handler has thrown.
  void stop() { transport_->stop(); }
  /// Calls stop() at its destruction, so that no handler is called after its destruction.
  class Guard {
   public:
    explicit Guard(Conversation & conversation) : conversation_(conversation) {}
    ~Guard();
    Guard(const Guard &) = delete;
    Guard & operator=(const Guard &) = delete;

   private:
    Conversation & conversation_;
  };
  Interrupt & interrupt() noexcept { return interrupt_; }
  /// Returns the CPU time of the process in ns, without that of threads that only keep CPUs awake. Any thread, after
  /// ready(); makes a system call for each such thread and one more.
  model::Duration cpu_time() const noexcept;

  /// Returns the facts about this process so far. `complete` says whether the run has ended as planned.
  nlohmann::ordered_json facts(const nlohmann::ordered_json & counts, bool complete) const;
  std::string path(const std::string & ending) const;

 private:
  ConversationArguments arguments_;
  ConversationWords words_;
  Interrupt interrupt_;
  model::Time t0_ = 0;
  Window window_;
  nlohmann::ordered_json settings_;
  nlohmann::ordered_json parties_ = nlohmann::ordered_json::object();
  std::unique_ptr<Awake> awake_;
  std::unique_ptr<Transport> transport_;
  std::vector<std::pair<std::string, Party *>> all_;
};

}  // namespace takt::lab
