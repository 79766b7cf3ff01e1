// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "takt_core/executor/processor.hpp"

namespace takt::executor {

/// Ids given out by the processor, and what the scheduler calls the same thing: a task added from
/// inside a callback has an id at once and reaches the scheduler later. Under the processor's lock.
class IdMap {
 public:
  /// The lowest id not in use. Allocates.
  std::uint32_t take();
  void give_back(std::uint32_t id) noexcept;
  bool taken(std::uint32_t id) const noexcept;

  void bind(std::uint32_t id, std::uint32_t in_model) noexcept { entries_[id].in_model = in_model; }
  /// `none` if the scheduler does not know it (yet).
  std::uint32_t in_model(std::uint32_t id) const noexcept {
    return id < entries_.size() ? entries_[id].in_model : model::none;
  }

 private:
  struct Entry {
    std::uint32_t in_model = model::none;
    bool taken = false;
  };
  std::vector<Entry> entries_;
};

/// The processor's tasks: ids, names and functions. Under the processor's lock.
class TaskTable {
 public:
  using Name = std::shared_ptr<const std::string>;
  /// What a job of a task needs, found by the scheduler's id.
  class alignas(Footprint::line) Entry {
   public:
    Entry() = default;
    Entry(const JobFunction & function, model::TaskId id) noexcept;

    void (*invoke)(void * context, const JobInfo & job) = nullptr;
    void * context = nullptr;
    model::TaskId id = model::none;

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

  /// `first`: the number of the first task.
  explicit TaskTable(model::TaskId first = 0, bool measures_responses = false)
      : first_(first), measures_responses_(measures_responses) {}

  /// The number of the first task.
  model::TaskId first() const noexcept { return first_; }

  /// A new id, not yet known to the scheduler. Allocates.
  model::TaskId add(std::string name);
  /// The scheduler knows it now. Allocates.
  void bind(model::TaskId id, model::TaskId in_model, const JobFunction & function);
  void remove(model::TaskId id) noexcept;

  /// How many ids there ever were at once, at least.
  std::size_t count() const noexcept { return names_.size(); }
  bool contains(model::TaskId id) const noexcept { return ids_.taken(id - first_); }
  model::TaskId in_model(model::TaskId id) const noexcept { return ids_.in_model(id - first_); }
  const Entry & entry(model::TaskId in_model) const noexcept { return entries_[in_model]; }
  /// Has an entry brought into the cache.
  void fetch(model::TaskId in_model) const noexcept { __builtin_prefetch(&entries_[in_model]); }
  /// Never null; no allocation.
  Name name(model::TaskId id) const noexcept;

  /// What came before the scheduler knew the task; bind() is followed by making it.
  struct Early {
    std::uint32_t releases = 0;
    model::Time restart = model::never;
  };
  void released_early(model::TaskId id) noexcept { ++early_[id - first_].releases; }
  void restarted_early(model::TaskId id, model::Time first) noexcept {
    early_[id - first_].restart = first;
  }
  Early take_early(model::TaskId id) noexcept { return std::exchange(early_[id - first_], {}); }

  /// What a task has used of its processor.
  struct Use {
    model::Duration executed = 0;  ///< by its jobs
    model::Time since = 0;         ///< in the processor's time of spinning
  };
  bool measures_responses() const noexcept { return measures_responses_; }
  /// A job of a task that is there starts, if it measures_responses(): while it runs, what counts
  /// it comes into the cache. Counts of many tasks are more than a cache holds.
  void expect_response(model::TaskId id) const noexcept {
    const Counted & counted = responses_[id - first_];
    __builtin_prefetch(counted.responses.get(), 1);
    __builtin_prefetch(counted.last, 1);
  }
  /// It has finished; as Responses::record().
  void count_response(model::TaskId id, model::Duration response, model::Duration margin,
                      model::Duration age) noexcept {
    Counted & counted = responses_[id - first_];
    counted.last = counted.responses->record(response, margin, age);
  }
  /// nullptr unless it measures_responses().
  std::shared_ptr<const Responses> responses(model::TaskId id) const {
    return measures_responses_ ? responses_[id - first_].responses : nullptr;
  }
  Use & use(model::TaskId id) noexcept { return uses_[id - first_]; }
  const Use & use(model::TaskId id) const noexcept { return uses_[id - first_]; }

 private:
  struct Counted {
    std::shared_ptr<Responses> responses;
    const void * last = nullptr;  // where the last one was counted
  };

  const model::TaskId first_;
  const bool measures_responses_;
  IdMap ids_;  // counted from 0, as what follows
  std::vector<Name> names_;
  std::vector<Early> early_;
  std::vector<Use> uses_;
  std::vector<Counted> responses_;  // if it measures them
  std::vector<Entry> entries_;      // by the scheduler's id
  Name nobody_ = std::make_shared<const std::string>("(removed)");
};

}  // namespace takt::executor
