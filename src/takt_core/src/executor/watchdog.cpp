// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "watchdog.hpp"

#include <algorithm>
#include <utility>

#include "gate.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::executor {
namespace {

// A check may be later by this fraction (1/20) of the interval, to share a wake-up of the CPU.
constexpr os::Time slack_part = 20;
// If one thread ends as another begins, their number does not change. So every 10th check compares
// the set of threads, which costs more than counting them.
constexpr unsigned checks_between_sets = 10;

std::string microseconds(model::Duration length) {
  return std::to_string(length / 1000) + " us";
}

using Preemption = Dispatcher::Preemption;
using Scheduling = Dispatcher::Scheduling;

/// What a callback that blocks or does not return keeps from starting.
std::string held_up(const Scheduling & scheduling) {
  return scheduling.preemption == Preemption::allowed
             ? "nothing of its preemption level and below may start meanwhile"
             : "nothing else of this processor may start meanwhile";
}

/// What a callback needs to be more urgent under this preemptive policy.
std::string urgency(const std::string & policy) {
  if (policy == "fp") return "a higher priority";
  if (policy == "dm" || policy == "edf") return "a shorter deadline";
  if (policy == "rm") return "a shorter period";
  return "a higher preemption rank in policy " + policy;
}

/// Why the waiting callback waits, and what helps.
std::string cause_and_remedy(const std::string & callback, const Dispatcher::DelayedStart & delayed,
                             const Scheduling & scheduling) {
  switch (scheduling.preemption) {
    case Preemption::not_by_policy:
      return "as policy " + scheduling.policy +
             " does not preempt: choose one that does, place one of them on another CPU";
    case Preemption::not_without_rights:
      return "as nothing can preempt without real-time priorities: get real-time rights (see `takt "
             "doctor`), place one of them on another CPU";
    case Preemption::allowed:
      break;
  }
  if (delayed.by_group) {
    return "although more urgent, as callbacks of one group exclude each other: put " + callback +
           " into a group of its own";
  }
  return "as it is not more urgent: give '" + *delayed.task + "' " + urgency(scheduling.policy) +
         ", place one of them on another CPU";
}

/// The advice for a finding; `otherwise` applies whatever the waiting callback is.
std::string remedy(const std::string & callback, const Dispatcher::DelayedStart & delayed,
                   const Scheduling & scheduling, const std::string & otherwise) {
  if (delayed.task == nullptr) return otherwise;
  return "'" + *delayed.task + "' waits for it, " +
         cause_and_remedy(callback, delayed, scheduling) + ", or " + otherwise;
}

/// The advice for a callback that waits for a response that its own executor would have to receive.
std::string response_of(const std::string & callback, const Awaited & awaited,
                        const Scheduling & scheduling) {
  std::string clients;
  for (const std::string & client : awaited.clients) {
    clients.append(clients.empty() ? "'" : ", '").append(client).append("'");
  }
  const bool seems = awaited.how != Awaited::How::same_node;
  const std::string waits = seems ? "it seems to wait for" : "if it waits for";
  const std::string above =
      scheduling.preemption == Preemption::allowed
          ? "a group of its own and " + urgency(scheduling.policy) + " than " + callback + ", or "
          : "";
  return waits + " the response to a request by client " + clients +
         ", which another job of this executor has to receive: go on in a callback given to "
         "async_send_request(), or give the client (and its service, if it runs here) " +
         above + "another CPU";
}

}  // namespace

Watchdog::Watchdog(WorkerPool & pool, Dispatcher & dispatcher, MiddlewareWaits & waits, Log & log,
                   const Options & options, Checks checks)
    : pool_(pool),
      dispatcher_(dispatcher),
      waits_(waits),
      log_(log),
      interval_(options.watchdog_interval),
      awaited_(options.awaited),
      extra_checks_(std::move(checks)) {}

Watchdog::~Watchdog() {
  end();
}

void Watchdog::end() noexcept {
  quit_.store(true, std::memory_order_release);
  event_.post();
  thread_.join();
  quit_.store(false, std::memory_order_release);
}

