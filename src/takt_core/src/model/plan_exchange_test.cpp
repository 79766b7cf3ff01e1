// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Changes of tasks, groups and scenarios at any instant, whatever is started, and while plans are
// made.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "takt_core/model/scheduler.hpp"
#include "testing/random_seed.hpp"
#include "testing/schedule_rules.hpp"
#include "testing/virtual_run.hpp"

namespace takt::model::testing {
namespace {

/// A scheduler whose tasks are added, changed and removed at random, with the invariants that must
/// hold.
class RandomChanges {
 public:
  RandomChanges(std::uint64_t seed, const std::string & policy, bool with_scenarios)
      : random_(seed), with_scenarios_(with_scenarios), setup_(make_policy(policy), 6) {
    // Scenarios change priorities, which this class does not follow.
    if (!with_scenarios && policy != "ros") urgency_ = rules_of(policy).key;
    for (int i = 0; i < 3; ++i) groups_.push_back(setup_.add_group({.exclusive = i > 0}));
    setup_.start_grid(0);
    scheduler_ = std::make_unique<Scheduler>(setup_);
    scheduler_->set_release_observer(
        [](void * self, const ReleaseNotice & notice) {
          static_cast<RandomChanges *>(self)->released(notice);
        },
        this);
  }

  /// Runs so many steps; returns the first violation, empty if there is none.
  std::string run(int steps) {
    for (int step = 0; step < steps && wrong_.empty(); ++step) {
      now_ += chance(4) ? 1 : static_cast<Time>(random_() % 9);
      scheduler_->advance(now_);
      if (chance(3)) arrive();
      if (chance(3)) finish();
      if (chance(8)) restart();
      if (with_scenarios_ && chance(12)) {
        scheduler_->set_scenario(static_cast<ScenarioId>(random_() % 3), now_);
      }
      if (plan_ == nullptr && chance(3)) make_plan();
      if (plan_ != nullptr && chance(2)) apply();
      decide();
      check_counts();
    }
    return wrong_;
  }
  std::uint64_t exchanges = 0;
  std::uint64_t exchanged_while_started = 0;
  std::uint64_t ordered = 0;  // starts while a less urgent job was waiting

 private:
  struct Seen {
    Task task;
    bool steady = true;  // only the grid determined its releases
    Time last = -never;
    std::uint64_t accepted = 0;
    std::uint64_t skipped = 0;
    std::uint64_t started = 0;
    std::uint64_t waiting = 0;
    std::deque<Time> releases = {};  // of those that wait
  };
  struct Started {
    Level worker;
    TaskId task;
    GroupId group;
  };

  bool chance(unsigned of) { return random_() % of == 0; }
  void wrong(const std::string & what) {
    if (wrong_.empty()) wrong_ = "at " + std::to_string(now_) + ": " + what;
  }
  TaskId any_task() {
    if (tasks_.empty()) return none;
    auto at = tasks_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random_() % tasks_.size()));
    return at->first;
  }

  Task random_task() {
    constexpr Duration periods[] = {5, 8, 10, 12, 20, 33};
    Task task;
    task.id = "t";
    task.kind = chance(3) ? TaskKind::subscription : TaskKind::timer;
    task.period = periods[random_() % 6];
    if (task.kind == TaskKind::timer) {
      task.own_grid = chance(3);
      task.phase = task.own_grid ? 0 : static_cast<Duration>(random_() % 15);
      task.deadline = task.period;
    }
    task.queue = chance(3) ? static_cast<std::uint32_t>(random_() % 4) : 0;
    task.priority = static_cast<int>(random_() % 12 + 1);
    if (chance(2)) task.group = groups_[random_() % groups_.size()];
    return task;
  }

