// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

/// The programs that the tests with rclpy start by these names; all are one executable (main.cpp).
namespace programs {

using Program = void(int argc, char ** argv);
Program clock;
Program echo_topics;
Program events;
Program fault_reader;
Program fault_writer;
Program latched;
Program live;
Program parameters;
Program scenarios;
Program services;
Program traced;

}  // namespace programs
