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

/// The parameters of a node and their callbacks, with the steps of a change.
struct Parameters::State {
  struct Entry {
    ParameterValue value;
    ParameterDescriptor descriptor;
  };
  template <typename Callback>
  using Callbacks = std::vector<std::weak_ptr<Callback>>;

  /// Locks `changing` while parameters change and parameter callbacks run. Throws
  /// ParameterModifiedInCallback if the calling thread holds the lock already.
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
                end();  // inside a parameter callback, which this thread called with the lock held
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
  /// Returns the entry of a parameter. Throws ParameterNotDeclared.
  const Entry & get(const std::string & name) const;
  /// Returns the entry; if there is none, nullptr if undeclared parameters are allowed, else throws
  /// ParameterNotDeclared.
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
  /// Calls the callbacks that may reject the change.
  SetParametersResult ask(const std::vector<Parameter> & parameters) const TAKT_REQUIRES(changing);
  /// Stores the values, and calls the post-set callbacks and the event listener.
  void commit(const std::vector<Parameter> & parameters) TAKT_REQUIRES(changing);
  void tell(const std::vector<Parameter> & parameters, Event & event) const TAKT_REQUIRES(changing);

  mutable os::PiMutex changing{os::LockRank::user_functions};
  std::atomic<std::thread::id> changer{};

  // Held to read `entries`, and to store a change. A change itself reads `entries` without this lock,
  // because it holds `changing` and so is the only writer. The thread safety analysis cannot express
  // such a pair of locks.
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
