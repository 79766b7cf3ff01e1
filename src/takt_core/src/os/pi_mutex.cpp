// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/pi_mutex.hpp"

#include <system_error>

#include "takt_core/os/event.hpp"

namespace takt::os {

PiMutex::PiMutex() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  const int error = pthread_mutex_init(&mutex_, &attributes);
  pthread_mutexattr_destroy(&attributes);
  if (error != 0) {
    throw std::system_error(error, std::generic_category(), "a mutex with priority inheritance");
  }
}

PiMutex::~PiMutex() {
  pthread_mutex_destroy(&mutex_);
}

void PiMutex::lock() noexcept {
  if (pthread_mutex_trylock(&mutex_) != 0) {
    count_wait();
    pthread_mutex_lock(&mutex_);
  }
}

void PiMutex::unlock() noexcept {
  pthread_mutex_unlock(&mutex_);
}

}  // namespace takt::os
