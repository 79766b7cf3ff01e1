// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Messages in one direction, sent at the instants of a grid, over any transport: the sender, one or all of the
// receivers, or both in one process. Each size of a message has a topic of its own, and the sizes take turns.

#include <algorithm>
#include <optional>
#include <takt_core/os/clock.hpp>

#include "command_line.hpp"
#include "error.hpp"
#include "program.hpp"
#include "transports/conversation.hpp"
#include "transports/one_way_ends.hpp"
#include "transports/row_file.hpp"

namespace takt::lab::one_way {
namespace {

constexpr ConversationWords words = {
    .program = "one_way", .asks = "sender", .answers = "receiver", .there = "message", .back = ""};
/// The capacity for rows between two reads by the main thread, enough for some seconds without a read.
constexpr std::size_t ring = 1 << 16;
constexpr std::size_t cpu_ring = 1 << 10;

struct Arguments : ConversationArguments {
  std::vector<std::uint32_t> sizes = {256, 65'536, 1'048'576};
  std::size_t receivers = 1;
  std::size_t receiver = 0;  ///< the only one of this process, from 1; 0: all
  std::uint64_t turn = 20;
};

std::string topic_of(std::size_t size) {
  return std::string(words.there) + std::to_string(size);
}

SizeTurns turns_of(const Arguments & arguments) {
  return {arguments.sizes.size(), arguments.turn};
}

CpuNotes notes(const Conversation & conversation, const Arguments & arguments,
               RowRing<CpuRow> & rows) {
  return {turns_of(arguments), [&conversation] { return conversation.cpu_time(); }, rows};
}

/// The files of one side: its messages, and the CPU time that the process had used by each turn.
template <typename Row>
class Recording {
 public:
  Recording(const Conversation & conversation, const std::string & rows, const std::string & cpu)
      : rows_(conversation.path(rows), ring), cpu_(conversation.path(cpu), cpu_ring) {}

  RowRing<Row> & rows() noexcept { return rows_.ring(); }
  RowRing<CpuRow> & cpu() noexcept { return cpu_.ring(); }
  void drain() {
    rows_.drain([this](const Row &) { ++count_; });
    cpu_.drain([](const CpuRow &) {});
  }
  void checkpoint() {
    rows_.checkpoint();
    cpu_.checkpoint();
  }
  void commit() {
    drain();
    rows_.commit();
    cpu_.commit();
  }
  /// Returns the number of messages, by this name, and of rows that found no room.
  nlohmann::ordered_json counts(const char * messages) {
    return {{messages, count_}, {"unrecorded", rows().dropped() + cpu().dropped()}};
  }

 private:
  RowFile<Row> rows_;
  RowFile<CpuRow> cpu_;
  std::uint64_t count_ = 0;
};

/// The receivers of this process.
class ReceivingSide {
 public:
  ReceivingSide(Conversation & conversation, const Arguments & arguments)
      : conversation_(conversation),
        recording_(conversation, ".received.npy", ".receiver-cpu.npy"),
        receivers_(recording_.rows(), notes(conversation, arguments, recording_.cpu())) {
    for (std::size_t receiver = 0; receiver < arguments.receivers; ++receiver) {
      if (arguments.receiver == 0 || receiver + 1 == arguments.receiver) add(arguments, receiver);
    }
  }

  Recording<ReceivedRow> & recording() noexcept { return recording_; }

 private:
  void add(const Arguments & arguments, std::size_t receiver) {
    for (std::size_t size = 0; size < arguments.sizes.size(); ++size) {
      const std::size_t port = arguments.receiver == 0 ? receiver * arguments.sizes.size() : 0;
      conversation_.add({.name = words.answers + std::to_string(receiver + 1),
                         .receives = topic_of(size),
                         .payload = arguments.sizes[size],
                         .here = conversation_.address(false, port + size),
                         .there = {conversation_.address(true, size)}},
                        {.received = [this, receiver](Party &, const Message & message) {
                          receivers_.received(receiver, message);
                        }});
    }
  }

