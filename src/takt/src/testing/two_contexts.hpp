// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "testing/background.hpp"

namespace takt::testing {

/// A node that an executor spins, and a node of another context, as if in another process.
template <typename Executor>
class TwoContexts : public ::testing::Test {
 protected:
  std::shared_ptr<Context> context_ = make_context();
  std::shared_ptr<Context> other_ = make_context();
  std::shared_ptr<Node> node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
  std::shared_ptr<Node> outside_ =
      std::make_shared<Node>("outside", NodeOptions{.context = other_});
  Background<Executor> background_{context_};

  void SetUp() override {
    background_.add(node_);
    background_.start();
  }
};

}  // namespace takt::testing
