// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/executor/thread_roles.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <stdexcept>

#include "takt_core/os/rights.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::executor {
namespace {

// A name, or its prefix.
struct Rule {
  std::string_view name;
  bool whole;
  ThreadRole role;
};

// The first rule that fits applies. Ports are examined before.
constexpr std::array rules = {
    Rule{"takt.timer", true, ThreadRole::timer},
    Rule{"takt.handler", true, ThreadRole::handler},
    Rule{"takt.clock", true, ThreadRole::middleware},
    Rule{"takt.", false, ThreadRole::background},
    Rule{"dds.ev.", false, ThreadRole::events},
    Rule{"dds.asyn.", false, ThreadRole::ordinary},
    Rule{"dds.", false, ThreadRole::background},
    Rule{"recv", true, ThreadRole::middleware},
    Rule{"recvUC", true, ThreadRole::middleware},
    Rule{"recvMC", true, ThreadRole::middleware},
    Rule{"tev", true, ThreadRole::events},
    Rule{"dq.user", true, ThreadRole::middleware},
    Rule{"xmit.user", true, ThreadRole::middleware},
    Rule{"dq.builtins", true, ThreadRole::background},
    Rule{"gc", true, ThreadRole::background},
    Rule{"lease", true, ThreadRole::background},
};

ThreadRole role_of_port(std::string_view text) noexcept {
  constexpr int base = 7400;
  constexpr int per_domain = 250;
  int port = 0;
  const char * const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, port);
  // Not a port: a transport's watchdog, which may wait.
  if (error != std::errc{} || end != text_end) return ThreadRole::background;
  if (port < base) return ThreadRole::middleware;
  const int offset = (port - base) % per_domain;
  const bool discovery = offset == 0 || (offset >= 10 && offset % 2 == 0);
  return discovery ? ThreadRole::background : ThreadRole::middleware;
}

int asked_of(ThreadRole role, const PriorityPlan & plan, bool several_workers) noexcept {
  switch (role) {
    case ThreadRole::middleware:
      return plan.middleware;
    case ThreadRole::events:
      return plan.events(several_workers);
    case ThreadRole::ordinary:
      return 0;
    default:
      return plan.background;
  }
}

constexpr std::string_view takts = "takt.";

}  // namespace

ThreadRole thread_role(std::string_view name) noexcept {
  constexpr std::string_view worker = "takt.w";
  if (name.starts_with(worker) &&
      name.find_first_not_of("0123456789", worker.size()) == name.npos) {
    return ThreadRole::worker;
  }
  for (const std::string_view transport : {"dds.udp.", "dds.tcp.", "dds.shm."}) {
    if (name.starts_with(transport)) return role_of_port(name.substr(transport.size()));
  }
  const auto * rule = std::find_if(rules.begin(), rules.end(), [name](const Rule & candidate) {
    return candidate.whole ? name == candidate.name : name.starts_with(candidate.name);
  });
  return rule == rules.end() ? ThreadRole::unknown : rule->role;
}

ThreadRole thread_role(const os::ThreadInfo & thread) noexcept {
  if (!thread.own && thread.name.starts_with(takts)) return ThreadRole::unknown;
  return thread_role(thread.name);
}

std::string unnamed_thread(std::string_view name) {
  return "a thread without a name of its own, started by a callback (it is called " +
         std::string(name) + ")";
}

const char * to_string(ThreadRole role) noexcept {
  switch (role) {
    case ThreadRole::timer:
      return "timer";
    case ThreadRole::worker:
      return "worker";
    case ThreadRole::handler:
      return "handler";
    case ThreadRole::middleware:
      return "middleware";
    case ThreadRole::events:
      return "events";
    case ThreadRole::background:
      return "background";
    case ThreadRole::ordinary:
      return "ordinary";
    case ThreadRole::unknown:
      break;
  }
  return "unknown";
}

bool ThreadRule::fits(std::string_view thread) const noexcept {
  const std::string_view wanted = name;
  return wanted.ends_with('*') ? thread.starts_with(wanted.substr(0, wanted.size() - 1))
                               : thread == wanted;
}

void ThreadRule::validate() const {
  constexpr std::size_t longest = 15;  // the kernel truncates longer names
  const std::size_t length = name.size() - (name.ends_with('*') ? 1 : 0);
  const bool fit = role == ThreadRole::middleware || role == ThreadRole::events ||
                   role == ThreadRole::background || role == ThreadRole::ordinary;
  if (length == 0 || length > longest || name.starts_with(takts) || !fit) {
    throw std::invalid_argument("thread_roles: '" + name + "' as " + to_string(role) +
                                ": give the name of a thread that is not takt's, of 1 to 15 "
                                "characters, and middleware, events, background or ordinary");
  }
}

std::vector<PlannedThread> plan_middleware(const PriorityPlan & plan) {
  return plan_middleware(plan, {}, false).planned;
}

MiddlewareThreads plan_middleware(const PriorityPlan & plan, const std::vector<ThreadRule> & rules,
                                  bool several_workers) {
  MiddlewareThreads result;
  std::vector<PlannedThread> & planned = result.planned;
  std::set<std::string> unknown;
  const std::vector<os::ThreadInfo> threads = os::threads_of_process();
  const auto program =
      std::find_if(threads.begin(), threads.end(),
                   [](const os::ThreadInfo & each) { return each.tid == getpid(); });
  for (const os::ThreadInfo & thread : threads) {
    ThreadRole role = thread_role(thread);
    if (thread.own && role != ThreadRole::middleware && role != ThreadRole::events) continue;
    const auto rule = std::find_if(rules.begin(), rules.end(), [&thread](const ThreadRule & each) {
      return each.fits(thread.name);
    });
    if (rule != rules.end()) role = rule->role;
    if (role == ThreadRole::unknown) {
      // A thread has the name of the one that started it until it is named.
      if (program == threads.end() || thread.name != program->name) unknown.insert(thread.name);
      continue;
    }
    const int asked = asked_of(role, plan, several_workers);
    PlannedThread entry{thread.name, thread.tid, to_string(role), asked, thread.priority,
                        thread.cpu,  {}};
    if (thread.priority != asked) {
      const os::Granted granted = os::set_fifo(thread.tid, asked);
      entry.granted = granted.granted;
      entry.error = granted.error;
    }
    planned.push_back(std::move(entry));
  }
  result.unknown.assign(unknown.begin(), unknown.end());
  return result;
}

}  // namespace takt::executor
