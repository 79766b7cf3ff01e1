// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "application.hpp"

#include <algorithm>

#include "error.hpp"

namespace takt::lab {
namespace {

using Json = nlohmann::ordered_json;

/// Returns how often each topic occurs in a list (`reads` or `publishes`) of the spec's callbacks.
std::vector<std::size_t> count(const Spec & spec, std::vector<std::uint32_t> CallbackSpec::*list) {
  std::vector<std::size_t> counts(spec.topics.size(), 0);
  for (const NodeSpec & node : spec.nodes) {
    for (const CallbackSpec & callback : node.callbacks) {
      for (const std::uint32_t topic : callback.*list) ++counts[topic];
    }
  }
  return counts;
}

std::string unmatched(const std::string & task, const std::string & topic, std::size_t matched,
                      std::size_t expected, const char * partners) {
  if (matched >= expected) return {};
  return task + " on '" + topic + "': " + std::to_string(matched) + " of " +
         std::to_string(expected) + " " + partners;
}

Json qos_json(const QoS & qos) {
  return {{"reliability", to_string(qos.reliability())},
          {"durability", to_string(qos.durability())},
          {"history", to_string(qos.history())},
          {"depth", qos.depth()}};
}

}  // namespace

Application::Application(const Spec & spec, std::optional<std::uint32_t> node, const Work & work,
                         model::Duration length)
    : spec_(spec) {
  if (node && *node >= spec.nodes.size()) {
    throw Error("--node " + std::to_string(*node) + ": the spec has nodes 0 to " +
                std::to_string(spec.nodes.size() - 1));
  }
  for (const Spec::Task & task : spec.tasks()) {
    if (node && *node != task.node) continue;
    tasks_.push_back(std::make_unique<WorkTask>(spec, task, work, length));
  }
}

std::string Application::missing() const {
  const auto publishers = count(spec_, &CallbackSpec::publishes);
  const auto subscriptions = count(spec_, &CallbackSpec::reads);
  std::string all;
  const auto add = [&all](const std::string & what) {
    if (!what.empty()) all += (all.empty() ? "" : "; ") + what;
  };
  for (const auto & task : tasks_) {
    for (const auto & input : task->inputs()) {
      add(unmatched(task->task().id, spec_.topics[input->topic()].name, input->publishers(),
                    publishers[input->topic()], "publishers"));
    }
    for (const auto & output : task->outputs()) {
      add(unmatched(task->task().id, spec_.topics[output->topic()].name, output->subscriptions(),
                    subscriptions[output->topic()], "subscriptions"));
    }
  }
  return all;
}

model::Duration Application::callback_cpu() const noexcept {
  model::Duration sum = 0;
  for (const auto & task : tasks_) sum += task->notes().meter().used();
  return sum;
}

void Application::mark_late(const std::string & callback, std::uint64_t index) noexcept {
  for (const auto & task : tasks_) {
    if (task->name() == callback) task->notes().record().mark_late(index);
  }
}

Json Application::qos_json() const {
  Json all = Json::array();
  const auto add = [&](const WorkTask & task, std::uint32_t topic, const char * role,
                       const QoS & qos) {
    Json entry = {{"topic", spec_.topics[topic].name}, {"task", task.task().index}, {"role", role}};
    entry.update(lab::qos_json(qos));
    all.push_back(std::move(entry));
  };
  for (const auto & task : tasks_) {
    for (const auto & output : task->outputs()) {
      add(*task, output->topic(), "publisher", output->qos());
    }
    for (const auto & input : task->inputs()) {
      add(*task, input->topic(), "subscription", input->qos());
    }
  }
  return all;
}

Json Application::messages_json() const {
  Json all = Json::array();
  for (const auto & task : tasks_) {
    for (const auto & output : task->outputs()) {
      all.push_back({{"topic", spec_.topics[output->topic()].name},
                     {"task", task->task().index},
                     {"role", "publisher"},
                     {"count", output->next()},
                     {"failures", output->failures()},
                     {"pool_exhausted", output->pool_exhausted()}});
    }
    for (const auto & input : task->inputs()) {
      // `missed` messages were not delivered, because they were lost or replaced by newer ones in a queue;
      // `replaced` is how many of them are known to have been replaced.
      all.push_back({{"topic", spec_.topics[input->topic()].name},
                     {"task", task->task().index},
                     {"role", "subscription"},
                     {"count", input->delivered()},
                     {"missed", input->missed()},
                     {"replaced", input->replaced()}});
    }
  }
  return all;
}

}  // namespace takt::lab
