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

/// The measured part of a run.
struct Window {
  model::Time from = 0;
  model::Time to = 0;
};

/// The thread that measures a run from outside: CPU clocks at both ends of the window, and the
/// order to stop at its end or at a signal. It runs twice for some ten microseconds, and as often as
/// it is to look, above all workers, so that neither an overload nor a job delays it. What follows
/// the window has no hurry, so it takes every thread's real-time priority away until the run has
/// ended: a thread of the middleware that spins can no longer keep the process from ending.
class Overseer {
 public:
  struct Hooks {
    /// Beside the CPU clocks, at both ends of the window; must not allocate or block.
    std::function<void()> opened;
    std::function<void()> closed;
    /// Ends the run, at the end of the window or at a signal. Called again until the run has ended,
    /// because one that has not quite begun may not hear it.
    std::function<void()> stop;
    /// Every so often from the beginning of the window on; 0: never.
    model::Duration look_every = 0;
    std::function<void()> look = nullptr;
  };

  /// Starts the thread. The interrupt must outlive this.
  Overseer(const Window & window, int cpu, Interrupt & interrupt, Hooks hooks);
  /// Ends the thread wherever it is.
  ~Overseer();
  Overseer(const Overseer &) = delete;
  Overseer & operator=(const Overseer &) = delete;

  /// To be called when the run has ended. Throws Error if the window was not measured whole: at a
  /// signal, or when the run ended by itself before.
  void finish();
  /// After finish().
  const CpuWindow & cpu() const noexcept { return cpu_; }
  /// After finish(): how long reading the clocks took, both ends of the window together, with the
  /// hooks. What ran meanwhile may be in one of the CPU times and not in another.
  model::Duration reading() const noexcept { return reading_; }
  /// This thread as asked for and granted.
  const executor::PlannedThread & thread() const noexcept { return plan_; }

 private:
  void watch();
  bool look_on();

  Window window_;
  Interrupt & interrupt_;
  Hooks hooks_;
  CpuWindow cpu_;
  model::Duration reading_ = 0;
  bool whole_ = false;
  executor::PlannedThread plan_;
  os::Event ended_;
  os::Thread thread_;
};

}  // namespace takt::lab
