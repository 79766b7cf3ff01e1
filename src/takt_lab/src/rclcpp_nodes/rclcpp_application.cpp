// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "rclcpp_nodes/rclcpp_application.hpp"

#include <chrono>
#include <takt_core/os/clock.hpp>
#include <takt_core/tasks/current_job.hpp>
#include <utility>

#include "payload.hpp"
#include "rclcpp_nodes/session.hpp"

namespace takt::lab {
namespace {

::rclcpp::QoS qos_of(const QosSpec & spec) {
  ::rclcpp::QoS qos(spec.depth);
  if (spec.reliable) {
    qos.reliable();
  } else {
    qos.best_effort();
  }
  return qos;
}

class RclcppInput : public Input {
 public:
  RclcppInput(std::uint32_t topic, const Spec & spec, ::rclcpp::Node & node,
              const ::rclcpp::CallbackGroup::SharedPtr & group)
      : Input(topic) {
    ::rclcpp::SubscriptionOptions options;
    options.callback_group = group;
    // By shared_ptr, so that all readers share one message.
    subscription_ = node.create_subscription<Payload>(
        spec.topics[topic].name, qos_of(spec.qos),
        [this](const std::shared_ptr<const Payload> & message) { receive(*message); }, options);
  }

  std::size_t publishers() const override { return subscription_->get_publisher_count(); }
  QoS qos() const override { return QoS(subscription_->get_actual_qos().get_rmw_qos_profile()); }
  // rclcpp does not count the messages that are replaced in a full queue.
  std::uint64_t replaced() const override { return 0; }
  const std::shared_ptr<::rclcpp::Subscription<Payload>> & subscription() const {
    return subscription_;
  }

 private:
  std::shared_ptr<::rclcpp::Subscription<Payload>> subscription_;
};

class RclcppOutput : public Output {
 public:
  RclcppOutput(std::uint32_t topic, const Spec & spec, ::rclcpp::Node & node)
      : Output(topic),
        publisher_(node.create_publisher<Payload>(spec.topics[topic].name, qos_of(spec.qos))) {}

  std::size_t subscriptions() const override { return publisher_->get_subscription_count(); }
  QoS qos() const override { return QoS(publisher_->get_actual_qos().get_rmw_qos_profile()); }
  Payload & borrow() override {
    message_ = std::make_unique<Payload>();
    return *message_;
  }
  void publish() override { publisher_->publish(std::move(message_)); }

 private:
  const std::shared_ptr<::rclcpp::Publisher<Payload>> publisher_;
  std::unique_ptr<Payload> message_;
};

/// Returns the job as takt's executor knows it, else as derived from rclcpp's timer.
JobInfo job_of(const RclcppApplication::Entities & entities, const ::rclcpp::TimerInfo & info) {
  if (const JobInfo * job = current_job(); job != nullptr) return *job;
  const model::Duration period = entities.task->task().callback->period;
  JobInfo job;
  job.start = os::now();
  job.index = index_of(info.expected_call_time.nanoseconds(), entities.first, period);
  job.release = entities.first + static_cast<model::Time>(job.index) * period;
  return job;
}

}  // namespace

RclcppApplication::RclcppApplication(const Spec & spec, const Work & work, model::Duration length)
    : Application(spec, {}, work, length) {
  constexpr auto exclusive = ::rclcpp::CallbackGroupType::MutuallyExclusive;
  for (std::uint32_t i = 0; i < spec.nodes.size(); ++i) {
    nodes_.push_back(std::make_shared<::rclcpp::Node>(
        spec.nodes[i].name, ::rclcpp::NodeOptions().use_intra_process_comms(true)));
    ::rclcpp::Node & node = *nodes_.back();
    ::rclcpp::CallbackGroup::SharedPtr group;
    for (const auto & task : tasks_) {
      if (task->task().node != i) continue;
      if (group == nullptr || !spec.nodes[i].exclusive) {
        group = groups_.emplace_back(node.create_callback_group(exclusive));
      }
      add(*task, node, group);
    }
  }
}

void RclcppApplication::add(WorkTask & task, ::rclcpp::Node & node,
                            const ::rclcpp::CallbackGroup::SharedPtr & group) {
  const CallbackSpec & callback = *task.task().callback;
  Entities & all =
      *entities_.emplace_back(std::make_unique<Entities>(Entities{&task, 0, nullptr, {}}));
  for (const std::uint32_t topic : callback.reads) {
    auto input = std::make_unique<RclcppInput>(topic, spec_, node, group);
    all.inputs.push_back(input->subscription());
    task.add(std::move(input));
  }
  for (const std::uint32_t topic : callback.publishes) {
    task.add(std::make_unique<RclcppOutput>(topic, spec_, node));
  }
  all.timer = node.create_wall_timer(
      std::chrono::nanoseconds(callback.period),
      [&all](const ::rclcpp::TimerInfo & info) { all.task->run(job_of(all, info)); }, group);
}

}  // namespace takt::lab
