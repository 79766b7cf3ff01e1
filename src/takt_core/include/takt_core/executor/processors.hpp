// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "takt_core/executor/processor.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::executor {

/// The processors of one executor, each a CPU of its own, with one grid, one policy and one list of
/// scenarios. Which task is where is the caller's choice and does not change: a task that moves is
/// removed and added. Numbers of tasks and groups tell the processor. Jobs of one processor neither
/// wait for another's nor stop with them; a release across takes the other processor's lock.
///
/// What is said of Processor's members holds for these: whether they allocate, block, throw, and
/// from which thread they may be called.
class Processors {
 public:
  /// One for each of these CPUs; none given: one, on `options.cpu`. Functions of the options are
  /// called by threads of all processors: `log` and handlers never at the same time, a
  /// policy's, each made by another call of MakePolicy, may be. Throws std::invalid_argument, also
  /// for a CPU given twice and for more than 128.
  Processors(Options options, const std::vector<int> & cpus);
  ~Processors();
  Processors(const Processors &) = delete;
  Processors & operator=(const Processors &) = delete;

  /// At least 1. What follows stays as long as this.
  std::size_t size() const noexcept;
  Processor & operator[](std::size_t processor) noexcept;
  const Processor & operator[](std::size_t processor) const noexcept;
  /// Of each processor, as Grants::cpu.
  const std::vector<int> & cpus() const noexcept;
  /// The processor of a task or group by its number. None: size() or more.
  static std::size_t of(TaskId task) noexcept { return to_number(task) >> number_bits; }
  static std::size_t of(GroupId group) noexcept { return to_number(group) >> number_bits; }

  // ---- tasks

  GroupId add_group(std::size_t processor, model::Group group);
  void remove_group(GroupId group);
  /// Its group is one of the same processor.
  TaskId add_task(std::size_t processor, model::Task task, JobFunction function,
                  GroupId group = GroupId::none);
  void remove_task(TaskId task, std::shared_ptr<void> keep = nullptr);

  // ---- running

  void set_policy(const std::string & name, const MakePolicy & make = nullptr);
  void set_start(model::Time t0);
  /// All of them, until stop() or the first exception. The grid begins when all are ready, unless it
  /// was set; then `begin` is called, before the first job starts, and what it throws ends them. With
  /// several, each but the first has one more thread that waits, of ordinary priority.
  void spin(const std::function<void()> & begin = nullptr);
  void stop() noexcept;
  void set_quiescent(bool quiescent) noexcept;
  /// Whether none of them has a started job.
  bool idle() const noexcept;
  /// Not while spinning: a stop() of before does not end the next spin().
  void forget_stop();
  /// The same, and nothing while it spins.
  void forget_late_stop();
  /// True from when all have begun to spin until the first has ended.
  bool spinning() const noexcept;

  void set_handlers(Handlers handlers);
  void set_state(const model::ApplicationState & state);
  /// One request, at each of them: they agree on which was the last.
  void request_scenario(model::ScenarioId scenario) noexcept;

  // ---- looking

  /// Of all: threads, refusals and notes together; `cpu` of the first; `levels` of the one that has
  /// the most; all else is said only if it is true of each.
  Grants grants() const;
  /// Of all: sums, and of lengths of time the longest. Switches of scenarios as of the processor that
  /// has the most of them; the scenario is the first one's, while a switch is under way another
  /// may hold elsewhere.
  Statistics statistics() const;
  model::TaskCounters counters(TaskId task) const;
  TaskStatus status(TaskId task) const;
  double utilisation(TaskId task) const;

 private:
  class Spin;
  class SharedLog;
  Processor & of_task(TaskId task) const;
  /// A number is 8 bits of processor, 24 of what its model calls it.
  static constexpr unsigned number_bits = 24;

  std::shared_ptr<SharedLog> log_;
  std::shared_ptr<os::PiMutex> handling_;
  std::unique_ptr<Spin> spin_;
  std::vector<std::unique_ptr<Processor>> list_;
  std::vector<int> cpus_;
};

}  // namespace takt::executor
