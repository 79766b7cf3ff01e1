// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "interference.hpp"

namespace takt::lab {

/// The processes beside that an interference needs: reader, writer, comer (nodes come and go in it),
/// clock. Allocates.
std::vector<std::string> peers_of(const Interference & interference);

/// One of them, with nodes of takt's under the stock executor at ordinary priority, until its
/// standard input ends. But for the reader it does nothing until it is told to. Blocks. Throws Error.
void run_peer(const std::string & role, const Interference & interference);

}  // namespace takt::lab
