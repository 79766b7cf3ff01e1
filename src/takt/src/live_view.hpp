// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "takt/context.hpp"
#include "takt/diagnostics.hpp"
#include "takt/stock_executor.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/tasks/task_registry.hpp"

namespace takt::detail {

/// Shows an executor to others while it lives: a node on a thread of ordinary priority, which waits
/// for the workers and not they for it. What goes wrong there is logged, and there is no view then.
class LiveView {
 public:
  /// Starts the thread; the node comes later, and not at all where this ends soon. `registry`: until this ends. Throws std::system_error.
  LiveView(std::shared_ptr<Context> context, const std::shared_ptr<tasks::TaskRegistry> & registry,
           const Diagnostics & options);
  /// Waits for the thread.
  ~LiveView();
  LiveView(const LiveView &) = delete;
  LiveView & operator=(const LiveView &) = delete;

 private:
  class Server;
  void run() noexcept;
  void serve();

  const std::shared_ptr<Context> context_;
  tasks::TaskRegistry & registry_;
  const Diagnostics options_;
  os::Mutex mutex_{os::LockRank::live_view};
  bool ending_ TAKT_GUARDED_BY(mutex_) = false;
  StockExecutor * executor_ TAKT_GUARDED_BY(mutex_) = nullptr;  // while it may be canceled
  os::Event ended_;
  os::Thread thread_;
};

}  // namespace takt::detail
