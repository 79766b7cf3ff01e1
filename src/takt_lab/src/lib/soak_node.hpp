// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <takt/node.hpp>
#include <takt_msgs/msg/payload.hpp>
#include <vector>

#include "row_ring.hpp"
#include "rows.hpp"
#include "work.hpp"

namespace takt::lab {

/// A periodic callback of the soak's application.
struct SoakTask {
  std::string name;
  model::Duration period = 0;
  model::Duration phase = 0;
  model::Duration wcet = 0;
  std::string reads = {};        ///< topic that it reads; empty: none
  std::string publishes = {};    ///< topic on which it publishes; empty: none
  std::size_t bytes = 64 << 10;  ///< size of the messages that it publishes
};

/// The queue of a task's recorded jobs, from the worker that runs them to the thread that writes the file.
using SoakJobs = RowRing<SoakJobRow>;

/// A node with one callback that reads, works, publishes and records its jobs.
class SoakNode {
 public:
  /// `number` is that of the task in the record. `work` and `jobs` must outlive the object. Throws
  /// takt::Error.
  SoakNode(const std::string & name, std::uint32_t number, const SoakTask & task, const Work & work,
           SoakJobs & jobs);
  SoakNode(const SoakNode &) = delete;
  SoakNode & operator=(const SoakNode &) = delete;

  const std::shared_ptr<Node> & node() const noexcept { return node_; }
  /// Sets a function to be called at the end of each job, with its index, on its thread. To be called before
  /// spinning.
  void then(std::function<void(std::uint64_t)> after) { after_ = std::move(after); }
  /// The identifier of the callback, `node/name`.
  std::string id() const { return timer_->id(); }
  std::uint64_t received() const noexcept { return received_.load(std::memory_order_relaxed); }

 private:
  void run(const JobInfo & job);

  std::uint32_t number_;
  model::Duration wcet_;
  const Work & work_;
  SoakJobs & jobs_;
  std::function<void(std::uint64_t)> after_;
  std::atomic<std::uint64_t> received_{0};
  std::shared_ptr<Node> node_;
  std::shared_ptr<Subscription<takt_msgs::msg::Payload>> subscription_;
  std::shared_ptr<Publisher<takt_msgs::msg::Payload>> publisher_;
  std::shared_ptr<Timer> timer_;  // last, so that it is destroyed first
};

}  // namespace takt::lab
