// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interference.hpp"

namespace takt::lab {

/// Returns the roles of the other processes that an interference needs: reader, writer, comer (which creates
/// and destroys nodes), clock. Allocates.
std::vector<std::string> peers_of(const Interference & interference);

/// Runs one of these processes, with takt nodes under the stock executor at ordinary priority, until its
/// standard input ends. Except for the reader, it is inactive until it gets the command to act. Blocks.
/// Throws Error.
void run_peer(const std::string & role, const Interference & interference);

}  // namespace takt::lab
