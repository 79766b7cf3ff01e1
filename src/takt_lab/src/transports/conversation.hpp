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

/// What round trips and cycles have in common: two sides, one that asks and one that answers, over a
/// transport, in one process or two.
struct ConversationArguments {
  std::string side;
  std::string transport;
  std::size_t payload = 500;
  model::Duration period = 10'000'000;
  model::Duration timeout = 500'000'000;
  model::Duration duration = 10'000'000'000;
  model::Duration warmup = 1'000'000'000;
  /// How long the asking side waits for the other.
  model::Duration match_timeout = 30'000'000'000;
  model::Duration checkpoint = 0;
  bool same_node = false;
  bool through_middleware = false;
  std::size_t beside = 0;
  std::optional<std::size_t> domain;
  std::string here;
  std::string there;
  bool reliable = false;
  std::size_t depth = 1;  ///< 0, before it is given: as many as can be under way
  std::string out;
  std::string tag;
  RealTime real_time;
};

/// The words of a program for its two sides and its topics.
struct ConversationWords {
  const char * program;
  const char * asks;     ///< the side, and its node
  const char * answers;  ///< likewise
  const char * there;    ///< topic from who asks
  const char * back;
};

/// `--transports` too: prints what this build has and ends the program.
void add_options(CommandLine & line, ConversationArguments & arguments,
                 const ConversationWords & words);

/// One process's part: set up with all settings, run, written down. On the main thread.
class Conversation {
 public:
  /// Throws Error. Starts the middleware.
  Conversation(const ConversationArguments & arguments, const ConversationWords & words);

  bool asks() const noexcept;
  bool answers() const noexcept;
  /// Each at most once, before ready(); only if this process has that side.
  Party & add_asking(Handlers handlers);
  Party & add_answering(Handlers handlers);
  /// All parties are there: settings that come after them, then tells who started the program.
  void ready();
  /// Waits for the other side. Throws Error at a signal or if nobody comes.
  void wait_until_matched(Party & party);
  /// A t0 shortly after now; starts the transport and tells it. The window is window() then.
  model::Time start();
  /// The same for who only answers: no t0.
  void serve();
  const Window & window() const noexcept { return window_; }
  /// Looks every so often, until `over` or a signal: `look`, and `checkpoint` when it is time.
  void watch(const std::function<bool()> & over, const std::function<void()> & look,
             const std::function<void()> & checkpoint);
  /// True once a signal has come.
  bool interrupted() noexcept { return interrupt_.raised(); }
  /// On return no handler runs. Throws what a handler has thrown.
  void stop() { transport_->stop(); }
  /// Stops at its end, so that handlers outlive their calls.
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

  /// The facts of this process so far. `complete`: the run has ended as planned.
  nlohmann::ordered_json facts(const nlohmann::ordered_json & counts, bool complete) const;
  std::string path(const std::string & ending) const;

 private:
  PartyOptions party(const char * name, const char * sends, const char * receives,
                     bool asking) const;
  Party & add(const char * name, const char * sends, const char * receives, bool asking,
              Handlers handlers);

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
