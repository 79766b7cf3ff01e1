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

/// Counts of the interfering activities since the scene was created.
struct SceneCounts {
  std::uint64_t published = 0;  ///< messages that the least urgent task has published
  std::uint64_t failed = 0;     ///< how many of them the middleware refused
  std::uint64_t bytes = 0;      ///< bytes of the messages that it accepted
  std::uint64_t received = 0;   ///< received messages; below, their bytes
  std::uint64_t received_bytes = 0;
  std::uint64_t called = 0;
  std::uint64_t read = 0;  ///< messages that the most urgent task read by a subscription of its own
  std::uint64_t added = 0;           ///< nodes that were added and removed again
  std::uint64_t added_inside = 0;    ///< how many of them during a job of the least urgent task
  std::uint64_t removed = 0;         ///< times that the node of the least urgent task was removed
  std::uint64_t removed_inside = 0;  ///< how many of them during its job
  std::uint64_t switched = 0;        ///< exchanges of the strategy, each with a scenario request
  std::uint64_t restarted = 0;       ///< other executors that were made, stopped and destroyed
  std::uint64_t allocated = 0;       ///< blocks of memory that the least urgent task has allocated
  std::uint64_t logged = 0;          ///< lines that it has logged
  std::uint64_t sim_jobs = 0;        ///< jobs of timers on simulated time
  std::uint64_t middle_jobs = 0;     ///< jobs of the task of medium urgency
  model::Duration longest_job = 0;   ///< longest job of the least urgent task, in ns
};

/// The record of the most urgent task's jobs, in memory that is reserved in advance.
class ProbeNotes {
 public:
  /// Reserves and touches memory for `most` jobs. Allocates.
  explicit ProbeNotes(std::size_t most) : jobs_(most), publishes_(most) {}

  /// Records a job. One job at a time; neither allocates nor blocks. If there is no room, the job is only
  /// counted. `exchange` is the time that the job took to publish, call or read, in ns; -1: it did not.
  void note(std::uint64_t index, model::Time release, model::Time start, model::Time finish,
            model::Duration exchange) noexcept;
  /// Returns the jobs. To be called when nothing runs any more.
  std::vector<JobRow> jobs() const { return {jobs_.begin(), jobs_.begin() + used()}; }
  /// Returns, for the jobs that published, called or read, the time that this took in ns, at the instant of
  /// the job's start.
  std::vector<SampleRow> publishes() const;
  /// Returns whether a job has been recorded. Any thread.
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

/// The most urgent task and the interfering tasks of the same process, on one CPU under the policy `fp`, as
/// nodes of takt or of rclcpp.
class InterferenceScene {
 public:
  InterferenceScene() = default;
  virtual ~InterferenceScene() = default;
  InterferenceScene(const InterferenceScene &) = delete;
  InterferenceScene & operator=(const InterferenceScene &) = delete;

  virtual SchedulingControls & controls() = 0;
  /// The name of the most urgent task, as SchedulingControls::counters() takes it.
  virtual std::string probe() const = 0;
  /// Returns a text about what is not matched yet with the other processes; empty if everything is.
  virtual std::string missing() const = 0;
  virtual void spin() = 0;
  virtual void cancel() = 0;

  /// Switches the activity of the least urgent task on or off, from its next job on. Any thread.
  virtual void act(bool on) = 0;
  /// Returns whether no such activity is in progress any more. Any thread.
  virtual bool quiet() const = 0;
  /// The counts so far. Any thread.
  virtual SceneCounts counts() const = 0;
};

/// Creates the scene with takt's own nodes. `notes` must outlive it. One at a time in a process. Throws
/// takt::Error.
std::unique_ptr<InterferenceScene> make_takt_scene(const Interference & interference, int cpu,
                                                   ProbeNotes & notes);

}  // namespace takt::lab
