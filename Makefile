# Everything has its script in setup or tools; this only names them.
#   DISTRO=jazzy|kilted   which ROS 2            PKG="takt_core takt"   only these packages
#   FILTER=regex          only these C++ tests   CHANGED=1              clang-tidy on changed files only
#   HOURS=1               how long to soak
#   PRESETS=tsan          `make sanitize`: under this sanitizer only (asan, tsan)
#   BASE=main             `make check`: what differs from this commit, not the last one
#   RIGHTS=none           tests as on a host that grants no real-time priorities
#   RMW=rmw_cyclonedds_cpp   what is run, is run over this middleware
#   MARK=exchange         of the command's tests only those with this marker (src/takt_cli/pyproject.toml)
DISTRO ?= jazzy
export DISTRO FILTER CHANGED JOBS RIGHTS RMW MARK BASE PRESETS
PKG ?=
HOURS ?= 1

.PHONY: help setup environment build test check demo bench soak lint format sanitize colcon docs clean distclean

help:
	@echo "make setup     system packages, ROS 2 and Python packages, build, the command ./takt"
	@echo "make build     build the C++ packages            make test      all tests"
	@echo "make check     lint and tests that what differs from the last commit can have touched (BASE=main: from another)"
	@echo "make demo      the main job in two minutes       make lint      checks without running"
	@echo "make bench     what dispatch, preemption, exchange, scenario switches and sections cost"
	@echo "make soak      an hour under load, while tasks change (HOURS=8 for another length)"
	@echo "make format    lay code out                      make sanitize  tests under sanitizers"
	@echo "make colcon    the same packages with colcon     make docs      pages of the C++ headers"
	@echo "make clean     remove what was built"
	@echo "make test RIGHTS=none  all tests with no right to real-time priorities"
	@echo "make test RMW=rmw_cyclonedds_cpp  all tests over this middleware, where it is found; demo, bench and soak, too"
	@echo "DISTRO=kilted before any of them takes ROS 2 Kilted; PKG=takt_core takes one package, PKG=takt_cli the command"

setup:
	@setup/setup.sh

environment:
	@setup/system.sh
	@setup/venv.sh

build: environment
	@setup/build.sh $(PKG)

test: setup
	@setup/test_all.sh $(PKG)

check: setup
	@setup/check.sh

demo: setup
	@./takt demo

bench: setup
	@./takt measure all

soak: setup
	@./takt soak --hours $(HOURS)

lint: environment
	@setup/build.sh
	@tools/lint

format: environment
	@tools/format

sanitize: environment
	@setup/sanitize.sh $(PKG)

colcon: environment
	@setup/colcon.sh $(PKG)

docs:
	@setup/system.sh setup/apt-packages-docs.txt
	@mkdir -p build
	@doxygen docs/Doxyfile
	@echo "docs: build/docs/html/index.html"

clean:
	rm -rf build install log

distclean: clean
	rm -rf .venv
