// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// libtakt_inheritance.so: loaded before all other libraries (by LD_PRELOAD, or as the first library
// of a program), it makes every ordinary mutex of the process inherit priority: the holder runs at
// the priority of the most urgent thread that waits. The middleware's mutexes do not inherit by
// themselves, nor does std::mutex, so a thread of intermediate priority can keep the holder, and
// the waiting thread with it, from the CPU without bound.
//
// A mutex is converted when it is locked, which always goes through the functions below. Threads
// above the priority of takt_inheritance_set_highest() do not lend theirs but poll the mutex: these
// are the middleware's own threads, which have a higher priority than all callbacks and wait for
// locks of any callback that publishes, so that inheritance would let the least urgent callback run
// before the most urgent one.
//
// It records which function waited longest for a mutex, and which function held a mutex for the
// longest while another thread waited. For the latter, a thread that unlocks checks whether another
// one waits, and walks its own stack only after unlocking, so that nobody waits for the walk.
//
// Mutexes with explicit attributes (robust, process-shared, with a protocol) are left as they are.
// So are condition variables and read-write locks, which have no holder to inherit a priority.
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace {

// The values in glibc's <pthreadP.h>, which are part of its ABI, since static initialisers contain
// them.
constexpr int plain_kinds = 3;  // normal, recursive, error-checking, adaptive: 0 to 3
constexpr int inherits = 32;

template <typename Function>
Function * next(const char * name) noexcept {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

struct Functions {
  decltype(&pthread_mutex_lock) lock = next<decltype(pthread_mutex_lock)>("pthread_mutex_lock");
  decltype(&pthread_mutex_trylock) try_lock =
      next<decltype(pthread_mutex_trylock)>("pthread_mutex_trylock");
  decltype(&pthread_mutex_timedlock) timed_lock =
      next<decltype(pthread_mutex_timedlock)>("pthread_mutex_timedlock");
  decltype(&pthread_mutex_clocklock) clock_lock =
      next<decltype(pthread_mutex_clocklock)>("pthread_mutex_clocklock");
  decltype(&pthread_mutex_unlock) unlock =
      next<decltype(pthread_mutex_unlock)>("pthread_mutex_unlock");
};

const Functions & libc() noexcept {
  static const Functions functions;
  return functions;
}

std::atomic<int> highest{0};  // highest priority that is lent; 0: all are
std::atomic<std::uint64_t> waits{0};
std::atomic<std::int64_t> longest{0};
std::atomic<void *> longest_at{nullptr};

/// A mutex for which a real-time thread waits, and since when. Two mutexes may share a place: the
/// holder of one of them is then not recorded.
struct Waited {
  std::atomic<pthread_mutex_t *> mutex{nullptr};
  std::atomic<std::int64_t> since{0};
};
std::array<Waited, 256> waited_for;
pthread_mutex_t claimed;  // stands for a mutex whose instant is not set yet

Waited & place_of(pthread_mutex_t * mutex) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(mutex);
  return waited_for[(address >> 3 ^ address >> 11) % waited_for.size()];
}

constexpr int frames_kept = 12;
std::atomic<std::int64_t> longest_held{0};
std::array<std::atomic<void *>, frames_kept> held_by;   // the holder's return addresses
std::array<std::atomic<std::uint64_t>, 2> holder_name;  // the name of its thread, from prctl()

void make_inherit(pthread_mutex_t * mutex) noexcept {
  std::atomic_ref<int> kind(mutex->__data.__kind);
  int now = kind.load(std::memory_order_relaxed);
  while (now >= 0 && now <= plain_kinds) {
    if (kind.compare_exchange_weak(now, now | inherits, std::memory_order_relaxed)) return;
  }
}

std::int64_t now_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

/// The real-time priority of the calling thread; 0: none.
int realtime_priority() noexcept {
  const int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  if (policy != SCHED_FIFO && policy != SCHED_RR) return 0;
  sched_param parameters{};
  return sched_getparam(0, &parameters) == 0 ? parameters.sched_priority : 0;
}

bool has_passed(clockid_t clock, const timespec & instant) noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec != instant.tv_sec ? now.tv_sec > instant.tv_sec
                                      : now.tv_nsec >= instant.tv_nsec;
}

