// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_application.hpp"

#include <takt/job.hpp>
#include <takt/publisher.hpp>
#include <takt/subscription.hpp>
#include <utility>

#include "payload.hpp"

namespace takt::lab {
namespace {

QoS qos_of(const QosSpec & spec) {
  QoS qos(spec.depth);
  if (spec.reliable) {
    qos.reliable();
  } else {
    qos.best_effort();
  }
  return qos;
}

class TaktInput : public Input {
 public:
  TaktInput(std::uint32_t topic, const Spec & spec, Node & node,
            const CallbackGroup::SharedPtr & group)
      : Input(topic),
        subscription(node.create_subscription<Payload>(
            spec.topics[topic].name, qos_of(spec.qos),
            [this](const Payload & message) { receive(message); }, {.group = group})) {}

  std::size_t publishers() const override { return subscription->get_publisher_count(); }
  QoS qos() const override { return subscription->get_actual_qos(); }
  std::uint64_t replaced() const override { return subscription->lost(); }

  const std::shared_ptr<Subscription<Payload>> subscription;
};

class TaktOutput : public Output {
 public:
  TaktOutput(std::uint32_t topic, const Spec & spec, Node & node)
      : Output(topic),
        publisher_(node.create_publisher<Payload>(spec.topics[topic].name, qos_of(spec.qos))) {
    publisher_->prepare_messages(
        [size = spec.topics[topic].size](Payload & message) { message.data.assign(size, 1); });
  }

  std::size_t subscriptions() const override { return publisher_->get_subscription_count(); }
  QoS qos() const override { return publisher_->get_actual_qos(); }
  Payload & borrow() override {
    loan_ = publisher_->borrow_loaned_message();
    return *loan_;
  }
  void publish() override { publisher_->publish(std::move(loan_)); }
  std::uint64_t failures() const override { return publisher_->failures(); }
  std::uint64_t pool_exhausted() const override { return publisher_->pool_exhausted(); }

 private:
  const std::shared_ptr<Publisher<Payload>> publisher_;
  LoanedMessage<Payload> loan_{nullptr};
};

}  // namespace

TaktApplication::TaktApplication(const Spec & spec, std::optional<std::uint32_t> node,
                                 const Work & work, model::Duration length)
    : Application(spec, node, work, length) {
  for (std::uint32_t i = 0; i < spec.nodes.size(); ++i) {
    if (node && i != *node) continue;
    nodes_.push_back(std::make_shared<Node>(spec.nodes[i].name));
    const auto group = nodes_.back()->create_callback_group(
        spec.nodes[i].exclusive ? CallbackGroupType::mutually_exclusive
                                : CallbackGroupType::reentrant);
    for (const auto & task : tasks_) {
      if (task->task().node == i) add(*task, *nodes_.back(), group);
    }
  }
}

void TaktApplication::add(WorkTask & task, Node & node, const CallbackGroup::SharedPtr & group) {
  const CallbackSpec & callback = *task.task().callback;
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
  for (std::size_t i = 0; i < callback.reads.size(); ++i) {
    auto input = std::make_unique<TaktInput>(callback.reads[i], spec_, node, group);
    const model::Duration max_age = callback.max_ages[i];
    options.reads.push_back(
        {input->subscription,
         {.max_age = max_age == model::never ? Duration::max() : Duration(max_age),
          .on_stale = callback.on_stale}});
    task.add(std::move(input));
  }
  std::vector<std::string> published;
  for (const std::uint32_t topic : callback.publishes) {
    published.push_back(spec_.topics[topic].name);
    task.add(std::make_unique<TaktOutput>(topic, spec_, node));
  }
  options.publishes = std::move(published);
  timers_.push_back(node.create_timer(callback.name, Duration(callback.period), options,
                                      [&task](const JobInfo & job) { task.run(job); }));
}

}  // namespace takt::lab
