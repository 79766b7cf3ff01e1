// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/executor/ids.hpp"
#include "takt_core/executor/notices.hpp"
#include "takt_core/executor/processor.hpp"
#include "takt_core/model/application_state.hpp"
#include "takt_core/model/job.hpp"
#include "takt_core/model/scheduler.hpp"
#include "takt_core/model/task.hpp"
#include "takt_core/tasks/current_job.hpp"

namespace takt {

// Types of the scheduling model that appear in the interface of the front end.
using model::ApplicationState;
/// A job as scheduling policies see it. Its `task` is an index in the scheduler that calls the policy,
/// not a TaskId.
using model::Job;
using model::OnBudget;
using model::OnStale;
using model::Task;
using model::TaskCounters;
using model::TaskKind;
using model::Urgency;

// The notices that are passed to the handlers of exhausted budgets, deadline misses and overruns.
using executor::Exhaustion;
using executor::Miss;
using executor::Overrun;

/// The number of a task in its executor. to_number() converts it to the integer that traces show.
using executor::TaskId;
using executor::to_number;

/// A job as its callback sees it: the task, the index k, the release (the nominal instant on the grid),
/// the start (read before the inputs are delivered), the deadline, data_age() of the inputs with a
/// `max_age`, and whether they are stale. Instants are of CLOCK_MONOTONIC, in ns. Extra jobs, released
/// to refresh the data that another task reads, are numbered from model::first_extra_job.
using executor::JobInfo;

}  // namespace takt
