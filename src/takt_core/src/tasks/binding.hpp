// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "takt_core/tasks/task_registry.hpp"

namespace takt::tasks {

/// The connection of a callback with its task. The task's function knows only the callback, which
/// the processor keeps alive as long as a job may run.
struct TaskRegistry::Binding {
  Binding(TaskRegistry & of, std::shared_ptr<Callback> to, std::uint64_t number_in_order)
      : registry(of), callback(std::move(to)), order(number_in_order) {}

  TaskRegistry & registry;
  const std::shared_ptr<Callback> callback;
  const std::uint64_t order;
  std::atomic<bool> removed = false;
  std::atomic<bool> counted = false;  // whether TaskRegistry::bounds_ counts it

  // Used by the thread that carries out requests.
  bool bound = false;
  executor::Processor * on = nullptr;  // valid while bound
  std::size_t processor = 0;           // its present or last processor
  executor::TaskId number = executor::TaskId::none;
  model::Task task;
  CallbackGroup::SharedPtr group;
  // Handles for its job in its last group or on its last processor: it gets no new task before that
  // job has finished.
  Departures left;

  // Read by other threads, too.
  std::atomic<executor::TaskId> shown = executor::TaskId::none;  // a copy of `number`
  std::atomic<bool> settled = false;                             // its processor does not change
                                                                 // any more
};

}  // namespace takt::tasks
