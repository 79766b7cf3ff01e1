// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "interrupt.hpp"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <takt_core/os/clock.hpp>

namespace takt::lab {
namespace {

constexpr model::Duration second = 1'000'000'000;

}  // namespace

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals_, &before_);
}

Interrupt::~Interrupt() {
  while (take(0)) {
  }
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool Interrupt::take(model::Duration timeout) noexcept {
  const timespec length{static_cast<time_t>(timeout / second), static_cast<long>(timeout % second)};
  if (sigtimedwait(&signals_, nullptr, &length) < 0) return false;
  came_.store(true);
  return true;
}

bool Interrupt::raised() noexcept {
  return came_.load() || take(0);
}

bool Interrupt::sleep_until(model::Time instant) noexcept {
  while (!came_.load()) {
    // In steps, because the instant may be too far away for the kernel's time type.
    const model::Duration left = std::min(instant - os::now(), 3600 * second);
    if (left <= 0) break;
    take(left);
  }
  return came_.load();
}

void Interrupt::raise() noexcept {
  came_.store(true);
  kill(getpid(), SIGTERM);
}

}  // namespace takt::lab
