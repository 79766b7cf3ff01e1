// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/pi_mutex.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "takt_core/os/event.hpp"
#include "takt_core/os/threads.hpp"

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace takt::os {
namespace {

constexpr std::uint32_t nobody = 0;

[[gnu::tls_model("initial-exec")]] constinit thread_local std::uint32_t known_id = nobody;

[[gnu::noinline]] std::uint32_t look_up_id() noexcept {
  // In a child of fork() the calling thread has another id.
  static const int registered = pthread_atfork(nullptr, nullptr, [] { known_id = nobody; });
  static_cast<void>(registered);
  known_id = static_cast<std::uint32_t>(thread_id());
  return known_id;
}

std::uint32_t own_id() noexcept {
  return known_id != nobody ? known_id : look_up_id();
}

[[noreturn]] void fail(const char * what) noexcept {
  std::fprintf(stderr, "takt: a mutex with priority inheritance cannot be %s: %s\n", what,
               std::strerror(errno));
  std::terminate();
}

[[gnu::noinline]] void lock_contended(std::atomic<std::uint32_t> & word) noexcept {
  count_wait();
  while (syscall(SYS_futex, &word, FUTEX_LOCK_PI_PRIVATE, 0, nullptr, nullptr, 0) != 0) {
    if (errno != EINTR && errno != EAGAIN) fail("locked");
  }
  // The kernel wrote the word; this load orders what follows after the previous holder's actions.
  word.load(std::memory_order_acquire);
}

[[gnu::noinline]] void unlock_contended(std::atomic<std::uint32_t> & word) noexcept {
  word.fetch_or(0, std::memory_order_release);
  if (syscall(SYS_futex, &word, FUTEX_UNLOCK_PI_PRIVATE, 0, nullptr, nullptr, 0) != 0) {
    fail("unlocked");
  }
}

// ThreadSanitizer sees only atomic operations. These calls tell it that the operations implement a
// lock, so that it detects violations of the lock order.
#ifdef __SANITIZE_THREAD__
void locking(void * mutex) noexcept {
  __tsan_mutex_pre_lock(mutex, 0);
}
void locked(void * mutex) noexcept {
  __tsan_mutex_post_lock(mutex, 0, 0);
}
void locked_by_trying(void * mutex) noexcept {
  __tsan_mutex_pre_lock(mutex, __tsan_mutex_try_lock);
  __tsan_mutex_post_lock(mutex, __tsan_mutex_try_lock, 0);
}
void unlocking(void * mutex) noexcept {
  __tsan_mutex_pre_unlock(mutex, 0);
}
void unlocked(void * mutex) noexcept {
  __tsan_mutex_post_unlock(mutex, 0);
}
#else
void locking(void *) noexcept {}
void locked(void *) noexcept {}
void locked_by_trying(void *) noexcept {}
void unlocking(void *) noexcept {}
void unlocked(void *) noexcept {}
#endif

}  // namespace

// The analysis cannot see how the lock is acquired: the following annotations only state it.

void PiMutex::lock() noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
  place_.waits();
  locking(this);
  std::uint32_t expected = nobody;
  if (!word_.compare_exchange_strong(expected, own_id(), std::memory_order_acquire,
                                     std::memory_order_relaxed)) {
    lock_contended(word_);
  }
  locked(this);
  place_.locked();
}

bool PiMutex::try_lock() noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
  std::uint32_t expected = nobody;
  if (!word_.compare_exchange_strong(expected, own_id(), std::memory_order_acquire,
                                     std::memory_order_relaxed)) {
    return false;
  }
  locked_by_trying(this);
  place_.locked();
  return true;
}

void PiMutex::unlock() noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
  place_.unlocks();
  unlocking(this);
  std::uint32_t expected = own_id();
  if (!word_.compare_exchange_strong(expected, nobody, std::memory_order_release,
                                     std::memory_order_relaxed)) {
    unlock_contended(word_);
  }
  unlocked(this);
}

#ifdef __SANITIZE_THREAD__
PiMutex::~PiMutex() {
  __tsan_mutex_destroy(this, 0);
}
#endif

}  // namespace takt::os
