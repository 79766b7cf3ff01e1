// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "takt_core/tasks/callback.hpp"

namespace takt::tasks {

/// Finds callbacks by the names that users write: `node/name`, with or without a leading slash, or
/// the bare name if only one callback has it. A kind may precede the name: `node/service:name`. Of
/// callbacks told apart only by a number, the first is `name#1`.
class TaskNames {
 public:
  /// Adds a callback. Allocates.
  void add(const std::shared_ptr<Callback> & callback);

  struct Found {
    std::shared_ptr<Callback> callback;
    std::string problem;   ///< why none was found
    bool missing = false;  ///< no callback has this name
  };
  /// Finds the callback that the name stands for. Allocates.
  Found find(const std::string & name) const;
  /// A list of the known names, to be appended to the problem of a name that is missing: those of
  /// its kind, if it has one, or otherwise those that nodes do not have by themselves; first those
  /// with the same beginning. Empty if there are none. Takes time proportional to n log n for n
  /// callbacks; allocates.
  std::string known(const std::string & name) const;

  /// The problem without its list of known names, which changes with the nodes.
  static std::string without_list(const std::string & problem) {
    return problem.substr(0, problem.find(known_begin));
  }

 private:
  static constexpr const char * known_begin = "; there are ";
  Found find_exactly(std::string_view wanted, bool first) const;
  Found find_of_kind(std::string_view wanted) const;
  /// The other callbacks that have this name with a number.
  std::vector<std::shared_ptr<Callback>> numbered_as(const std::string & id) const;

  using Callbacks = std::vector<std::shared_ptr<Callback>>;
  using ByName = std::map<std::string, Callbacks, std::less<>>;
  static const Callbacks & callbacks_named(const ByName & all, std::string_view name);

  Callbacks callbacks_;
  // Indices, since a strategy may name all of a thousand tasks.
  ByName by_id_, by_bare_name_, by_id_without_number_;
};

}  // namespace takt::tasks
