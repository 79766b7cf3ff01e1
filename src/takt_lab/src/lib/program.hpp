// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <takt_core/model/types.hpp>
#include <vector>

namespace takt::lab {

/// Writes a JSON file under a temporary name and renames it, so that it is always whole. Throws
/// Error.
void write_json(const std::string & path, const nlohmann::ordered_json & json);

/// Tells whoever started this program, in a line on standard output, when the grid begins.
void announce(model::Time t0);

/// Tells it, in the same way, that the files of this program are whole: what comes is its own end.
void announce_files();

/// The threads that there are now.
std::vector<int> thread_ids();

/// Confines the process to these CPUs: the threads there are, and those they will start. Returns the
/// ids of the threads that are not the calling one, which libraries have started. Throws Error.
std::vector<int> confine_process(const std::vector<int> & cpus);

/// Makes the folder if it is not there. Throws Error.
void make_folder(const std::string & path);

}  // namespace takt::lab