  Conversation & conversation_;
  Recording<ReceivedRow> recording_;
  OneWayReceivers receivers_;
};

/// The sender, with a party for each size.
class SendingSide {
 public:
  SendingSide(Conversation & conversation, const Arguments & arguments)
      : conversation_(conversation),
        recording_(conversation, ".sent.npy", ".sender-cpu.npy"),
        sender_(arguments.period, arguments.sizes, turns_of(arguments), recording_.rows(),
                notes(conversation, arguments, recording_.cpu())) {
    for (std::size_t size = 0; size < arguments.sizes.size(); ++size) {
      PartyOptions party{.name = words.asks,
                         .sends = topic_of(size),
                         .payload = arguments.sizes[size],
                         .receivers = arguments.receivers,
                         .here = conversation.address(true, size)};
      for (std::size_t receiver = 0; receiver < arguments.receivers; ++receiver) {
        party.there.push_back(
            conversation.address(false, receiver * arguments.sizes.size() + size));
      }
      Handlers handlers{.received = [](Party &, const Message &) {}};
      if (size == 0) {
        handlers.tick = [this](std::uint64_t index) { sender_.tick(index); };
        handlers.period = arguments.period;
      }
      parties_.push_back(&conversation.add(party, std::move(handlers)));
    }
  }

  void start() {
    for (Party * party : parties_) conversation_.wait_until_matched(*party);
    const model::Time t0 = conversation_.start();
    sender_.begin(parties_, t0, conversation_.window());
    conversation_.serve();
  }
  Recording<SentRow> & recording() noexcept { return recording_; }

 private:
  Conversation & conversation_;
  Recording<SentRow> recording_;
  OneWaySender sender_;
  std::vector<Party *> parties_;
};

void run(Arguments arguments) {
  arguments.payload = *std::max_element(arguments.sizes.begin(), arguments.sizes.end());
  if (arguments.receiver > arguments.receivers) {
    throw Error("--receiver " + std::to_string(arguments.receiver) + ": there are only " +
                std::to_string(arguments.receivers) + "; give a higher --receivers");
  }
  Conversation conversation(arguments, words);
  std::optional<ReceivingSide> receiving;
  std::optional<SendingSide> sending;
  if (conversation.answers()) receiving.emplace(conversation, arguments);
  if (conversation.asks()) sending.emplace(conversation, arguments);
  const Conversation::Guard guard(conversation);
  conversation.ready();
  if (sending) {
    sending->start();
  } else {
    conversation.serve();
  }

  const auto write = [&](bool complete) {
    nlohmann::ordered_json counts;
    if (sending) counts["sender"] = sending->recording().counts("sent");
    if (receiving) counts["receivers"] = receiving->recording().counts("received");
    nlohmann::ordered_json facts = conversation.facts(counts, complete);
    facts["sizes"] = arguments.sizes;
    facts["receivers"] = arguments.receivers;
    facts["turn"] = arguments.turn;
    write_json(conversation.path(".json"), facts);
  };
  // Receivers in a process of their own run until a signal.
  const auto over = [&] {
    return sending && os::now() >= conversation.window().to + arguments.timeout;
  };
  const auto drain = [&] {
    if (sending) sending->recording().drain();
    if (receiving) receiving->recording().drain();
  };
  conversation.watch(over, drain, [&] {
    if (sending) sending->recording().checkpoint();
    if (receiving) receiving->recording().checkpoint();
    write(false);
  });
  const bool complete = !sending || over();
  drain();
  write(complete);
  conversation.stop();
  if (sending) sending->recording().commit();
  if (receiving) receiving->recording().commit();
  announce_files();
  if (!complete) throw Error("interrupted; the results so far are in " + arguments.out);
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("one_way", "Measures the latency of messages in one direction over a transport");
  Arguments arguments;
  arguments.timeout = 200'000'000;
  add_options(line, arguments, words);
  line.option("--payload", arguments.sizes, "Payloads of the messages in bytes, which take turns")
      .shows_default();
  line.option("--turn", arguments.turn, "Messages of one size before the next size has its turn")
      .above_zero()
      .shows_default();
  line.option("--receivers", arguments.receivers, "Number of receivers of each message")
      .above_zero()
      .shows_default();
  line.option("--receiver", arguments.receiver,
              "The only receiver in this process, counted from 1; 0: all of them")
      .shows_default();
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::one_way
