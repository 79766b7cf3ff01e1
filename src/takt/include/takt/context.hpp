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

/// Options of Context::init() and takt::init().
struct InitOptions {
  /// ROS domain. Default: that of the environment variable ROS_DOMAIN_ID.
  std::optional<std::size_t> domain_id = std::nullopt;
  /// Whether the first SIGINT, SIGTERM or SIGHUP shuts the context down, which ends spin(). Further
  /// signals within 0.5 s have no effect on it, because a terminal and a launcher may each send one; a
  /// later one has its original effect, which by default ends the process. A handler that the program installed
  /// earlier is called at each signal as well. The original handlers are restored at shutdown, but not
  /// within those 0.5 s. A SIGHUP that the process ignores (nohup) stays ignored.
  bool handle_signals = true;
  /// The longest time for which a shutdown waits for all functions of Context::on_pre_shutdown()
  /// together; at least 0. ROS 2 launch escalates to SIGTERM 5 s after its SIGINT.
  Duration pre_shutdown_limit = std::chrono::seconds(3);
};

/// A ROS context: command-line arguments, domain and middleware instance. Most programs use the default
/// context, through takt::init(). Messages are exchanged inside the process only between nodes of the
/// same context. Thread-safe.
class Context : public std::enable_shared_from_this<Context> {
 public:
  Context();
  ~Context();
  Context(const Context &) = delete;
  Context & operator=(const Context &) = delete;

  /// Initialises the context with the ROS arguments of the command line. A context can be initialised
  /// once. Allocates, blocks, and starts the middleware's threads. Throws RclError (invalid ROS
  /// arguments, no middleware) and Error (already initialised).
  void init(int argc = 0, char const * const * argv = nullptr, const InitOptions & options = {});
  /// Returns true from init() until shutdown. Any thread; never blocks.
  bool is_valid() const noexcept { return valid_.load(std::memory_order_acquire); }
  /// Returns whether the context has been shut down. Any thread; takes a mutex for a short time.
  bool is_shut_down() const;
  /// Shuts the context down, in this order:
  ///  1. No callback starts any more, except those that receive responses of services. Callbacks that
  ///     have started are given 0.5 s to return.
  ///  2. The functions of on_pre_shutdown() are called.
  ///  3. The context becomes invalid, every spin() of it ends, and deferred log messages are written.
  /// Idempotent. Any thread, including callbacks, but not a signal handler. Blocks until all of that is
  /// done, also when another thread has begun it. Called in a callback, it does not wait for callbacks. It
  /// returns at once if another thread has begun the shutdown, or if there are functions of
  /// on_pre_shutdown(): they are called after the callback has returned.
  void shutdown();

  /// The rcl context, valid as long as this object, and the number of the ROS domain. Both throw Error
  /// unless the context has been initialised.
  rcl_context_t * rcl_context();
  std::size_t domain_id();
  /// Objects that the nodes of this context share; valid as long as this object.
  Exchange & exchange() noexcept { return *exchange_; }
  detail::ClockFollowers & clock_followers() noexcept { return *clock_followers_; }

  /// Registers a function that is called once, before the context becomes invalid, for instance to stop
  /// motors. It runs on a separate thread, without locks held. Publishing still works, logging reaches
  /// /rosout, and while an executor spins, responses of services are received: wait for a future with a
  /// time limit. No other callback starts. Functions are called in the order of registration. If they
  /// have not all returned within InitOptions::pre_shutdown_limit, an error is logged and the shutdown
  /// goes on. What they throw is logged. Returns a handle for remove_on_pre_shutdown(), or 0 if the
  /// shutdown has begun and the function will not be called. Any thread, including callbacks; allocates.
  std::uint64_t on_pre_shutdown(std::function<void()> function);
  /// Removes a function. Blocks while the function is being called, unless it is the function itself
  /// that calls this, or it takes longer than the limit.
  void remove_on_pre_shutdown(std::uint64_t handle);
  /// Registers a function that is called once, when the context has become invalid, on the thread that
  /// shuts it down, without locks held. Nothing can be published any more then. If the context has been
  /// shut down already, the function is called at once. Returns a handle for remove_on_shutdown(). Any
  /// thread; allocates.
  std::uint64_t on_shutdown(std::function<void()> function);
  /// Removes a function. Blocks while the function is being called, unless it is the function itself
  /// that calls this.
  void remove_on_shutdown(std::uint64_t handle);

