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

/// The threads of one processor that take part in running jobs. They are made when it spins first,
/// wait from one spin to the next, and go with the processor. What was not granted is asked for anew
/// at the next spin, which makes other threads, and so does a child of fork(), which has none.
class WorkerPool {
 public:
  WorkerPool(const Options & options, int cpu, Processor & processor, Dispatcher & dispatcher,
             Faults & faults, Timer & timer, NoticeHandler & handler, MiddlewareWaits & waits);
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool & operator=(const WorkerPool &) = delete;

  /// Another spin begins: threads of the last that cannot serve it are ended. `alone`: it will have
  /// one worker.
  void begin(bool alone);

  // Threads are started or not at all, if there are none yet: then these throw std::system_error.

  /// True if its priority was granted.
  bool start_timer();
  /// As many workers with threads as may be needed; from now on ensure() adds to them.
  void start_workers(const WorkerCount & workers);
  /// One worker that keeps the time.
  void start_alone();
  void ensure(const WorkerCount & workers);
  /// Once there are workers, and while they are not parked, if handlers are set.
  void start_handler();
  /// The spin has ended, nothing is started: handlers have been told all there is on return.
  void park() noexcept;
  /// Ends all threads; nothing must be started.
  void dismiss() noexcept;
  /// Threads that are on their CPU no more, because it was taken from them, are put back where that
  /// is possible. False if one is not. Some system calls for each thread.
  bool keep_cpus();

  /// Priorities for this number of levels. Under the dispatcher's lock.
  void set_levels(model::Level levels);

  /// The worker's thread runs at the priority of this level from now on, 0 for the background.
  /// Under the dispatcher's lock, which is enough to read how many levels there are. A few system
  /// calls.
  void run_at(const Worker & worker, model::Level level) TAKT_NO_THREAD_SAFETY_ANALYSIS;

  WorkerCount workers() const noexcept;
  /// Every thread as asked and granted.
  std::vector<PlannedThread> threads() const;
  /// Every worker with a thread, which has it until dismiss(). Allocates only to hold more than ever.
  void on_duty(std::vector<Worker *> & workers) const;
  /// Of all workers, those without a thread too.
  std::int64_t longest_section() const noexcept;

 private:
  /// One worker with a thread more, if there are less than so many; false or nullptr if not.
  bool start_worker(std::size_t count) TAKT_REQUIRES(hiring_);
  Worker * start_spare(std::size_t count) TAKT_REQUIRES(hiring_);
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
  std::vector<std::unique_ptr<Worker>> workers_;  // all there may ever be, by their first level - 1

  os::PiMutex hiring_{os::LockRank::hiring};  // held while threads are made, which takes long
  mutable os::PiMutex mutex_{os::LockRank::worker_pool};
  model::Level levels_ TAKT_GUARDED_BY(mutex_) = 1;  // written under the dispatcher's lock, too
  bool preempts_ TAKT_GUARDED_BY(mutex_) = false;    // there is one thread for each level
  bool on_duty_ TAKT_GUARDED_BY(mutex_) = false;     // there are workers
  bool parked_ TAKT_GUARDED_BY(mutex_) = false;      // they wait for the next spin
  std::vector<os::Thread> worker_threads_ TAKT_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Worker>> spares_ TAKT_GUARDED_BY(mutex_);
  std::vector<os::Thread> spare_threads_ TAKT_GUARDED_BY(mutex_);
  os::Thread timer_thread_ TAKT_GUARDED_BY(mutex_);
  os::Thread handler_thread_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::executor