  void released(const ReleaseNotice & notice) {
    const auto found = tasks_.find(notice.job.task);
    if (found == tasks_.end()) return wrong("a release of a task that is not there");
    Seen & seen = found->second;
    const Time at = notice.job.release;
    if (at <= seen.last && seen.task.kind == TaskKind::timer) wrong("released twice");
    if (seen.steady && seen.last != -never && at != seen.last + seen.task.period) {
      wrong("a release was lost: " + std::to_string(seen.last) + " then " + std::to_string(at));
    }
    if (seen.steady && (at - seen.task.phase) % seen.task.period != 0) wrong("off its grid");
    seen.last = at + static_cast<Time>(notice.count - 1) * notice.apart;
    if (notice.what == Release::accepted) {
      ++seen.accepted;
      ++seen.waiting;
      seen.releases.push_back(at);
    } else {
      seen.skipped += notice.count;
    }
  }

  void arrive() {
    const TaskId id = any_task();
    if (id != none) scheduler_->release(id, now_, now_);
  }
  void restart() {
    const TaskId id = any_task();
    if (id == none || !tasks_[id].task.own_grid) return;
    tasks_[id].last = -never;  // a second release at the same instant may be requested
    scheduler_->restart(id, chance(5) ? never : now_ + static_cast<Time>(random_() % 20), now_);
  }

