// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "own_threads.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <new>

namespace takt::os {
namespace {

/// A key of thread and process, as a child of fork() has none of its parent's threads. 0: none.
std::uint64_t key(int tid) noexcept {
  return static_cast<std::uint64_t>(getpid()) << 32U | static_cast<std::uint32_t>(tid);
}

/// A block of entries. Never freed.
struct Places {
  std::array<std::atomic<std::uint64_t>, 128> threads{};
  std::atomic<Places *> next{nullptr};

  /// Replaces an entry `before` by `now`; false if there is none.
  bool exchange(std::uint64_t before, std::uint64_t now) noexcept {
    for (auto & thread : threads) {
      std::uint64_t found = before;
      if (thread.load() == before && thread.compare_exchange_strong(found, now)) return true;
    }
    return false;
  }
};
constinit Places first_places;

}  // namespace

void add_own_thread(int tid) noexcept {
  for (Places * places = &first_places; !places->exchange(0, key(tid));) {
    Places * next = places->next.load();
    if (next == nullptr) {
      auto * const made = new (std::nothrow) Places;
      if (made == nullptr) return;
      if (places->next.compare_exchange_strong(next, made)) {
        next = made;
      } else {
        delete made;
      }
    }
    places = next;
  }
}

void remove_own_thread(int tid) noexcept {
  for (Places * places = &first_places; places != nullptr; places = places->next.load()) {
    if (places->exchange(key(tid), 0)) return;
  }
}

bool is_own_thread(int tid) noexcept {
  const std::uint64_t wanted = key(tid);
  for (const Places * places = &first_places; places != nullptr; places = places->next.load()) {
    for (const auto & thread : places->threads) {
      if (thread.load() == wanted) return true;
    }
  }
  return false;
}

}  // namespace takt::os
