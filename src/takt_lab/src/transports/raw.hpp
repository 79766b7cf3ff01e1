// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <takt_core/os/thread.hpp>
#include <vector>

#include "transports/transport.hpp"

namespace takt::lab {

/// The sending and the receiving end of a party in a transport without an executor.
class Ends {
 public:
  Ends() = default;
  virtual ~Ends() = default;
  Ends(const Ends &) = delete;
  Ends & operator=(const Ends &) = delete;

  /// Sends a message. Any thread, one at a time.
  virtual void send(std::uint64_t sequence) = 0;
  virtual bool matched() = 0;
  virtual nlohmann::ordered_json qos() const = 0;
  /// Blocks until there are messages, for each of which it calls `received` in order, or until wake().
  virtual void receive(const std::function<void(const Message &)> & received) = 0;
  /// Makes the current or the next call of receive() return. Any thread.
  virtual void wake() = 0;
};

/// A transport whose parties have a thread that receives and, if they have a period, one that sleeps until each
/// instant. Both have the priority of takt's worker, for a fair comparison.
class RawTransport : public Transport {
 public:
  using Open = std::function<std::unique_ptr<Ends>(const PartyOptions &)>;
  RawTransport(const TransportOptions & options, Open open);
  ~RawTransport() override;

  Party & add(const PartyOptions & options, Handlers handlers) override;
  void start(model::Time t0) override;
  void stop() override;
  executor::Grants grants() const override;

 private:
  class RawParty;
  TransportOptions options_;
  Open open_;
  executor::Grants grants_;
  std::vector<std::unique_ptr<RawParty>> parties_;
};

}  // namespace takt::lab
