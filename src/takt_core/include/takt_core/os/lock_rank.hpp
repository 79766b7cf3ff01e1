// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace takt::os {

/// The order in which a thread takes locks: who holds one takes only those that stand below it. Of
/// one rank it holds one at a time, but for nests(). What is only tried, and not waited for, may be
/// of any rank.
enum class LockRank : std::uint8_t {
  unranked,  ///< not checked: of tests

  // ---- held while anything may be called
  program,          ///< of programs, around what they do with executors
  handlers,         ///< the user's handlers of several processors, one at a time
  default_context,  ///< which context is the default
  pre_shutdown,     ///< executors of rclcpp nodes whose context is about to be shut down
  strategies,       ///< of an executor of rclcpp nodes: one is given
  refresh,          ///< of one: tasks are brought in line with entities
  spin_state,       ///< of one: whether it spins
  processors_spin,  ///< held while several processors spin
  processor_spin,   ///< held while one does
  user_functions,   ///< held while parameters' callbacks and those told of clocks are called
  ending,           ///< what is called before a context is shut down, and who runs its jobs

  // ---- of executors and nodes
  node_services,       ///< a node gets a service
  stock_executor,      ///< its nodes
  handler_settings,    ///< handlers are exchanged
  processors_policy,   ///< the policy of several processors is
  processor_policy,    ///< that of one is
  meeting,             ///< several processors are ready to begin
  log_writing,         ///< the log function of a processor is called
  shared_log_writing,  ///< that of several
  shared_log,          ///< what it was told
  live_view,           ///< whether it ends
  planner,             ///< a change of a processor
  hiring,              ///< threads are made
  recorder_rings,      ///< a trace gets a ring, or is closed
  task_registry,       ///< its bindings, nodes and requests
  tasks_node,          ///< a node's callbacks
  waiter,              ///< of an executor of rclcpp nodes: the thread that waits
  entities,            ///< of one: what it knows
  listening,           ///< an entity of rclcpp begins or ceases to listen
  glance,              ///< a wait set that looks
  graph,               ///< it is asked what nodes publish

  // ---- of the front end's entities
  clock_followers,     ///< who follows which /clock
  clock_follower,      ///< whose clocks one sets
  clock_rcl,           ///< rcl's clock, for its timers
  rcl_node,            ///< rcl's lists in a node
  exchange,            ///< the topics inside the process
  subscription_order,  ///< what was taken and is not delivered yet
  client,              ///< requests that wait for a response
  entity,              ///< one of the middleware is used
  signals,             ///< contexts that a signal ends
  context,             ///< whether it is initialised and shut down
  logging_users,       ///< contexts that log
  logging_writing,     ///< a message is written
  inside_writer,       ///< a publisher's readers
  inside_reader,       ///< a subscription's queue
  message_pool,        ///< its free messages
  hook,                ///< whom the middleware calls
  entity_data,         ///< what an entity of rclcpp was told
  source_clock,        ///< how the system's clock was set
  notify,              ///< who is told of a callback's releases

  // ---- of a processor
  dispatcher,   ///< the scheduler
  worker_pool,  ///< its threads

  // ---- held for nothing else
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
  program_data,  ///< of programs
  allocator,     ///< taken by whoever allocates
};

/// Whether a thread may hold several of this rank: there the user's code says in which order.
constexpr bool nests(LockRank rank) noexcept {
  return rank == LockRank::user_functions;
}

/// For people: as above.
const char * name(LockRank rank) noexcept;

}  // namespace takt::os
