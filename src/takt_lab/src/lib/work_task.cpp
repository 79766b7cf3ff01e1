// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "work_task.hpp"

#include <takt_core/os/clock.hpp>

namespace takt::lab {

WorkTask::WorkTask(const Spec & spec, const Spec::Task & task, const Work & work,
                   model::Duration length)
    : spec_(spec),
      work_(work),
      task_(task),
      name_(task.id),
      borrowed_(task.callback->publishes.size()),
      notes_(TaskRecord(task.index, TaskGrid(task.callback->phase, task.callback->period, length),
                        task.callback->reads, task.callback->publishes,
                        spec.extra_jobs(*task.callback, length))) {}

void WorkTask::run(const JobInfo & job) {
  const model::Time begin = notes_.begin(job);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    notes_.read(i, inputs_[i]->sequence(), inputs_[i]->published());
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Output & output = *outputs_[i];
    borrowed_[i] = &output.borrow();
    borrowed_[i]->data.resize(spec_.topics[output.topic()].size);
    touch_pages(borrowed_[i]->data, static_cast<std::uint8_t>(output.next()));
  }
  work_.burn_until(begin + spec_.work(*task_.callback, job.index));
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Output & output = *outputs_[i];
    const std::int64_t sequence = output.take_sequence();
    const model::Time stamp = os::now();
    borrowed_[i]->sequence = static_cast<std::uint64_t>(sequence);
    borrowed_[i]->stamp_ns = stamp;
    output.publish();
    notes_.published(i, sequence, stamp);
  }
  notes_.finish(begin);
}

}  // namespace takt::lab
