// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "transports/allocator.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <takt_core/os/lock.hpp>
#include <takt_core/os/pi_mutex.hpp>

#include "tlsf.hpp"

namespace takt::lab {
namespace {

struct Memory {
  os::PiMutex mutex{os::LockRank::allocator};
  Tlsf tlsf;  // guarded by the lock, except for the bounds that owns() reads
  std::atomic<bool> on{false};
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> full{0};
};
// Never destroyed, because destructors of other static objects may free memory later.
constinit Memory memory;

void * take(std::size_t bytes) noexcept {
  if (memory.on.load(std::memory_order_acquire)) {
    memory.calls.fetch_add(1, std::memory_order_relaxed);
    {
      const os::Lock lock(memory.mutex);
      if (void * given = memory.tlsf.allocate(bytes)) return given;
    }
    memory.full.fetch_add(1, std::memory_order_relaxed);
  }
  return std::malloc(bytes > 0 ? bytes : 1);
}

void give_back(void * pointer) noexcept {
  if (memory.on.load(std::memory_order_acquire) && memory.tlsf.owns(pointer)) {
    const os::Lock lock(memory.mutex);
    memory.tlsf.release(pointer);
  } else {
    std::free(pointer);
  }
}

void * take_or_throw(std::size_t bytes) {
  if (void * given = take(bytes)) return given;
  throw std::bad_alloc();
}

}  // namespace

void use_tlsf(std::size_t bytes) {
  void * const all = std::aligned_alloc(4096, bytes);
  if (all == nullptr) throw std::bad_alloc();
  std::memset(all, 0, bytes);
  memory.tlsf.add(all, bytes);
  memory.on.store(true, std::memory_order_release);
}

nlohmann::ordered_json allocator_json() {
  if (!memory.on.load()) return {{"name", "malloc"}};
  std::size_t used = 0;
  {
    const os::Lock lock(memory.mutex);
    used = memory.tlsf.used();
  }
  const struct mallinfo2 rest = mallinfo2();
  const auto other = static_cast<double>(rest.uordblks);
  const auto own = static_cast<double>(used);
  return {{"name", "tlsf"},
          {"reaches", "operator new"},
          {"allocations", memory.calls.load()},
          {"no_room", memory.full.load()},
          {"bytes", used},
          {"malloc_bytes", rest.uordblks},
          {"share", own / (own + other)}};
}

}  // namespace takt::lab

// NOLINTBEGIN(misc-new-delete-overloads): those with an alignment stay the library's, in pairs.
void * operator new(std::size_t bytes) {
  return takt::lab::take_or_throw(bytes);
}
void * operator new[](std::size_t bytes) {
  return takt::lab::take_or_throw(bytes);
}
void * operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
  return takt::lab::take(bytes);
}
void * operator new[](std::size_t bytes, const std::nothrow_t &) noexcept {
  return takt::lab::take(bytes);
}
void operator delete(void * pointer) noexcept {
  takt::lab::give_back(pointer);
}
void operator delete[](void * pointer) noexcept {
  takt::lab::give_back(pointer);
}
void operator delete(void * pointer, std::size_t) noexcept {
  takt::lab::give_back(pointer);
}
void operator delete[](void * pointer, std::size_t) noexcept {
  takt::lab::give_back(pointer);
}
void operator delete(void * pointer, const std::nothrow_t &) noexcept {
  takt::lab::give_back(pointer);
}
void operator delete[](void * pointer, const std::nothrow_t &) noexcept {
  takt::lab::give_back(pointer);
}
// NOLINTEND(misc-new-delete-overloads)
