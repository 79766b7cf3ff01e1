// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "schedule_rules.hpp"
#include "virtual_run.hpp"

namespace takt::model::testing {

/// Checks a finished schedule against the rules, from its events alone: it shares no code with the
/// scheduler or the policies. It checks each job's release, and then all instants at which anything
/// changed. Execution times must be above 0.
class ScheduleChecker {
 public:
  ScheduleChecker(const TaskSet & set, const ScheduleRules & rules, const Outcome & outcome)
      : set_(set),
        rules_(rules),
        jobs_(outcome.result.jobs),
        slices_(outcome.result.slices),
        levels_(outcome.levels) {
    ceilings_.assign(set.groups.size(), 0);
    for (TaskId id = 0; id < set.tasks.size(); ++id) {
      const GroupId group = set.tasks[id].group;
      if (group != none) ceilings_[group] = std::max(ceilings_[group], levels_[id]);
    }
  }

  /// The violations, each `rule: text`; empty if the schedule is correct.
  std::vector<std::string> violations() {
    check_levels();
    check_grid();
    check_skipping();
    check_slices();
    check_budgets();
    sweep();
    return std::move(violations_);
  }

 private:
  using Active = std::vector<const SimulatedJob *>;

  void report(const std::string & rule, const std::string & what) {
    if (violations_.size() < 20) violations_.push_back(rule + ": " + what);
  }
  static std::string name(const Job & job) {
    return "job " + std::to_string(job.index) + " of task " + std::to_string(job.task);
  }
  static std::string at(Time time) { return " at " + std::to_string(time); }
  const Task & task(const Job & job) const { return set_.tasks[job.task]; }

  bool precedes(const Job & a, const Job & b) const {
    const auto key = [this](const Job & job) {
      return std::tuple(rules_.snapshots ? 0 : rules_.key(task(job), job), job.deadline,
                        job.release, job.task, job.index);
    };
    return key(a) < key(b);
  }

  // ---- one job at a time

  /// Levels are consecutive, in order of rank, one per rank unless there are too many ranks.
  void check_levels() {
    std::map<std::int64_t, std::set<Level>> by_rank;
    std::set<Level> all;
    for (TaskId id = 0; id < set_.tasks.size(); ++id) {
      by_rank[rules_.preemptive ? rules_.rank(set_.tasks[id]) : 0].insert(levels_[id]);
      all.insert(levels_[id]);
    }
    const std::size_t expected = std::min<std::size_t>(by_rank.size(), set_.max_levels);
    if (all.size() != expected || *all.begin() != 1 || *all.rbegin() != expected) {
      report("levels", "are not 1 to " + std::to_string(expected));
    }
    Level last = 0;
    for (const auto & [rank, levels] : by_rank) {
      if (levels.size() != 1) report("levels", "differ for tasks of one rank");
      if (*levels.begin() < last) report("levels", "are not in order of rank");
      last = *levels.rbegin();
    }
  }

  /// Every point of the grid before the end has exactly one job; other tasks keep their minimum
  /// interval.
  void check_grid() {
    std::map<TaskId, std::uint64_t> next;
    std::map<TaskId, Time> last;
    for (const SimulatedJob & simulated : jobs_) {
      const Job & job = simulated.job;
      const Duration period = task(job).period;
      if (job.index != next[job.task]++) report("grid", name(job) + " out of sequence");
      if (task(job).kind == TaskKind::timer) {
        const Time ideal = task(job).phase + static_cast<Time>(job.index) * period;
        if (job.release != ideal) report("grid", name(job) + " is off the grid" + at(job.release));
      } else if (!simulated.skipped) {
        if (last.count(job.task) > 0 && job.release < last[job.task] + period) {
          report("interval", name(job) + " comes too early" + at(job.release));
        }
        last[job.task] = job.release;
      }
      if (simulated.start < job.release) report("start", name(job) + " starts before its release");
      if (simulated.skipped && simulated.start != never) report("skip", name(job) + " was started");
      const Time deadline = task(job).deadline == never ? never : job.release + task(job).deadline;
      if (job.deadline != deadline) report("deadline", name(job) + " has a wrong one");
    }
    for (TaskId id = 0; id < set_.tasks.size(); ++id) {
      const Task & each = set_.tasks[id];
      if (each.kind != TaskKind::timer) continue;
      const Time over = set_.options.end - each.phase;
      const Time expected = over <= 0 ? 0 : (over + each.period - 1) / each.period;
      if (next[id] != static_cast<std::uint64_t>(expected)) {
        report("grid", "task " + std::to_string(id) + " lacks releases");
      }
    }
  }

