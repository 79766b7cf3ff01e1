// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "endpoints.hpp"
#include "job_notes.hpp"
#include "spec.hpp"
#include "work.hpp"

namespace takt::lab {

/// A callback of an application: it reads, works, publishes, and records that. The same code is used under
/// every executor and with every front end.
class WorkTask {
 public:
  /// `length` is that of the release grid, in ns. `spec` and `work` must outlive the object.
  WorkTask(const Spec & spec, const Spec::Task & task, const Work & work, model::Duration length);
  WorkTask(const WorkTask &) = delete;
  WorkTask & operator=(const WorkTask &) = delete;

  // For set-up: to be called in the order of the spec.
  void add(std::unique_ptr<Input> input) { inputs_.push_back(std::move(input)); }
  void add(std::unique_ptr<Output> output) { outputs_.push_back(std::move(output)); }
  /// Sets the name that the executor has for the task.
  void set_name(std::string name) { name_ = std::move(name); }

  /// Runs a job, after its inputs have been delivered. May throw what publishing throws.
  void run(const JobInfo & job);

  const Spec::Task & task() const noexcept { return task_; }
  /// The name of the task: that of set_name(), else `node/name`.
  const std::string & name() const noexcept { return name_; }
  const std::vector<std::unique_ptr<Input>> & inputs() const noexcept { return inputs_; }
  const std::vector<std::unique_ptr<Output>> & outputs() const noexcept { return outputs_; }
  JobNotes & notes() noexcept { return notes_; }
  const JobNotes & notes() const noexcept { return notes_; }

 private:
  const Spec & spec_;
  const Work & work_;
  Spec::Task task_;
  std::string name_;
  std::vector<std::unique_ptr<Input>> inputs_;
  std::vector<std::unique_ptr<Output>> outputs_;
  std::vector<takt_msgs::msg::Payload *> borrowed_;
  JobNotes notes_;
};

}  // namespace takt::lab
