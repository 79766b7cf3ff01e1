// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/lock_waits.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

namespace takt::os {
namespace {

using Read = void (*)(std::uint64_t *, std::int64_t *, void **, void **, int, char *);

std::string base_name(const std::string & path) {
  return path.substr(path.rfind('/') + 1);
}

/// The lists of C++ functions' parameters are often longer than what is of use.
std::string without_parameters(const std::string & function) {
  constexpr std::string_view unnamed = "(anonymous namespace)";
  std::size_t at = function.find('(');
  while (at != std::string::npos && function.compare(at, unnamed.size(), unnamed) == 0) {
    at = function.find('(', at + 1);
  }
  return at == std::string::npos ? function : function.substr(0, at) + "()";
}

struct Place {
  std::string function;  // empty: the library has no name for it
  std::string library;
  std::uintptr_t offset = 0;  // in the library
};

Place place_of(void * address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0) return {};
  Place place;
  if (info.dli_fname != nullptr) place.library = base_name(info.dli_fname);
  place.offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  if (info.dli_sname == nullptr) return place;
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> plain(
      abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), std::free);
  place.function = without_parameters(plain != nullptr ? plain.get() : info.dli_sname);
  return place;
}

std::string text_of(const Place & place) {
  if (!place.function.empty()) return place.function + " in " + place.library;
  if (place.library.empty()) return "";
  std::ostringstream text;
  text << place.library << "+0x" << std::hex << place.offset;
  return text.str();
}

/// Whether this is one of the small functions through which libraries unlock.
bool only_unlocks(const Place & place) {
  for (const char * part : {"unlock", "lock_guard", "scoped_lock"}) {
    if (place.function.find(part) != std::string::npos) return true;
  }
  return false;
}

/// The function that unlocked, and the next one outwards that has a name.
std::string holder_at(std::span<void * const> frames) {
  std::vector<Place> places;
  for (void * const frame : frames) {
    if (frame != nullptr) places.push_back(place_of(frame));
  }
  const auto outermost = std::find_if(places.rbegin(), places.rend(), only_unlocks);
  auto at = outermost.base();
  if (at == places.end()) return places.empty() ? "" : text_of(places.front());
  std::string text = text_of(*at);
  at =
      std::find_if(at + 1, places.end(), [](const Place & each) { return !each.function.empty(); });
  return at == places.end() ? text : text + ", called by " + text_of(*at);
}

}  // namespace

std::optional<LockWaits> lock_waits() {
  static const auto read = reinterpret_cast<Read>(dlsym(RTLD_DEFAULT, "takt_inheritance_read"));
  if (read == nullptr) return std::nullopt;
  LockWaits found;
  void * where = nullptr;
  std::array<void *, 12> holder{};
  std::array<char, 17> thread{};  // 16 bytes are written
  read(&found.waits, &found.longest_ns, &where, holder.data(), static_cast<int>(holder.size()),
       thread.data());
  found.where = text_of(place_of(where));
  found.held_by = holder_at(holder);
  if (thread[0] != '\0') found.held_by += std::string(", thread ") + thread.data();
  return found;
}

void lend_up_to(int priority) noexcept {
  static const auto set =
      reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "takt_inheritance_set_highest"));
  if (set != nullptr) set(priority);
}

}  // namespace takt::os
