// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "task_table.hpp"

#include <utility>

namespace takt::executor {

std::uint32_t IdMap::take() {
  std::uint32_t id = 0;
  while (id < entries_.size() && entries_[id].taken) ++id;
  if (id == entries_.size()) entries_.emplace_back();
  entries_[id].taken = true;
  return id;
}

void IdMap::give_back(std::uint32_t id) noexcept {
  entries_[id] = Entry{};
}

bool IdMap::taken(std::uint32_t id) const noexcept {
  return id < entries_.size() && entries_[id].taken;
}

model::TaskId TaskTable::add(std::string name) {
  const model::TaskId id = ids_.take();
  if (id >= names_.size()) {
    names_.resize(id + 1);
    early_.resize(id + 1);
    uses_.resize(id + 1);
  }
  names_[id] = std::make_shared<const std::string>(std::move(name));
  early_[id] = {};
  if (measures_responses_) {
    responses_.resize(names_.size());
    responses_[id] = {std::make_shared<Responses>(), nullptr};
  }
  return first_ + id;
}

TaskTable::Entry::Entry(const JobFunction & function, model::TaskId in_table) noexcept
    : invoke(function.invoke), context(function.context), id(in_table) {
  for (const std::uintptr_t at : function.footprint.lines()) {
    const std::intptr_t offset =
        static_cast<std::intptr_t>(at / Footprint::line) - line_of(context);
    // What is farther away than 128 GiB, in the heap of another thread, is left out.
    if (std::in_range<std::int32_t>(offset)) {
      offsets_[count_++] = static_cast<std::int32_t>(offset);
    }
  }
}

void TaskTable::bind(model::TaskId id, model::TaskId in_model, const JobFunction & function) {
  if (in_model >= entries_.size()) entries_.resize(in_model + 1);
  entries_[in_model] = Entry(function, id);
  ids_.bind(id - first_, in_model);
}

void TaskTable::remove(model::TaskId id) noexcept {
  ids_.give_back(id - first_);
  names_[id - first_] = nobody_;
}

TaskTable::Name TaskTable::name(model::TaskId id) const noexcept {
  const model::TaskId place = id - first_;
  return place < names_.size() && names_[place] != nullptr ? names_[place] : nobody_;
}

}  // namespace takt::executor