/// Locks the mutex by polling, so that the kernel does not know the thread as waiting. `until`
/// nullptr: no limit.
int ask_until_free(pthread_mutex_t * mutex, clockid_t clock, const timespec * until) noexcept {
  constexpr timespec between{.tv_sec = 0, .tv_nsec = 50'000};
  for (;;) {
    const int tried = libc().try_lock(mutex);
    if (tried != EBUSY) return tried;
    if (until != nullptr && has_passed(clock, *until)) return ETIMEDOUT;
    clock_nanosleep(CLOCK_MONOTONIC, 0, &between, nullptr);
  }
}

void note(std::int64_t length, void * where) noexcept {
  waits.fetch_add(1, std::memory_order_relaxed);
  std::int64_t before = longest.load(std::memory_order_relaxed);
  while (length > before) {
    if (!longest.compare_exchange_weak(before, length, std::memory_order_relaxed)) continue;
    longest_at.store(where, std::memory_order_relaxed);
    return;
  }
}

/// Keeps the stack of the calling thread, from `caller` outwards, if it held a mutex while another
/// thread waited for longer than for any before.
void note_holder(std::int64_t length, void * caller) noexcept {
  std::int64_t before = longest_held.load(std::memory_order_relaxed);
  do {
    if (length <= before) return;
  } while (!longest_held.compare_exchange_weak(before, length, std::memory_order_relaxed));
  std::array<std::uint64_t, std::size(holder_name)> name{};
  prctl(PR_GET_NAME, name.data());
  for (std::size_t at = 0; at < name.size(); ++at) {
    holder_name[at].store(name[at], std::memory_order_relaxed);
  }
  std::array<void *, frames_kept + 4> frames{};
  const int found = backtrace(frames.data(), static_cast<int>(frames.size()));
  const auto end = frames.begin() + std::max(found, 0);
  const auto first = std::find(frames.begin(), end, caller);
  if (first == end) {
    held_by[0].store(caller, std::memory_order_relaxed);
    held_by[1].store(nullptr, std::memory_order_relaxed);
    return;
  }
  for (int at = 0; at < frames_kept; ++at) {
    void * const frame = end - first > at ? first[at] : nullptr;
    held_by[static_cast<std::size_t>(at)].store(frame, std::memory_order_relaxed);
  }
}

/// The first walk of a stack loads a library; it is done here rather than beside a waiting thread.
__attribute__((constructor)) void prepare() {
  std::array<void *, 1> frame{};
  backtrace(frame.data(), 1);
}

/// Locks a mutex that another thread holds, by `wait`, at most until an instant of the clock.
template <typename Wait>
int lock(pthread_mutex_t * mutex, void * where, const Wait & wait,
         clockid_t clock = CLOCK_MONOTONIC, const timespec * until = nullptr) noexcept {
  make_inherit(mutex);
  const int tried = libc().try_lock(mutex);
  if (tried != EBUSY) return tried;
  const int priority = realtime_priority();
  if (priority == 0) return wait();
  const int lends = highest.load(std::memory_order_relaxed);
  if (lends != 0 && priority > lends) return ask_until_free(mutex, clock, until);
  const std::int64_t began = now_ns();
  Waited & place = place_of(mutex);
  pthread_mutex_t * nobody = nullptr;
  // Claimed before its instant is set, which may be that of another wait.
  const bool shown = place.mutex.compare_exchange_strong(nobody, &claimed);
  if (shown) {
    place.since.store(began, std::memory_order_relaxed);
    place.mutex.store(mutex, std::memory_order_release);
  }
  const int result = wait();
  const int error = errno;
  if (shown) place.mutex.store(nullptr);
  note(now_ns() - began, where);
  errno = error;
  return result;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): names of the C library
extern "C" {

__attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t * mutex) {
  return lock(mutex, __builtin_return_address(0), [&] { return libc().lock(mutex); });
}

__attribute__((visibility("default"))) int pthread_mutex_trylock(pthread_mutex_t * mutex) {
  make_inherit(mutex);
  const int result = libc().try_lock(mutex);
  // A mutex with priority inheritance and error checking reports more than others do.
  return result == EDEADLK ? EBUSY : result;
}

__attribute__((visibility("default"))) int pthread_mutex_timedlock(pthread_mutex_t * mutex,
                                                                   const timespec * until) {
  return lock(
      mutex, __builtin_return_address(0), [&] { return libc().timed_lock(mutex, until); },
      CLOCK_REALTIME, until);
}

__attribute__((visibility("default"))) int pthread_mutex_clocklock(pthread_mutex_t * mutex,
                                                                   clockid_t clock,
                                                                   const timespec * until) {
  return lock(
      mutex, __builtin_return_address(0), [&] { return libc().clock_lock(mutex, clock, until); },
      clock, until);
}

__attribute__((visibility("default"))) int pthread_mutex_unlock(pthread_mutex_t * mutex) {
  const Waited & place = place_of(mutex);
  if (place.mutex.load(std::memory_order_acquire) != mutex) return libc().unlock(mutex);
  const std::int64_t since = place.since.load(std::memory_order_relaxed);
  // Before unlocking: the thread that waits may run as soon as the mutex is free.
  const std::int64_t held = now_ns() - since;
  const int result = libc().unlock(mutex);
  const int error = errno;
  if (result == 0) note_holder(held, __builtin_return_address(0));
  errno = error;
  return result;
}

/// Used by os::lend_up_to().
__attribute__((visibility("default"))) void takt_inheritance_set_highest(int priority) {
  int before = highest.load(std::memory_order_relaxed);
  while (priority > before &&
         !highest.compare_exchange_weak(before, priority, std::memory_order_relaxed)) {
  }
}

/// Used by os::lock_waits().
__attribute__((visibility("default"))) void takt_inheritance_read(std::uint64_t * count,
                                                                  std::int64_t * longest_ns,
                                                                  void ** where, void ** holder,
                                                                  int holder_frames,
                                                                  char * holder_thread) {
  *count = waits.load(std::memory_order_relaxed);
  *longest_ns = longest.load(std::memory_order_relaxed);
  *where = longest_at.load(std::memory_order_relaxed);
  for (std::size_t at = 0; at < holder_name.size(); ++at) {
    const std::uint64_t part = holder_name[at].load(std::memory_order_relaxed);
    std::memcpy(holder_thread + at * sizeof part, &part, sizeof part);
  }
  for (int at = 0; at < holder_frames; ++at) {
    holder[at] = at < frames_kept
                     ? held_by[static_cast<std::size_t>(at)].load(std::memory_order_relaxed)
                     : nullptr;
  }
}
}
// NOLINTEND(readability-identifier-naming)
