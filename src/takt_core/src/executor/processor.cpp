// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/executor/processor.hpp"

#include <atomic>
#include <stdexcept>
#include <utility>

#include "dispatcher.hpp"
#include "faults.hpp"
#include "grants_record.hpp"
#include "log.hpp"
#include "middleware_waits.hpp"
#include "notice_handler.hpp"
#include "planner.hpp"
#include "started_threads.hpp"
#include "takt_core/executor/thread_roles.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/heap.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/lock_waits.hpp"
#include "takt_core/os/locked_memory.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/os/rights.hpp"
#include "timer.hpp"
#include "watchdog.hpp"
#include "worker_pool.hpp"

namespace takt::executor {
namespace {

Options checked(Options options) {
  options.plan.validate();
  if (options.max_section < 0) throw std::invalid_argument("max_section is negative");
  if (options.kept_heap < 0 || options.kept_heap > os::most_kept_heap) {
    throw std::invalid_argument("kept_heap must be from 0 to " +
                                std::to_string(os::most_kept_heap));
  }
  if (options.stack_size != 0 &&
      (options.stack_size < os::Stack::least || options.stack_size > os::Stack::most)) {
    throw std::invalid_argument("stack_size must be 0 or from " + std::to_string(os::Stack::least) +
                                " to " + std::to_string(os::Stack::most) + " bytes");
  }
  for (const ThreadRule & rule : options.thread_roles) rule.validate();
  if (options.watchdog_interval < 10'000'000) {
    throw std::invalid_argument("watchdog_interval is less than 10 ms");
  }
  return options;
}

std::shared_ptr<model::Policy> make_policy(const std::string & name, const MakePolicy & make) {
  std::shared_ptr<model::Policy> policy = make ? make() : model::make_policy(name);
  if (policy == nullptr) throw std::invalid_argument("custom_policy returned no policy");
  return policy;
}

model::Setup make_setup(const Options & options) {
  return model::Setup(make_policy(options.policy, options.custom_policy),
                      static_cast<model::Level>(options.plan.max_levels()));
}

int choose_cpu(int asked) {
  if (asked >= 0) return asked;
  const std::vector<int> cpus = os::allowed_cpus();
  return cpus.empty() ? 0 : cpus.front();
}

}  // namespace

struct Processor::State {
  State(Processor & processor, Options given);

  void spin();
  void run();
  void assemble();
  void set_policy(std::string name, MakePolicy make);
  void note_policy();
  void set_levels(model::Level count, std::size_t merged) noexcept;
  void log_merged_levels();
  void plan_middleware_threads();
  void look_at_threads();
  void keep_cpu();
  void set_handlers(Handlers handlers);

