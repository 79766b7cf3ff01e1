// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/inspection.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "binding.hpp"
#include "takt_core/executor/thread_roles.hpp"
#include "takt_core/tasks/task_registry.hpp"

namespace takt::tasks {
namespace {

std::vector<std::string> topics_read(const Callback & callback) {
  std::vector<std::string> topics;
  for (const TopicRead & read : callback.topics_read()) {
    topics.push_back(read.subscription->topic());
  }
  return topics;
}

}  // namespace

std::vector<InspectedThread> inspect_threads(const executor::Grants & grants) {
  std::vector<InspectedThread> threads;
  for (os::ThreadInfo & info : os::threads_of_process()) {
    InspectedThread & thread = threads.emplace_back();
    thread.role = executor::to_string(executor::thread_role(info));
    thread.last_cpu = os::last_cpu(info.tid);
    const auto planned =
        std::find_if(grants.threads.begin(), grants.threads.end(),
                     [&info](const auto & other) { return other.tid == info.tid; });
    if (planned != grants.threads.end()) thread.asked = planned->asked;
    thread.info = std::move(info);
  }
  return threads;
}

executor::Grants TaskRegistry::grants() const {
  executor::Grants all = processors_->grants();
  std::map<std::string, std::vector<std::string>> nodes_of;
  for (const auto & node : nodes()) {
    std::string line = node->unplanned();
    if (!line.empty()) nodes_of[std::move(line)].emplace_back(node->fully_qualified_name());
  }
  for (const auto & [line, names] : nodes_of) {
    std::string note = line + "; nodes (" + std::to_string(names.size()) + "):";
    for (const std::string & name : names) note += " " + name;
    all.notes.push_back(std::move(note));
  }
  return all;
}

Inspection TaskRegistry::inspect() const {
  Inspection all;
  all.grants = grants();
  all.statistics = processors_->statistics();
  all.scenario = scenarios_->current();
  all.scenarios = scenarios_->table().names();
  for (const auto & node : nodes()) {
    all.nodes.emplace_back(node->fully_qualified_name());
    if (!all.simulated_now) all.simulated_now = node->simulated_now();
  }
  for (std::size_t i = 0; i < processors_->size(); ++i) {
    const executor::Processor & processor = std::as_const(*processors_)[i];
    all.processors.push_back({processors_->cpus()[i], processor.grants(), processor.statistics()});
  }
  const std::vector<TaskPlacement> placed = placement();
  std::map<const CallbackGroup *, std::size_t> groups;
  for (const auto & binding : bound()) {
    const executor::TaskId number = binding->shown.load();
    if (number == executor::TaskId::none) continue;
    InspectedTask task;
    try {
      task.status = processors_->status(number);
    } catch (const std::invalid_argument &) {
      continue;  // the task has just been removed
    }
    const Callback & callback = *binding->callback;
    task.id = callback.id();
    task.node = callback.node().fully_qualified_name();
    task.kind = callback.kind();
    task.reads = topics_read(callback);
    task.processor = executor::Processors::of(number);
    const CallbackGroup::SharedPtr group = callback.group();
    task.group = groups.try_emplace(group.get(), groups.size()).first->second;
    task.exclusive = group->type() != CallbackGroupType::reentrant;
    const auto place = std::find_if(placed.begin(), placed.end(), [&task](const auto & other) {
      return other.callback == task.id;
    });
    if (place != placed.end()) {
      task.declared = place->declared;
      task.measured = place->measured;
    }
    all.tasks.push_back(std::move(task));
  }
  std::sort(all.tasks.begin(), all.tasks.end(),
            [](const auto & a, const auto & b) { return a.id < b.id; });
  all.threads = inspect_threads(all.grants);
  all.lock_waits = os::lock_waits();
  return all;
}

}  // namespace takt::tasks
