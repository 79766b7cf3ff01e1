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

#include "takt/time.hpp"
#include "takt_core/os/condition.hpp"
#include "takt_core/os/thread.hpp"

namespace takt {

class Exchange;
namespace detail {
struct ClockFollowers;
class PreShutdown;
}  // namespace detail

struct InitOptions {
  /// ROS domain; default: the environment's ROS_DOMAIN_ID.
  std::optional<std::size_t> domain_id = std::nullopt;
  /// The first SIGINT, SIGTERM or SIGHUP shuts the context down, which ends spin(). Others within half
  /// a second are taken for the same, as a terminal and a launcher both send one; a later one does what
  /// it did before, which by default ends the process. A handler that the program had set before is
  /// called at each signal, too. Handlers of before come back at shutdown, but not within that half
  /// second. A SIGHUP that is ignored (nohup) goes on to be.
  bool handle_signals = true;
  /// For how long a shutdown waits for the functions of Context::on_pre_shutdown(), all of them
  /// together; at least 0. A launcher that sent SIGINT kills after 5 s.
  Duration pre_shutdown_limit = std::chrono::seconds(3);
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
  /// Ends every spin() of this context, writes what is left of the log. Before that no callback
  /// starts any more but those of answers to clients; those that have started finish, for half a second
  /// at most, and the functions of on_pre_shutdown() are called. Idempotent; any thread, callbacks too,
  /// but not a signal handler. Blocks for as long as that and the middleware take; who calls it while
  /// another thread is at it waits for that. In a callback it waits for no callback, and if there are
  /// functions of on_pre_shutdown() it returns at once: they are called when the callback has returned.
  void shutdown();

  /// Throw Error unless it was initialised.
  rcl_context_t * rcl_context();
  std::size_t domain_id();
  Exchange & exchange() noexcept { return *exchange_; }
  detail::ClockFollowers & clock_followers() noexcept { return *clock_followers_; }

  /// `function` is called once, before the shutdown, on a thread of its own and without locks: to stop
  /// motors, for instance. The context is valid, so publishing works, logging reaches /rosout, and where
  /// an executor spins answers to clients are received: wait for a future with a limit. No other
  /// callback starts. Functions are called in the order in which they came. If they have not returned
  /// within InitOptions::pre_shutdown_limit, that is logged and the shutdown goes on; what they throw is
  /// logged. Returns what remove_on_pre_shutdown takes; 0 if the shutdown has begun: it will not be
  /// called. Allocates; any thread, callbacks too.
  std::uint64_t on_pre_shutdown(std::function<void()> function);
  /// On return the function is not being called, unless it is the one that calls this, or takes longer
  /// than the limit.
  void remove_on_pre_shutdown(std::uint64_t handle);
  /// `function` is called once, at shutdown, on the thread that shuts down, without locks: nothing can
  /// be published any more. If the context is shut down already, at once. Returns what
  /// remove_on_shutdown takes.
  std::uint64_t on_shutdown(std::function<void()> function);
  /// On return the function is not being called, unless it is the one that calls this.
  void remove_on_shutdown(std::uint64_t handle);

  // For what is in takt.

  /// Of an executor that spins: called before a shutdown, again and again, under a lock. From the first
  /// call on only answers to clients have jobs; returns whether no job is started.
  std::uint64_t add_runner(std::function<bool()> quiesce);
  void remove_runner(std::uint64_t handle);
  /// The context has been shut down, and something is to go out nevertheless: `what`, as "message", on
  /// this topic or service. Said once.
  void tell_of_late(const char * what, const char * name) noexcept;

 private:
  /// False: another thread is at it, or will be, and the caller must not wait for that.
  bool prepare_shutdown();
  /// Has a thread of its own shut down; false if there can be none.
  bool start_for_job() TAKT_REQUIRES(mutex_);
  /// Of all executors. Whether no job is started.
  bool quiesce();

  rcl_context_t context_;
  std::atomic<bool> valid_ = false;
  bool initialized_ = false;  // before it is valid
  mutable os::Mutex mutex_{os::LockRank::context};
  bool ending_ TAKT_GUARDED_BY(mutex_) = false;  // about to be shut down
  bool down_ TAKT_GUARDED_BY(mutex_) = false;
  os::Condition shut_down_;
  std::thread::id shutting_down_ TAKT_GUARDED_BY(mutex_);  // the thread that calls the functions
  std::map<std::uint64_t, std::function<void()>> on_shutdown_ TAKT_GUARDED_BY(mutex_);
  os::Mutex runners_mutex_{os::LockRank::ending};
  std::map<std::uint64_t, std::function<bool()>> runners_ TAKT_GUARDED_BY(runners_mutex_);
  std::uint64_t next_runner_ TAKT_GUARDED_BY(runners_mutex_) = 1;
  bool quiescent_ TAKT_GUARDED_BY(runners_mutex_) = false;
  std::uint64_t next_handle_ TAKT_GUARDED_BY(mutex_) = 1;
  Duration pre_shutdown_limit_ TAKT_GUARDED_BY(mutex_) = Duration::zero();
  std::uint64_t signals_ TAKT_GUARDED_BY(mutex_) = 0;  // what tells of them; 0: nothing does
  std::atomic<bool> told_of_late_ = false;
  std::shared_ptr<detail::PreShutdown> pre_shutdown_;
  std::unique_ptr<Exchange> exchange_;
  std::unique_ptr<detail::ClockFollowers> clock_followers_;
  std::shared_ptr<void> logging_;
  os::Thread for_job_ TAKT_GUARDED_BY(mutex_);  // shuts down for a callback
};

/// Initialises the default context with the ROS arguments among the command line's. Throws
/// RclError; Error if it is initialised and not shut down.
void init(int argc = 0, char const * const * argv = nullptr, const InitOptions & options = {});
/// True from init to shutdown (or SIGINT, SIGTERM, SIGHUP).
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
