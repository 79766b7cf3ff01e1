// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Round trips of a message, sent at the instants of a grid, over any transport: the client, the server, or
// both in one process.

#include <algorithm>
#include <atomic>
#include <takt_core/os/clock.hpp>

#include "command_line.hpp"
#include "error.hpp"
#include "program.hpp"
#include "transports/conversation.hpp"
#include "transports/round_trip_client.hpp"
#include "transports/row_file.hpp"

namespace takt::lab::round_trip {
namespace {

constexpr ConversationWords words = {.program = "round_trip",
                                     .asks = "client",
                                     .answers = "server",
                                     .there = "ping",
                                     .back = "pong"};
/// The capacity for rows between two reads by the main thread, enough for some seconds without a read.
constexpr std::size_t ring = 1 << 16;

struct Counts {
  std::uint64_t sent = 0;
  std::uint64_t lost = 0;
  std::uint64_t missed = 0;

  void add(const TripRow & row, model::Duration period) {
    ++sent;
    lost += row.received == 0 ? 1 : 0;
    missed += row.received > row.intended + period ? 1 : 0;
  }
};

/// Answers each message with a message of the same number.
void add_server(Conversation & conversation, std::atomic<std::uint64_t> & answered) {
  conversation.add_answering({.received = [&answered](Party & party, const Message & message) {
    party.send(message.sequence);
    answered.fetch_add(1, std::memory_order_relaxed);
  }});
}

void serve(Conversation & conversation, const std::atomic<std::uint64_t> & answered) {
  conversation.ready();
  conversation.serve();
  const auto write = [&](bool complete) {
    write_json(conversation.path(".json"),
               conversation.facts({{"answered", answered.load()}}, complete));
  };
  conversation.watch([] { return false; }, [] {}, [&] { write(false); });
  write(true);
  conversation.stop();
  announce_files();
}

void run(const ConversationArguments & arguments) {
  std::atomic<std::uint64_t> answered{0};
  Conversation conversation(arguments, words);
  if (conversation.answers()) add_server(conversation, answered);
  if (!conversation.asks()) return serve(conversation, answered);

  RowFile<TripRow> file(conversation.path(".trips.npy"), ring);
  RoundTripClient client(arguments.period, arguments.timeout, file.ring());
  const Conversation::Guard guard(conversation);
  Party & party = conversation.add_asking(
      {.received = [&](Party &, const Message & message) { client.received(message); },
       .tick = [&](std::uint64_t index) { client.tick(index); },
       .period = arguments.period});
  conversation.ready();
  conversation.wait_until_matched(party);
  const model::Time t0 = conversation.start();
  const Window & window = conversation.window();
  client.begin(party, t0, window);
  conversation.serve();

  Counts counts;
  const auto drain = [&] {
    file.drain([&](const TripRow & row) { counts.add(row, arguments.period); });
  };
  const auto write = [&](bool complete) {
    const model::Time until = complete ? window.to : std::min(os::now(), window.to);
    const auto cycles = static_cast<std::uint64_t>(
        (std::max(until - window.from, model::Duration{0}) + arguments.period - 1) /
        arguments.period);
    nlohmann::ordered_json json = {{"cycles", cycles},
                                   {"sent", counts.sent},
                                   {"lost", counts.lost},
                                   {"missed", counts.missed},
                                   {"skipped", cycles - std::min(cycles, counts.sent)},
                                   {"strays", client.strays()},
                                   {"unrecorded", file.ring().dropped()}};
    write_json(conversation.path(".json"), conversation.facts(json, complete));
  };
  const auto over = [&] {
    const model::Time now = os::now();
    return now >= window.to && client.over(now);
  };
  conversation.watch(over, drain, [&] {
    file.checkpoint();
    write(false);
  });
  const bool complete = over();
  drain();
  write(complete);
  conversation.stop();
  file.commit();
  announce_files();
  if (!complete) throw Error("interrupted; the results so far are in " + arguments.out);
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("round_trip", "Measures round trips over a transport");
  ConversationArguments arguments;
  add_options(line, arguments, words);
  line.option("--payload", arguments.payload, "Payload of a message in bytes").shows_default();
  return line.run(argc, argv, [&] { run(arguments); });
}

}  // namespace takt::lab::round_trip
