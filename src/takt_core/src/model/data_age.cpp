// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the scheduler that keeps the age of inputs within bounds.
#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

#include "scheduler_state.hpp"

namespace takt::model {

namespace {

[[noreturn]] void refuse(const std::string & what) {
  throw std::invalid_argument("scheduler: " + what);
}

bool names(const Task & task, ChannelId channel) {
  const auto reads = [channel](const Input & input) { return input.channel == channel; };
  return std::any_of(task.inputs.begin(), task.inputs.end(), reads) ||
         std::find(task.outputs.begin(), task.outputs.end(), channel) != task.outputs.end();
}

}  // namespace

// ---- set-up

void check_inputs(const std::vector<Task> & tasks, std::size_t channels) {
  enum class Seen : std::uint8_t { no, open, done };
  std::vector<Seen> seen(tasks.size(), Seen::no);
  const std::function<void(TaskId)> visit = [&](TaskId id) {
    if (seen[id] == Seen::done) return;
    if (seen[id] == Seen::open) {
      refuse("task '" + tasks[id].id +
             "' would be refreshed to refresh itself: drop a max_age of the circle");
    }
    seen[id] = Seen::open;
    for (const Input & input : tasks[id].inputs) {
      if (input.channel >= channels) {
        refuse("task '" + tasks[id].id + "': there is no channel " + std::to_string(input.channel));
      }
      if (input.max_age <= 0) {
        refuse("task '" + tasks[id].id + "': max_age must be above 0, not " +
               std::to_string(input.max_age) + " ns");
      }
      if (input.max_age == never) continue;
      for (TaskId producer = 0; producer < tasks.size(); ++producer) {
        const auto & outputs = tasks[producer].outputs;
        if (std::find(outputs.begin(), outputs.end(), input.channel) != outputs.end()) {
          visit(producer);
        }
      }
    }
    seen[id] = Seen::done;
  };
  for (TaskId id = 0; id < tasks.size(); ++id) visit(id);
}

ChannelId Scheduler::add_channel() {
  auto & channels = state_->channels;
  ChannelId id = 0;
  while (id < channels.size() && channels[id].has_value()) ++id;
  if (id == channels.size()) channels.emplace_back();
  channels[id] = -never;
  return id;
}

void Scheduler::remove_channel(ChannelId channel) {
  State & state = *state_;
  if (channel >= state.channels.size() || !state.channels[channel]) {
    refuse("there is no channel " + std::to_string(channel));
  }
  for (TaskId id = 0; id < state.tasks.size(); ++id) {
    if (state.records[id].alive && names(state.tasks[id], channel)) {
      refuse("task '" + state.tasks[id].id + "' still names channel " + std::to_string(channel));
    }
  }
  state.channels[channel].reset();
}

void Scheduler::set_age_margin(Duration margin) {
  if (margin < 0) refuse("the margin of ages must not be negative");
  state_->age_margin = margin;
}

void Scheduler::State::make_inputs(Scene & made) const {
  made.inputs.assign(tasks.size(), {});
  for (TaskId id = 0; id < tasks.size(); ++id) {
    if (!records[id].alive) continue;
    for (const Input & input : made.tasks[id].inputs) {
      if (input.max_age == never) continue;
      Scene::AgedInput aged{input.channel, input.max_age, input.on_stale, {}, 0};
      for (TaskId producer = 0; producer < tasks.size(); ++producer) {
        const auto & outputs = tasks[producer].outputs;
        if (records[producer].alive && producer != id &&
            std::find(outputs.begin(), outputs.end(), input.channel) != outputs.end()) {
          aged.producers.push_back(producer);
        }
      }
      made.inputs[id].push_back(std::move(aged));
    }
  }
}

// ---- while running

void Scheduler::published(ChannelId channel, Time at) noexcept {
  auto & channels = state_->channels;
  if (channel < channels.size() && channels[channel] && at > *channels[channel]) {
    channels[channel] = at;
  }
}

bool Scheduler::State::too_old(const Scene::AgedInput & input, Time now) const noexcept {
  const Time newest = *channels[input.channel];
  return newest == -never || now + age_margin - newest > input.max_age;
}

Decision Scheduler::State::refresh(const Job & job, Level level, Time now,
                                   std::optional<OnStale> & stale) noexcept {
  for (Scene::AgedInput & input : scene->inputs[job.task]) {
    if (!too_old(input, now)) continue;
    if (input.refreshed_for != job.index + 1) {
      for (const TaskId producer : input.producers) {
        bool begun = false;
        const Decision decision = complete(producer, level, now, begun);
        if (decision.kind == Decision::Kind::nothing) continue;
        if (begun) {
          input.refreshed_for = job.index + 1;
          ++records[job.task].refreshed;
        }
        return decision;
      }
    }
    // The harder consequence, if several inputs are too old.
    if (stale != OnStale::skip) stale = input.on_stale;
  }
  return {};
}

Decision Scheduler::State::complete(TaskId producer, Level level, Time now, bool & begun) noexcept {
  TaskRecord & record = records[producer];
  begun = true;
  if (record.started) return raise(record.jobs.front(), level);
  if (record.jobs.empty() && !release_extra(producer, now)) return {};
  if (exclusive(producer)) {
    const GroupId group = tasks[producer].group;
    const auto keeps_busy = [&](const Job & job) { return tasks[job.task].group == group; };
    if (Job * job = started.find_if(keeps_busy)) {
      begun = false;
      return raise(*job, level);
    }
  }
  Job & job = record.jobs.front();
  if (record.aged) {
    std::optional<OnStale> stale;
    const Decision before = refresh(job, level, now, stale);
    if (before.kind != Decision::Kind::nothing) {
      begun = false;
      return before;
    }
    if (stale) ++record.stale_reported;
    Decision decision = start(job, level);
    decision.stale = stale.has_value();
    return decision;
  }
  return start(job, level);
}

bool Scheduler::State::release_extra(TaskId id, Time now) noexcept {
  TaskRecord & record = records[id];
  if (!scene->tasks[id].extra_releases || record.suspended) return false;
  record.extra = true;
  record.watched = record.watched || record.deadline != never;
  // It is not on the grid, so the next one on it has another number.
  ++record.off_grid;
  ++record.extra_releases;
  return accept(id, now);
}

Decision Scheduler::State::raise(Job & job, Level level) noexcept {
  const Level worker = started.raise(job, level);
  return {.kind = Decision::Kind::raise, .job = &job, .worker = worker};
}

void Scheduler::State::drop_first() noexcept {
  const Job dropped = ready.front();
  unready(ready.front());
  const TaskId id = dropped.task;
  TaskRecord & record = records[id];
  record.jobs.pop();
  ++record.skipped;
  ++record.stale_skipped;
  // As when it had finished, but that it missed nothing.
  if (record.noticed > 0) --record.noticed;
  if (record.watched) watch(id);
  if (!record.jobs.empty()) make_ready(id);
  if (observer != nullptr) observer(observer_context, dropped, Release::skipped);
}

}  // namespace takt::model
