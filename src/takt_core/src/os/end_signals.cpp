// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/end_signals.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "takt_core/os/clock.hpp"
#include "takt_core/os/condition.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::os {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr Time echo = 500'000'000;

// Data of the signal handler: namespace scope, as a function's static variable would take a lock at
// its first use.

/// The previous actions, indexed like `signals`.
struct sigaction previous[std::size(signals)];
/// Whether the next signal is to be reported.
constinit std::atomic<bool> armed{false};
/// The instant of the last signal that was not an echo of an earlier one.
constinit std::atomic<Time> last{-echo};
constinit Event * wake_event = nullptr;

/// Never destroyed: its users may outlive all static objects.
struct Watcher {
  Mutex mutex{LockRank::signals};
  std::map<std::uint64_t, std::function<void()>> ends TAKT_GUARDED_BY(mutex);
  std::uint64_t next TAKT_GUARDED_BY(mutex) = 1;
  Thread thread TAKT_GUARDED_BY(mutex);  // never ended: only its identity tells which thread must
                                         // not wait
  std::uint64_t calling TAKT_GUARDED_BY(mutex) = 0;
  Condition called;
  Event wake;
};

Watcher & watcher() {
  static Watcher & instance = *new Watcher;
  return instance;
}

void pass_on(int number, siginfo_t * info, void * context, bool ends) noexcept {
  const auto place = std::find(std::begin(signals), std::end(signals), number);
  const struct sigaction & before = previous[place - std::begin(signals)];
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(number, info, context);
  } else if (before.sa_handler == SIG_DFL) {
    if (!ends) return;
    sigaction(number, &before, nullptr);
    raise(number);  // delivered when the handler has returned
  } else if (before.sa_handler != SIG_IGN) {
    before.sa_handler(number);
  }
}

void handle(int number, siginfo_t * info, void * context) {
  const int saved = errno;
  const Time at = now();
  Time before = last.load();
  // If two threads handle a signal each at the same time, one of them counts as the echo.
  const bool counts = at - before >= echo && last.compare_exchange_strong(before, at);
  const bool first = counts && armed.exchange(false);
  if (first) wake_event->post();
  pass_on(number, info, context, counts && !first);
  errno = saved;
}

bool ours(const struct sigaction & action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == handle;
}

void install(Watcher & w) TAKT_REQUIRES(w.mutex) {
  wake_event = &w.wake;
  for (std::size_t i = 0; i < std::size(signals); ++i) {
    struct sigaction action = {};
    sigaction(signals[i], nullptr, &action);
    if (ours(action)) continue;
    const bool ignored = (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN;
    if (signals[i] == SIGHUP && ignored) continue;  // ignored by nohup
    previous[i] = action;
    action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    sigaction(signals[i], &action, nullptr);
  }
}

/// Restores the previous actions, except where another handler has been installed meanwhile.
void restore() noexcept {
  for (std::size_t i = 0; i < std::size(signals); ++i) {
    struct sigaction action = {};
    sigaction(signals[i], nullptr, &action);
    if (ours(action)) sigaction(signals[i], &previous[i], nullptr);
  }
}

void watch() {
  Watcher & w = watcher();
  while (true) {
    w.wake.wait();
    std::vector<std::uint64_t> handles;
    {
      const Lock lock(w.mutex);
      // Functions added from now on wait for another signal.
      armed = false;
      for (const auto & [handle, end] : w.ends) handles.push_back(handle);
    }
    for (const std::uint64_t handle : handles) {
      std::function<void()> end;
      {
        const Lock lock(w.mutex);
        const auto found = w.ends.find(handle);
        if (found == w.ends.end()) continue;
        end = found->second;
        w.calling = handle;
      }
      end();
      end = nullptr;
      const Lock lock(w.mutex);
      w.calling = 0;
      w.called.notify_all();
    }
  }
}

}  // namespace

std::uint64_t watch_end_signals(std::function<void()> end) {
  Watcher & w = watcher();
  const Lock lock(w.mutex);
  if (!w.thread.joinable()) w.thread = Thread({.name = "takt.signals"}, watch);
  const std::uint64_t handle = w.next++;
  w.ends.emplace(handle, std::move(end));
  armed = true;  // first: a signal may come as soon as its handler is installed
  install(w);
  return handle;
}

void unwatch_end_signals(std::uint64_t handle) {
  Watcher & w = watcher();
  std::map<std::uint64_t, std::function<void()>>::node_type gone;  // destroyed after the lock is
                                                                   // released
  UniqueLock lock(w.mutex);
  gone = w.ends.extract(handle);
  if (w.thread.tid() != thread_id()) {
    w.called.wait(lock, [&]() TAKT_REQUIRES(w.mutex) { return w.calling != handle; });
  }
  if (!w.ends.empty()) return;
  armed = false;
  if (now() - last.load() >= echo) restore();
}

}  // namespace takt::os
