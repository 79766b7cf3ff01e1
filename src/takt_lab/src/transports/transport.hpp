// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <takt_core/executor/processor.hpp>
#include <takt_core/model/types.hpp>
#include <vector>

/// What carries messages there and back, behind one interface: round trips and cycles are written
/// once, against this.
namespace takt::lab {

/// A message as it arrives. The payload is valid during the call.
struct Message {
  std::uint64_t sequence = 0;
  std::span<const std::uint8_t> payload;
};

class Party;

/// What a party does. Both are called on the transport's threads; with ROS one at a time for each
/// node, raw side by side. Raw parties receive as soon as they are added.
struct Handlers {
  std::function<void(Party &, const Message &)> received;
  /// At t0 + index * period; an instant that is missed as a whole is left out.
  std::function<void(std::uint64_t index)> tick = nullptr;
  model::Duration period = 0;
};

struct PartyOptions {
  /// Of the node; parties of one name are one node.
  std::string name;
  /// Topics.
  std::string sends;
  std::string receives;
  /// Bytes of each message that it sends, and of the longest that it receives.
  std::size_t payload = 0;
  /// `IP:PORT`, where the transport is UDP: its own, and where it sends to.
  std::string here;
  std::string there;
};

/// One end of a conversation: sends on one topic, receives on another.
class Party {
 public:
  Party() = default;
  virtual ~Party() = default;
  Party(const Party &) = delete;
  Party & operator=(const Party &) = delete;

  /// Any thread, one at a time. Blocks for as long as the transport takes.
  virtual void send(std::uint64_t sequence) = 0;
  /// Whether the other side is there, in both directions. Any thread; may send something to ask.
  virtual bool matched() = 0;
  /// The quality of service in use, as far as there is one.
  virtual nlohmann::ordered_json qos() const = 0;
};

struct TransportOptions {
  bool reliable = false;
  std::size_t depth = 1;
  std::optional<std::size_t> domain;
  /// Parties of one process speak through the middleware, too.
  bool through_middleware = false;
  /// Real-time priorities; none: ordinary threads throughout.
  std::optional<executor::PriorityPlan> plan;
  /// The one CPU of the threads that this starts; -1: any of the process's.
  int cpu = -1;
  /// Messages that a raw middleware reserves memory for; 0: its default.
  std::size_t history = 0;
};

/// The process's part in one transport. Made, given its parties, started once, stopped. One thread.
class Transport {
 public:
  Transport() = default;
  virtual ~Transport() = default;
  Transport(const Transport &) = delete;
  Transport & operator=(const Transport &) = delete;

  /// Throws Error. The party lives as long as the transport.
  virtual Party & add(const PartyOptions & options, Handlers handlers) = 0;
  /// Further publishers and subscriptions of no importance in the node of that name, in pairs: 100
  /// messages of 1 KiB a second each. Throws Error where there are no nodes.
  virtual void add_beside(const std::string & node, std::size_t pairs);
  /// From now on messages are received, and from t0 on instants come. Throws Error.
  virtual void start(model::Time t0) = 0;
  /// On return no handler runs or will. Ends the transport's threads but for the middleware's.
  virtual void stop() = 0;
  /// What was asked for and granted; after start().
  virtual executor::Grants grants() const = 0;
};

/// The transports there are in this build, and those that it lacks with the reason: `name`, `raw`,
/// `available`, `why`.
nlohmann::ordered_json transports_json();
/// Whether it is no RMW. False for what is none of them.
bool is_raw(const std::string & name);
/// Names of all of them.
std::vector<std::string> transport_names();
/// Throws Error if this build lacks it. `several`: all parties are of this process.
std::unique_ptr<Transport> make_transport(const std::string & name,
                                          const TransportOptions & options, bool several);

/// The payload of every message, byte by byte.
std::vector<std::uint8_t> payload_of(std::size_t bytes);

}  // namespace takt::lab
