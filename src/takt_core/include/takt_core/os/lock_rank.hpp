// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace takt::os {

/// The order in which threads acquire locks: a thread that holds a lock may wait only for locks
/// further down in this list. It holds at most one lock of each rank, except where nests() is true.
/// try_lock() is exempt, as it does not wait.
enum class LockRank : std::uint8_t {
  unranked,  ///< not checked; for tests

  // ---- held while arbitrary code may be called
  program,          ///< of programs, around their use of executors
  handlers,         ///< the user's handlers on several processors, which run one at a time
  default_context,  ///< the default context
  pre_shutdown,     ///< executors of rclcpp nodes whose context is about to be shut down
  strategies,       ///< of an executor of rclcpp nodes: setting a strategy
  refresh,          ///< of an executor of rclcpp nodes: adapting tasks to entities
  spin_state,       ///< of an executor of rclcpp nodes: whether it spins
  processors_spin,  ///< held while several processors spin
  processor_spin,   ///< held while a processor spins
  user_functions,   ///< held while parameter callbacks and clock jump callbacks are called
  ending,           ///< pre-shutdown callbacks of a context, and who runs its jobs

  // ---- of executors and nodes
  node_services,        ///< adding a service to a node
  stock_executor,       ///< the nodes of the baseline executor
  handler_settings,     ///< replacing handlers
  processors_policy,    ///< replacing the policy of several processors
  processor_policy,     ///< replacing the policy of a processor
  meeting,              ///< several processors wait for each other to begin
  log_writing,          ///< calling the log function of a processor
  shared_log_writing,   ///< calling the log function of several processors
  shared_log,           ///< the lines passed to that log function
  live_view,            ///< whether the live view has ended
  planner,              ///< changing a processor's tasks, groups or scenarios
  thread_creation,      ///< creating threads
  recorder_rings,       ///< adding a ring to a trace, closing a trace
  task_registry_turns,  ///< which thread carries out requests for changes of tasks
  task_registry,        ///< the nodes of an executor, and which task is whose callback's
  tasks_node,           ///< the callbacks of a node
  waiter,               ///< of an executor of rclcpp nodes: the waiting thread
  entities,             ///< of an executor of rclcpp nodes: its knowledge of entities
  listening,            ///< an entity of rclcpp starts or stops listening
  item_poll,            ///< a wait set that is polled
  graph,                ///< querying the graph for the topics that nodes publish

  // ---- of the front end's entities
  clock_followers,     ///< which nodes follow which /clock
  clock_follower,      ///< the clocks that a follower of /clock sets
  clock_rcl,           ///< rcl's clock, for its timers
  rcl_node,            ///< rcl's lists in a node
  exchange,            ///< the topics inside the process
  subscription_order,  ///< messages taken and not delivered yet
  client,              ///< requests that wait for a response
  entity,              ///< using an entity of the middleware
  signals,             ///< contexts that a signal shuts down
  context,             ///< whether a context is initialised or shut down
  logging_users,       ///< contexts that log
  logging_writing,     ///< writing a log message
  inside_writer,       ///< the readers of a publisher
  inside_reader,       ///< the queue of a subscription
  message_pool,        ///< the free messages of a pool
  hook,                ///< the function that the middleware calls
  entity_data,         ///< the data passed to an entity of rclcpp
  source_clock,        ///< changes of the system clock
  notify,              ///< the function that is notified of a callback's releases

  // ---- of a processor
  dispatcher,   ///< the scheduler: "the processor's lock"
  worker_pool,  ///< the worker threads

  // ---- leaves: held only to access the data that they guard, and to allocate
  departures,
  grants_record,
  faults,
  notice_handler,
  middleware_waits,
  log_kept,
  recorder,
  scenario_table,
  parameter_data,
  clock_list,
  subscription_readers,
  subscription_event,
  logging_levels,
  live_view_names,
  departing_entities,
  pre_shutdown_ends,
  libraries,
  given_options,
  node_list,
  changes,
  channels,
  notifier,
  hook_pool,
  program_data,  ///< data of programs
  allocator,     ///< in allocation functions
};

/// Whether a thread may hold several locks of this rank, whose order the user's code determines.
constexpr bool nests(LockRank rank) noexcept {
  return rank == LockRank::user_functions;
}

/// The rank's name as above, for error texts. Does not allocate.
const char * name(LockRank rank) noexcept;

}  // namespace takt::os
