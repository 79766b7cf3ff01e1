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

/// The common interface of everything that carries messages. The round-trip and cycle benchmarks use only
/// this interface.
namespace takt::lab {

/// A received message. The payload is valid only during the call of the handler.
struct Message {
  std::uint64_t sequence = 0;
  std::span<const std::uint8_t> payload;
};

class Party;

/// The handlers of a party, which are called on the transport's threads. With ROS, the handlers of a node are
/// called one at a time, with raw transports concurrently. Raw parties receive as soon as they are added.
struct Handlers {
  std::function<void(Party &, const Message &)> received;
  /// Called at t0 + index * period, in ns. Instants that are missed by a whole period are left out.
  std::function<void(std::uint64_t index)> tick = nullptr;
  model::Duration period = 0;
};

struct PartyOptions {
  /// The name of the node; parties of the same name are in one node.
  std::string name = {};
  /// The topics on which it sends and receives; an empty one: it does not. A UDP party always has both ends, because
  /// each has to know that the other one is there.
  std::string sends = {};
  std::string receives = {};
  /// Size in bytes of each message that it sends, and of the longest one that it receives.
  std::size_t payload = 0;
  /// Number of receivers that must be discovered before matched() is true.
  std::size_t receivers = 1;
  /// For UDP, as `IP:PORT`: its own address and those to which it sends, one after another.
  std::string here = {};
  std::vector<std::string> there = {};
};

/// One end of a connection, which sends on one topic and receives on another.
class Party {
 public:
  Party() = default;
  virtual ~Party() = default;
  Party(const Party &) = delete;
  Party & operator=(const Party &) = delete;

  /// Sends a message. Any thread, one at a time. Blocks for as long as the transport takes. Only for a party that
  /// sends.
  virtual void send(std::uint64_t sequence) = 0;
  /// Returns whether the other side has been discovered, in each direction that the party has. Any thread; may send a
  /// message.
  virtual bool matched() = 0;
  /// Returns the QoS in use, if the transport has one.
  virtual nlohmann::ordered_json qos() const = 0;
};

struct TransportOptions {
  bool reliable = false;
  std::size_t depth = 1;
  std::optional<std::size_t> domain;
  /// Whether parties of one process communicate through the middleware, too.
  bool through_middleware = false;
  /// The real-time priorities; if not given, all threads are ordinary ones.
  std::optional<executor::PriorityPlan> plan;
  /// The CPU of the threads that the transport starts; -1: any CPU of the process.
  int cpu = -1;
  /// Number of messages for which a raw middleware reserves memory; 0: its default.
  std::size_t history = 0;
};

/// The part of one process in a transport. It is created, given its parties, started once and stopped, all by
/// one thread.
class Transport {
 public:
  Transport() = default;
  virtual ~Transport() = default;
  Transport(const Transport &) = delete;
  Transport & operator=(const Transport &) = delete;

  /// Adds a party, which exists as long as the transport. Throws Error.
  virtual Party & add(const PartyOptions & options, Handlers handlers) = 0;
  /// Adds pairs of a publisher and a subscription of low priority to the node of that name, with 100 messages
  /// of 1 KiB per second each. Throws Error for transports without nodes.
  virtual void add_beside(const std::string & node, std::size_t pairs);
  /// Begins to receive messages and, from t0 on (CLOCK_MONOTONIC, ns), to call the periodic handlers. Throws
  /// Error.
  virtual void start(model::Time t0) = 0;
  /// Ends the transport's threads, except for those of the middleware. After the return no handler runs.
  virtual void stop() = 0;
  /// The requested and granted settings; valid after start().
  virtual executor::Grants grants() const = 0;
};

/// Returns all transports as `name`, `raw`, `available` and `why`, the reason if this build lacks it.
nlohmann::ordered_json transports_json();
/// Returns whether the transport of this name does not use ROS. False for an unknown name.
bool is_raw(const std::string & name);
/// Returns the names of all transports.
std::vector<std::string> transport_names();
/// Creates a transport. `several` says whether all parties are in this process. Throws Error if this build
/// lacks the transport.
std::unique_ptr<Transport> make_transport(const std::string & name,
                                          const TransportOptions & options, bool several);

/// Returns the payload of `bytes` bytes that every message has.
std::vector<std::uint8_t> payload_of(std::size_t bytes);

}  // namespace takt::lab
