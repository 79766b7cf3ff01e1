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

// The words of the scheduling model that a user of the front end meets.
using model::ApplicationState;
/// As policies see it: `task` is an index of the policy's own scheduler, no TaskId.
using model::Job;
using model::OnBudget;
using model::OnStale;
using model::Task;
using model::TaskCounters;
using model::TaskKind;
using model::Urgency;

// What handlers are told.
using executor::Exhaustion;
using executor::Miss;
using executor::Overrun;

/// What an executor calls a task; to_number() gives the number that traces show.
using executor::TaskId;
using executor::to_number;

/// One release of a task as its callback sees it: task, index k, release (the ideal instant on the
/// grid), start (read before the inputs are delivered), deadline, data_age() of what it reads with
/// a `max_age`, and whether that is stale. CLOCK_MONOTONIC, ns. A job that was released to refresh
/// what another reads has a number k of its own, from model::first_extra_job.
using executor::JobInfo;

}  // namespace takt
