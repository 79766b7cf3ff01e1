// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "overseer.hpp"

#include <takt_core/os/clock.hpp>
#include <takt_core/os/rights.hpp>
#include <takt_core/os/threads.hpp>
#include <utility>

#include "error.hpp"

namespace takt::lab {
namespace {

/// The priority of the thread: below the stall probe, above all threads of the application.
constexpr int above_all_workers = 98;
/// How long before the window threads are looked for. That reads /proc, and must not disturb the first
/// releases of the window.
constexpr model::Duration ahead = 20'000'000;
constexpr model::Duration stop_again_after = 20'000'000;

void give_up_priorities() {
  for (const os::ThreadInfo & thread : os::threads_of_process()) {
    if (thread.priority > 0 && thread.tid != os::thread_id()) os::set_fifo(thread.tid, 0);
  }
}

}  // namespace

Overseer::Overseer(const Window & window, int cpu, Interrupt & interrupt, Hooks hooks)
    : window_(window), interrupt_(interrupt), hooks_(std::move(hooks)) {
  thread_ = os::Thread({.name = "lab.overseer", .priority = above_all_workers, .cpu = cpu},
                       [this] { watch(); });
  plan_ = {.name = thread_.name(),
           .tid = thread_.tid(),
           .role = "overseer",
           .asked = thread_.priority().asked,
           .granted = thread_.priority().granted,
           .cpu = thread_.cpu().granted,
           .error = thread_.priority().error};
}

Overseer::~Overseer() {
  if (!thread_.joinable()) return;
  interrupt_.raise();
  ended_.post();
  thread_.join();
}

void Overseer::watch() {
  bool interrupted = interrupt_.sleep_until(window_.from - ahead);
  if (!interrupted) cpu_.prepare();
  interrupted = interrupted || interrupt_.sleep_until(window_.from);
  if (!interrupted) {
    cpu_.open();
    hooks_.opened();
    reading_ = os::now() - cpu_.opened();
    interrupted = look_on();
  }
  if (!interrupted) {
    cpu_.close();
    hooks_.closed();
    reading_ += os::now() - cpu_.closed();
    window_complete_ = true;
  }
  do {
    // Repeated, because a thread may have been given its priority in the meantime.
    give_up_priorities();
    hooks_.stop();
  } while (!ended_.wait_until(os::now() + stop_again_after));
}

/// Calls `look` periodically until the end of the window. Returns whether it was interrupted.
bool Overseer::look_on() {
  if (hooks_.look_every > 0) {
    for (model::Time next = window_.from; next < window_.to; next += hooks_.look_every) {
      if (interrupt_.sleep_until(next)) return true;
      hooks_.look();
    }
  }
  return interrupt_.sleep_until(window_.to);
}

void Overseer::finish() {
  // A run that ends before the window was not stopped by this thread.
  if (os::now() < window_.to) interrupt_.raise();
  ended_.post();
  thread_.join();
  if (!window_complete_)
    throw Error("interrupted: the run was not finished and nothing is written");
}

}  // namespace takt::lab
