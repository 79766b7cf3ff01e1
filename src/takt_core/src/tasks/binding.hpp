// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "takt_core/tasks/task_registry.hpp"

namespace takt::tasks {

/// What ties a callback to its task. The task's function knows the callback alone, which the
/// processor keeps for as long as it may run.
struct TaskRegistry::Binding {
  Binding(TaskRegistry & of, std::shared_ptr<Callback> to, std::uint64_t number_in_order)
      : registry(of), callback(std::move(to)), order(number_in_order) {}

  TaskRegistry & registry;
  const std::shared_ptr<Callback> callback;
  const std::uint64_t order;
  std::atomic<bool> removed = false;
  std::atomic<bool> counted = false;  // as one that reads with a max_age

  // By whoever carries requests out.
  bool bound = false;
  executor::Processor * on = nullptr;  // while bound
  std::size_t processor = 0;           // where it is or was
  executor::TaskId number = executor::TaskId::none;
  model::Task task;
  CallbackGroup::SharedPtr group;
  Departures left;  // of the place that it had before; until they are over it has none

  // And seen by others.
  std::atomic<executor::TaskId> shown = executor::TaskId::none;  // `number`
  std::atomic<bool> settled = false;                             // it has its processor for good
};

}  // namespace takt::tasks
