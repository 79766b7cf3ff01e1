// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "job_notes.hpp"

#include <takt_core/os/clock.hpp>
#include <takt_core/os/threads.hpp>

namespace takt::lab {

model::Time JobNotes::begin(const JobInfo & job) noexcept {
  note_cpu();
  const model::Time began = os::thread_cpu();
  const model::Duration dispatch_cpu = meter_.begin(began);
  if (job.index < model::first_extra_job) {
    record_.begin(job.index, job.start);
  } else {
    record_.begin_extra(job.index, job.release, job.start);
  }
  record_.dispatched(job.decision, dispatch_cpu);
  return began;
}

void JobNotes::published(std::size_t place, std::int64_t sequence, model::Time stamp) noexcept {
  record_.publish(place, sequence, stamp, os::now());
}

void JobNotes::finish(model::Time began) noexcept {
  const model::Time cpu = os::thread_cpu();
  record_.finish(os::now(), cpu - began);
  note_cpu();
  meter_.end(cpu);
}

void JobNotes::note_cpu() noexcept {
  const int cpu = os::current_cpu();
  if (places_.cpu < 0) places_.cpu = cpu;
  places_.elsewhere += cpu != places_.cpu ? 1 : 0;
}

}  // namespace takt::lab
