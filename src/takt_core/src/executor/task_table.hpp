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

/// The processor's tasks: names, functions and what they have used, by its ids or by the indices of
/// its model. Under the processor's lock but for what says otherwise.
class TaskTable {
 public:
  using Name = std::shared_ptr<const std::string>;
  /// What a job of a task needs.
  class alignas(Footprint::line) Entry {
   public:
    Entry() = default;
    Entry(const JobFunction & function, TaskId id) noexcept;

    void (*invoke)(void * context, const JobInfo & job) = nullptr;
    void * context = nullptr;
    TaskId id = TaskId::none;

    /// Has what the function touches first brought into the cache of the calling thread's CPU, and
    /// does not wait for it.
    void fetch() const noexcept {
      each_line(
          [](std::uintptr_t at) { __builtin_prefetch(reinterpret_cast<const void *>(at), 1); });
    }
    /// The addresses of those lines.
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
    // How many lines they are from the context's, so that the entry has room in one line itself.
    std::uint32_t count_ = 0;
    std::array<std::int32_t, Footprint::most> offsets_{};
  };
  static_assert(sizeof(Entry) == Footprint::line);

  /// A task that comes.
  struct Coming {
    model::TaskId in_model;
    JobFunction function;
    Name name;
    std::shared_ptr<Responses> responses;  ///< nullptr unless they are measured
  };

  /// `first`: the number of the first task.
  explicit TaskTable(TaskId first = TaskId{0}, bool measures_responses = false)
      : numbering_(first), measures_responses_(measures_responses) {}

  /// Any thread.
  const Numbering & numbering() const noexcept { return numbering_; }
  model::TaskId in_model(TaskId id) const noexcept { return numbering_.in_model(id); }

  /// For tasks below `size`, as the scheduler calls them. Allocates; may run while others use what was
  /// there before.
  void make_room(std::size_t size);
  /// What add() takes. Allocates; no lock.
  Coming coming(model::TaskId in_model, std::string name, const JobFunction & function) const;
  /// `spun`: how long the processor has spun.
  void add(const Coming & task, model::Duration spun) noexcept;
  /// A task that is there has another function.
  void renew(const Coming & task) noexcept {
    entries_[task.in_model] = Entry(task.function, numbering_.task(task.in_model));
  }
  /// Its name is left in `old`, to be destroyed without the lock.
  void remove(model::TaskId in_model, Name & old) noexcept;

  const Entry & entry(model::TaskId in_model) const noexcept { return entries_[in_model]; }
  /// Has an entry brought into the cache.
  void fetch(model::TaskId in_model) const noexcept { __builtin_prefetch(&entries_[in_model]); }
  /// Never null; no allocation.
  Name name(TaskId id) const noexcept;
  /// Of one that has a started job, by the thread that runs it: no lock. Never null.
  const char * name_of_running(TaskId id) const noexcept {
    const Name & name = names_[in_model(id)];
    return name != nullptr ? name->c_str() : nobody_->c_str();
  }

  /// What a task has used of its processor.
  struct Use {
    model::Duration executed = 0;  ///< by its jobs
    model::Time since = 0;         ///< in the processor's time of spinning
  };
  bool measures_responses() const noexcept { return measures_responses_; }
  /// A job of a task that is there starts, if it measures_responses(): while it runs, what counts
  /// it comes into the cache. Counts of many tasks are more than a cache holds.
  void expect_response(TaskId id) const noexcept {
    const Counted & counted = responses_[in_model(id)];
    __builtin_prefetch(counted.responses.get(), 1);
    __builtin_prefetch(counted.last, 1);
  }
  /// It has finished; as Responses::record().
  void count_response(TaskId id, model::Duration response, model::Duration margin,
                      model::Duration age) noexcept {
    Counted & counted = responses_[in_model(id)];
    counted.last = counted.responses->record(response, margin, age);
  }
  /// Of a task that is there; nullptr unless it measures_responses().
  std::shared_ptr<const Responses> responses(TaskId id) const {
    return measures_responses_ ? responses_[in_model(id)].responses : nullptr;
  }
  Use & use(TaskId id) noexcept { return uses_[in_model(id)]; }
  const Use & use(TaskId id) const noexcept { return uses_[in_model(id)]; }

 private:
  struct Counted {
    std::shared_ptr<Responses> responses;
    const void * last = nullptr;  // where the last one was counted
  };

  const Numbering numbering_;
  const bool measures_responses_;
  std::size_t known_ = 0;  // places that have ever had a task
  model::StableArray<Entry> entries_;
  model::StableArray<Name> names_;
  model::StableArray<Use> uses_;
  model::StableArray<Counted> responses_;  // if it measures them
  Name nobody_ = std::make_shared<const std::string>("(removed)");
};

}  // namespace takt::executor