void Watchdog::start(int priority) {
  threads_changed_ = true;  // threads may have appeared between two spins
  std::erase_if(logged_findings_,
                [](const auto & said) { return said.first == Finding::delays_end; });
  if (!thread_.has_what_was_asked()) {
    end();
    thread_ =
        os::Thread({.name = "takt.watchdog", .priority = priority, .slack = interval_ / slack_part},
                   [this] { run(); });
  }
  state_.store(State::watches, std::memory_order_release);
  event_.post();
}

void Watchdog::stop() noexcept {
  if (state_.load() == State::waits) return;
  state_.store(State::ends, std::memory_order_release);
  event_.post();
  ended_.wait();
}

void Watchdog::run() {
  while (!quit_.load(std::memory_order_acquire)) {
    if (state_.load(std::memory_order_acquire) != State::waits) watch();
    event_.wait();
  }
}

void Watchdog::watch() {
  bool was_stopped = false;
  while (state_.load(std::memory_order_acquire) == State::watches) {
    look_at_workers(was_stopped);
    look_at_waits();
    look_at_threads();
    extra_checks_.cpu();
    clean_up();
    was_stopped = wait();
  }
  look_at_workers(was_stopped);
  look_at_waits();
  clean_up();
  state_.store(State::waits, std::memory_order_release);
  ended_.post();
}

// When the kernel stops a process it wakes every waiting thread, which then gives up the CPU once
// more than it went to sleep in this layer.
bool Watchdog::wait() noexcept {
  const std::int64_t before = os::unexplained_switches();
  event_.wait_until(os::now() + interval_);
  return os::unexplained_switches() > before;
}

// Nothing can be concluded about an interval in which the process was stopped.
void Watchdog::look_at_workers(bool was_stopped) {
  std::vector<Found> found;
  // The workers are examined without the pool's lock, for which a holder of the dispatcher's lock
  // may be waiting.
  pool_.copy_workers(workers_);
  const os::Time now = os::now();
  const auto look_at = [&](Worker & worker) {
    const TaskId blocked =
        worker.blocking_check().blocked.exchange(TaskId::none, std::memory_order_acquire);
    if (blocked != TaskId::none && !was_stopped) found.push_back({blocked, Finding::may_block});
    worker.blocking_check().asked.store(true, std::memory_order_relaxed);

    // A worker checks for blocking when its job returns; a job that does not return is found here.
    if (worker.number() > progress_.size()) progress_.resize(worker.number());
    Progress & progress = progress_[worker.number() - 1];
    const std::uint64_t begun = worker.begun();
    const TaskId task = worker.running();
    if (begun != progress.begun || was_stopped) {
      progress = {begun, now, task != TaskId::none ? os::runnable_time(worker.tid()) : 0};
    }
    // The check at the end of a spin may come right after another one.
    if (task == TaskId::none || now - progress.at < interval_) return;
    // Has misses of other jobs noticed meanwhile.
    dispatcher_.request_keep_time();
    // Waiting inside the middleware is not the callback's doing.
    const bool in_section = worker.in_section();
    const bool sleeps = !in_section && os::sleeping(worker.tid());
    const Dispatcher::Place place = dispatcher_.place(worker);
    const Dispatcher::DelayedStart delayed = dispatcher_.start_delayed_by(worker);
    if (worker.begun() != begun || worker.running() != task) return;
    if (sleeps) {
      found.push_back({task, Finding::blocks, delayed});
    } else if (place == Dispatcher::Place::running && !in_section) {
      // A job that was stopped meanwhile is observed anew: a stop of the process while this thread
      // was not asleep does not show in wait(), and a debugger stops single threads.
      const os::Time runnable = os::runnable_time(worker.tid());
      const os::Time away = now - progress.at - (runnable - progress.runnable);
      if (runnable == 0 || away < interval_ / 2) {
        found.push_back({task, Finding::does_not_return, delayed});
      } else {
        progress = {begun, now, runnable};
      }
    }
    // A preempted job is not to blame: another job keeps it from the CPU.
    if (place == Dispatcher::Place::preempted && !sleeps) return;
    if (dispatcher_.stopping()) {
      found.push_back({task, Finding::delays_end});
    } else if (dispatcher_.is_being_removed(task)) {
      found.push_back({task, Finding::delays_removal});
    }
  };
  for (Worker * worker : workers_) look_at(*worker);
  for (const Found & each : found) tell(each);
}

