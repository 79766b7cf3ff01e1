// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "transports/conversation.hpp"

#include <charconv>
#include <cstdio>
#include <iostream>
#include <takt/context.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/locked_memory.hpp>
#include <takt_core/os/rights.hpp>

#include "command_line.hpp"
#include "error.hpp"
#include "program.hpp"
#include "report.hpp"
#include "transports/allocator.hpp"
#include "transports/domain.hpp"

namespace takt::lab {
namespace {

/// Time from the discovery of the other side to t0, in ns.
constexpr model::Duration lead = 200'000'000;
constexpr model::Duration look_every = 50'000'000;
constexpr std::size_t tlsf_bytes = std::size_t{64} << 20;

/// Returns the default address of the asking or the answering side. Its port depends on the domain: it lies between
/// those that DDS uses in this domain and in the next one, and outside of the system's ephemeral ports.
std::string default_address(std::size_t domain, bool asking) {
  constexpr std::size_t first = 7'400 + 160;
  constexpr std::size_t per_domain = 250;
  return "127.0.0.1:" + std::to_string(first + per_domain * (domain % 100) + (asking ? 0 : 40));
}

/// Returns the address with a port that is higher by `offset`.
std::string next_address(const std::string & address, std::size_t offset) {
  const auto colon = address.rfind(':');
  unsigned port = 0;
  const char * const end = address.data() + address.size();
  if (offset == 0 || colon == address.npos) return address;
  if (std::from_chars(address.data() + colon + 1, end, port).ptr != end) return address;
  return address.substr(0, colon + 1) + std::to_string(port + offset);
}

}  // namespace

void add_options(CommandLine & line, ConversationArguments & arguments,
                 const ConversationWords & words) {
  line.only(
      "--transports", [] { std::cout << transports_json().dump(2) << '\n'; },
      "Print all transports, and which of them this build lacks, as JSON");
  line.option("--side", arguments.side, "Which side this process is, or both")
      .required()
      .one_of({words.asks, words.answers, "both"});
  line.option("--transport", arguments.transport, "Transport of the messages")
      .required()
      .one_of(transport_names());
  line.option("--period-ns", arguments.period, "Period of the messages or cycles in ns")
      .above_zero()
      .shows_default();
  line.option("--timeout-ns", arguments.timeout,
              "A message without a response after this time, in ns, counts as lost")
      .above_zero()
      .shows_default();
  line.option("--duration-ns", arguments.duration, "Length of the measured window in ns")
      .above_zero()
      .shows_default();
  line.option("--warmup-ns", arguments.warmup, "Warm-up: time from t0 to the window, in ns")
      .not_negative()
      .shows_default();
  line.option("--match-timeout-ns", arguments.match_timeout,
              "Longest wait for the other side, in ns")
      .above_zero()
      .shows_default();
  line.option("--checkpoint-ns", arguments.checkpoint,
              "Period of saving the results so far, in ns; 0: only at the end")
      .not_negative()
      .shows_default();
  line.flag("--same-node", arguments.same_node, "Put both sides into one node");
  line.flag("--through-middleware", arguments.through_middleware,
            "Communicate through the middleware even if both sides are in one process");
  line.option("--beside", arguments.beside,
              "Number of low-priority publisher and subscription pairs to add to the node");
  line.option("--domain", arguments.domain, "ROS domain; default: ROS_DOMAIN_ID").within(0, 232);
  line.option("--here", arguments.here, "IP:PORT of this side, only for UDP");
  line.option("--there", arguments.there, "IP:PORT of the other side, only for UDP");
  line.flag("--reliable", arguments.reliable, "Use reliable instead of best-effort QoS");
  auto depth = line.option("--depth", arguments.depth, "QoS history depth (KEEP_LAST)");
  depth.above_zero().shows_default();
  if (arguments.depth == 0) depth.shows_default("as many messages as can be in transit");
  line.option("--out", arguments.out, "Folder for the results").required();
  line.option("--tag", arguments.tag, "Prefix of the results' file names").required();
  add_options(line, arguments.real_time);
}

Conversation::Conversation(const ConversationArguments & arguments, const ConversationWords & words)
    : arguments_(arguments), words_(words) {
  const RealTime & rt = arguments.real_time;
  TransportOptions options;
  options.reliable = arguments.reliable;
  options.depth = arguments.depth;
  options.domain = arguments.domain;
  options.through_middleware = arguments.through_middleware;
  options.plan = plan_of(rt.plan);
  options.cpu = rt.cpu;
  options.history = rt.history;
  if (arguments.same_node && arguments.side != "both") {
    throw Error("--same-node: both sides must be in this process; use --side both");
  }
  make_folder(arguments.out);
  if (rt.allocator == "tlsf") use_tlsf(tlsf_bytes);
  if (rt.cpu >= 0) confine_process({rt.cpu});
  if (rt.inherit > 0) {
    settings_["inherit"] = to_json(os::set_fifo(0, rt.inherit));
    if (!options.plan) options.plan = inherited_plan(rt.inherit);
  }
  transport_ = make_transport(arguments.transport, options, arguments.side == "both");
}

bool Conversation::asks() const noexcept {
  return arguments_.side != words_.answers;
}
bool Conversation::answers() const noexcept {
  return arguments_.side != words_.asks;
}

std::string Conversation::address(bool asking, std::size_t offset) const {
  const std::string & given =
      asking == (arguments_.side == words_.asks) ? arguments_.here : arguments_.there;
  const bool is_default = given.empty() || arguments_.side == "both";
  return next_address(is_default ? default_address(domain_of(arguments_.domain), asking) : given,
                      offset);
}

Party & Conversation::add(PartyOptions options, Handlers handlers) {
  const std::string name = options.name;
  if (arguments_.same_node) options.name = words_.program;
  Party & added = transport_->add(options, std::move(handlers));
  all_.emplace_back(name, &added);
  return added;
}
Party & Conversation::add_asking(Handlers handlers) {
  return add({.name = words_.asks,
              .sends = words_.there,
              .receives = words_.back,
              .payload = arguments_.payload,
              .here = address(true),
              .there = {address(false)}},
             std::move(handlers));
}
Party & Conversation::add_answering(Handlers handlers) {
  return add({.name = words_.answers,
              .sends = words_.back,
              .receives = words_.there,
              .payload = arguments_.payload,
              .here = address(false),
              .there = {address(true)}},
             std::move(handlers));
}

void Conversation::ready() {
  const RealTime & rt = arguments_.real_time;
  const char * const own = asks() ? words_.asks : words_.answers;
  transport_->add_beside(arguments_.same_node ? words_.program : own, arguments_.beside);
  if (rt.inherit > 0) os::set_fifo(0, 0);
  // Without a request for real-time priorities, no thread has one, whatever rights the user has.
  if (rt.plan.empty() && rt.inherit == 0) os::give_up_realtime();
  if (rt.lock_memory) settings_["lock_memory"] = to_json(os::lock_memory());
  if (rt.awake) {
    awake_ = std::make_unique<Awake>(rt.cpu >= 0 ? std::vector<int>{rt.cpu} : os::allowed_cpus());
  }
  std::puts("ready");
  std::fflush(stdout);
}

void Conversation::wait_until_matched(Party & party) {
  const model::Time limit = os::now() + arguments_.match_timeout;
  while (!party.matched()) {
    if (os::now() > limit) {
      throw Error("the other side (" + std::string(words_.answers) + ") was not found within " +
                  std::to_string(arguments_.match_timeout / 1'000'000'000) +
                  " s; is it running, with the same transport and domain?");
    }
    if (interrupt_.sleep_until(os::now() + 5'000'000)) throw Error("interrupted");
  }
}

model::Time Conversation::start() {
  t0_ = os::now() + lead;
  window_ = {t0_ + arguments_.warmup, t0_ + arguments_.warmup + arguments_.duration};
  return t0_;
}

void Conversation::serve() {
  transport_->start(t0_);
  if (t0_ > 0) announce(t0_);
}

void Conversation::watch(const std::function<bool()> & over, const std::function<void()> & look,
                         const std::function<void()> & checkpoint) {
  model::Time next = arguments_.checkpoint > 0 ? os::now() + arguments_.checkpoint : model::never;
  bool done = false;
  while (!done) {
    done = interrupt_.sleep_until(os::now() + look_every) || over();
    look();
    if (os::now() < next) continue;
    checkpoint();
    next += arguments_.checkpoint;
  }
}

model::Duration Conversation::cpu_time() const noexcept {
  return os::process_cpu() - (awake_ == nullptr ? 0 : awake_->cpu_time());
}

Conversation::Guard::~Guard() {
  try {
    conversation_.stop();
  } catch (const std::exception & error) {
    // Only printed: either another exception is being handled already, or stop() has been called before.
    std::fprintf(stderr, "%s: %s\n", conversation_.words_.program, error.what());
  }
}

std::string Conversation::path(const std::string & ending) const {
  return arguments_.out + "/" + arguments_.tag + ending;
}

nlohmann::ordered_json Conversation::facts(const nlohmann::ordered_json & counts,
                                           bool complete) const {
  const ConversationArguments & given = arguments_;
  auto qos = nlohmann::ordered_json::object();
  for (const auto & [name, party] : all_) qos[name] = party->qos();
  const bool ros = !is_raw(given.transport);
  return {{"schema_version", 1},
          {"program", words_.program},
          {"tag", given.tag},
          {"complete", complete},
          {"side", given.side},
          {"transport", given.transport},
          {"raw", !ros},
          {"rmw", ros ? takt::rmw_identifier() : ""},
          {"same_node", given.same_node},
          {"through_middleware", given.through_middleware},
          {"beside", given.beside},
          {"payload", given.payload},
          {"period_ns", given.period},
          {"timeout_ns", given.timeout},
          {"warmup_ns", given.warmup},
          {"duration_ns", given.duration},
          {"reliable", given.reliable},
          {"depth", given.depth},
          {"t0", t0_},
          {"window", to_json(window_)},
          {"counts", counts},
          {"real_time", to_json(given.real_time)},
          {"granted", settings_},
          {"grants", to_json(transport_->grants())},
          {"threads", threads_json()},
          {"allocator", allocator_json()},
          {"awake", awake_ == nullptr ? nlohmann::ordered_json::array() : awake_->to_json()},
          {"qos", qos},
          {"clock", "CLOCK_MONOTONIC"},
          {"versions", versions_json()}};
}

}  // namespace takt::lab
