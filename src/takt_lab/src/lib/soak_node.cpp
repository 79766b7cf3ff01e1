// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "soak_node.hpp"

#include <takt_core/os/clock.hpp>
#include <utility>

#include "payload.hpp"

namespace takt::lab {
SoakNode::SoakNode(const std::string & name, std::uint32_t number, const SoakTask & task,
                   const Work & work, SoakJobs & jobs)
    : number_(number),
      wcet_(task.wcet),
      work_(work),
      jobs_(jobs),
      node_(std::make_shared<Node>(name)) {
  TimerOptions options{.phase = takt::Duration(task.phase)};
  if (!task.reads.empty()) {
    subscription_ = node_->create_subscription<Payload>(task.reads, 1, [this](const Payload &) {
      received_.fetch_add(1, std::memory_order_relaxed);
    });
    options.reads = {{subscription_}};
  }
  if (!task.publishes.empty()) {
    publisher_ = node_->create_publisher<Payload>(task.publishes, 1);
    publisher_->prepare_messages(
        [bytes = task.bytes](Payload & message) { message.data.assign(bytes, 1); });
  }
  timer_ = node_->create_timer(task.name, takt::Duration(task.period), options,
                               [this](const JobInfo & job) { run(job); });
}

void SoakNode::run(const JobInfo & job) {
  const model::Time begin = os::thread_cpu();
  LoanedMessage<Payload> loan{nullptr};
  if (publisher_ != nullptr) {
    loan = publisher_->borrow_loaned_message();
    touch_pages(loan->data, static_cast<std::uint8_t>(job.index));
  }
  work_.burn_until(begin + wcet_);
  if (loan.is_valid()) {
    loan->sequence = job.index;
    loan->stamp_ns = os::now();
    publisher_->publish(std::move(loan));
  }
  if (after_) after_(job.index);
  const model::Time cpu = os::thread_cpu();
  jobs_.push({.task = number_,
              .index = job.index,
              .release = job.release,
              .deadline = job.deadline,
              .start = job.start,
              .finish = os::now(),
              .cpu = cpu - begin});
}

}  // namespace takt::lab
