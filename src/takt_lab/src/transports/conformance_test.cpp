// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Tests that every transport must pass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <mutex>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <takt_core/os/threads.hpp>

#include "testing/conversation_run.hpp"
#include "testing/parameter_name.hpp"
#include "transports/domain.hpp"
#include "transports/transport.hpp"

namespace takt::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Waits until the condition is true. Returns false if it is not true within a minute.
bool until(const std::function<bool()> & condition) {
  const model::Time limit = os::now() + 60'000'000'000;
  while (!condition()) {
    if (os::now() > limit) return false;
    os::sleep_until(os::now() + 1'000'000);
  }
  return true;
}

/// Records the sequence numbers of received messages, and a copy of the latest payload.
class Inbox {
 public:
  void put(const Message & message) {
    const std::lock_guard lock(mutex_);
    sequences_.push_back(message.sequence);
    payload_.assign(message.payload.begin(), message.payload.end());
  }
  std::vector<std::uint64_t> sequences() const {
    const std::lock_guard lock(mutex_);
    return sequences_;
  }
  std::vector<std::uint8_t> payload() const {
    const std::lock_guard lock(mutex_);
    return payload_;
  }
  bool has(std::uint64_t sequence) const {
    const auto all = sequences();
    return !all.empty() && all.back() == sequence;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::uint64_t> sequences_;
  std::vector<std::uint8_t> payload_;
};

/// The number of messages that are sent to a receiver while it is held in its handler.
constexpr std::uint64_t newest = 20;

struct Settings {
  std::string transport;
  bool through_middleware;
};

std::string name_of(const ::testing::TestParamInfo<Settings> & info) {
  return testing::name_in_tests(info.param.transport) +
         (info.param.through_middleware ? "_through_middleware" : "");
}

class ConformanceTest : public ::testing::TestWithParam<Settings> {
 protected:
  void SetUp() override {
    if (!testing::available(GetParam().transport)) GTEST_SKIP() << "not in this build";
    options.through_middleware = GetParam().through_middleware;
    // A process can create a domain of Cyclone DDS only once. ROS may have created its own already, if
    // Cyclone DDS is its middleware, so another domain is used here.
    if (GetParam().transport == "cyclonedds")
      options.domain = (domain_of(options.domain) + 100) % 233;
  }
  // The ports below are outside of the system's ephemeral ports, and between those of two DDS domains.
  void open() { transport = make_transport(GetParam().transport, options, true); }
  PartyOptions near_options(std::size_t payload) const {
    return {"near", "there", "back", payload, 1, "127.0.0.1:21140", {"127.0.0.1:21141"}};
  }
  PartyOptions far_options(std::size_t payload) const {
    return {"far", "back", "there", payload, 1, "127.0.0.1:21141", {"127.0.0.1:21140"}};
  }
  Handlers into(Inbox & inbox) const {
    return {.received = [&inbox](Party &, const Message & message) { inbox.put(message); }};
  }
  /// Sends messages until one arrives: best effort may lose some, and a busy host may be slow.
  static bool send_until(Party & party, std::uint64_t & sequence, const Inbox & inbox) {
    return until([&] {
      party.send(++sequence);
      const model::Time soon = os::now() + 1'000'000'000;
      while (os::now() < soon && !inbox.has(sequence)) os::sleep_until(os::now() + 200'000);
      return inbox.has(sequence);
    });
  }

  /// Sends messages up to number `newest` while the receiver is held in the handler of the first one. Returns
  /// the sequence numbers that arrive.
  std::vector<std::uint64_t> arrived_late() {
    os::Event held;
    os::Event go_on;
    std::atomic<bool> first{true};
    Inbox inbox;
    Inbox unused;
    open();
    Party & near = transport->add(near_options(100), into(unused));
    Handlers handlers = {.received = [&](Party &, const Message & message) {
      inbox.put(message);
      if (!first.exchange(false)) return;
      held.post();
      go_on.wait();
    }};
    transport->add(far_options(100), std::move(handlers));
    transport->start(0);
    EXPECT_TRUE(until([&] { return near.matched(); }));
    const bool is_held = until([&] {
      near.send(1);
      return held.wait_until(os::now() + 100'000'000);
    });
    for (std::uint64_t sequence = 2; is_held && sequence <= newest; ++sequence) {
      near.send(sequence);
    }
    go_on.post();
    EXPECT_TRUE(until([&] {
      if (!inbox.has(newest)) near.send(newest);
      return inbox.has(newest);
    }));
    transport->stop();
    auto all = inbox.sequences();
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    transport.reset();
    return all;
  }

  TransportOptions options;
  std::unique_ptr<Transport> transport;
};

TEST_P(ConformanceTest, DeliversWhatWasSentAtEverySize) {
  for (const std::size_t bytes : {0, 500, 32 << 10, 128 << 10}) {
    SCOPED_TRACE(bytes);
    Inbox near_inbox;
    Inbox far_inbox;
    open();
    Party & near = transport->add(near_options(bytes), into(near_inbox));
    Party & far = transport->add(far_options(bytes), into(far_inbox));
    transport->start(0);
    ASSERT_TRUE(until([&] { return near.matched() && far.matched(); }));
    std::uint64_t sequence = 40;
    for (int message = 0; message < 3; ++message) {
      ASSERT_TRUE(send_until(near, sequence, far_inbox));
      EXPECT_EQ(far_inbox.payload(), payload_of(bytes));
      ASSERT_TRUE(send_until(far, sequence, near_inbox));
      EXPECT_EQ(near_inbox.payload(), payload_of(bytes));
    }
    transport->stop();
    for (const Inbox * inbox : {&near_inbox, &far_inbox}) {
      const auto all = inbox->sequences();
      EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), std::less_equal<>())) << "out of order";
    }
    transport.reset();
  }
}

