// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "signals.hpp"

#include <semaphore.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <vector>

#include "takt/context.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/os/threads.hpp"
#include "takt_core/tasks/same_owner.hpp"

namespace takt::detail {
namespace {

constexpr int watched[] = {SIGINT, SIGTERM};

/// Never destroyed: contexts may outlive every static object.
struct Watcher {
  Watcher() { sem_init(&wake, 0, 0); }

  os::Mutex mutex{os::LockRank::signals};
  std::vector<std::weak_ptr<Context>> contexts TAKT_GUARDED_BY(mutex);
  struct sigaction previous[std::size(watched)] TAKT_GUARDED_BY(mutex) = {};
  bool installed TAKT_GUARDED_BY(mutex) = false;
  os::Thread thread TAKT_GUARDED_BY(mutex);
  bool stop TAKT_GUARDED_BY(mutex) = false;
  sem_t wake;
};

Watcher & watcher() {
  static Watcher & instance = *new Watcher;
  return instance;
}

// The handler may only touch this: function-local statics take a lock on first use.
sem_t * wake_from_handler = nullptr;

void handle(int) {
  const int saved = errno;
  sem_post(wake_from_handler);
  errno = saved;
}

void watch() {
  Watcher & w = watcher();
  while (true) {
    if (sem_wait(&w.wake) != 0) continue;
    std::vector<std::shared_ptr<Context>> down;
    {
      const os::Lock lock(w.mutex);
      if (w.stop) return;
      for (const auto & weak : w.contexts) {
        if (auto context = weak.lock()) down.push_back(std::move(context));
      }
    }
    for (const auto & context : down) context->shutdown();
  }
}

void install(Watcher & w) TAKT_REQUIRES(w.mutex) {
  wake_from_handler = &w.wake;
  struct sigaction action = {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < std::size(watched); ++i) {
    sigaction(watched[i], &action, &w.previous[i]);
  }
  w.installed = true;
}

void restore(Watcher & w) TAKT_REQUIRES(w.mutex) {
  for (std::size_t i = 0; i < std::size(watched); ++i) {
    sigaction(watched[i], &w.previous[i], nullptr);
  }
  w.installed = false;
}

}  // namespace

void watch_signals(const std::shared_ptr<Context> & context) {
  Watcher & w = watcher();
  const os::Lock lock(w.mutex);
  w.contexts.push_back(context);
  if (!w.installed) install(w);
  if (!w.thread.joinable()) w.thread = os::Thread({.name = "takt.signals"}, watch);
}

void unwatch_signals(const Context & context) {
  Watcher & w = watcher();
  os::Thread done;
  {
    const os::Lock lock(w.mutex);
    // None is held meanwhile: who held the last one would end it, which comes back here.
    const auto self = context.weak_from_this();
    std::erase_if(w.contexts, [&self](const auto & weak) {
      return weak.expired() || tasks::same_owner(weak, self);
    });
    if (!w.contexts.empty()) return;
    if (w.installed) restore(w);
    // A signal shuts down from the waiting thread itself, which then waits for the next context or
    // for the program's own shutdown.
    if (!w.thread.joinable() || w.thread.tid() == os::thread_id()) return;
    done = std::move(w.thread);
    w.stop = true;
  }
  sem_post(&w.wake);
  done.join();
  const os::Lock lock(w.mutex);
  w.stop = false;
}

}  // namespace takt::detail
