// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/logger.hpp"

#include <atomic>

#include "logging_system.hpp"

namespace takt {

struct Logger::State {
  explicit State(std::string n) : name(std::move(n)) {}

  std::string name;
  std::shared_ptr<void> rosout;
  // A cache of the level, with the level generation in which it was looked up. rcutils looks levels up in
  // a map that is not thread-safe and grows, which is unsuitable for callbacks.
  mutable std::atomic<std::uint64_t> known{0};

  static constexpr unsigned level_bits = 8;
};

Logger::Logger(const std::string & name) : state_(std::make_shared<State>(name)) {}

const std::string & Logger::get_name() const noexcept {
  return state_->name;
}

Logger Logger::get_child(const std::string & suffix) const {
  Logger child(state_->name + "." + suffix);
  child.state_->rosout = detail::rosout_add_child(state_->name, suffix);
  return child;
}

void Logger::set_level(Severity level) {
  detail::set_level(state_->name, static_cast<int>(level));
}

Severity Logger::get_effective_level() const {
  const std::uint64_t generation = detail::level_generation();
  const std::uint64_t known = state_->known.load(std::memory_order_relaxed);
  if (known >> State::level_bits == generation) {
    return static_cast<Severity>(known & ((1U << State::level_bits) - 1));
  }
  const int level = detail::effective_level(state_->name);
  state_->known.store(generation << State::level_bits | static_cast<std::uint64_t>(level),
                      std::memory_order_relaxed);
  return static_cast<Severity>(level);
}

bool Logger::is_enabled(Severity severity) const noexcept {
  return severity >= get_effective_level();
}

Logger get_logger(const std::string & name) {
  return Logger(name);
}

}  // namespace takt
