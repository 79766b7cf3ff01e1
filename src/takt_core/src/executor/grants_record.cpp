// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "grants_record.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "takt_core/executor/thread_roles.hpp"
#include "takt_core/os/lock_waits.hpp"
#include "takt_core/os/throttling.hpp"

namespace takt::executor {
namespace {

std::string of_unknown(const std::vector<std::string> & names) {
  constexpr std::size_t most = 8;
  std::string line;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    line += line.empty() ? "" : ", ";
    line += names[i].starts_with("takt.") ? unnamed_thread(names[i]) : "'" + names[i] + "'";
  }
  if (names.size() > most) line += " and " + std::to_string(names.size() - most) + " more";
  return "threads without a role in the priority plan keep their priorities: " + line +
         "; if they receive messages, set their roles by the executor's option thread_roles";
}

}  // namespace

void GrantsRecord::set_asked(std::string policy, int cpu) {
  const os::Lock lock(mutex_);
  grants_.policy = std::move(policy);
  grants_.cpu = cpu;
}

void GrantsRecord::begin() {
  int cpu = -1;
  {
    const os::Lock lock(mutex_);
    cpu = grants_.cpu;
  }
  const std::string kept[] = {os::realtime_throttling(), os::fair_server(cpu)};
  const os::Lock lock(mutex_);
  grants_.refused.clear();
  grants_.notes.clear();
  std::copy_if(std::begin(kept), std::end(kept), std::back_inserter(grants_.notes),
               [](const std::string & note) { return !note.empty(); });
  if (os::lock_waits()) {
    grants_.notes.emplace_back(
        "ordinary mutexes inherit priority: libtakt_inheritance.so is loaded");
  }
  grants_.memory_locked = false;
  cpu_lost_ = false;
}

void GrantsRecord::set_memory(const os::Granted & locked) {
  {
    const os::Lock lock(mutex_);
    grants_.memory_locked = locked.ok();
  }
  if (!locked.ok()) refuse(locked.error);
}

void GrantsRecord::set_heap(const os::Granted & kept, std::int64_t bytes) {
  {
    const os::Lock lock(mutex_);
    grants_.kept_heap = kept.ok() ? bytes : 0;
    if (kept.ok()) {
      grants_.notes.push_back("each of malloc's arenas keeps up to " + std::to_string(bytes) +
                              " bytes of freed memory (kept_heap)");
    }
  }
  if (!kept.ok()) refuse(kept.error);
}

void GrantsRecord::refuse(const std::string & line) {
  {
    const os::Lock lock(mutex_);
    auto & refused = grants_.refused;
    if (std::find(refused.begin(), refused.end(), line) != refused.end()) return;
    refused.push_back(line);
    if (!logged_refusals_.insert(line).second) return;
  }
  log_.write(line);
}

void GrantsRecord::set_threads(std::vector<PlannedThread> threads) {
  bool said = false;
  {
    const os::Lock lock(mutex_);
    said = cpu_lost_;
  }
  if (!said) refuse_errors(threads);
  const os::Lock lock(mutex_);
  keep(std::move(threads));
}

void GrantsRecord::keep(std::vector<PlannedThread> threads) {
  grants_.realtime = std::all_of(threads.begin(), threads.end(), [](const PlannedThread & thread) {
    return thread.asked == 0 || thread.granted == thread.asked;
  });
  grants_.pinned =
      std::all_of(threads.begin(), threads.end(),
                  [cpu = grants_.cpu](const PlannedThread & thread) { return thread.cpu == cpu; });
  grants_.threads = std::move(threads);
}

void GrantsRecord::set_middleware(std::vector<PlannedThread> threads,
                                  std::vector<std::string> unknown) {
  refuse_errors(threads);
  const os::Lock lock(mutex_);
  middleware_ = std::move(threads);
  unknown_ = std::move(unknown);
}

std::string GrantsRecord::cpu_lost() const {
  return "CPU " + std::to_string(grants_.cpu) +
         " was taken from the executor (the cpuset has changed, or the CPU is offline): its "
         "threads run on other CPUs, beside other load, and releases are late or lost; give the "
         "CPU back, or create an executor on CPUs that the process may use";
}

void GrantsRecord::set_cpu_kept(bool kept, std::vector<PlannedThread> threads) {
  std::string line;
  {
    const os::Lock lock(mutex_);
    if (cpu_lost_ == !kept) return;
    cpu_lost_ = !kept;
    keep(std::move(threads));
    line = cpu_lost();
    if (kept) {
      const std::string refused = "CPU " + std::to_string(grants_.cpu) + " refused";
      std::erase_if(grants_.refused, [&](const std::string & each) {
        return each == line || each.starts_with(refused);
      });
      line = "CPU " + std::to_string(grants_.cpu) + " is the executor's again";
    } else {
      grants_.refused.push_back(line);
    }
  }
  // Written last, so that a reader of the log finds the grants up to date.
  log_.write(line);
}

void GrantsRecord::refuse_errors(const std::vector<PlannedThread> & threads) {
  for (const PlannedThread & thread : threads) {
    if (!thread.error.empty()) refuse(thread.error);
  }
}

Grants GrantsRecord::read() const {
  const os::Lock lock(mutex_);
  Grants grants = grants_;
  grants.threads.insert(grants.threads.end(), middleware_.begin(), middleware_.end());
  if (!unknown_.empty()) grants.notes.push_back(of_unknown(unknown_));
  return grants;
}

}  // namespace takt::executor
