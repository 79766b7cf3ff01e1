// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <takt_core/model/types.hpp>

#include "interrupt.hpp"

namespace takt::lab {

/// Where the processes of one run meet: a file that all of them map. Everybody waits until
/// everybody has all its publishers and subscriptions matched; then all have one t0.
class Barrier {
 public:
  static constexpr std::uint32_t most_processes = 1000;

  /// Maps the file, making it if need be, and takes the place of `process` (0 ... processes - 1).
  /// The file must be empty or new before the first process comes. Throws Error.
  Barrier(const std::string & path, std::uint32_t processes, std::uint32_t process);
  /// A process that leaves before wait() has returned lets the others fail at once.
  ~Barrier();
  Barrier(const Barrier &) = delete;
  Barrier & operator=(const Barrier &) = delete;

  struct Wait {
    /// What is not matched yet in this process, for people; empty if all is. Asked every few ms.
    std::function<std::string()> missing;
    /// t0 lies this long after the last process is ready.
    model::Duration lead = 0;
    model::Duration timeout = 0;
  };
  /// Blocks until everybody is ready and returns t0. Throws Error at a time-out, when another
  /// process has failed, or when a signal came.
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

/// The same for a process that is alone: no file.
model::Time wait_alone(const Barrier::Wait & wait, Interrupt & interrupt);

}  // namespace takt::lab
