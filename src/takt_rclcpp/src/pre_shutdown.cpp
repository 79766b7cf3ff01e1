// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "pre_shutdown.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "takt_core/os/lock.hpp"
#include "takt_core/tasks/decimal.hpp"
#include "takt_core/tasks/quiescence.hpp"

namespace takt::rclcpp {
namespace {

/// The PreShutdown object of a context. It is not stored in the context (sub-contexts), because rclcpp
/// clears these when the context is initialised again, while its callbacks stay.
struct Known {
  std::weak_ptr<::rclcpp::Context> context;
  std::shared_ptr<PreShutdown> one;
};

}  // namespace

std::shared_ptr<PreShutdown> PreShutdown::of(::rclcpp::Context & context) {
  static os::Mutex making{os::LockRank::pre_shutdown};
  static std::vector<Known> known;
  const auto itself = context.shared_from_this();
  std::shared_ptr<PreShutdown> one;
  {
    const os::Lock lock(making);
    std::erase_if(known, [](const Known & each) { return each.context.expired(); });
    const auto found = std::find_if(known.begin(), known.end(), [&itself](const Known & each) {
      return each.context.lock() == itself;
    });
    if (found != known.end()) return found->one;
    one = std::make_shared<PreShutdown>();
    known.push_back({itself, one});
  }
  context.add_pre_shutdown_callback([one] { one->begin(); });
  context.add_on_shutdown_callback([one] { one->end(); });
  return one;
}

PreShutdown::~PreShutdown() {
  end();
}

void PreShutdown::add(Executor & executor) {
  const os::Lock lock(executors_mutex_);
  executors_.push_back(&executor);
  if (called()) executor.quiesce();
}

void PreShutdown::remove(Executor & executor) {
  const os::Lock lock(executors_mutex_);
  std::erase(executors_, &executor);
}

void PreShutdown::begin() {
  {
    const os::Lock lock(mutex_);
    called_.store(true);
  }
  std::chrono::nanoseconds limit = std::chrono::hours(24);
  {
    const os::Lock lock(executors_mutex_);
    if (executors_.empty()) return;
    for (const Executor * executor : executors_) limit = std::min(limit, executor->limit());
  }
  tasks::wait_for_started([this] { return quiesce(); });
  try {
    watch_ = os::Thread({.name = "takt.ending"}, [this, limit] { watch(limit); });
  } catch (const std::system_error &) {
    return;  // no thread could be created: no time limit
  }
}

bool PreShutdown::quiesce() {
  const os::Lock lock(executors_mutex_);
  bool quiet = true;
  for (Executor * executor : executors_) quiet &= executor->quiesce();
  return quiet;
}

void PreShutdown::watch(std::chrono::nanoseconds limit) {
  {
    os::UniqueLock lock(mutex_);
    if (ended_.wait_for(lock, limit, [this] { return !called(); })) return;
  }
  const std::string why =
      "spin() ends although a pre-shutdown callback of the context has not returned within " +
      tasks::decimal(std::chrono::duration<double>(limit).count()) +
      " s: limit the time for which it waits, or raise SchedulingOptions::pre_shutdown_limit";
  const os::Lock lock(executors_mutex_);
  for (Executor * executor : executors_) executor->give_up(why);
}

// Does not wait for the watching thread: it may be about to end spin(), for which it needs the lock that
// the caller holds.
void PreShutdown::end() {
  const os::Lock lock(mutex_);
  called_.store(false);
  ended_.notify_all();
}

}  // namespace takt::rclcpp
