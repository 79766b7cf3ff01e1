// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "transports/syscalls.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <takt_core/os/event.hpp>
#include <takt_core/os/lock.hpp>
#include <takt_core/os/pi_mutex.hpp>

#include "transports/raw.hpp"

namespace takt::lab {
namespace {

/// A queue of the last messages for one receiver, with memory that is allocated once.
class Mailbox {
 public:
  Mailbox(std::size_t depth, std::size_t bytes) : slots_(depth) {
    for (Slot & slot : slots_) slot.bytes.reserve(bytes);
  }

  void put(std::uint64_t sequence, const std::vector<std::uint8_t> & payload) {
    {
      const os::Lock lock(mutex_);
      Slot & slot = slots_[(first_ + count_) % slots_.size()];
      slot.sequence = sequence;
      slot.bytes.assign(payload.begin(), payload.end());
      if (count_ == slots_.size()) {
        first_ = (first_ + 1) % slots_.size();
      } else {
        ++count_;
      }
    }
    arrived_.post();
  }
  /// Removes the oldest message and stores it by exchanging buffers; false if there is none.
  bool take(std::uint64_t & sequence, std::vector<std::uint8_t> & bytes) {
    const os::Lock lock(mutex_);
    if (count_ == 0) return false;
    Slot & slot = slots_[first_];
    sequence = slot.sequence;
    bytes.swap(slot.bytes);
    first_ = (first_ + 1) % slots_.size();
    --count_;
    return true;
  }
  void wait() { arrived_.wait(); }
  void wake() { arrived_.post(); }

 private:
  struct Slot {
    std::uint64_t sequence = 0;
    std::vector<std::uint8_t> bytes;
  };
  os::PiMutex mutex_{os::LockRank::program_data};
  std::vector<Slot> slots_ TAKT_GUARDED_BY(mutex_);
  std::size_t first_ TAKT_GUARDED_BY(mutex_) = 0;
  std::size_t count_ TAKT_GUARDED_BY(mutex_) = 0;
  os::Event arrived_;
};

/// The receivers of each topic, common to all parties of the process.
class Mailboxes {
 public:
  void join(const std::string & topic, std::shared_ptr<Mailbox> mailbox) {
    const os::Lock lock(mutex_);
    boxes_.emplace(topic, std::move(mailbox));
  }
  std::vector<std::shared_ptr<Mailbox>> find(const std::string & topic) const {
    const os::Lock lock(mutex_);
    std::vector<std::shared_ptr<Mailbox>> found;
    const auto [first, last] = boxes_.equal_range(topic);
    for (auto box = first; box != last; ++box) found.push_back(box->second);
    return found;
  }

 private:
  mutable os::Mutex mutex_{os::LockRank::program_data};
  std::multimap<std::string, std::shared_ptr<Mailbox>> boxes_ TAKT_GUARDED_BY(mutex_);
};

class MemoryEnds : public Ends {
 public:
  MemoryEnds(const TransportOptions & options, const PartyOptions & party,
             std::shared_ptr<Mailboxes> all)
      : all_(std::move(all)),
        topic_(party.sends),
        receivers_(party.sends.empty() ? 0 : party.receivers),
        payload_(payload_of(party.payload)),
        own_(std::make_shared<Mailbox>(options.depth, party.payload)) {
    if (!party.receives.empty()) all_->join(party.receives, own_);
  }

  void send(std::uint64_t sequence) override {
    if (peers_.size() < receivers_) peers_ = all_->find(topic_);
    for (const auto & peer : peers_) peer->put(sequence, payload_);
  }
  bool matched() override { return all_->find(topic_).size() >= receivers_; }
  nlohmann::ordered_json qos() const override { return nlohmann::ordered_json::object(); }
  void receive(const std::function<void(const Message &)> & received) override {
    own_->wait();
    std::uint64_t sequence = 0;
    while (own_->take(sequence, taken_)) received({sequence, taken_});
  }
  void wake() override { own_->wake(); }

 private:
  std::shared_ptr<Mailboxes> all_;
  const std::string topic_;
  const std::size_t receivers_;
  std::vector<std::uint8_t> payload_;
  std::shared_ptr<Mailbox> own_;
  std::vector<std::shared_ptr<Mailbox>> peers_;
  std::vector<std::uint8_t> taken_;
};

}  // namespace

std::unique_ptr<Transport> make_syscalls(const TransportOptions & options) {
  auto all = std::make_shared<Mailboxes>();
  return std::make_unique<RawTransport>(options, [options, all](const PartyOptions & party) {
    return std::make_unique<MemoryEnds>(options, party, all);
  });
}

}  // namespace takt::lab