void Watchdog::look_at_waits() {
  const auto callback = [this](TaskId task) {
    return task != TaskId::none ? "callback '" + *dispatcher_.name(task) + "'"
                                : std::string("a thread outside of callbacks");
  };
  for (const MiddlewareWaits::Found & found : waits_.take()) {
    const std::string task = callback(found.task);
    const std::string other = callback(found.other);
    std::string of;
    if (found.entity != nullptr) of.append(" of '").append(*found.entity).append("'");
    std::string line = task;
    if (found.kind == MiddlewareWaits::Kind::entity) {
      line.append(" waited ").append(microseconds(found.length));
      line.append(" for the publisher, subscription, service or client").append(of);
      line.append(", which ").append(other);
      line.append(" was using: give each of them one of its own");
    } else {
      line.append(" was inside the middleware").append(of);
      line.append(" for ").append(microseconds(found.length)).append(", and ");
      line.append(other).append(" could not start for ");
      line.append(microseconds(Gate::longest_hold(waits_.bound()))).append(" of it (max_section)");
    }
    if (logged_waits_.insert({found.kind, task, other, of}).second) log_.write(line);
  }
}

void Watchdog::look_at_threads() {
  const std::size_t threads = os::thread_count();
  bool changed = std::exchange(threads_, threads) != threads;
  const bool in_any_case = ++check_count_ % checks_between_sets == 0;
  if (changed || in_any_case) {
    const std::uint64_t set = os::thread_set();
    changed = std::exchange(thread_set_, set) != set || changed;
  }
  // Repeated at the next check: a thread sets its name only after it has begun, which takes long if
  // it gets no CPU.
  const bool changed_before = std::exchange(threads_changed_, changed);
  if (changed || changed_before || in_any_case) extra_checks_.threads();
}

void Watchdog::clean_up() {
  log_.flush();
  dispatcher_.destroy_removed_tasks();
}

void Watchdog::tell(const Found & found) {
  const Finding finding = found.finding;
  const TaskTable::Name name = dispatcher_.name(found.task);
  const std::string callback = "callback '" + *name + "'";
  const std::string interval = std::to_string(interval_ / 1'000'000) + " ms";
  const Scheduling scheduling = dispatcher_.scheduling();
  const auto once = [&](const std::string & line) {
    if (logged_findings_.insert({finding, *name}).second) log_.write(line);
  };
  switch (finding) {
    case Finding::does_not_return:
      unreturned_.fetch_add(1, std::memory_order_relaxed);
      return once(callback + " has not returned for " + interval + " or more, and " +
                  held_up(scheduling) + ": " +
                  remedy(callback, found.delayed, scheduling,
                         "divide its work or give it a budget (OnBudget)"));
    case Finding::delays_end:
      return once("spin() ends when " + callback + " returns: stop was requested, but it has not " +
                  "returned for " + interval + " or more");
    case Finding::delays_removal:
      return once(callback +
                  " was removed, and the removing thread waits for it to return, which it has not "
                  "done for " +
                  interval + " or more");
    case Finding::may_block:
    case Finding::blocks: {
      blocked_.fetch_add(1, std::memory_order_relaxed);
      // A single finding may have been takt's own lock, for which the kernel can put a thread to
      // sleep twice.
      constexpr unsigned enough = 2;
      unsigned & times = found_[*name];
      times = finding == Finding::blocks ? enough : std::min(times + 1, enough);
      if (times < enough || !logged_findings_.insert({Finding::blocks, *name}).second) return;
      Awaited awaited;
      if (finding == Finding::blocks && awaited_) awaited = awaited_(found.task);
      std::string why = awaited.clients.empty() ? "" : response_of(callback, awaited, scheduling);
      if (awaited.how != Awaited::How::asked) {
        const std::string other =
            remedy(callback, found.delayed, scheduling, "let a thread of its own wait");
        why = other + (why.empty() ? "" : "; " + why);
      }
      return log_.write(callback + " blocks (it sleeps, waits for a lock or for I/O), and " +
                        held_up(scheduling) + ": " + why);
    }
  }
}

}  // namespace takt::executor
