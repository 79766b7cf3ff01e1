// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What the executor must not do while it runs: allocate, or yield the CPU between two jobs.
#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "takt_core/executor/processor.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0};

// True for threads that run jobs, not for those that may wait.
bool counted_thread() {
  thread_local int counted = -1;
  if (counted < 0) {
    char name[16] = {};
    prctl(PR_GET_NAME, name, 0, 0, 0);
    counted = std::strncmp(name, "takt.", 5) == 0 && std::strcmp(name, "takt.watchdog") != 0;
  }
  return counted == 1;
}

}  // namespace

[[gnu::noinline]] void * operator new(std::size_t size) {
  if (counting.load(std::memory_order_relaxed) && counted_thread()) ++allocations;
  void * memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void * operator new(std::size_t size, const std::nothrow_t &) noexcept {
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void * memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void * memory, std::size_t) noexcept {
  std::free(memory);
}

namespace takt::executor {
namespace {

using testing::ms;
using testing::Rig;
using testing::Watched;

class SteadyTest : public testing::ModeTest {};
TAKT_FOR_ALL_MODES(SteadyTest);

TEST_P(SteadyTest, AllocatesNothing) {
  Options given = options("edf");
  std::atomic<int> misses{0};
  given.handlers.on_miss = [&](const Miss &, const std::string & name) {
    if (name == "n/late") ++misses;
  };
  Rig rig(given, rights());
  std::atomic<int> observed{0};
  rig.processor().set_observer(
      [](void * count, const FinishedJob &) { ++*static_cast<std::atomic<int> *>(count); },
      &observed);
  Watched<int> runs;
  std::atomic<int> rounds{0};
  model::Task event{.id = "n/event", .kind = model::TaskKind::subscription, .period = ms / 2};
  const auto released = rig.add(event, [](const JobInfo &) {});
  for (int i = 0; i < 20; ++i) {
    rig.add({.id = "n/timer", .period = (1 + i % 4) * ms, .deadline = (1 + i % 3) * ms / 3},
            [&](const JobInfo &) {
              {
                const Processor::Section section;
                rig.processor().release(released);
              }
              rig.processor().release(released);
            });
  }
  rig.add({.id = "n/late", .period = 5 * ms, .deadline = 1000}, [&](const JobInfo & job) {
    testing::burn(std::chrono::microseconds(50));
    if (++rounds == 20) counting = true;
    if (rounds == 60) {
      counting = false;
      rig.processor().stop();
    }
    EXPECT_EQ(Processor::current_job()->index, job.index);
  });
  rig.start();
  rig.join();
  EXPECT_EQ(allocations, 0);
  EXPECT_GT(observed, 100);
  EXPECT_GT(misses, 10);
}

struct Seen {
  model::Time release;
  int tid;
  std::uint64_t switches;  ///< voluntary context switches of the thread so far
};

struct Releases {
  std::size_t all = 0;
  std::size_t broken = 0;  ///< releases whose jobs did not run back to back
};

Releases releases_of(const std::vector<Seen> & runs) {
  Releases releases;
  bool whole = false;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i == 0 || runs[i].release != runs[i - 1].release) {
      ++releases.all;
      whole = true;
    } else if (whole && runs[i].switches != runs[i - 1].switches) {
      ++releases.broken;
      whole = false;
    }
  }
  return releases;
}

TEST_P(SteadyTest, JobsOfOneReleaseRunBackToBackOnOneThread) {
  constexpr int tasks = 50;
  Rig rig(options("rm"), rights());
  std::vector<Seen> runs;
  runs.reserve(20 * tasks);
  for (int i = 0; i < tasks; ++i) {
    rig.add({.id = "n/t", .period = 5 * ms, .deadline = 5 * ms}, [&](const JobInfo & job) {
      if (runs.size() < 20 * tasks) {
        runs.push_back({job.release, os::thread_id(), os::voluntary_switches()});
      } else {
        rig.processor().stop();
      }
    });
  }
  rig.start();
  rig.join();
  for (const Seen & run : runs) EXPECT_EQ(run.tid, runs[0].tid);
  const Releases releases = releases_of(runs);
  EXPECT_GE(releases.all, 20U);
  // The watchdog may hold the lock several times per second; a defect of the worker would show in
  // every release.
  EXPECT_LT(2 * releases.broken, releases.all);

  // Control: a worker that slept between any two jobs.
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].switches += i;
  EXPECT_GE(2 * releases_of(runs).broken, releases.all);
}

}  // namespace
}  // namespace takt::executor
