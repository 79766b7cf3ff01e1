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

/// Callbacks by the names that people use: `node/name`, with or without a slash at its front, or the
/// bare name if one alone has it. A kind may go before the name: `node/service:name`. Of those that
/// nothing but a number tells apart the first is `name#1`.
class TaskNames {
 public:
  void add(const std::shared_ptr<Callback> & callback);

  struct Found {
    std::shared_ptr<Callback> callback;
    std::string problem;   ///< why there is none
    bool missing = false;  ///< there is none of this name
  };
  Found find(const std::string & name) const;

  /// How a problem goes on with the names that there are.
  static constexpr const char * known_begin = "; there are ";

 private:
  Found find_exactly(std::string_view wanted, bool first) const;
  Found find_of_kind(std::string_view wanted) const;
  /// The others that bear this name with a number.
  std::vector<std::shared_ptr<Callback>> numbered_as(const std::string & id) const;
  std::string known(std::string_view wanted) const;

  using Callbacks = std::vector<std::shared_ptr<Callback>>;
  using ByName = std::map<std::string, Callbacks, std::less<>>;
  static const Callbacks & named(const ByName & all, std::string_view name);

  Callbacks callbacks_;
  // A strategy may name all of a thousand tasks.
  ByName by_id_, by_bare_name_, by_id_without_number_;
};

}  // namespace takt::tasks
