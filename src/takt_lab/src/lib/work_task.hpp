// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <takt/node.hpp>
#include <takt_msgs/msg/payload.hpp>
#include <vector>

#include "job_notes.hpp"
#include "spec.hpp"
#include "work.hpp"

namespace takt::lab {

/// Messages of one topic as one callback receives them, on the thread of its jobs.
struct Input {
  std::uint32_t topic = 0;
  std::shared_ptr<Subscription<takt_msgs::msg::Payload>> subscription;
  std::int64_t sequence = -1;   ///< of the latest; -1: none yet
  std::int64_t published = -1;  ///< its stamp
  std::uint64_t missed = 0;     ///< sequence numbers that never came, since the first that did
};

/// Messages of one topic as one callback publishes them.
struct Output {
  std::uint32_t topic = 0;
  std::shared_ptr<Publisher<takt_msgs::msg::Payload>> publisher;
  LoanedMessage<takt_msgs::msg::Payload> loan{nullptr};
  std::int64_t next = 0;  ///< sequence number
};

/// A callback of an application: reads, works, publishes, and keeps a record of it. The same code
/// under every executor.
class WorkTask {
 public:
  /// Makes its subscriptions, publishers and timer in `node`. Its grid is `length` long. `spec` and
  /// `work` must outlive it. Throws takt::Error.
  WorkTask(Node & node, const CallbackGroup::SharedPtr & group, const Spec & spec,
           const Spec::Task & task, const Work & work, model::Duration length);
  WorkTask(const WorkTask &) = delete;
  WorkTask & operator=(const WorkTask &) = delete;

  const Spec::Task & task() const noexcept { return task_; }
  const std::vector<Input> & inputs() const noexcept { return inputs_; }
  const std::vector<Output> & outputs() const noexcept { return outputs_; }
  JobNotes & notes() noexcept { return notes_; }
  const JobNotes & notes() const noexcept { return notes_; }

 private:
  void run();

  const Spec & spec_;
  const Work & work_;
  Spec::Task task_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  JobNotes notes_;
  std::shared_ptr<Timer> timer_;  // last: it goes first
};

}  // namespace takt::lab
