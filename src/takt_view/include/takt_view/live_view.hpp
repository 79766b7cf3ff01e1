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

/// A node of a front end that carries a view, and what runs it. Made, used and destroyed by one thread
/// but for cancel().
class Server {
 public:
  virtual ~Server() = default;
  /// Until cancel(), which may have come before, or the end of its context.
  virtual void spin() = 0;
  /// Any thread.
  virtual void cancel() noexcept = 0;
};

/// Shows an executor to others while it lives: a node on a thread of ordinary priority (`takt.diag`),
/// which waits for the workers and not they for it.
class LiveView {
 public:
  using MakeServer = std::function<std::unique_ptr<Server>(View & view)>;
  /// Starts the thread; the node comes later, and not at all where this ends soon. What goes wrong
  /// there is logged if `wanted` says so, which is not when a context has ended: there is no view then.
  /// `registry`: until this ends. Throws std::system_error.
  LiveView(const std::shared_ptr<tasks::TaskRegistry> & registry, const Diagnostics & options,
           MakeServer make, std::function<bool()> wanted);
  /// Waits for the thread.
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
  Server * server_ TAKT_GUARDED_BY(mutex_) = nullptr;  // while it may be canceled
  os::Event ended_;
  os::Thread thread_;
};

}  // namespace takt::view
