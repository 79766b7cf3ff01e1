// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <takt_core/model/types.hpp>
#include <vector>

namespace takt::lab {

/// Writes a JSON file under a temporary name and renames it, so that it is always complete. Throws Error.
void write_json(const std::string & path, const nlohmann::ordered_json & json);

/// Prints t0, the beginning of the grid, as a line on standard output, for the process that started this
/// program.
void announce(model::Time t0);

/// Prints, for the same process, that the files of this program are complete and only its end is left.
void announce_files();

/// Returns the ids of the current threads of the process.
std::vector<int> thread_ids();

/// Confines the process to these CPUs: its threads, and those that they will start. Returns the ids of the
/// threads other than the calling one, which libraries have started. Throws Error.
std::vector<int> confine_process(const std::vector<int> & cpus);

/// Creates the folder if it does not exist. Throws Error.
void make_folder(const std::string & path);

}  // namespace takt::lab
