// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/task_registry.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <stdexcept>

#include "binding.hpp"
#include "takt_core/executor/standard_error.hpp"
#include "takt_core/os/locked_memory.hpp"
#include "takt_core/tasks/current_job.hpp"
#include "takt_core/tasks/error.hpp"

namespace takt::tasks {

namespace {

bool may_wait() noexcept {
  return current_job() == nullptr && !executor::Processor::NonblockingRemoval::active();
}

std::string text_of(const std::exception_ptr & thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception & error) {
    return error.what();
  } catch (...) {
    return "an exception of a type unknown here";
  }
}

/// Calls the function; a std::logic_error of the scheduler or a processor, such as
/// std::invalid_argument, or std::length_error for too many tasks, becomes an Error.
template <typename Function>
void wrapped(const Function & function) {
  try {
    function();
  } catch (const std::logic_error & error) {  // an argument that is invalid, or out of range
    throw Error(error.what());
  }
}

}  // namespace

TaskRegistry::TaskRegistry(executor::Options options, const std::vector<int> & cpus)
    : trace_(options.trace),
      locks_memory_(options.lock_memory),
      age_margin_(options.age_margin),
      handlers_(options.handlers) {
  log_ = options.log ? options.log : executor::write_to_standard_error;
  options.awaited = [this](executor::TaskId task) { return awaited(task); };
  wrapped([&] { processors_ = std::make_unique<executor::Processors>(std::move(options), cpus); });
  // Here rather than in spin(), which would be delayed by tens of milliseconds; spin() reports
  // whether it was granted.
  if (locks_memory_) os::lock_memory();
  scenarios_ = std::make_unique<Scenarios>(*processors_);
  groups_.resize(processors_->size());
  flows_.resize(processors_->size());
}

TaskRegistry::~TaskRegistry() {
  // The trace may outlive this object, but its log function must not be called any more.
  if (trace_ != nullptr) trace_->close();
}

// ---- nodes --------------------------------------------------------------------------------------

void TaskRegistry::add_nodes(const Nodes & nodes) {
  if (nodes.empty()) return;
  // The nodes may be from a library that was just loaded.
  if (locks_memory_ && current_job() == nullptr) os::bring_in_libraries();
  // While spinning, nodes are refused for problems with strategies that exist only because of them.
  const bool spinning = processors_->spinning();
  const std::set<std::string> before = spinning ? faults() : std::set<std::string>();
  Nodes listening;
  try {
    std::vector<std::shared_ptr<Callback>> callbacks;
    for (const auto & node : nodes) {
      const auto own = node->set_listener(shared_from_this());
      listening.push_back(node);
      callbacks.insert(callbacks.end(), own.begin(), own.end());
    }
    // Checked before the nodes have jobs and before the plans of other nodes include them; the
    // nodes' strategies can be checked without that.
    if (spinning) demand_no_new_faults(before, nodes);
    {
      const os::Lock lock(mutex_);
      nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
    }
    Bindings made;
    for (const auto & callback : callbacks) {
      if (const auto binding = make_binding(callback)) made.push_back(binding);
    }
    submit([this, made = std::move(made)] { exchange(placed(made)); });
    if (spinning) demand_no_new_faults(before);  // again, now that they are placed
    set_refused(nodes, false);
  } catch (...) {
    forget(listening);
    leave(listening);
    set_refused(listening, spinning);
    throw;
  }
}

void TaskRegistry::remove_nodes(const Nodes & nodes) {
  if (nodes.empty()) return;
  const Nodes own = this->nodes();
  for (const auto & node : nodes) {
    if (std::find(own.begin(), own.end(), node) != own.end()) continue;
    throw Error("node '" + std::string(node->name()) + "' is not one of this executor");
  }
  forget(nodes);
  leave(nodes);
}

void TaskRegistry::forget(const Nodes & nodes) {
  const std::set<std::weak_ptr<Node>, std::owner_less<>> gone(nodes.begin(), nodes.end());
  const os::Lock lock(mutex_);
  std::erase_if(nodes_, [&gone](const auto & weak) { return gone.contains(weak); });
}

void TaskRegistry::leave(const Nodes & nodes) {
  Edit edit;
  for (const auto & node : nodes) {
    for (const auto & callback : node->set_listener(nullptr)) {
      callback->listen(false);
      if (auto binding = take(*callback)) edit.drop.push_back(std::move(binding));
    }
  }
  submit([this, edit = std::move(edit)] { exchange_or_log(edit); });
}

void TaskRegistry::close() {
  processors_->stop();
  remove_nodes(nodes());
  {
    const os::Lock lock(mutex_);
    closed_ = true;
  }
  processors_.reset();
}

void TaskRegistry::stop() noexcept {
  const os::Lock lock(mutex_);
  if (!closed_) processors_->stop();
}

