// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/executor/processor.hpp"
#include "takt_core/model/application_state.hpp"
#include "takt_core/model/job.hpp"
#include "takt_core/model/scheduler.hpp"
#include "takt_core/model/task.hpp"
#include "takt_core/tasks/current_job.hpp"

namespace takt {

// The words of the scheduling model that a user of the front end meets.
using model::ApplicationState;
using model::Exhaustion;
using model::Job;
using model::Miss;
using model::OnBudget;
using model::OnStale;
using model::Overrun;
using model::Task;
using model::TaskCounters;
using model::TaskId;
using model::TaskKind;
using model::Urgency;

/// One release of a task as its callback sees it: task, index k, release (the ideal instant on the
/// grid), start (read before the inputs are delivered), deadline, data_age() of what it reads with
/// a `max_age`, and whether that is stale. CLOCK_MONOTONIC, ns. A job that was released to refresh
/// what another reads has a number k of its own, from model::first_extra_job.
using executor::JobInfo;

}  // namespace takt
