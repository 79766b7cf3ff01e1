// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A controller that sends a request in each cycle, and a responder that answers, over any transport. Records
// when each step happens, relative to the ideal grid.

#include <algorithm>
#include <atomic>
#include <takt_core/os/clock.hpp>

#include "command_line.hpp"
#include "error.hpp"
#include "program.hpp"
#include "transports/conversation.hpp"
#include "transports/cycle_table.hpp"
#include "transports/row_file.hpp"

namespace takt::lab::cyclic {
namespace {

constexpr ConversationWords words = {.program = "cyclic",
                                     .asks = "controller",
                                     .answers = "responder",
                                     .there = "request",
                                     .back = "response"};
/// The capacity for rows between two reads by the main thread, enough for some seconds without a read.
constexpr std::size_t ring = 1 << 16;

/// The responder in a process of its own: records each request.
void respond(Conversation & conversation) {
  RowFile<ResponseRow> file(conversation.path(".responses.npy"), ring);
  const Conversation::Guard guard(conversation);
  conversation.add_answering({.received = [&](Party & party, const Message & message) {
    const model::Time received = os::now();
    const model::Time sent = os::now();
    party.send(message.sequence);
    file.ring().push(
        {.cycle = message.sequence, .request_received = received, .response_sent = sent});
  }});
  conversation.ready();
  conversation.serve();
  std::uint64_t answered = 0;
  const auto drain = [&] { file.drain([&](const ResponseRow &) { ++answered; }); };
  const auto write = [&](bool complete) {
    const nlohmann::ordered_json counts = {{"answered", answered},
                                           {"unrecorded", file.ring().dropped()}};
    write_json(conversation.path(".json"), conversation.facts(counts, complete));
  };
  conversation.watch([] { return false; }, drain,
                     [&] {
                       file.checkpoint();
                       write(false);
                     });
  drain();
  write(true);
  conversation.stop();
  drain();
  file.commit();
  announce_files();
}

struct Counts {
  std::uint64_t began = 0;
  std::uint64_t unanswered = 0;
  std::uint64_t late = 0;

  void add(const CycleRow & row, model::Duration period) {
    ++began;
    unanswered += row.response_received == 0 ? 1 : 0;
    late += row.response_received > row.ideal + period ? 1 : 0;
  }
};

/// The controller, and the responder if it is in this process.
void control(Conversation & conversation, const ConversationArguments & arguments) {
  RowFile<CycleRow> file(conversation.path(".cycles.npy"), ring);
  CycleTable table(arguments.period, arguments.timeout, file.ring());
  const Conversation::Guard guard(conversation);
  if (conversation.answers()) {
    conversation.add_answering({.received = [&](Party & party, const Message & message) {
      const model::Time received = os::now();
      const model::Time sent = os::now();
      party.send(message.sequence);
      table.answered(message.sequence, received, sent);
    }});
  }
  Party & party = conversation.add_asking(
      {.received = [&](Party &,
                       const Message & message) { table.response(message.sequence, os::now()); },
       .tick = [&](std::uint64_t cycle) { table.tick(cycle); },
       .period = arguments.period});
  conversation.ready();
  conversation.wait_until_matched(party);
  const model::Time t0 = conversation.start();
  const Window window = conversation.window();
  table.begin(party, t0, window);
  conversation.serve();

  Counts counts;
  const auto drain = [&] {
    file.drain([&](const CycleRow & row) { counts.add(row, arguments.period); });
  };
  const auto write = [&](bool complete) {
    const model::Time until = complete ? window.to : std::min(os::now(), window.to);
    const auto cycles = static_cast<std::uint64_t>(
        (std::max(until - window.from, model::Duration{0}) + arguments.period - 1) /
        arguments.period);
    const nlohmann::ordered_json json = {{"cycles", cycles},
                                         {"sent", counts.began},
                                         {"lost", counts.unanswered},
                                         {"missed", counts.late},
                                         {"skipped", cycles - std::min(cycles, counts.began)},
                                         {"unrecorded", file.ring().dropped()}};
    write_json(conversation.path(".json"), conversation.facts(json, complete));
  };
  // The last response is waited for until its time-out, too.
  const auto over = [&] { return os::now() >= window.to + arguments.timeout; };
  conversation.watch(over, drain, [&] {
    file.checkpoint();
    write(false);
  });
  const bool complete = over();
  table.end();
  drain();
  write(complete);
  conversation.stop();
  file.commit();
  announce_files();
  if (!complete) throw Error("interrupted; the results so far are in " + arguments.out);
}

void run(const ConversationArguments & arguments) {
  Conversation conversation(arguments, words);
  if (conversation.asks()) {
    control(conversation, arguments);
  } else {
    respond(conversation);
  }
}

}  // namespace

int start(int argc, char ** argv) {
  CommandLine line("cyclic",
                   "Measures the request and response cycles of a controller over a transport");
  ConversationArguments arguments;
  arguments.period = 1'000'000;
  arguments.timeout = 100'000'000;
  arguments.depth = 0;
  add_options(line, arguments, words);
  line.option("--payload", arguments.payload, "Payload of a message in bytes").shows_default();
  return line.run(argc, argv, [&] {
    // Cycles continue while a message is late, so the history must keep all messages within the time-out.
    if (arguments.depth == 0) {
      arguments.depth = static_cast<std::size_t>(arguments.timeout / arguments.period + 1);
    }
    run(arguments);
  });
}

}  // namespace takt::lab::cyclic
