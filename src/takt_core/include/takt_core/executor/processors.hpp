// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "takt_core/executor/processor.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::executor {

/// The processors of one executor, each with a CPU of its own, with a common release grid, policy
/// and list of scenarios. The caller decides which task is on which processor; to migrate a task it
/// removes it and adds it elsewhere. The number of a task or group identifies its processor. Jobs
/// of one processor do not wait for jobs of another and are not stopped by them; a job that
/// releases a task of another processor takes the lock of that processor.
///
/// Members with the same name as one of Processor have the same conditions: whether they allocate,
/// block or throw, and from which threads they may be called.
class Processors {
 public:
  /// Creates one processor for each of these CPUs, or a single one on `options.cpu` if the list is
  /// empty. Functions in the options are called by threads of all processors: `log` and the
  /// handlers never concurrently, but functions of the policies (one per processor, by MakePolicy)
  /// may be. Throws std::invalid_argument as Processor does, and for a CPU given twice and for more
  /// than 128.
  Processors(Options options, const std::vector<int> & cpus);
  ~Processors();
  Processors(const Processors &) = delete;
  Processors & operator=(const Processors &) = delete;

  /// The number of processors, at least 1. It and the references below are valid as long as this
  /// object.
  std::size_t size() const noexcept;
  Processor & operator[](std::size_t processor) noexcept;
  const Processor & operator[](std::size_t processor) const noexcept;
  /// The CPU of each processor, as Grants::cpu.
  const std::vector<int> & cpus() const noexcept;
  /// The processor to which the number of a task or group belongs. size() or more for TaskId::none
  /// and GroupId::none.
  static std::size_t of(TaskId task) noexcept { return to_number(task) >> number_bits; }
  static std::size_t of(GroupId group) noexcept { return to_number(group) >> number_bits; }

  // ---- tasks

  /// Adds a group to a processor. Throws also std::out_of_range if there is no such processor.
  GroupId add_group(std::size_t processor, model::Group group);
  void remove_group(GroupId group);
  /// Adds a task to a processor; the group must be of the same processor. Throws also
  /// std::out_of_range if there is no such processor.
  TaskId add_task(std::size_t processor, model::Task task, JobFunction function,
                  GroupId group = GroupId::none);
  void remove_task(TaskId task, std::shared_ptr<void> keep = nullptr);

  // ---- running

  void set_policy(const std::string & name, const MakePolicy & make = nullptr);
  void set_start(model::Time t0);
  /// Runs all processors until stop() is called or one throws. Unless t0 was set, the grid begins
  /// when all are ready; then `begin` is called, before the first job starts; if it throws, spin()
  /// ends with that exception. Each processor but the first needs one more thread, of ordinary
  /// priority, which waits until that processor has stopped.
  void spin(const std::function<void()> & begin = nullptr);
  void stop() noexcept;
  void set_quiescent(bool quiescent) noexcept;
  /// Whether all started jobs of all processors have finished.
  bool idle() const noexcept;
  /// Forgets a stop() that was called while nothing was spinning, so that it does not end the next
  /// spin(). Must not be called while spinning.
  void forget_stop();
  /// As forget_stop(), but may be called while spinning, and has no effect then.
  void forget_late_stop();
  /// Whether all processors are spinning.
  bool spinning() const noexcept;

  void set_handlers(Handlers handlers);
  void set_state(const model::ApplicationState & state);
  /// Requests a scenario on every processor. If several threads request scenarios at the same time,
  /// the same request is the last one on all processors.
  void request_scenario(model::ScenarioId scenario) noexcept;

  // ---- looking

  /// The grants of all processors: the union of threads, refusals and notes; `cpu` of the first
  /// processor; the greatest `levels`; flags are true if they are true of every processor.
  Grants grants() const;
  /// The statistics of all processors: sums, and the maximum of each duration. Scenario switches
  /// are those of the processor that has most of them, and `scenario` is that of the first
  /// processor; during a switch another one may be active elsewhere.
  Statistics statistics() const;
  model::TaskCounters counters(TaskId task) const;
  TaskStatus status(TaskId task) const;
  double utilisation(TaskId task) const;

 private:
  class Spin;
  class SharedLog;
  Processor & of_task(TaskId task) const;
  /// A number consists of 8 bits for the processor and 24 for the task's number there.
  static constexpr unsigned number_bits = 24;

  std::shared_ptr<SharedLog> log_;
  std::shared_ptr<os::PiMutex> handling_;
  std::unique_ptr<Spin> spin_;
  std::vector<std::unique_ptr<Processor>> list_;
  std::vector<int> cpus_;
};

}  // namespace takt::executor
