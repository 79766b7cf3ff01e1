// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <takt_core/model/types.hpp>

#include "interrupt.hpp"

namespace takt::lab {

/// A barrier for the processes of one run, in a file that all of them map. Each process waits until the
/// publishers and subscriptions of all processes are matched; then all of them get the same t0.
class Barrier {
 public:
  static constexpr std::uint32_t most_processes = 1000;

  /// Maps the file, which is created if necessary, and takes the place of `process` (0 to
  /// processes - 1). The file must be new or empty when the first process arrives. Throws Error.
  Barrier(const std::string & path, std::uint32_t processes, std::uint32_t process);
  /// If wait() has not returned successfully, makes the wait() of the other processes fail at once.
  ~Barrier();
  Barrier(const Barrier &) = delete;
  Barrier & operator=(const Barrier &) = delete;

  struct Wait {
    /// Returns a text about what is not matched yet in this process; empty if everything is. Called every
    /// few ms.
    std::function<std::string()> missing;
    /// Time from the instant at which the last process is ready to t0, in ns.
    model::Duration lead = 0;
    model::Duration timeout = 0;
  };
  /// Blocks until all processes are ready and returns t0. Throws Error on a time-out, if another process
  /// has failed, or if a signal has arrived.
  model::Time wait(const Wait & wait, Interrupt & interrupt);

 private:
  struct Shared;
  [[noreturn]] void time_out(const std::string & missing, model::Duration timeout) const;
  bool all_ready() const noexcept;
  void fail_if_another_did() const;

  std::uint32_t processes_;
  std::uint32_t process_;
  Shared * shared_ = nullptr;
  bool passed_ = false;
};

/// Does the same for a run of a single process, without a file.
model::Time wait_alone(const Barrier::Wait & wait, Interrupt & interrupt);

}  // namespace takt::lab
