// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dispatcher.hpp"
#include "faults.hpp"
#include "notice_handler.hpp"
#include "takt_core/executor/options.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/os/thread.hpp"
#include "timer.hpp"
#include "worker.hpp"

namespace takt::executor {

/// The threads of one processor that run jobs, release them and call handlers. They are created by
/// the first spin, wait between spins, and end with the processor. If a request was not granted,
/// the next spin ends them and creates new ones, as does a spin in a child of fork(), which has no
/// threads.
class WorkerPool {
 public:
  WorkerPool(const Options & options, int cpu, Processor & processor, Dispatcher & dispatcher,
             Faults & faults, Timer & timer, NoticeHandler & handler, MiddlewareWaits & waits);
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool & operator=(const WorkerPool &) = delete;

  /// Begins another spin: ends threads of the last one that cannot serve it. `alone`: it will have
  /// one worker.
  void begin(bool alone);

  // When there are no threads yet, the following either start all that they need or throw
  // std::system_error.

  /// Starts the timer thread; true if its priority was granted.
  bool start_timer();
  /// Starts as many workers as may be needed; ensure() adds to them from then on.
  void start_workers(const WorkerCount & workers);
  /// Starts one worker, which keeps the time.
  void start_single_worker();
  void ensure(const WorkerCount & workers);
  /// Starts the handler thread if there are handlers. Only when there are workers that are not
  /// parked.
  void start_handler();
  /// Parks the threads after a spin, when nothing is started; on return all notices have been
  /// handled.
  void park() noexcept;
  /// Ends all threads. Only when nothing is started.
  void dismiss() noexcept;
  /// Confines threads again to their CPU if it was taken from them. False if a thread is not
  /// confined. Some system calls per thread.
  bool keep_cpus();

  /// Sets the priorities for this number of levels. Under the dispatcher's lock.
  void set_levels(model::Level levels);

  /// Gives the worker's thread the priority of this level, 0 for the background. Under the
  /// dispatcher's lock, which is enough to read the number of levels. A few system calls.
  void run_at(const Worker & worker, model::Level level) TAKT_NO_THREAD_SAFETY_ANALYSIS;

  WorkerCount workers() const noexcept;
  /// All threads with requested and granted priorities.
  std::vector<PlannedThread> threads() const;
  /// Copies to `workers` all workers that have a thread, which they keep until dismiss().
  /// Allocates only to hold more than before.
  void copy_workers(std::vector<Worker *> & workers) const;
  /// The longest section of any worker, with or without a thread, in ns.
  std::int64_t longest_section() const noexcept;

 private:
  /// Starts one more worker if there are fewer than `count`; returns false or nullptr if not.
  bool start_worker(std::size_t count) TAKT_REQUIRES(creation_mutex_);
  Worker * start_spare(std::size_t count) TAKT_REQUIRES(creation_mutex_);
  Worker & make_worker(std::vector<std::unique_ptr<Worker>> & workers) TAKT_REQUIRES(mutex_);
  void assign_levels();
  void give_ring(Worker & worker) const;
  os::ThreadOptions thread(std::string name, int priority) const;
  template <typename Function>
  void for_each_thread(const Function & function) TAKT_REQUIRES(mutex_);

  const Options & options_;
  const int cpu_;
  Processor & processor_;
  Dispatcher & dispatcher_;
  Faults & faults_;
  Timer & timer_;
  NoticeHandler & handler_;
  MiddlewareWaits & waits_;
  std::vector<std::unique_ptr<Worker>> workers_;  // all that may ever be used, by their first level
                                                  // - 1

  // Held while threads are created, which takes long.
  os::PiMutex creation_mutex_{os::LockRank::thread_creation};
  mutable os::PiMutex mutex_{os::LockRank::worker_pool};
  model::Level levels_ TAKT_GUARDED_BY(mutex_) = 1;  // written under the dispatcher's lock, too
  bool preempts_ TAKT_GUARDED_BY(mutex_) = false;    // there is a thread per level
  bool workers_have_threads_ TAKT_GUARDED_BY(mutex_) = false;
  bool parked_ TAKT_GUARDED_BY(mutex_) = false;  // the threads wait for the next spin
  std::vector<os::Thread> worker_threads_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Worker>> spares_ TAKT_GUARDED_BY(mutex_);
  std::vector<os::Thread> spare_threads_ TAKT_GUARDED_BY(mutex_);
  os::Thread timer_thread_ TAKT_GUARDED_BY(mutex_);
  os::Thread handler_thread_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::executor
