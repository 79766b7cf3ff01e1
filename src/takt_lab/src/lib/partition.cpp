// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "partition.hpp"

#include <stdexcept>
#include <string>

#include "error.hpp"

namespace takt::lab {

Partition::Partition(const Spec & spec, std::size_t processors,
                     const std::vector<std::size_t> & given)
    : tasks_(spec.tasks()), producers_(spec.topics.size(), -1) {
  if (!given.empty() && given.size() != tasks_.size()) {
    throw Error("--placement: has " + std::to_string(given.size()) + " processors for " +
                std::to_string(tasks_.size()) + " tasks");
  }
  std::vector<model::Placeable> placeable;
  std::vector<model::Bond> bonds;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const CallbackSpec & callback = *tasks_[i].callback;
    const double load = static_cast<double>(callback.wcet) / static_cast<double>(callback.period);
    placeable.push_back({tasks_[i].id, load});
    if (!given.empty()) {
      placeable.back().processor = given[i];
    } else if (callback.processor) {
      placeable.back().processor = *callback.processor;
    }
    for (const std::uint32_t topic : callback.publishes) {
      producers_[topic] = static_cast<std::int64_t>(i);
    }
    const bool together = i > 0 && tasks_[i - 1].node == tasks_[i].node;
    if (together && spec.nodes[tasks_[i].node].exclusive) bonds.push_back({i - 1, i});
  }
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const CallbackSpec & reader = *tasks_[i].callback;
    for (std::size_t k = 0; k < reader.reads.size(); ++k) {
      const std::int64_t producer = producers_[reader.reads[k]];
      if (reader.max_ages[k] == model::never || producer < 0) continue;
      bonds.push_back({static_cast<std::size_t>(producer), i,
                       "read and refresh the same data (max_age)", !reader.on_stale.has_value()});
    }
  }
  try {
    placement_ = model::place(placeable, bonds, processors);
  } catch (const std::invalid_argument & error) {
    throw Error(error.what());
  }
}

std::vector<std::uint32_t> Partition::tasks(std::size_t processor) const {
  std::vector<std::uint32_t> tasks;
  for (std::uint32_t i = 0; i < placement_.processor.size(); ++i) {
    if (placement_.processor[i] == processor) tasks.push_back(i);
  }
  return tasks;
}

model::DataFlow Partition::data(std::uint32_t task) const {
  model::DataFlow data = Spec::data_flow(*tasks_[task].callback);
  for (model::Input & input : data.inputs) {
    const std::int64_t producer = producers_[input.channel];
    const bool elsewhere =
        producer >= 0 &&
        placement_.processor[static_cast<std::size_t>(producer)] != placement_.processor[task];
    if (elsewhere) input.max_age = model::never;
  }
  return data;
}

}  // namespace takt::lab