  Options options;  // constant except for the policy, which changes under one_spin
  const int cpu;
  Log log;
  GrantsRecord record;
  Faults faults;
  Timer timer;
  os::Event idle;
  NoticeHandler handler;
  MiddlewareWaits waits;
  model::Setup setup;  // until the planner takes it over
  Dispatcher dispatcher;
  WorkerPool pool;
  Planner planner;
  StartedThreads started;
  Watchdog watchdog;
  std::atomic<bool> preempts{false};  // valid while spinning
  bool planned_middleware = false;    // done once
  // Set under the dispatcher's lock, where nothing may allocate; the watchdog logs it.
  std::atomic<model::Level> levels{0};
  std::atomic<std::size_t> merged_levels{0};
  std::size_t logged_merged_levels = 0;
  os::Mutex one_spin{os::LockRank::processor_spin};
  os::Mutex policy_change{os::LockRank::processor_policy};  // a beginning spin waits for it
  std::atomic<bool> spinning{false};
  // Before the first spin the levels are not final: real-time rights may be lacking.
  std::atomic<bool> policy_in_use{false};
};

Processor::State::State(Processor & processor, Options given)
    : options(checked(std::move(given))),
      cpu(choose_cpu(options.cpu)),
      log(options.log),
      record(log),
      faults(
          options.on_exception, log, [this](TaskId task) { return *dispatcher.name(task); },
          [this] { dispatcher.stop(); }),
      handler([this](TaskId task) { return dispatcher.name(task); },
              [this] { faults.caught_in_handler(); }),
      waits(options.max_section),
      setup(make_setup(options)),
      dispatcher(setup, options,
                 {timer.event(), idle, handler,
                  [this](model::Level count, std::size_t merged) { set_levels(count, merged); },
                  [this](Worker & worker, model::Level level) { pool.run_at(worker, level); }}),
      pool(options, cpu, processor, dispatcher, faults, timer, handler, waits),
      planner(
          std::move(setup), dispatcher,
          [this](const WorkerCount & workers) { pool.ensure(workers); }, options.trace),
      started(cpu, options.widen_started_threads, log),
      watchdog(pool, dispatcher, waits, log, options,
               {[this] { look_at_threads(); }, [this] { keep_cpu(); }}) {
  note_policy();
  set_handlers(std::exchange(options.handlers, {}));
}

void Processor::State::set_handlers(Handlers handlers) {
  const bool overruns = static_cast<bool>(handlers.on_overrun);
  handler.set(std::move(handlers));
  dispatcher.handlers_changed(overruns);
  pool.start_handler();
}

void Processor::State::note_policy() {
  Grants asked;
  dispatcher.add_to(asked);
  record.set_asked(options.custom_policy ? asked.policy_in_use : options.policy, cpu);
}

void Processor::State::set_policy(std::string name, MakePolicy make) {
  const os::Lock change(policy_change);
  const std::unique_lock lock(one_spin, std::try_to_lock);
  if (!lock.owns_lock()) throw std::logic_error("the policy cannot be exchanged while spinning");
  const auto policy = make_policy(name, make);
  planner.change_setup([&policy](model::Setup & next) { next.set_policy(policy); });
  options.policy = std::move(name);
  options.custom_policy = std::move(make);
  note_policy();
}

// ---- running --------------------------------------------------------------------------------

void Processor::State::spin() {
  std::unique_lock lock(one_spin, std::defer_lock);
  {
    const os::Lock unchanged(policy_change);
    if (!lock.try_lock()) throw std::logic_error("the processor spins already");
  }
  if (!dispatcher.stopping()) {
    struct Ending {
      State & state;
      ~Ending() {
        state.dispatcher.halt();
        state.dispatcher.wait_until_observed();
        state.planner.end();
        state.watchdog.stop();
        state.record.set_threads(state.pool.threads());
        state.spinning = false;
        state.policy_in_use = false;
        // Undo what was started.
        if (ran) {
          state.pool.park();
        } else {
          state.pool.dismiss();
        }
      }
      bool ran = false;
    } ending{*this};
    run();
    ending.ran = true;
  }
  dispatcher.forget_stop();
  log_merged_levels();
  log.flush();
  dispatcher.destroy_removed_tasks();
  if (const std::exception_ptr exception = faults.take()) std::rethrow_exception(exception);
}

void Processor::State::run() {
  assemble();
  planner.start_grid(os::now());
  spinning = true;
  dispatcher.go();
  do {
    idle.wait();
  } while (!dispatcher.stopping() || !dispatcher.idle());
}

void Processor::State::assemble() {
  record.begin();
  if (options.lock_memory) record.set_memory(os::lock_memory());
  if (options.kept_heap > 0) record.set_heap(os::keep_heap(options.kept_heap), options.kept_heap);
  bool alone = !planner.allow_preemption();
  pool.begin(alone);
  if (!alone && !pool.start_timer()) {
    alone = true;
    planner.forbid_preemption();
    record.set_threads(pool.threads());
    record.refuse("policy " + record.read().policy + " runs as " + dispatcher.policy() +
                  ": without real-time priorities nothing can preempt");
    pool.dismiss();
  }
  policy_in_use = true;
  preempts = !alone;
  if (options.trace != nullptr) {
    options.trace->define(
        trace::Definition("processor")
            .add("first_task", std::int64_t{to_number(options.membership.first_task)})
            .add("cpu", std::int64_t{cpu})
            .add("policy", dispatcher.policy())
            .add("preempts", preempts.load())
            .add("max_section", std::int64_t{options.max_section}));
  }
  dispatcher.set_single_worker(alone);
  // Changes made from now on see that there are workers, and add to them.
  planner.start(alone, [&](const WorkerCount & workers) {
    if (alone) {
      pool.start_single_worker();
    } else {
      pool.start_workers(workers);
    }
  });
  pool.start_handler();
  record.set_threads(pool.threads());
  if (alone && !record.read().realtime) {
    // Without real-time rights, policies and scenarios that are set later cannot preempt either.
    planner.forbid_preemption();
  }
  // Later spins leave that to the watchdog's first check; until then priorities are as in the last
  // spin.
  if (!std::exchange(planned_middleware, true)) plan_middleware_threads();
  os::lend_up_to(options.plan.workers_high);
  watchdog.start(options.plan.background);
  if (options.membership.ready) options.membership.ready();
}

void Processor::State::set_levels(model::Level count, std::size_t merged) noexcept {
  pool.set_levels(count);
  levels.store(count);
  if (policy_in_use) merged_levels.store(merged);
}

void Processor::State::log_merged_levels() {
  const std::size_t merged = merged_levels.load();
  if (std::exchange(logged_merged_levels, merged) == merged || merged == 0) return;
  const std::size_t own = levels.load();
  log.write(std::to_string(merged) + " of " + std::to_string(own + merged) +
            " preemption levels share one with a neighbour: the priority plan has " +
            std::to_string(own) + " priorities for workers");
}

void Processor::State::plan_middleware_threads() {
  if (!options.membership.plans_middleware) return;
  MiddlewareThreads threads = plan_middleware(options.plan, options.thread_roles, preempts);
  record.set_middleware(std::move(threads.planned), std::move(threads.unknown));
}

void Processor::State::look_at_threads() {
  log_merged_levels();
  plan_middleware_threads();
  started.look();
}

void Processor::State::keep_cpu() {
  const bool kept = pool.keep_cpus();
  record.set_cpu_kept(kept, pool.threads());
}

// ---- the public face ------------------------------------------------------------------------

Processor::Processor(Options options)
    : state_(std::make_unique<State>(*this, std::move(options))) {}

Processor::~Processor() {
  stop();
  const os::Lock ended(state_->one_spin);
}

Departures Processor::change(const std::function<void(Changes &)> & edit) {
  return state_->planner.change(edit);
}
GroupId Processor::add_group(model::Group group) {
  GroupId id = GroupId::none;
  change([&](Changes & changes) { id = changes.add_group(group); });
  return id;
}
void Processor::remove_group(GroupId group) {
  change([group](Changes & changes) { changes.remove_group(group); });
}
TaskId Processor::add_task(model::Task task, JobFunction function, GroupId group) {
  TaskId id = TaskId::none;
  change([&](Changes & changes) { id = changes.add_task(std::move(task), function, group); });
  return id;
}
void Processor::remove_task(TaskId task, std::shared_ptr<void> keep) {
  change([&](Changes & changes) { changes.remove_task(task, std::move(keep)); }).wait();
}
void Processor::set_data_flow(const std::map<TaskId, model::DataFlow> & data) {
  change([&data](Changes & changes) { changes.set_data_flow(data); });
}

void Processor::set_policy(std::string name, MakePolicy make) {
  state_->set_policy(std::move(name), std::move(make));
}
void Processor::set_scenarios(const std::vector<Scenario> & scenarios, model::ScenarioId first) {
  change([&](Changes & changes) { changes.set_scenarios(scenarios, first); });
}

bool Processor::has_timings(const std::vector<Scenario> & scenarios) const {
  return state_->planner.has_timings(scenarios);
}
void Processor::request_scenario(model::ScenarioId scenario) noexcept {
  state_->dispatcher.request_scenario(scenario, model::never);
}
void Processor::request_scenario(model::ScenarioId scenario, model::Time when) noexcept {
  state_->dispatcher.request_scenario(scenario, when);
}
void Processor::set_start(model::Time t0) {
  state_->planner.change_setup([t0](model::Setup & next) { next.start_grid(t0); });
}
void Processor::spin() {
  state_->spin();
}
void Processor::stop() noexcept {
  state_->dispatcher.stop();
}
void Processor::set_quiescent(bool quiescent) noexcept {
  state_->dispatcher.set_quiescent(quiescent);
}
bool Processor::idle() const noexcept {
  return state_->dispatcher.idle();
}
bool Processor::spinning() const noexcept {
  return state_->spinning;
}

model::Release Processor::release(TaskId task) noexcept {
  return state_->dispatcher.release(task);
}
void Processor::restart(TaskId task, model::Time first, model::Time reset) noexcept {
  state_->dispatcher.restart(task, first, reset);
}
void Processor::set_handlers(Handlers handlers) {
  state_->set_handlers(std::move(handlers));
}
void Processor::set_state(model::ApplicationState state) {
  state_->dispatcher.set_state(std::move(state));
}

namespace {
[[gnu::tls_model("initial-exec")]] constinit thread_local int nonblocking_removals = 0;
}
Processor::NonblockingRemoval::NonblockingRemoval() noexcept {
  ++nonblocking_removals;
}
Processor::NonblockingRemoval::~NonblockingRemoval() {
  --nonblocking_removals;
}
bool Processor::NonblockingRemoval::active() noexcept {
  return nonblocking_removals > 0;
}

Processor::Section::Section(Entity * entity) noexcept
    : worker_(Worker::current()), entity_(entity) {
  if (worker_ != nullptr) {
    static_cast<Worker *>(worker_)->enter_section(entity);
  } else if (entity != nullptr) {
    entity->use();
  }
}
Processor::Section::~Section() {
  // First, since leaving the section may start jobs that want the entity.
  if (entity_ != nullptr) entity_->leave();
  if (worker_ != nullptr) static_cast<Worker *>(worker_)->leave_section();
}

const JobInfo * Processor::current_job() noexcept {
  const Worker * worker = Worker::current();
  return worker != nullptr ? worker->running_job() : nullptr;
}
Processor * Processor::current() noexcept {
  const Worker * worker = Worker::current();
  return worker != nullptr ? &worker->processor() : nullptr;
}

trace::Ring * Processor::trace() noexcept {
  const Worker * worker = Worker::current();
  return worker != nullptr && worker->running_job() != nullptr ? worker->trace() : nullptr;
}

Grants Processor::grants() const {
  if (state_->spinning) state_->record.set_threads(state_->pool.threads());
  Grants grants = state_->record.read();
  state_->dispatcher.add_to(grants);
  return grants;
}

Statistics Processor::statistics() const {
  Statistics statistics;
  state_->dispatcher.add_to(statistics);
  statistics.longest_section_ns = state_->pool.longest_section();
  statistics.overlong_sections = state_->waits.overlong_sections();
  statistics.entity_waits = state_->waits.entity_waits();
  statistics.longest_wait_ns = state_->waits.longest_wait();
  statistics.blocked_callbacks = state_->watchdog.blocked();
  statistics.unreturned_callbacks = state_->watchdog.unreturned();
  statistics.exceptions = state_->faults.count();
  return statistics;
}

model::TaskCounters Processor::counters(TaskId task) const {
  return state_->dispatcher.counters(task);
}
TaskStatus Processor::status(TaskId task) const {
  return state_->dispatcher.status(task);
}
double Processor::utilisation(TaskId task) const {
  return state_->dispatcher.utilisation(task);
}
void Processor::set_observer(void (*observer)(void *, const FinishedJob &), void * context) {
  state_->dispatcher.set_observer(observer, context);
}
void Processor::plan_middleware_threads() {
  state_->plan_middleware_threads();
}

}  // namespace takt::executor
