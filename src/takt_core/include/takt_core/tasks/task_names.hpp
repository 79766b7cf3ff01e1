// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "takt_core/tasks/callback.hpp"

namespace takt::tasks {

/// Callbacks by the names that people use: `node/name`, with or without a slash at its front, or the
/// bare name if one alone has it.
class TaskNames {
 public:
  void add(const std::shared_ptr<Callback> & callback) { callbacks_.push_back(callback); }

  struct Found {
    std::shared_ptr<Callback> callback;
    std::string problem;   ///< why there is none
    bool missing = false;  ///< there is none of this name
  };
  Found find(const std::string & name) const;

 private:
  std::string known() const;

  std::vector<std::shared_ptr<Callback>> callbacks_;
};

}  // namespace takt::tasks
