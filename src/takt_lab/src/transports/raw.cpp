// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "transports/raw.hpp"

#include <algorithm>
#include <takt_core/executor/thread_roles.hpp>
#include <takt_core/os/clock.hpp>
#include <utility>

#include "report.hpp"

namespace takt::lab {

class RawTransport::RawParty : public Party {
 public:
  /// Begins to receive at once, because some transports discover the other side only by that.
  RawParty(std::unique_ptr<Ends> ends, Handlers handlers, const os::ThreadOptions & thread)
      : ends_(std::move(ends)), handlers_(std::move(handlers)), thread_(thread) {
    receiver_ = os::Thread(named("raw.receive"), [this] {
      const auto received = [this](const Message & message) { handlers_.received(*this, message); };
      while (!over_.load()) ends_->receive(received);
    });
  }
  ~RawParty() override { stop(); }

  void send(std::uint64_t sequence) override { ends_->send(sequence); }
  bool matched() override { return ends_->matched(); }
  nlohmann::ordered_json qos() const override { return ends_->qos(); }

  void start(model::Time t0) {
    if (handlers_.tick == nullptr) return;
    ticker_ = os::Thread(named("raw.tick"), [this, t0] { tick(t0); });
  }
  void stop() noexcept {
    over_.store(true);
    ends_->wake();
    receiver_.join();
    ticker_.join();
  }
  /// Returns the requested and granted settings of the threads.
  std::vector<executor::PlannedThread> threads() const {
    std::vector<executor::PlannedThread> planned;
    for (const os::Thread * thread : {&receiver_, &ticker_}) {
      if (!thread->joinable()) continue;
      const os::Granted & priority = thread->priority();
      planned.push_back({.name = thread->name(),
                         .tid = thread->tid(),
                         .role = "worker",
                         .asked = priority.asked,
                         .granted = priority.granted,
                         .cpu = thread->cpu().granted,
                         .error = priority.error});
    }
    return planned;
  }

 private:
  os::ThreadOptions named(const char * name) const {
    os::ThreadOptions options = thread_;
    options.name = name;
    return options;
  }
  void tick(model::Time t0) {
    std::uint64_t index = 0;
    while (!over_.load()) {
      const model::Time intended = t0 + static_cast<model::Time>(index) * handlers_.period;
      // In steps, so that a long period does not delay the end.
      const model::Time soon = os::now() + 50'000'000;
      os::sleep_until(std::min(intended, soon));
      if (intended > soon) continue;
      if (over_.load()) return;
      handlers_.tick(index);
      const model::Time late = os::now() - intended;
      index += late < handlers_.period ? 1 : static_cast<std::uint64_t>(late / handlers_.period);
    }
  }

  std::unique_ptr<Ends> ends_;
  Handlers handlers_;
  os::ThreadOptions thread_;
  std::atomic<bool> over_{false};
  os::Thread receiver_;
  os::Thread ticker_;
};

RawTransport::RawTransport(const TransportOptions & options, Open open)
    : options_(options), open_(std::move(open)) {}
RawTransport::~RawTransport() = default;

Party & RawTransport::add(const PartyOptions & options, Handlers handlers) {
  const os::ThreadOptions thread{
      .name = {}, .priority = options_.plan ? options_.plan->workers_high : 0, .cpu = options_.cpu};
  parties_.push_back(std::make_unique<RawParty>(open_(options), std::move(handlers), thread));
  return *parties_.back();
}

void RawTransport::start(model::Time t0) {
  std::vector<executor::PlannedThread> threads;
  if (options_.plan) threads = executor::plan_middleware(*options_.plan);
  for (const auto & party : parties_) {
    party->start(t0);
    for (auto & thread : party->threads()) threads.push_back(std::move(thread));
  }
  os::Granted priority;
  for (const auto & thread : threads) {
    if (thread.role == "worker") priority = {thread.asked, thread.granted, thread.error};
  }
  grants_ = plain_grants("raw", priority, options_.cpu, {});
  grants_.pinned = options_.cpu >= 0;
  grants_.threads = std::move(threads);
}

void RawTransport::stop() {
  for (const auto & party : parties_) party->stop();
}

executor::Grants RawTransport::grants() const {
  return grants_;
}

}  // namespace takt::lab
