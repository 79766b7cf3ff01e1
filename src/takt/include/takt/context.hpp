// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/context.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "takt_core/os/condition.hpp"

namespace takt {

class Exchange;
namespace detail {
struct ClockFollowers;
}  // namespace detail

struct InitOptions {
  /// ROS domain; default: the environment's ROS_DOMAIN_ID.
  std::optional<std::size_t> domain_id = std::nullopt;
  /// SIGINT and SIGTERM shut the context down, which ends spin(). The handlers that were there
  /// before come back at shutdown.
  bool handle_signals = true;
};

/// One participation in ROS: arguments, domain, middleware. Most programs use the default one
/// through takt::init. Exchange inside the process happens between nodes of one context.
/// Thread-safe.
class Context : public std::enable_shared_from_this<Context> {
 public:
  Context();
  ~Context();
  Context(const Context &) = delete;
  Context & operator=(const Context &) = delete;

  /// Throws RclError (bad ROS arguments, no middleware), Error if it was initialised before.
  /// Allocates, blocks; starts the middleware's threads.
  void init(int argc = 0, char const * const * argv = nullptr, const InitOptions & options = {});
  /// From init to shutdown. Any thread; never blocks.
  bool is_valid() const noexcept { return valid_.load(std::memory_order_acquire); }
  bool is_shut_down() const;
  /// Ends every spin() of this context, writes what is left of the log. Idempotent; any thread,
  /// callbacks too, but not a signal handler. Blocks for as long as the middleware takes.
  void shutdown();

  /// Throw Error unless it was initialised.
  rcl_context_t * rcl_context();
  std::size_t domain_id();
  Exchange & exchange() noexcept { return *exchange_; }
  detail::ClockFollowers & clock_followers() noexcept { return *clock_followers_; }

  /// `function` is called once, at shutdown, on the thread that shuts down, without locks. If the
  /// context is shut down already, at once. Returns what remove_on_shutdown takes.
  std::uint64_t on_shutdown(std::function<void()> function);
  /// On return the function is not being called, unless it is the one that calls this.
  void remove_on_shutdown(std::uint64_t handle);

 private:
  rcl_context_t context_;
  std::atomic<bool> valid_ = false;
  bool initialized_ = false;  // before it is valid
  mutable os::Mutex mutex_{os::LockRank::context};
  bool down_ TAKT_GUARDED_BY(mutex_) = false;
  os::Condition shut_down_;
  std::thread::id shutting_down_ TAKT_GUARDED_BY(mutex_);  // the thread that calls the functions
  std::map<std::uint64_t, std::function<void()>> on_shutdown_ TAKT_GUARDED_BY(mutex_);
  std::uint64_t next_handle_ TAKT_GUARDED_BY(mutex_) = 1;
  std::unique_ptr<Exchange> exchange_;
  std::unique_ptr<detail::ClockFollowers> clock_followers_;
  std::shared_ptr<void> logging_;
};

/// Initialises the default context with the ROS arguments among the command line's. Throws
/// RclError; Error if it is initialised and not shut down.
void init(int argc = 0, char const * const * argv = nullptr, const InitOptions & options = {});
/// True from init to shutdown (or SIGINT, SIGTERM).
bool ok() noexcept;
/// Shuts the default context down. Idempotent.
void shutdown();
/// The context of nodes and executors that are given none. Throws nothing; may be uninitialised.
std::shared_ptr<Context> default_context();

/// The command line without ROS arguments, program name first. Throws RclError.
std::vector<std::string> remove_ros_arguments(int argc, char const * const * argv);
/// The middleware in use, as `rmw_fastrtps_cpp`.
const char * rmw_identifier() noexcept;

}  // namespace takt
