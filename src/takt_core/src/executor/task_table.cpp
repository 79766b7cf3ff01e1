// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "task_table.hpp"

#include <algorithm>
#include <utility>

namespace takt::executor {

TaskTable::Entry::Entry(const JobFunction & function, TaskId in_table) noexcept
    : invoke(function.invoke), context(function.context), id(in_table) {
  for (const std::uintptr_t at : function.footprint.lines()) {
    const std::intptr_t offset =
        static_cast<std::intptr_t>(at / Footprint::line) - line_of(context);
    // Lines more than 128 GiB away, in another thread's heap, are left out.
    if (std::in_range<std::int32_t>(offset)) {
      offsets_[count_++] = static_cast<std::int32_t>(offset);
    }
  }
}

void TaskTable::make_room(std::size_t size) {
  entries_.make_room(size);
  names_.make_room(size);
  uses_.make_room(size);
  if (measures_responses_) responses_.make_room(size);
}

TaskTable::NewEntry TaskTable::prepare(model::TaskId in_model, std::string name,
                                       const JobFunction & function) const {
  return {in_model, function, std::make_shared<const std::string>(std::move(name)),
          measures_responses_ ? std::make_shared<Responses>() : nullptr};
}

void TaskTable::add(NewEntry && task, model::Duration spun) noexcept {
  known_ = std::max<std::size_t>(known_, task.in_model + 1);
  entries_[task.in_model] = Entry(task.function, numbering_.task(task.in_model));
  std::swap(names_[task.in_model], task.name);
  uses_[task.in_model] = {0, spun};
  if (!measures_responses_) return;
  std::swap(responses_[task.in_model].responses, task.responses);
  responses_[task.in_model].last = nullptr;
}

void TaskTable::remove(model::TaskId in_model, Name & old) noexcept {
  old = std::exchange(names_[in_model], nobody_);
}

TaskTable::Name TaskTable::name(TaskId id) const noexcept {
  const model::TaskId place = in_model(id);
  return place < known_ && names_[place] != nullptr ? names_[place] : nobody_;
}

}  // namespace takt::executor
