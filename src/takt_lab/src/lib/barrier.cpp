// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "barrier.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <takt_core/os/clock.hpp>
#include <type_traits>

#include "error.hpp"

namespace takt::lab {
namespace {

constexpr model::Duration look_every = 5'000'000;

enum State : std::uint32_t { absent, arrived, ready, failed };

std::string seconds(model::Duration duration) {
  return std::to_string(duration / 1'000'000'000) + " s";
}

[[noreturn]] void interrupted() {
  throw Error("interrupted while waiting for the other processes");
}

}  // namespace

/// The content of the file. Its initial state is all zeroes, so that any process may be the first.
struct Barrier::Shared {
  std::atomic<std::int64_t> t0;
  std::array<std::atomic<std::uint32_t>, most_processes> states;
};

static_assert(std::atomic<std::int64_t>::is_always_lock_free);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

Barrier::Barrier(const std::string & path, std::uint32_t processes, std::uint32_t process)
    : processes_(processes), process_(process) {
  static_assert(std::is_standard_layout_v<Shared>);
  if (processes > most_processes) {
    throw Error("the barrier has room for " + std::to_string(most_processes) + " processes, not " +
                std::to_string(processes));
  }
  if (process >= processes) {
    throw Error("process " + std::to_string(process) + " is not one of the " +
                std::to_string(processes) + " processes of the barrier");
  }
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  void * memory = MAP_FAILED;
  int error = errno;
  if (file >= 0) {
    if (ftruncate(file, sizeof(Shared)) == 0) {
      memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    error = errno;
    close(file);
  }
  if (memory == MAP_FAILED) {
    throw Error(path + ": cannot be mapped as the barrier: " + std::strerror(error));
  }
  shared_ = static_cast<Shared *>(memory);
  std::uint32_t expected = absent;
  if (!shared_->states[process].compare_exchange_strong(expected, arrived)) {
    munmap(shared_, sizeof(Shared));
    throw Error(path + ": process " + std::to_string(process) +
                " has used this barrier already; use a new file for each run");
  }
}

Barrier::~Barrier() {
  if (!passed_) shared_->states[process_].store(failed);
  munmap(shared_, sizeof(Shared));
}

bool Barrier::all_ready() const noexcept {
  for (std::uint32_t i = 0; i < processes_; ++i) {
    if (shared_->states[i].load() != ready) return false;
  }
  return true;
}

void Barrier::fail_if_another_did() const {
  for (std::uint32_t i = 0; i < processes_; ++i) {
    if (shared_->states[i].load() == failed) {
      throw Error("process " + std::to_string(i) + " has left the barrier");
    }
  }
}

void Barrier::time_out(const std::string & missing, model::Duration timeout) const {
  std::string what = missing.empty() ? "" : missing;
  for (std::uint32_t i = 0; i < processes_; ++i) {
    const std::uint32_t state = shared_->states[i].load();
    if (i == process_ || state == ready) continue;
    what += std::string(what.empty() ? "" : "; ") + "process " + std::to_string(i) +
            (state == absent ? " has not arrived" : " is not matched");
  }
  throw Error("not ready after " + seconds(timeout) + ": " + what);
}

model::Time Barrier::wait(const Wait & wait, Interrupt & interrupt) {
  const model::Time limit = os::now() + wait.timeout;
  std::string missing = wait.missing();
  model::Time t0 = 0;
  while (t0 == 0) {
    if (missing.empty()) shared_->states[process_].store(ready);
    if (all_ready()) {
      // Several processes may notice it at the same time: the first one to store its t0 decides.
      const model::Time proposal = os::now() + wait.lead;
      shared_->t0.compare_exchange_strong(t0, proposal);
      t0 = shared_->t0.load();
      break;
    }
    fail_if_another_did();
    if (os::now() >= limit) time_out(missing, wait.timeout);
    if (interrupt.sleep_until(os::now() + look_every)) interrupted();
    if (!missing.empty()) missing = wait.missing();
  }
  if (t0 <= os::now()) {
    throw Error("t0 had passed when this process read it; the CPU is too busy for a common start");
  }
  passed_ = true;
  return t0;
}

model::Time wait_alone(const Barrier::Wait & wait, Interrupt & interrupt) {
  const model::Time limit = os::now() + wait.timeout;
  for (std::string missing = wait.missing(); !missing.empty(); missing = wait.missing()) {
    if (os::now() >= limit) {
      throw Error("not ready after " + seconds(wait.timeout) + ": " + missing);
    }
    if (interrupt.sleep_until(os::now() + look_every)) interrupted();
  }
  return os::now() + wait.lead;
}

}  // namespace takt::lab
