// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <takt/takt.hpp>

#include "ready.hpp"

/// A timer of 5 ms that prints a line after every fifty jobs, and what is wrong with the releases
/// that it sees.
class SteadyTimer {
 public:
  explicit SteadyTimer(takt::Node & node)
      : timer_(node.create_timer("steady", period, {.priority = 90},
                                 [this](const takt::JobInfo & job) { look(job); })) {}

  void report() const { say("steady %zu broken %zu", jobs_, broken_); }

 private:
  static constexpr std::chrono::milliseconds period{5};

  void look(const takt::JobInfo & job) {
    if (jobs_++ == 0) {
      first_ = job;
    } else if (job.index <= last_.index || job.start < job.release ||
               job.release - first_.release != static_cast<std::int64_t>(job.index - first_.index) *
                                                   takt::Duration(period).count()) {
      ++broken_;
    }
    last_ = job;
    if (jobs_ % 50 == 0) say("steady %zu", jobs_);
  }

  std::size_t jobs_ = 0;
  std::size_t broken_ = 0;
  takt::JobInfo first_;
  takt::JobInfo last_;
  std::shared_ptr<takt::Timer> timer_;
};
