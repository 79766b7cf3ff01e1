// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The sanitizers' negative control: faults that must be found, with all suppressions in force; and a
// spin lock, like those inside the sanitizers' libraries, which a less urgent thread must be able to release.
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <thread>

namespace {

int shared = 0;

// Hides a value from the compiler, so that it does not optimise the faults away.
template <typename T>
T hidden(T value) {
  volatile T kept = value;
  return kept;
}

// Repeated, because the sanitizer may miss a race of two accesses at exactly the same instant.
void race() {
  for (int i = 0; i < 100; ++i) {
    std::thread other([] { ++shared; });
    ++shared;
    other.join();
  }
}

void overflow() {
  int * values = new int[4]();
  shared = values[hidden(4)];
  delete[] values;
}

void leak() { shared = *new int(hidden(1)); }

void undefined() { shared = hidden(std::numeric_limits<int>::max()) + hidden(1); }

// Gives the calling thread a real-time priority, on the first CPU of the process.
bool be_urgent(int priority) {
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  unsigned first = 0;
  while (!CPU_ISSET(first, &cpus)) ++first;
  CPU_ZERO(&cpus);
  CPU_SET(first, &cpus);
  const sched_param parameters{.sched_priority = priority};
  return sched_setaffinity(0, sizeof cpus, &cpus) == 0 &&
         sched_setscheduler(0, SCHED_FIFO, &parameters) == 0;
}

// Spins with sched_yield until a less urgent thread has run. Without real-time rights both are equally urgent.
bool yields() {
  constexpr auto patience = std::chrono::seconds(10);
  std::atomic<bool> held = false;
  std::atomic<bool> wanted = false;
  std::atomic<bool> free = false;
  std::thread holder([&] {
    be_urgent(1);
    held = true;
    while (!wanted) {
    }
    free = true;
  });
  while (!held) std::this_thread::yield();
  bool came = true;
  std::thread spinner([&] {
    be_urgent(2);
    wanted = true;
    for (const auto end = std::chrono::steady_clock::now() + patience; came && !free;) {
      sched_yield();
      came = std::chrono::steady_clock::now() < end;
    }
  });
  spinner.join();
  holder.join();
  return came;
}

}  // namespace

int main(int argc, char ** argv) {
  const std::string_view fault = argc > 1 ? argv[1] : "";
  if (fault == "race") race();
  if (fault == "overflow") overflow();
  if (fault == "leak") leak();
  if (fault == "undefined") undefined();
  if (fault == "yields") return yields() ? EXIT_SUCCESS : EXIT_FAILURE;
  return EXIT_SUCCESS;
}
