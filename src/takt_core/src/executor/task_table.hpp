// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "numbering.hpp"
#include "takt_core/executor/processor.hpp"
#include "takt_core/model/stable_array.hpp"

namespace takt::executor {

/// The names, functions and CPU use of a processor's tasks, by their numbers in the executor or
/// their indices in the model. Accessed under the processor's lock unless noted otherwise.
class TaskTable {
 public:
  using Name = std::shared_ptr<const std::string>;
  /// What is needed to run a job of a task. It fits into one cache line.
  class alignas(Footprint::line) Entry {
   public:
    Entry() = default;
    Entry(const JobFunction & function, TaskId id) noexcept;

    void (*invoke)(void * context, const JobInfo & job) = nullptr;
    void * context = nullptr;
    TaskId id = TaskId::none;

    /// Prefetches what the function touches first, on the calling thread's CPU, without waiting for
    /// it.
    void fetch() const noexcept {
      each_line(
          [](std::uintptr_t at) { __builtin_prefetch(reinterpret_cast<const void *>(at), 1); });
    }
    /// Calls `each` with the addresses of these cache lines.
    template <typename Each>
    void each_line(const Each & each) const noexcept {
      const std::intptr_t from = line_of(context);
      for (std::uint32_t i = 0; i < count_; ++i) {
        each(static_cast<std::uintptr_t>(from + offsets_[i]) * Footprint::line);
      }
    }

   private:
    static std::intptr_t line_of(const void * at) noexcept {
      return static_cast<std::intptr_t>(reinterpret_cast<std::uintptr_t>(at) / Footprint::line);
    }
    // Stored as distances in cache lines from the context, so that the entry itself fits into one
    // line.
    std::uint32_t count_ = 0;
    std::array<std::int32_t, Footprint::most> offsets_{};
  };
  static_assert(sizeof(Entry) == Footprint::line);

  /// A task that is being added.
  struct NewEntry {
    model::TaskId in_model;
    JobFunction function;
    Name name;
    std::shared_ptr<Responses> responses;  ///< nullptr unless response times are measured
  };

  /// `first`: the number of the processor's first task.
  explicit TaskTable(TaskId first = TaskId{0}, bool measures_responses = false)
      : numbering_(first), measures_responses_(measures_responses) {}

  /// Any thread.
  const Numbering & numbering() const noexcept { return numbering_; }
  model::TaskId in_model(TaskId id) const noexcept { return numbering_.in_model(id); }

  /// Makes room for tasks with indices below `size`. Allocates; may run concurrently with the use
  /// of existing tasks.
  void make_room(std::size_t size);
  /// Prepares the argument of add(). Allocates; takes no lock.
  NewEntry prepare(model::TaskId in_model, std::string name, const JobFunction & function) const;
  /// Adds a task. `spun`: how long the processor has spun, in ns. What an earlier task of its number
  /// has left is returned in `task`, to be destroyed without the lock.
  void add(NewEntry && task, model::Duration spun) noexcept;
  /// Replaces the function of a task.
  void replace_function(const NewEntry & task) noexcept {
    entries_[task.in_model] = Entry(task.function, numbering_.task(task.in_model));
  }
  /// Removes a task; its name is returned in `old`, to be destroyed without the lock.
  void remove(model::TaskId in_model, Name & old) noexcept;

  const Entry & entry(model::TaskId in_model) const noexcept { return entries_[in_model]; }
  /// Prefetches an entry.
  void fetch(model::TaskId in_model) const noexcept { __builtin_prefetch(&entries_[in_model]); }
  /// The task's name, "(removed)" for one that does not exist; never null. Does not allocate.
  Name name(TaskId id) const noexcept;
  /// The name of a task with a started job, for the thread that runs it; takes no lock. Never null.
  const char * name_of_running(TaskId id) const noexcept {
    const Name & name = names_[in_model(id)];
    return name != nullptr ? name->c_str() : nobody_->c_str();
  }

  /// The CPU time that a task has used.
  struct Use {
    model::Duration executed = 0;  ///< by its jobs, in ns
    model::Time since = 0;         ///< when the task was added, by the processor's spin time, in ns
  };
  bool measures_responses() const noexcept { return measures_responses_; }
  /// To be called when a job starts, if measures_responses(): prefetches its histogram while the
  /// job runs. The histograms of many tasks do not fit into a cache.
  void expect_response(TaskId id) const noexcept {
    const Counted & counted = responses_[in_model(id)];
    __builtin_prefetch(counted.responses.get(), 1);
    __builtin_prefetch(counted.last, 1);
  }
  /// Counts a finished job; see Responses::record().
  void count_response(TaskId id, model::Duration response, model::Duration margin,
                      model::Duration age) noexcept {
    Counted & counted = responses_[in_model(id)];
    counted.last = counted.responses->record(response, margin, age);
  }
  /// The task's histogram; nullptr unless measures_responses().
  std::shared_ptr<const Responses> responses(TaskId id) const {
    return measures_responses_ ? responses_[in_model(id)].responses : nullptr;
  }
  Use & use(TaskId id) noexcept { return uses_[in_model(id)]; }
  const Use & use(TaskId id) const noexcept { return uses_[in_model(id)]; }

 private:
  struct Counted {
    std::shared_ptr<Responses> responses;
    const void * last = nullptr;  // the bucket used last
  };

  const Numbering numbering_;
  const bool measures_responses_;
  std::size_t known_ = 0;  // indices that were ever in use
  model::StableArray<Entry> entries_;
  model::StableArray<Name> names_;
  model::StableArray<Use> uses_;
  model::StableArray<Counted> responses_;  // used if measures_responses_
  Name nobody_ = std::make_shared<const std::string>("(removed)");
};

}  // namespace takt::executor
