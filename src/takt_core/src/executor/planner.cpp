// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "planner.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "takt_core/os/clock.hpp"
#include "takt_core/os/condition.hpp"
#include "takt_core/os/lock.hpp"
#include "worker.hpp"

namespace takt::executor {

/// A change in preparation.
struct Changes::Draft {
  Planner & planner;
  model::Setup setup;
  const bool waits;
  std::vector<TaskTable::NewEntry> added = {};
  std::vector<TaskTable::NewEntry> changed = {};
  std::vector<std::shared_ptr<RemovedTask>> removed = {};
};

struct Departures::State {
  State(Planner & of, std::vector<std::shared_ptr<RemovedTask>> tasks)
      : planner(of), removed(std::move(tasks)) {}
  Planner & planner;
  os::Mutex mutex{os::LockRank::departures};
  os::Condition free;
  // Whether a thread is waiting for the jobs. Only one thread may wait for an Event, so further
  // threads wait for that thread.
  bool waited TAKT_GUARDED_BY(mutex) = false;
  // A task has finished since the last plan, so levels may be freed.
  bool levels TAKT_GUARDED_BY(mutex) = false;
  // The removed tasks whose job has not finished.
  std::vector<std::shared_ptr<RemovedTask>> removed TAKT_GUARDED_BY(mutex);
};

namespace {

void define_task(trace::Recorder & recorder, TaskId id, const model::Task & task) {
  trace::Definition definition("task");
  // A number may be used again for another task, so the definition says from when on it is valid.
  definition.add("task", std::int64_t{to_number(id)}).add("from", os::now());
  definition.add("name", task.id).add("kind", model::to_string(task.kind));
  definition.add("period", task.period).add("priority", std::int64_t{task.priority});
  if (task.deadline != model::never) definition.add("deadline", task.deadline);
  if (task.budget != model::never) definition.add("budget", task.budget);
  if (task.group != model::none) definition.add("group", std::int64_t{task.group});
  recorder.define(definition);
}

std::shared_ptr<model::Policy> policy_of(const Scenario & scenario) {
  if (!scenario.custom_policy) {
    return scenario.policy.empty() ? nullptr : model::make_policy(scenario.policy);
  }
  std::shared_ptr<model::Policy> made = scenario.custom_policy();
  if (made == nullptr) throw std::invalid_argument("custom_policy returned no policy");
  return made;
}

/// The parameters that a scenario gives the tasks of a setup.
std::map<model::TaskId, model::Timing> timings_of(const Scenario & scenario,
                                                  const model::Setup & setup,
                                                  const Numbering & numbering) {
  std::map<model::TaskId, model::Timing> timings;
  for (const auto & [task, timing] : scenario.timings) {
    const model::TaskId in_model = numbering.in_model(task);
    if (setup.contains(in_model)) timings.emplace(in_model, timing);
  }
  return timings;
}

bool has(const model::Setup & setup, const std::vector<Scenario> & scenarios,
         const Numbering & numbering) {
  std::vector<std::map<model::TaskId, model::Timing>> timings;
  for (const Scenario & each : scenarios) timings.push_back(timings_of(each, setup, numbering));
  return setup.has_timings(timings);
}

}  // namespace

// ---- edits --------------------------------------------------------------------------------------

GroupId Changes::add_group(model::Group group) {
  const Numbering & numbering = draft_.planner.dispatcher_.numbering();
  const model::GroupId in_model = draft_.setup.add_group(group);
  if (trace::Recorder * recorder = draft_.planner.recorder_.get()) {
    recorder->define(trace::Definition("group")
                         .add("group", std::int64_t{in_model})
                         .add("first_task", std::int64_t{to_number(numbering.first())})
                         .add("exclusive", group.exclusive));
  }
  return numbering.group(in_model);
}

void Changes::remove_group(GroupId group) {
  draft_.setup.remove_group(draft_.planner.dispatcher_.numbering().in_model(group));
}

TaskId Changes::add_task(model::Task task, JobFunction function, GroupId group) {
  Dispatcher & dispatcher = draft_.planner.dispatcher_;
  task.group = dispatcher.numbering().in_model(group);
  const model::TaskId in_model = draft_.setup.add_task(task);
  draft_.added.push_back(dispatcher.prepare_task(in_model, task.id, function));
  const TaskId id = dispatcher.numbering().task(in_model);
  if (trace::Recorder * recorder = draft_.planner.recorder_.get()) {
    define_task(*recorder, id, task);
  }
  return id;
}

void Changes::change_task(TaskId task, const model::Task & next, JobFunction function) {
  const model::TaskId in_model = draft_.planner.dispatcher_.numbering().in_model(task);
  draft_.setup.change_task(in_model, next);
  draft_.changed.push_back({in_model, function, nullptr, nullptr});
  if (trace::Recorder * recorder = draft_.planner.recorder_.get()) {
    define_task(*recorder, task, draft_.setup.task(in_model));  // the stored task has its group
  }
}

void Changes::remove_task(TaskId task, std::shared_ptr<void> keep) {
  Dispatcher & dispatcher = draft_.planner.dispatcher_;
  const model::TaskId in_model = dispatcher.numbering().in_model(task);
  if (!draft_.setup.contains(in_model)) {
    throw std::invalid_argument("no task " + std::to_string(to_number(task)));
  }
  const auto comes = [in_model](const auto & each) { return each.in_model == in_model; };
  if (std::erase_if(draft_.added, comes) > 0) {
    // The task was added by the same change, so the dispatcher does not know it.
    draft_.setup.remove_task(in_model);
    return;
  }
  auto removed = std::make_shared<RemovedTask>(in_model, draft_.setup.task(in_model).id,
                                               std::move(keep), draft_.waits);
  draft_.removed.push_back(removed);
  draft_.setup.remove_task(in_model, dispatcher.retire(removed));
}

void Changes::set_data_flow(const std::map<TaskId, model::DataFlow> & data) {
  const Numbering & numbering = draft_.planner.dispatcher_.numbering();
  std::map<model::TaskId, model::DataFlow> present;
  for (const auto & [task, flow] : data) {
    const model::TaskId in_model = numbering.in_model(task);
    if (draft_.setup.contains(in_model)) present.emplace(in_model, flow);
  }
  draft_.setup.set_data_flow(present);
}

void Changes::set_scenarios(const std::vector<Scenario> & scenarios, model::ScenarioId first,
                            bool activate_first) {
  const Numbering & numbering = draft_.planner.dispatcher_.numbering();
  std::vector<model::Scenario> made;
  for (const Scenario & scenario : scenarios) {
    made.push_back({policy_of(scenario), timings_of(scenario, draft_.setup, numbering)});
  }
  draft_.setup.set_scenarios(std::move(made), first, activate_first);
}

bool Changes::has_timings(const std::vector<Scenario> & scenarios) const {
  return has(draft_.setup, scenarios, draft_.planner.dispatcher_.numbering());
}

// ---- changes ------------------------------------------------------------------------------------

Planner::Planner(model::Setup setup, Dispatcher & dispatcher,
                 std::function<void(const WorkerCount &)> ensure,
                 std::shared_ptr<trace::Recorder> recorder)
    : dispatcher_(dispatcher),
      ensure_(std::move(ensure)),
      recorder_(std::move(recorder)),
      setup_(std::move(setup)),
      workers_(workers_of(dispatcher.plan())) {}

WorkerCount Planner::workers_of(const model::Plan & plan) noexcept {
  return {plan.levels, plan.lowerable};
}

/// Frees the numbers of removed tasks whose last job has finished.
void Planner::forget_ended() {
  if (leaving_.empty()) return;
  for (const model::TaskId task : dispatcher_.take_ended(leaving_)) setup_.forget(task);
}

void Planner::exchange(model::Setup & setup, std::vector<TaskTable::NewEntry> added,
                       const std::vector<TaskTable::NewEntry> & changed) {
  if (has_single_worker_ && setup.preemption() && setup.wants_preemption()) {
    throw std::invalid_argument(
        "a scenario's policy preempts, and the processor spins without preemption: give it before "
        "spin(), or its non-preemptive form");
  }
  std::unique_ptr<model::Plan> plan = dispatcher_.make_plan(setup);
  const WorkerCount workers = workers_of(*plan);
  ensure_(workers);
  dispatcher_.apply(plan, added, changed);
  workers_ = workers;
}

Departures Planner::change(const std::function<void(Changes &)> & edit) {
  Departures departures;
  const os::Lock lock(mutex_);
  forget_ended();
  Changes::Draft draft{*this, setup_, !dispatcher_.must_not_wait()};
  Changes changes(draft);
  edit(changes);
  exchange(draft.setup, std::move(draft.added), draft.changed);
  setup_ = std::move(draft.setup);
  for (const auto & each : draft.removed) {
    if (each->started) leaving_.push_back(each->task);
  }
  if (draft.waits && !draft.removed.empty()) {
    departures.state_ = std::make_shared<Departures::State>(*this, std::move(draft.removed));
  }
  return departures;
}

void Departures::wait() {
  wait_until(std::numeric_limits<os::Time>::max());
}

bool Departures::wait_until(os::Time instant) {
  if (state_ == nullptr) return true;
  const std::shared_ptr<State> state = state_;
  std::vector<std::shared_ptr<void>> kept;  // destroyed after the locks are released
  bool levels = false;
  bool over = false;
  {
    os::UniqueLock lock(state->mutex);
    const std::chrono::steady_clock::time_point end{std::chrono::nanoseconds(instant)};
    const auto is_free = [&]() TAKT_REQUIRES(state->mutex) { return !state->waited; };
    if (!state->free.wait_until(lock, end, is_free)) return false;
    state->waited = true;
    // All of them, including those after one that has not finished in time.
    for (auto each = state->removed.begin(); each != state->removed.end();) {
      RemovedTask & task = **each;
      if (task.started) {
        lock.unlock();
        const bool ended = task.ended.wait_until(instant);
        lock.lock();
        if (!ended) {
          ++each;
          continue;
        }
        state->levels = true;
      }
      kept.push_back(std::move(task.keep));
      each = state->removed.erase(each);
    }
    over = state->removed.empty();
    if (over) levels = std::exchange(state->levels, false);
    state->waited = false;
  }
  state->free.notify_all();
  kept.clear();
  // The levels of the removed tasks may not be needed any more: a plan without other changes frees
  // them.
  if (levels) state->planner.change_setup([](model::Setup &) {});
  return over;
}

std::vector<std::string> Departures::unfinished() const {
  std::vector<std::string> names;
  if (state_ == nullptr) return names;
  const os::Lock lock(state_->mutex);
  for (const auto & each : state_->removed) {
    if (!each->over) names.push_back(each->callback);
  }
  return names;
}

std::map<const void *, Departures> Departures::by_kept() {
  std::map<const void *, std::vector<std::shared_ptr<RemovedTask>>> removed;
  if (state_ == nullptr) return {};
  {
    const os::Lock lock(state_->mutex);
    for (auto & each : state_->removed) removed[each->keep.get()].push_back(std::move(each));
    state_->removed.clear();
  }
  std::map<const void *, Departures> parts;
  for (auto & [kept, tasks] : removed) {
    parts[kept].state_ = std::make_shared<State>(state_->planner, std::move(tasks));
  }
  return parts;
}

void Planner::change_setup(const std::function<void(model::Setup &)> & edit) {
  const os::Lock lock(mutex_);
  change_locked(edit);
}

void Planner::change_locked(const std::function<void(model::Setup &)> & edit) {
  forget_ended();
  model::Setup next = setup_;
  edit(next);
  exchange(next, {}, {});
  setup_ = std::move(next);
}

bool Planner::has_timings(const std::vector<Scenario> & scenarios) {
  const os::Lock lock(mutex_);
  return has(setup_, scenarios, dispatcher_.numbering());
}

bool Planner::allow_preemption() {
  const os::Lock lock(mutex_);
  if (!setup_.preemption()) change_locked([](model::Setup & next) { next.set_preemption(true); });
  return setup_.wants_preemption();
}

void Planner::forbid_preemption() {
  const os::Lock lock(mutex_);
  if (setup_.preemption()) change_locked([](model::Setup & next) { next.set_preemption(false); });
}

void Planner::start_grid(model::Time t0) {
  const os::Lock lock(mutex_);
  if (!setup_.grid()) change_locked([t0](model::Setup & next) { next.start_grid(t0); });
}

void Planner::start(bool alone, const std::function<void(const WorkerCount &)> & start) {
  const os::Lock lock(mutex_);
  start(workers_);
  has_single_worker_ = alone;
}

void Planner::end() noexcept {
  const os::Lock lock(mutex_);
  has_single_worker_ = false;
}

}  // namespace takt::executor