  // ---- for takt's own use

  /// Registers a function of an executor that spins. It is called repeatedly before a shutdown, with a
  /// mutex held. From its first call on, the executor must start only jobs that receive responses of
  /// services. The function returns true if every job that has started has finished. Returns a handle for
  /// remove_runner().
  std::uint64_t add_runner(std::function<bool()> quiesce);
  void remove_runner(std::uint64_t handle);
  /// Logs, once per context, that something was not sent because the context has been shut down. `what`
  /// is for instance "message"; `name` is the topic or the service.
  void log_late_send(const char * what, const char * name) noexcept;

 private:
  /// Returns false if another thread shuts down, or will, and the caller must not wait for it.
  bool prepare_shutdown();
  /// Starts a thread that shuts down on behalf of a callback; false if no thread can be created.
  bool start_shutdown_thread() TAKT_REQUIRES(mutex_);
  /// Calls the functions of add_runner(); returns whether all of them return true.
  bool quiesce();

  rcl_context_t context_;
  std::atomic<bool> valid_ = false;
  bool initialized_ = false;  // set before valid_, never reset
  mutable os::Mutex mutex_{os::LockRank::context};
  bool ending_ TAKT_GUARDED_BY(mutex_) = false;  // the shutdown has begun
  bool shutdown_complete_ TAKT_GUARDED_BY(mutex_) = false;
  os::Condition shut_down_;
  std::thread::id shutting_down_ TAKT_GUARDED_BY(mutex_);  // the thread that calls the functions
  std::map<std::uint64_t, std::function<void()>> on_shutdown_ TAKT_GUARDED_BY(mutex_);
  os::Mutex runners_mutex_{os::LockRank::ending};
  std::map<std::uint64_t, std::function<bool()>> runners_ TAKT_GUARDED_BY(runners_mutex_);
  std::uint64_t next_runner_ TAKT_GUARDED_BY(runners_mutex_) = 1;
  bool quiescent_ TAKT_GUARDED_BY(runners_mutex_) = false;
  std::uint64_t next_handle_ TAKT_GUARDED_BY(mutex_) = 1;
  Duration pre_shutdown_limit_ TAKT_GUARDED_BY(mutex_) = Duration::zero();
  std::uint64_t signals_ TAKT_GUARDED_BY(mutex_) = 0;  // handle of the signal subscription; 0: none
  std::atomic<bool> late_send_logged_ = false;
  std::shared_ptr<detail::PreShutdown> pre_shutdown_;
  std::unique_ptr<Exchange> exchange_;
  std::unique_ptr<detail::ClockFollowers> clock_followers_;
  std::shared_ptr<void> logging_;
  os::Thread shutdown_thread_ TAKT_GUARDED_BY(mutex_);  // shuts down on behalf of a callback
};

/// Initialises the default context with the ROS arguments of the command line; see Context::init().
/// After a shutdown, it may be called again, which makes a new default context. Throws RclError, and
/// Error if the default context is initialised and not shut down.
void init(int argc = 0, char const * const * argv = nullptr, const InitOptions & options = {});
/// Returns true from init() until shutdown, by shutdown() or by SIGINT, SIGTERM or SIGHUP. Any
/// thread, including callbacks; takes a mutex for a short time.
bool ok() noexcept;
/// Shuts the default context down; see Context::shutdown(). Idempotent.
void shutdown();
/// Returns the context of nodes and executors for which no context is given. It may be uninitialised.
/// Any thread, including callbacks; takes a mutex for a short time.
std::shared_ptr<Context> default_context();

/// Returns the command line without ROS arguments, program name first. Throws RclError.
std::vector<std::string> remove_ros_arguments(int argc, char const * const * argv);
/// Returns the name of the middleware in use, for example `rmw_fastrtps_cpp`.
const char * rmw_identifier() noexcept;

}  // namespace takt
