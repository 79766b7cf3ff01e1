// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <takt_core/model/types.hpp>
#include <takt_core/tasks/scheduling_controls.hpp>
#include <vector>

#include "interference.hpp"
#include "rows.hpp"

namespace takt::lab {

/// What has been done beside the most urgent task since the scene was made.
struct SceneCounts {
  std::uint64_t published = 0;  ///< messages of the least urgent task
  std::uint64_t failed = 0;     ///< of them, those that the middleware refused
  std::uint64_t bytes = 0;      ///< of those that it took
  std::uint64_t received = 0;   ///< messages, and their bytes
  std::uint64_t received_bytes = 0;
  std::uint64_t called = 0;
  std::uint64_t read = 0;  ///< messages that the most urgent task read by a subscription of its own
  std::uint64_t added = 0;          ///< nodes, each removed again
  std::uint64_t added_inside = 0;   ///< of them, those added before the least urgent job had ended
  std::uint64_t switched = 0;       ///< strategies exchanged, each with a scenario asked for
  std::uint64_t sim_jobs = 0;       ///< of timers on simulated time
  std::uint64_t middle_jobs = 0;    ///< of the task between
  model::Duration longest_job = 0;  ///< of the least urgent task
};

/// The jobs of the most urgent task, written down by themselves, in memory reserved beforehand.
class ProbeNotes {
 public:
  /// Room for so many jobs. Allocates, and touches all of it.
  explicit ProbeNotes(std::size_t most) : jobs_(most), publishes_(most) {}

  /// One job after the other; neither allocates nor blocks. What finds no room is counted.
  /// `exchange`: how long it took to publish, call or read, ns; -1: it did nothing of it.
  void note(std::uint64_t index, model::Time release, model::Time start, model::Time finish,
            model::Duration exchange) noexcept;
  /// Once nothing runs any more.
  std::vector<JobRow> jobs() const { return {jobs_.begin(), jobs_.begin() + used()}; }
  /// Of the jobs that published, called or read: at the start of the job, the time it took in ns.
  std::vector<SampleRow> publishes() const;
  /// Any thread.
  bool begun() const noexcept { return count_.load() > 0; }
  std::uint64_t dropped() const noexcept {
    return count_ > jobs_.size() ? count_ - jobs_.size() : 0;
  }

 private:
  std::ptrdiff_t used() const noexcept {
    return static_cast<std::ptrdiff_t>(std::min<std::size_t>(count_, jobs_.size()));
  }
  std::vector<JobRow> jobs_;
  std::vector<SampleRow> publishes_;
  std::atomic<std::uint64_t> count_{0};
};

/// The most urgent task and what is beside it in one process, on one CPU under `fp`: nodes of takt's
/// or of rclcpp's.
class InterferenceScene {
 public:
  InterferenceScene() = default;
  virtual ~InterferenceScene() = default;
  InterferenceScene(const InterferenceScene &) = delete;
  InterferenceScene & operator=(const InterferenceScene &) = delete;

  virtual SchedulingControls & controls() = 0;
  /// The most urgent task, as counters() takes it.
  virtual std::string probe() const = 0;
  /// What is not matched yet with the processes beside, for people; empty if all is.
  virtual std::string missing() const = 0;
  virtual void spin() = 0;
  virtual void cancel() = 0;

  /// Whether the least urgent task does what it is there for, from its next job on. Any thread.
  virtual void act(bool on) = 0;
  /// Whether nothing of that is under way any more. Any thread.
  virtual bool quiet() const = 0;
  /// Any thread.
  virtual SceneCounts counts() const = 0;
};

/// With takt's own nodes; `notes` must outlive it. One at a time in a process. Throws takt::Error.
std::unique_ptr<InterferenceScene> make_takt_scene(const Interference & interference, int cpu,
                                                   ProbeNotes & notes);

}  // namespace takt::lab
