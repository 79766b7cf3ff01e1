// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "takt/parameters.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt {

/// What a node's parameters are, and how they change.
struct Parameters::State {
  struct Entry {
    ParameterValue value;
    ParameterDescriptor descriptor;
  };
  template <typename Callback>
  using Callbacks = std::vector<std::weak_ptr<Callback>>;

  /// The lock of changes, callbacks included. Knows its holder, who must not change more.
  class TAKT_SCOPED_CAPABILITY Change {
   public:
    explicit Change(State & state) TAKT_ACQUIRE(state.changing) : state_(state) {
      if (state.changer == std::this_thread::get_id()) {
        throw ParameterModifiedInCallback(
            "parameters and their callbacks cannot be changed from inside a callback for "
            "parameters");
      }
      state.changing.lock();
      state.changer = std::this_thread::get_id();
    }
    ~Change() TAKT_RELEASE() {
      state_.changer = std::thread::id();
      state_.changing.unlock();
    }
    Change(const Change &) = delete;
    Change & operator=(const Change &) = delete;

   private:
    State & state_;
  };

  template <typename Callback>
  static Handle add(const std::shared_ptr<State> & state, Callbacks<Callback> State::*list,
                    Callback callback) {
    auto inner = std::make_shared<Callback>(std::move(callback));
    const Change change(*state);
    ((*state).*list).push_back(inner);
    Callback * const raw = inner.get();
    return {raw, [inner = std::move(inner), state, list](Callback *) mutable {
              const auto end = [&] {
                inner.reset();
                std::erase_if((*state).*list, [](const auto & weak) { return weak.expired(); });
              };
              if (state->changer == std::this_thread::get_id()) {
                end();  // inside a callback: the lock is ours
              } else {
                const Change again(*state);
                end();
              }
            }};
  }

  const Entry * find(const std::string & name) const {
    const auto found = entries.find(name);
    return found != entries.end() ? &found->second : nullptr;
  }
  /// Throws ParameterNotDeclared.
  const Entry & get(const std::string & name) const;
  /// The entry, or nullptr if undeclared parameters are allowed; throws ParameterNotDeclared.
  const Entry * look(const std::string & name) const {
    return allow_undeclared ? find(name) : &get(name);
  }

  ParameterValue declare(const std::string & name, ParameterValue value,
                         ParameterDescriptor descriptor, bool ignore_override, MustFit must_fit)
      TAKT_REQUIRES(changing);
  SetParametersResult set(std::vector<Parameter> parameters) TAKT_REQUIRES(changing);
  /// Checks every parameter against its descriptor.
  SetParametersResult check(const std::vector<Parameter> & parameters) const
      TAKT_REQUIRES(changing);
  /// Asks the callbacks.
  SetParametersResult ask(const std::vector<Parameter> & parameters) const TAKT_REQUIRES(changing);
  /// Puts the values in place, and tells of them.
  void commit(const std::vector<Parameter> & parameters) TAKT_REQUIRES(changing);
  void tell(const std::vector<Parameter> & parameters, Event & event) const TAKT_REQUIRES(changing);

  mutable os::PiMutex changing{os::LockRank::user_functions};
  std::atomic<std::thread::id> changer{};

  // Held to look, and to put a change in place. A change reads `entries` without it, as nobody else
  // writes them while it holds `changing`: of two locks the analysis knows nothing.
  mutable os::PiMutex data{os::LockRank::parameter_data};
  std::map<std::string, Entry> entries;

  std::map<std::string, ParameterValue> overrides;
  bool allow_undeclared = false;
  std::function<void(Event &)> event_listener TAKT_GUARDED_BY(changing);
  Callbacks<PreSetParametersCallback> pre_set TAKT_GUARDED_BY(changing);
  Callbacks<OnSetParametersCallback> on_set TAKT_GUARDED_BY(changing);
  Callbacks<PostSetParametersCallback> post_set TAKT_GUARDED_BY(changing);
};

}  // namespace takt