TEST_P(ConformanceTest, OneSenderReachesSeveralReceiversThatSendNothing) {
  options.reliable = true;
  options.depth = 10;
  open();
  Inbox unused;
  std::array<Inbox, 3> inboxes;
  const auto address = [](int number) { return "127.0.0.1:" + std::to_string(21'140 + number); };
  PartyOptions from{"near", "there", "", 1000, inboxes.size(), address(0), {}};
  for (int number = 1; number <= 3; ++number) from.there.push_back(address(number));
  Party & sender = transport->add(from, into(unused));
  std::vector<Party *> all = {&sender};
  for (int number = 1; number <= 3; ++number) {
    EXPECT_FALSE(sender.matched()) << "a receiver is still missing";
    all.push_back(&transport->add(
        {"far" + std::to_string(number), "", "there", 1000, 1, address(number), {address(0)}},
        into(inboxes[static_cast<std::size_t>(number) - 1])));
  }
  transport->start(0);
  for (Party * each : all) ASSERT_TRUE(until([&] { return each->matched(); }));
  for (std::uint64_t sequence = 1; sequence <= 3; ++sequence) {
    sender.send(sequence);
    for (const Inbox & inbox : inboxes) {
      ASSERT_TRUE(until([&] { return inbox.has(sequence); }));
      EXPECT_EQ(inbox.payload(), payload_of(1000));
    }
  }
  transport->stop();
  EXPECT_THAT(unused.sequences(), IsEmpty());
  for (const Inbox & inbox : inboxes) EXPECT_THAT(inbox.sequences(), ElementsAre(1, 2, 3));
}

TEST_P(ConformanceTest, KeepsTheNewestOfBestEffort) {
  // On a busy host all messages may arrive only after the receiver has continued, so that none is
  // replaced by a newer one; then this is repeated.
  EXPECT_TRUE(until([&] { return arrived_late().size() < newest; }));
}

TEST_P(ConformanceTest, LosesNothingThatIsLateWithinItsDepth) {
  options.depth = newest;
  // Best effort may lose a message on a busy host; then this is repeated.
  EXPECT_TRUE(until([&] {
    auto all = arrived_late();
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all.size() == newest;
  }));
}

TEST_P(ConformanceTest, TellsWhetherTheOtherIsThereAndMatchesLateComers) {
  Inbox near_inbox;
  Inbox far_inbox;
  open();
  Party & near = transport->add(near_options(10), into(near_inbox));
  EXPECT_FALSE(near.matched());
  near.send(1);  // no receiver exists yet
  Party & far = transport->add(far_options(10), into(far_inbox));
  ASSERT_TRUE(until([&] { return near.matched() && far.matched(); }));
  transport->start(0);
  std::uint64_t sequence = 1;
  EXPECT_TRUE(send_until(near, sequence, far_inbox));
  transport->stop();
}

TEST_P(ConformanceTest, TicksOnTheGridAndEndsItsThreads) {
  const std::size_t before = os::thread_count();
  std::atomic<std::uint64_t> ticks{0};
  std::atomic<bool> early{false};
  const model::Time t0 = os::now() + 50'000'000;
  constexpr model::Duration period = 2'000'000;
  Inbox inbox;
  {
    open();
    Handlers handlers = into(inbox);
    handlers.tick = [&](std::uint64_t index) {
      ticks.fetch_add(1);
      if (os::now() < t0 + static_cast<model::Time>(index) * period) early.store(true);
    };
    handlers.period = period;
    transport->add(near_options(10), std::move(handlers));
    transport->start(t0);
    EXPECT_TRUE(until([&] { return ticks.load() >= 3; }));
    transport->stop();
    const std::uint64_t at_the_end = ticks.load();
    transport->stop();
    EXPECT_EQ(ticks.load(), at_the_end);
    EXPECT_FALSE(early.load());
    transport.reset();
  }
  // Some of the middleware's threads end a moment later; Fast DDS keeps a few until the process ends.
  EXPECT_TRUE(until([&] { return os::thread_count() <= before + 3; })) << os::thread_count();
}

TEST_P(ConformanceTest, SaysWhatWasGranted) {
  options.plan.emplace();
  options.cpu = os::allowed_cpus().front();
  open();
  Inbox inbox;
  Handlers handlers = into(inbox);
  std::atomic<std::uint64_t> ticks{0};
  handlers.tick = [&](std::uint64_t) { ticks.fetch_add(1); };
  handlers.period = 10'000'000;
  transport->add(near_options(10), std::move(handlers));
  transport->start(os::now());
  EXPECT_TRUE(until([&] { return ticks.load() > 0; }));
  const executor::Grants grants = transport->grants();
  EXPECT_FALSE(grants.threads.empty());
  for (const auto & thread : grants.threads) {
    EXPECT_EQ(thread.granted == thread.asked, thread.error.empty()) << thread.name;
  }
  EXPECT_NE(grants.realtime, !grants.refused.empty());
  transport->stop();
}

std::vector<Settings> all_settings() {
  std::vector<Settings> all;
  for (const std::string & name : transport_names()) all.push_back({name, false});
  all.push_back({"takt", true});
  all.push_back({"stock", true});
  all.push_back({"takt-rclcpp", true});
  all.push_back({"rclcpp-events", true});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Transports, ConformanceTest, ::testing::ValuesIn(all_settings()), name_of);

TEST(TransportListTest, RefusesWhatItDoesNotHave) {
  EXPECT_THROW(make_transport("pigeons", {}, true), std::exception);
}

}  // namespace
}  // namespace takt::lab
