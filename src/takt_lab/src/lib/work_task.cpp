// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "work_task.hpp"

#include <chrono>
#include <takt/job.hpp>
#include <takt_core/os/clock.hpp>
#include <utility>

namespace takt::lab {
namespace {

using takt_msgs::msg::Payload;

QoS qos_of(const QosSpec & spec) {
  QoS qos(spec.depth);
  if (spec.reliable) {
    qos.reliable();
  } else {
    qos.best_effort();
  }
  return qos;
}

void receive(Input & input, const Payload & message) {
  const auto sequence = static_cast<std::int64_t>(message.sequence);
  if (input.sequence >= 0 && sequence > input.sequence) {
    input.missed += static_cast<std::uint64_t>(sequence - input.sequence - 1);
  }
  input.sequence = sequence;
  input.published = message.stamp_ns;
}

}  // namespace

WorkTask::WorkTask(Node & node, const CallbackGroup::SharedPtr & group, const Spec & spec,
                   const Spec::Task & task, const Work & work, model::Duration length)
    : spec_(spec),
      work_(work),
      task_(task),
      notes_(TaskRecord(task.index, TaskGrid(task.callback->phase, task.callback->period, length),
                        task.callback->reads, task.callback->publishes,
                        spec.extra_jobs(*task.callback, length))) {
  const CallbackSpec & callback = *task.callback;
  const QoS qos = qos_of(spec.qos);
  TimerOptions options{.priority = callback.priority,
                       .deadline = Duration(callback.deadline),
                       .phase = Duration(callback.phase),
                       .extra_releases = callback.extra_releases,
                       .queue = callback.queue,
                       .on_budget = callback.on_budget,
                       .group = group,
                       .processor = callback.processor,
                       .wcet = Duration(callback.wcet)};
  if (callback.budget != model::never) options.budget = Duration(callback.budget);
  // The subscriptions' callbacks point at their inputs.
  inputs_.resize(callback.reads.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    Input & input = inputs_[i];
    input.topic = callback.reads[i];
    input.subscription = node.create_subscription<Payload>(
        spec.topics[input.topic].name, qos,
        [&input](const Payload & message) { receive(input, message); }, {.group = group});
    const model::Duration max_age = callback.max_ages[i];
    options.reads.push_back(
        {input.subscription,
         {.max_age = max_age == model::never ? Duration::max() : Duration(max_age),
          .on_stale = callback.on_stale}});
  }
  std::vector<std::string> published;
  for (const std::uint32_t topic : callback.publishes) {
    published.push_back(spec.topics[topic].name);
    Output output;
    output.topic = topic;
    output.publisher = node.create_publisher<Payload>(spec.topics[topic].name, qos);
    output.publisher->prepare_messages(
        [size = spec.topics[topic].size](Payload & message) { message.data.assign(size, 1); });
    outputs_.push_back(std::move(output));
  }
  options.publishes = std::move(published);
  timer_ = node.create_timer(callback.name, Duration(callback.period), options, [this] { run(); });
}

void WorkTask::run() {
  const JobInfo & job = *current_job();
  const model::Time begin = notes_.begin(job);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    notes_.read(i, inputs_[i].sequence, inputs_[i].published);
  }
  for (Output & output : outputs_) {
    output.loan = output.publisher->borrow_loaned_message();
    output.loan->data.resize(spec_.topics[output.topic].size);
    touch_pages(output.loan->data, static_cast<std::uint8_t>(output.next));
  }
  work_.burn_until(begin + spec_.work(*task_.callback, job.index));
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Output & output = outputs_[i];
    const std::int64_t sequence = output.next++;
    const model::Time stamp = os::now();
    output.loan->sequence = static_cast<std::uint64_t>(sequence);
    output.loan->stamp_ns = stamp;
    output.publisher->publish(std::move(output.loan));
    notes_.published(i, sequence, stamp);
  }
  notes_.finish(begin);
}

}  // namespace takt::lab