bool TaskRegistry::quiesce() noexcept {
  const os::Lock lock(mutex_);
  if (closed_) return true;
  if (!std::exchange(quiescent_, true)) processors_->set_quiescent(true);
  return processors_->idle();
}

void TaskRegistry::added(const std::shared_ptr<Callback> & callback) {
  if (const auto binding = make_binding(callback)) submit_update(binding);
}

void TaskRegistry::add(const std::vector<std::shared_ptr<Callback>> & callbacks) {
  Bindings made;
  for (const auto & callback : callbacks) {
    if (callback->node().listener().get() != this) continue;
    const auto binding = make_binding(callback);
    if (binding != nullptr && wants_task(*binding)) made.push_back(binding);
  }
  if (made.empty()) return;
  submit([this, made = std::move(made)] { exchange_or_log(placed(made)); });
}

std::shared_ptr<TaskRegistry::Binding> TaskRegistry::make_binding(
    const std::shared_ptr<Callback> & callback) {
  std::shared_ptr<Binding> binding;
  {
    const os::Lock lock(mutex_);
    binding = std::make_shared<Binding>(*this, callback, bindings_made_++);
    if (!bindings_.emplace(callback.get(), binding).second) return nullptr;
  }
  count_bounds(*binding);
  callback->listen(true);
  return binding;
}

/// The `max_age` of a timer's reads may change while it is bound.
void TaskRegistry::count_bounds(Binding & binding) {
  const bool bounds = !binding.removed.load() && binding.callback->bounds_age();
  const bool counted = binding.counted.exchange(bounds);
  bounds_ += static_cast<int>(bounds) - static_cast<int>(counted);
}

void TaskRegistry::changed(const std::shared_ptr<Callback> & callback) {
  const auto binding = find(*callback);
  if (binding == nullptr) return;
  count_bounds(*binding);
  submit_update(binding);
}

void TaskRegistry::removed(Callback & callback) {
  if (const auto binding = take(callback)) submit_update(binding);
}

TaskRegistry::DeparturesByCallback TaskRegistry::retire(
    const std::vector<std::shared_ptr<Callback>> & callbacks) {
  Edit edit;
  for (const auto & callback : callbacks) {
    if (auto binding = take(*callback)) edit.drop.push_back(std::move(binding));
  }
  if (edit.drop.empty()) return {};
  return carry_out([this, edit = std::move(edit)] { exchange_or_log(edit); }).departures;
}

/// nullptr if the callback has no binding.
std::shared_ptr<TaskRegistry::Binding> TaskRegistry::take(Callback & callback) {
  std::shared_ptr<Binding> binding;
  {
    const os::Lock lock(mutex_);
    const auto found = bindings_.find(&callback);
    if (found == bindings_.end()) return nullptr;
    binding = std::move(found->second);
    bindings_.erase(found);
  }
  callback.set_notify(nullptr, nullptr, nullptr);
  binding->removed.store(true);
  count_bounds(*binding);
  return binding;
}

std::shared_ptr<TaskRegistry::Binding> TaskRegistry::find(const Callback & callback) const {
  const os::Lock lock(mutex_);
  const auto found = bindings_.find(&callback);
  return found != bindings_.end() ? found->second : nullptr;
}

executor::TaskId TaskRegistry::number_of(const Binding & binding) noexcept {
  return binding.shown.load();
}

// ---- requests -----------------------------------------------------------------------------------

void TaskRegistry::wait_for(Outcome & outcome) {
  for (auto & [callback, departures] : outcome.departures) {
    for (executor::Departures & each : departures) each.wait();
  }
}

void TaskRegistry::submit(const Request & request) {
  for (bool again = true; again;) {
    Outcome outcome = carry_out(request);
    // After its turn, so that the next request need not wait for a job that does not finish.
    wait_for(outcome);
    again = outcome.again;
  }
}