  void finish() {
    if (started_.empty()) return;
    // Usually the top job finishes; sometimes another one does, as if the top one had blocked.
    const std::size_t which = chance(6) ? random_() % started_.size() : started_.size() - 1;
    scheduler_->finish(started_[which].worker, now_);
    started_.erase(started_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  void decide() {
    for (;;) {
      const Decision decision = scheduler_->decide(now_);
      if (decision.kind != Decision::Kind::start) return;
      const TaskId id = decision.job->task;
      const auto found = tasks_.find(id);
      if (found == tasks_.end()) return wrong("a job of a removed task starts");
      const GroupId group = found->second.task.group;
      for (const Started & other : started_) {
        if (other.worker >= decision.worker)
          wrong("the starting job is not above all started ones");
        if (other.task == id) wrong("two jobs of a task are started");
        if (group != none && group != groups_[0] && other.group == group) wrong("no exclusion");
      }
      check_order(id);
      ++found->second.started;
      if (found->second.waiting-- == 0) return wrong("a job starts without a release");
      found->second.releases.pop_front();
      started_.push_back({decision.worker, id, group});
    }
  }

  bool excluded(GroupId group) const {
    return group != none && group != groups_[0] &&
           std::any_of(started_.begin(), started_.end(),
                       [group](const Started & each) { return each.group == group; });
  }
  bool is_started(TaskId id) const {
    return std::any_of(started_.begin(), started_.end(),
                       [id](const Started & each) { return each.task == id; });
  }
  std::int64_t urgency(const Seen & seen) const {
    Job job;
    job.release = seen.releases.front();
    return urgency_(seen.task, job);
  }

  /// Checks that no job that could start is more urgent than the one that starts.
  void check_order(TaskId starts) {
    const Seen & first = tasks_.at(starts);
    if (!urgency_ || first.releases.empty()) return;
    for (const auto & [id, seen] : tasks_) {
      if (id == starts || seen.releases.empty() || is_started(id)) continue;
      if (excluded(seen.task.group)) continue;
      if (urgency(seen) < urgency(first)) wrong("a less urgent job starts before one that could");
      ordered += urgency(seen) > urgency(first) ? 1 : 0;
    }
  }

  void make_plan() {
    Setup next = setup_;
    std::erase_if(leaving_, [&](TaskId id) {
      if (scheduler_->busy(id)) return false;
      next.forget(id);
      return true;
    });
    for (auto more = random_() % 3; more > 0; --more) {
      Task task = random_task();
      coming_[next.add_task(task)] = {task, task.kind == TaskKind::timer && !task.own_grid};
    }
    if (const TaskId id = any_task(); id != none && tasks_.size() > 4) {
      const bool busy = scheduler_->retire(id);
      next.remove_task(id, busy);
      if (busy) leaving_.push_back(id);
      tasks_.erase(id);
    }
    if (const TaskId id = any_task(); id != none && chance(3)) {
      Task task = random_task();
      task.group = tasks_[id].task.group;
      next.change_task(id, task);
      changing_[id] = task;
    }
    if (with_scenarios_ && chance(3)) {
      std::vector<Scenario> scenarios(random_() % 3);
      for (Scenario & scenario : scenarios) {
        for (const auto & [id, seen] : tasks_) {
          if (!chance(2) || changing_.contains(id)) continue;
          scenario.timings[id].priority = static_cast<int>(random_() % 12 + 1);
          scenario.timings[id].suspended = chance(4);
        }
      }
      next.set_scenarios(std::move(scenarios), chance(2) ? 1 : 0);
    }
    plan_ = scheduler_->make_plan(next, scheduler_->begin_plan(now_));
    setup_ = std::move(next);
  }

  void apply() {
    ++exchanges;
    exchanged_while_started += started_.empty() ? 0 : 1;
    for (auto & [id, seen] : coming_) {
      seen.steady = seen.steady && !with_scenarios_;
      tasks_[id] = seen;
    }
    coming_.clear();
    scheduler_->advance(now_);
    for (const auto & [id, task] : changing_) {
      Seen & seen = tasks_[id];
      seen.task = task;
      seen.steady = false;
      // Jobs that do not fit into the queue any more are dropped.
      seen.waiting =
          std::min<std::uint64_t>(seen.waiting, task.queue + 1 - (is_started(id) ? 1 : 0));
      // The oldest stay.
      seen.releases.resize(seen.waiting);
    }
    changing_.clear();
    scheduler_->apply(plan_, now_);
    plan_.reset();
    for (Started & each : started_) {
      for (const MovedJob & moved : scheduler_->moved()) {
        if (each.worker == moved.from) {
          each.worker = moved.to;
          break;
        }
      }
    }
    for (std::size_t i = 1; i < started_.size(); ++i) {
      if (started_[i - 1].worker >= started_[i].worker) wrong("workers do not rise");
    }
    for (const Started & each : started_) {
      const Job * job = scheduler_->started(each.worker);
      if (job == nullptr || job->task != each.task) wrong("a started job is not where it was");
    }
  }

  void check_counts() {
    std::uint64_t waiting = 0;
    for (const auto & [id, seen] : tasks_) {
      const TaskCounters counters = scheduler_->counters(id);
      waiting += seen.waiting;
      if (counters.started != seen.started) wrong("started jobs are counted wrongly");
      if (counters.released < seen.accepted + seen.skipped) wrong("releases are counted wrongly");
    }
    if (waiting != scheduler_->pending()) {
      wrong("pending are " + std::to_string(scheduler_->pending()) + ", not " +
            std::to_string(waiting));
    }
  }

  std::mt19937_64 random_;
  const bool with_scenarios_;
  std::function<std::int64_t(const Task &, const Job &)> urgency_;  // smaller: goes first
  Setup setup_;
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<GroupId> groups_;
  std::map<TaskId, Seen> tasks_;
  std::map<TaskId, Seen> coming_;    // to be added by the plan
  std::map<TaskId, Task> changing_;  // to be changed by the plan
  std::vector<TaskId> leaving_;
  std::vector<Started> started_;
  std::unique_ptr<Plan> plan_;
  Time now_ = 0;
  std::string wrong_;
};

TEST(PlanExchangeTest, RandomChangesAtRandomInstantsKeepTheInvariants) {
  const std::uint64_t seed = random_seed();
  std::uint64_t exchanges = 0;
  std::uint64_t while_started = 0;
  std::uint64_t ordered = 0;
  for (std::uint64_t round = 0; round < 600; ++round) {
    const std::vector<std::string> & policies = policy_names();
    const bool scenarios = round / policies.size() % 2 == 1;
    RandomChanges changes(seed + round, policies[round % policies.size()], scenarios);
    ASSERT_EQ(changes.run(300), "") << "TAKT_SEED=" << seed + round << " round " << round;
    exchanges += changes.exchanges;
    while_started += changes.exchanged_while_started;
    ordered += changes.ordered;
  }
  EXPECT_GT(exchanges, 10'000u);
  EXPECT_GT(while_started, 1'000u);
  EXPECT_GT(ordered, 10'000u);
}

}  // namespace
}  // namespace takt::model::testing