  /// A release is skipped if and only if the task's queue is full. For tasks with a minimum
  /// interval a release may also be skipped because too many are delayed, so only one direction is
  /// checked.
  void check_skipping() {
    std::map<TaskId, Active> unfinished;
    for (const SimulatedJob & simulated : jobs_) {
      const Job & job = simulated.job;
      Active & before = unfinished[job.task];
      std::erase_if(before, [&](const auto * each) { return each->finish <= job.release; });
      const bool full = before.size() > task(job).queue;
      if (full && !simulated.skipped) report("skip", name(job) + " was let in");
      const bool exact = task(job).kind == TaskKind::timer || task(job).period == 0;
      if (!full && simulated.skipped && exact) report("skip", name(job) + " was shed");
      if (!simulated.skipped) before.push_back(&simulated);
    }
  }

  /// The processor runs one job at a time, none in a stall, and each job for exactly its execution
  /// time.
  void check_slices() {
    std::map<std::pair<TaskId, std::uint64_t>, Duration> given;
    Time last = 0;
    for (const Slice & slice : slices_) {
      if (slice.from < last || slice.to <= slice.from) report("slices", "overlap" + at(slice.from));
      last = slice.to;
      given[{slice.task, slice.index}] += slice.to - slice.from;
      for (const auto & [from, to] : set_.options.stalls) {
        if (slice.from < to && from < slice.to) report("slices", "work in a stall" + at(from));
      }
    }
    for (const SimulatedJob & each : jobs_) {
      if (each.finish == never) continue;
      if (given[{each.job.task, each.job.index}] != set_.execution(each.job.task, each.job.index)) {
        report("slices", name(each.job) + " got another time than it needs");
      }
    }
  }

  /// A job that needs more than its budget is lowered when the budget is exhausted; no other job is
  /// lowered.
  void check_budgets() {
    for (const SimulatedJob & each : jobs_) {
      const Task & its = task(each.job);
      const bool background = its.on_budget == OnBudget::background && rules_.preemptive;
      const Duration needs = set_.execution(each.job.task, each.job.index);
      if (each.lowered == never) {
        if (each.finish != never && background && needs > its.budget) {
          report("budget", name(each.job) + " was not lowered");
        }
        continue;
      }
      if (!background || needs <= its.budget) report("budget", name(each.job) + " was lowered");
      Duration used = 0;
      for (const Slice & slice : slices_) {
        if (slice.task != each.job.task || slice.index != each.job.index) continue;
        used += std::max<Duration>(0, std::min(slice.to, each.lowered) - slice.from);
      }
      if (used != its.budget) report("budget", name(each.job) + " was lowered at another time");
    }
  }

  // ---- the sweep

  void sweep() {
    std::set<Time> instants = {0, set_.options.end};
    for (const SimulatedJob & each : jobs_) {
      instants.insert({each.job.release, each.start, each.finish, each.lowered});
    }
    for (const auto & [from, to] : set_.options.stalls) instants.insert({from, to});
    for (const Slice & slice : slices_) instants.insert({slice.from, slice.to});
    for (const Time now : instants) {
      if (now >= set_.options.end) return;
      while (released_ < jobs_.size() && jobs_[released_].job.release <= now) {
        if (!jobs_[released_].skipped) active_.push_back(&jobs_[released_]);
        ++released_;
      }
      std::erase_if(active_, [&](const auto * each) { return each->finish <= now; });
      if (!stalled(now)) check_instant(now);
    }
  }

  bool stalled(Time now) const {
    return std::any_of(
        set_.options.stalls.begin(), set_.options.stalls.end(),
        [&](const auto & stall) { return stall.first <= now && now < stall.second; });
  }