TaskRegistry::Outcome TaskRegistry::carry_out(const Request & function) {
  const auto request = std::make_shared<const Request>(function);
  const auto attempt = [](const Request & make) -> std::exception_ptr {
    try {
      wrapped(make);
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  };
  std::optional<executor::Processor::NonblockingRemoval> nonblocking;
  os::UniqueLock lock(turns_mutex_);
  // An object that is destroyed in a request may make another request.
  const bool nested = working_ && worker_ == std::this_thread::get_id();
  const bool waits = may_wait() && !nested;
  if (waits) {
    turn_free_.wait(lock, [this]() TAKT_REQUIRES(turns_mutex_) { return !working_; });
  } else {
    requests_.push_back(request);
    if (working_) return {};
  }
  working_ = true;
  worker_ = std::this_thread::get_id();
  lock.unlock();
  std::exception_ptr error;
  if (waits) error = attempt(*request);
  Outcome outcome = std::exchange(outcome_, {});
  // Next the requests of jobs, which do not wait: no other thread would carry them out.
  nonblocking.emplace();
  lock.lock();
  while (!requests_.empty()) {
    auto next = std::move(requests_.front());
    requests_.pop_front();
    lock.unlock();
    const auto failed = attempt(*next);
    if (next == request) {
      error = failed;
    } else if (failed != nullptr) {
      // The requesting job has gone on, so it cannot get the exception.
      log_("a change asked for by a callback failed: " + text_of(failed));
    }
    next.reset();
    outcome_ = {};  // no thread waits for it
    lock.lock();
  }
  working_ = false;
  turn_free_.notify_all();
  lock.unlock();
  if (error != nullptr) {
    wait_for(outcome);
    std::rethrow_exception(error);
  }
  return outcome;
}

void TaskRegistry::submit_update(const std::shared_ptr<Binding> & binding) {
  submit([this, binding] { update(binding); });
}

void TaskRegistry::update(const std::shared_ptr<Binding> & binding) {
  if (wants_task(*binding)) {
    exchange_or_log(placed({binding}));
  } else {
    exchange_or_log({{}, {binding}});
  }
}

bool TaskRegistry::wants_task(const Binding & binding) {
  return !binding.removed.load() && binding.callback->is_task();
}

executor::Awaited TaskRegistry::awaited(executor::TaskId task) const {
  using executor::Awaited;
  Awaited asked{{}, Awaited::How::asked};
  Awaited responded{{}, Awaited::How::responded};
  Awaited same_node;
  const os::Lock lock(mutex_);
  const Callback * waits = nullptr;
  for (const auto & [callback, binding] : bindings_) {
    if (binding->shown.load() == task) waits = callback;
  }
  if (waits == nullptr) return same_node;
  for (const auto & [callback, binding] : bindings_) {
    if (callback->kind() != model::TaskKind::client || callback == waits) continue;
    const bool is_same_node = &callback->node() == &waits->node();
    if (is_same_node) same_node.clients.push_back(callback->id());
    if (!callback->is_awaited_by(task)) continue;
    if (callback->knows_requester()) {
      asked.clients.push_back(callback->id());
    } else if (is_same_node) {
      responded.clients.push_back(callback->id());
    }
  }
  Awaited & found = !asked.clients.empty()       ? asked
                    : !responded.clients.empty() ? responded
                                                 : same_node;
  std::sort(found.clients.begin(), found.clients.end());
  return found;
}

// ---- jobs ---------------------------------------------------------------------------------------

void TaskRegistry::execute(void * callback, const executor::JobInfo & job) {
  static_cast<Callback *>(callback)->execute(job);
}

void TaskRegistry::run(void * callback, const executor::JobInfo & job) {
  static_cast<Callback *>(callback)->run(job);
}

void TaskRegistry::notify(void * context, std::size_t count) {
  const auto & binding = *static_cast<Binding *>(context);
  for (; count > 0; --count) binding.on->release(binding.number);
}

void TaskRegistry::restart(void * context, model::Time first, model::Time reset) {
  const auto & binding = *static_cast<Binding *>(context);
  const bool rests = !binding.registry.grids_run_ && binding.callback->has_own_grid();
  binding.on->restart(binding.number, rests ? model::never : first, reset);
}

// ---- settings -----------------------------------------------------------------------------------

void TaskRegistry::set_policy(const SchedulingPolicy & policy) {
  try {
    wrapped([&] { processors_->set_policy(policy.name(), policy.make()); });
  } catch (const std::logic_error &) {
    throw Error("the policy cannot be exchanged while spinning: cancel() first, or use scenarios");
  }
}

void TaskRegistry::set_start(model::Time t0) {
  wrapped([&] { processors_->set_start(t0); });
}

void TaskRegistry::set_handlers(const std::function<void(executor::Handlers &)> & change) {
  const os::Lock lock(handlers_mutex_);
  change(handlers_);
  processors_->set_handlers(handlers_);
}

model::TaskCounters TaskRegistry::counters(const std::string & callback) const {
  for (const auto & [number, id] : tasks()) {
    if (id != callback) continue;
    model::TaskCounters counters;
    wrapped([&, task = number] { counters = processors_->counters(task); });
    return counters;
  }
  throw Error("no task '" + callback +
              "': it is not a callback of this executor, or has no releases");
}

std::vector<std::pair<executor::TaskId, std::string>> TaskRegistry::tasks() const {
  std::vector<std::pair<executor::TaskId, std::string>> result;
  {
    const os::Lock lock(mutex_);
    for (const auto & [callback, binding] : bindings_) {
      const executor::TaskId number = binding->shown.load();
      if (number != executor::TaskId::none) result.emplace_back(number, binding->callback->id());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace takt::tasks
