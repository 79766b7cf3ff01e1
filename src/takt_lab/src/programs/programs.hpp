// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

/// The programs of this folder, each in a namespace of its own. `start` takes the place of main(): it parses
/// the arguments, runs the program and returns the exit status.
namespace takt::lab {

namespace crossing {
int start(int argc, char ** argv);
}
namespace cyclic {
int start(int argc, char ** argv);
}
namespace dispatch {
int start(int argc, char ** argv);
}
namespace exchange {
int start(int argc, char ** argv);
}
namespace interference {
int start(int argc, char ** argv);
}
namespace nodes {
int start(int argc, char ** argv);
}
namespace one_way {
int start(int argc, char ** argv);
}
namespace preemption {
int start(int argc, char ** argv);
}
namespace probe {
int start(int argc, char ** argv);
}
namespace replay {
int start(int argc, char ** argv);
}
namespace round_trip {
int start(int argc, char ** argv);
}
namespace runner {
int start(int argc, char ** argv);
}
namespace section {
int start(int argc, char ** argv);
}
namespace simulate {
int start(int argc, char ** argv);
}
namespace soak {
int start(int argc, char ** argv);
}
namespace switches {
int start(int argc, char ** argv);
}
namespace timers {
int start(int argc, char ** argv);
}
namespace tracing {
int start(int argc, char ** argv);
}
namespace transport {
int start(int argc, char ** argv);
}

}  // namespace takt::lab
