// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

// In a program that has TAKT_LISTEN_SILENTLY for a function by which the middleware is told whom to
// call, that announces nothing of what lies there as somebody begins to listen: as it may be for what
// was announced to another one, or came just as it looked.

namespace takt::testing {

using Told = void (*)(const void * data, std::size_t count);

/// Who is told, but for the time in which it begins to listen.
struct SilentListener {
  SilentListener(Told function, const void * argument) : told(function), data(argument) {}

  const Told told;
  const void * const data;
  std::atomic<bool> begins = true;

  /// Never destroyed: the middleware may call to the last.
  static SilentListener & make(Told told, const void * data) {
    static auto & mutex = *new std::mutex;
    static auto & all = *new std::deque<SilentListener>;
    const std::lock_guard lock(mutex);
    return all.emplace_back(told, data);
  }
  static void call(const void * listener, std::size_t count) {
    const auto & self = *static_cast<const SilentListener *>(listener);
    if (!self.begins) self.told(self.data, count);
  }
};

/// How often anybody began to listen to such a thing.
template <typename HandleT>
inline std::atomic<int> times_listened = 0;

template <typename HandleT>
std::int32_t listen_silently(const char * function, const HandleT * handle, Told told,
                             const void * data) {
  using Set = std::int32_t (*)(const HandleT *, Told, const void *);
  const auto set = reinterpret_cast<Set>(dlsym(RTLD_NEXT, function));
  if (told == nullptr) return set(handle, nullptr, nullptr);
  ++times_listened<HandleT>;
  SilentListener & listener = SilentListener::make(told, data);
  const std::int32_t code = set(handle, SilentListener::call, &listener);
  listener.begins = false;
  return code;
}

}  // namespace takt::testing

#define TAKT_LISTEN_SILENTLY(function, HandleT)                              \
  extern "C" [[gnu::visibility("default")]] std::int32_t function(           \
      const HandleT * handle, takt::testing::Told told, const void * data) { \
    return takt::testing::listen_silently(#function, handle, told, data);    \
  }
