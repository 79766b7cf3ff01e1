// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "interrupt.hpp"

#include <signal.h>

#include <atomic>
#include <takt_core/os/event.hpp>

namespace takt::lab {
namespace {

std::atomic<bool> came{false};
os::Event event;
struct sigaction old_interrupt;
struct sigaction old_terminate;

void notice(int /*signal*/) {
  came.store(true);
  event.post();
}

}  // namespace

Interrupt::Interrupt() {
  came.store(false);
  struct sigaction action = {};
  action.sa_handler = notice;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_interrupt);
  sigaction(SIGTERM, &action, &old_terminate);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &old_interrupt, nullptr);
  sigaction(SIGTERM, &old_terminate, nullptr);
}

bool Interrupt::raised() const noexcept { return came.load(); }

bool Interrupt::sleep_until(model::Time instant) noexcept {
  // A post left over from an earlier sleep only makes this one look again.
  while (!came.load() && event.wait_until(instant)) {
  }
  return came.load();
}

void Interrupt::raise() noexcept { notice(0); }

}  // namespace takt::lab