  void check_instant(Time now) {
    Active started;
    Active waiting;
    const SimulatedJob * starting = nullptr;
    background_.clear();
    for (const SimulatedJob * each : active_) {
      if (each->lowered <= now) {
        background_.push_back(each);
      } else if (each->start > now) {
        waiting.push_back(each);
      } else if (each->start == now && starting == nullptr) {
        starting = each;
      } else {
        started.push_back(each);
      }
    }
    if (starting != nullptr) check_start(now, *starting, started, waiting);
    if (starting != nullptr) started.push_back(starting);
    check_exclusion(now, started);
    check_running(now, started, waiting);
  }

  /// Jobs of a task run in order, so only its first unfinished one may start.
  bool first_of_task(const SimulatedJob & job, const Active & started,
                     const Active & waiting) const {
    const auto earlier = [&](const auto * each) {
      return each->job.task == job.job.task && each->job.index < job.job.index;
    };
    return std::none_of(started.begin(), started.end(), earlier) &&
           std::none_of(background_.begin(), background_.end(), earlier) &&
           std::none_of(waiting.begin(), waiting.end(), earlier);
  }

  /// The level that a job must exceed while these are started.
  Level bar(const Active & started) const {
    Level bar = 0;
    for (const SimulatedJob * each : started) {
      bar = std::max(bar, levels_[each->job.task]);
      const GroupId group = task(each->job).group;
      if (group != none && set_.groups[group].exclusive) bar = std::max(bar, ceilings_[group]);
    }
    return bar;
  }

  void check_start(Time now, const SimulatedJob & starting, const Active & started,
                   const Active & waiting) {
    const Job & job = starting.job;
    if (!first_of_task(starting, started, waiting)) {
      report("order", name(job) + " overtakes one of its own task" + at(now));
    }
    if (levels_[job.task] <= bar(started)) {
      report("ceiling", name(job) + " starts below the system's ceiling" + at(now));
    }
    if (rules_.snapshots) {
      check_snapshot(now, starting, waiting);
      return;
    }
    for (const SimulatedJob * each : waiting) {
      if (first_of_task(*each, started, waiting) && each->job.task != job.task &&
          precedes(each->job, job)) {
        report("order", name(job) + " starts before a more urgent one" + at(now));
      }
    }
    if (!started.empty()) {
      const Job & top = (*std::max_element(started.begin(), started.end(), [](auto * a, auto * b) {
                          return a->start < b->start;
                        }))->job;
      if (!precedes(job, top)) report("order", name(job) + " preempts a more urgent one" + at(now));
    }
  }

  /// The stock executor takes a snapshot when the last one is empty, and keeps to its order.
  void check_snapshot(Time now, const SimulatedJob & starting, const Active & waiting) {
    if (snapshot_.empty()) {
      Active ready = waiting;
      ready.push_back(&starting);
      for (const SimulatedJob * each : ready) {
        if (first_of_task(*each, {}, ready)) snapshot_.insert(place(each->job));
      }
    }
    if (snapshot_.empty() || *snapshot_.begin() != place(starting.job)) {
      report("order", name(starting.job) + " is not the snapshot's next" + at(now));
    }
    snapshot_.erase(place(starting.job));
  }
  std::tuple<TaskKind, TaskId, std::uint64_t> place(const Job & job) const {
    return {task(job).kind, job.task, job.index};
  }

  void check_exclusion(Time now, const Active & started) {
    for (std::size_t i = 0; i < started.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Job & a = started[i]->job;
        const Job & b = started[j]->job;
        if (levels_[a.task] == levels_[b.task]) {
          report("levels", "two jobs of one level are started" + at(now));
        }
        if ((levels_[a.task] < levels_[b.task]) != (started[i]->start < started[j]->start)) {
          report("levels", "they do not rise on the stack" + at(now));
        }
        const GroupId group = task(a).group;
        if (group != none && group == task(b).group && set_.groups[group].exclusive) {
          report("exclusion", name(a) + " and " + name(b) + " are both started" + at(now));
        }
      }
    }
  }

