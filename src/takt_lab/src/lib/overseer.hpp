// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <takt_core/executor/priority_plan.hpp>
#include <takt_core/model/types.hpp>
#include <takt_core/os/event.hpp>
#include <takt_core/os/thread.hpp>

#include "cpu_window.hpp"
#include "interrupt.hpp"

namespace takt::lab {

/// The measured part of a run, between two instants of CLOCK_MONOTONIC in ns.
struct Window {
  model::Time from = 0;
  model::Time to = 0;
};

/// The thread that controls a run: it reads the CPU clocks at both ends of the window, and stops the run at
/// the end of the window or at a signal. It has a higher priority than all workers, so that neither an
/// overload nor a job delays it; it runs twice for about 10 us, and for each call of `look`. After the
/// window it removes the real-time priority of every thread until the run has ended, so that a spinning
/// thread of the middleware cannot keep the process from ending.
class Overseer {
 public:
  struct Hooks {
    /// Called at both ends of the window, together with reading the clocks; must not allocate or block.
    std::function<void()> opened;
    std::function<void()> closed;
    /// Stops the run, at the end of the window or at a signal. Called repeatedly until the run has ended,
    /// because a run that is just beginning may ignore it.
    std::function<void()> stop;
    /// The period of the calls of `look` during the window, in ns; 0: never.
    model::Duration look_every = 0;
    std::function<void()> look = nullptr;
  };

  /// Starts the thread. `interrupt` must outlive this object.
  Overseer(const Window & window, int cpu, Interrupt & interrupt, Hooks hooks);
  /// Ends the thread, whatever it is doing.
  ~Overseer();
  Overseer(const Overseer &) = delete;
  Overseer & operator=(const Overseer &) = delete;

  /// To be called when the run has ended. Throws Error if the window was not measured completely, because of
  /// a signal or because the run ended early.
  void finish();
  /// After finish(): the CPU times within the window.
  const CpuWindow & cpu() const noexcept { return cpu_; }
  /// After finish(): how long reading the clocks and the hooks took, at both ends of the window together, in
  /// ns. What ran during this time may be included in some CPU times and not in others.
  model::Duration reading() const noexcept { return reading_; }
  /// The requested and the granted settings of this thread.
  const executor::PlannedThread & thread() const noexcept { return plan_; }

 private:
  void watch();
  bool look_on();

  Window window_;
  Interrupt & interrupt_;
  Hooks hooks_;
  CpuWindow cpu_;
  model::Duration reading_ = 0;
  bool window_complete_ = false;
  executor::PlannedThread plan_;
  os::Event ended_;
  os::Thread thread_;
};

}  // namespace takt::lab
