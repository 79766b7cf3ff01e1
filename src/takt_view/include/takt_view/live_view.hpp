// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "takt_core/os/event.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/tasks/diagnostics.hpp"
#include "takt_core/tasks/task_registry.hpp"
#include "takt_view/view.hpp"

namespace takt::view {

/// A node of a front end that publishes a View and offers its services, together with its executor. It is
/// created, used and destroyed by one thread; only cancel() may be called from any thread.
class Server {
 public:
  virtual ~Server() = default;
  /// Runs the node until cancel(), which may have been called before, or the end of the context.
  virtual void spin() = 0;
  /// Ends spin(). Any thread.
  virtual void cancel() noexcept = 0;
};

/// Publishes the state of an executor as long as this object exists, by a node on a thread of ordinary
/// priority (`takt.diag`). The workers never wait for that thread.
class LiveView {
 public:
  using MakeServer = std::function<std::unique_ptr<Server>(View & view)>;
  /// Starts the thread, which creates the node by `make` 50 ms later, unless this object has been
  /// destroyed by then. If the node fails, an error is logged, provided that `wanted` returns true;
  /// it should return false once the context has been shut down, when no node is possible. `registry`
  /// must outlive this object. Throws std::system_error if the thread cannot be created.
  LiveView(const std::shared_ptr<tasks::TaskRegistry> & registry, const Diagnostics & options,
           MakeServer make, std::function<bool()> wanted);
  /// Ends the node and waits for the thread.
  ~LiveView();
  LiveView(const LiveView &) = delete;
  LiveView & operator=(const LiveView &) = delete;

 private:
  void run() noexcept;
  void serve();

  tasks::TaskRegistry & registry_;
  const Diagnostics options_;
  const MakeServer make_;
  const std::function<bool()> wanted_;
  os::Mutex mutex_{os::LockRank::live_view};
  bool ending_ TAKT_GUARDED_BY(mutex_) = false;
  Server * server_ TAKT_GUARDED_BY(mutex_) = nullptr;  // set as long as cancel() may be called
  os::Event ended_;
  os::Thread thread_;
};

}  // namespace takt::view