  void check_running(Time now, const Active & started, const Active & waiting) {
    while (slice_ < slices_.size() && slices_[slice_].to <= now) ++slice_;
    const bool busy = slice_ < slices_.size() && slices_[slice_].from <= now;
    if (!busy) {
      if (!started.empty()) report("running", "nothing, although a job is started" + at(now));
      if (!background_.empty()) report("running", "nothing, although one is lowered" + at(now));
      if (!waiting.empty() && rules_.work_conserving) {
        report("work conserving", "idle although a job waits" + at(now));
      }
      return;
    }
    const Slice & slice = slices_[slice_];
    const auto is_it = [&slice](const SimulatedJob * each) {
      return each->job.task == slice.task && each->job.index == slice.index;
    };
    if (std::any_of(background_.begin(), background_.end(), is_it)) {
      check_background(now, started, waiting);
      return;
    }
    const SimulatedJob * running = nullptr;
    for (const SimulatedJob * each : started) {
      if (is_it(each)) running = each;
    }
    if (running == nullptr) {
      report("running", "a job that is not started" + at(now));
      return;
    }
    for (const SimulatedJob * each : started) {
      if (levels_[each->job.task] > levels_[running->job.task]) {
        report("running", "not the started job of the highest level" + at(now));
      }
    }
    if (!rules_.snapshots) {
      check_urgency(now, running->job, started, waiting);
      check_blocking(now, running->job, started, waiting);
    }
  }

  /// A lowered job runs only while no other job can.
  void check_background(Time now, const Active & started, const Active & waiting) {
    if (!started.empty())
      report("budget", "what was lowered runs before what is started" + at(now));
    for (const SimulatedJob * each : waiting) {
      if (rules_.work_conserving && first_of_task(*each, started, waiting)) {
        report("budget", "what was lowered runs before " + name(each->job) + at(now));
      }
    }
  }

  /// No job waits that is more urgent than the running one and may start.
  void check_urgency(Time now, const Job & running, const Active & started,
                     const Active & waiting) {
    if (!rules_.work_conserving) return;
    const SimulatedJob * first = nullptr;
    for (const SimulatedJob * each : waiting) {
      if (!first_of_task(*each, started, waiting)) continue;
      if (first == nullptr || precedes(each->job, first->job)) first = each;
    }
    if (first != nullptr && precedes(first->job, running) &&
        levels_[first->job.task] > bar(started)) {
      report("order", name(first->job) + " waits for a less urgent one" + at(now));
    }
  }

  bool waits_for_background(const SimulatedJob & job) const {
    return std::any_of(background_.begin(), background_.end(),
                       [&job](const auto * each) { return each->job.task == job.job.task; });
  }

  /// Bounded blocking of the stack resource policy: over its life a job is blocked by at most one
  /// less urgent job.
  void check_blocking(Time now, const Job & running, const Active & started,
                      const Active & waiting) {
    for (const Active * all : {&started, &waiting}) {
      for (const SimulatedJob * each : *all) {
        if (!precedes(each->job, running) || waits_for_background(*each)) continue;
        auto & blocker = blockers_.try_emplace(each, &running).first->second;
        if (blocker->task != running.task || blocker->index != running.index) {
          report("blocking", name(each->job) + " is blocked twice" + at(now));
        }
      }
    }
  }

  const TaskSet & set_;
  const ScheduleRules & rules_;
  const std::vector<SimulatedJob> & jobs_;
  const std::vector<Slice> & slices_;
  std::vector<Level> levels_;
  std::vector<Level> ceilings_;
  std::vector<std::string> violations_;

  std::size_t released_ = 0;
  std::size_t slice_ = 0;
  Active active_;
  Active background_;  ///< those of `active_` that were lowered
  std::set<std::tuple<TaskKind, TaskId, std::uint64_t>> snapshot_;
  std::map<const SimulatedJob *, const Job *> blockers_;
};

inline std::vector<std::string> violations(const TaskSet & set, const ScheduleRules & rules,
                                           const Outcome & outcome) {
  return ScheduleChecker(set, rules, outcome).violations();
}

}  // namespace takt::model::testing
