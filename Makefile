# Each target calls a script in setup or tools. `make help` lists the targets; these variables change what they do:
#   DISTRO=jazzy|kilted      the ROS 2 distribution
#   PKG="takt_core takt"     build and test only these packages
#   FILTER=regex             run only the C++ tests whose names match
#   CHANGED=1                run clang-tidy only on changed files
#   BASE=main                make check: compare with this commit instead of the last one
#   RIGHTS=none              run the tests without real-time priorities
#   RMW=rmw_cyclonedds_cpp   use this middleware
#   MARK=exchange            run only those tests of the command that have this marker (src/takt_cli/pyproject.toml)
#   PRESETS=tsan             make sanitize: use only this sanitizer (asan, tsan)
#   HOURS=8                  make soak: its length
DISTRO ?= jazzy
export DISTRO FILTER CHANGED JOBS RIGHTS RMW MARK BASE PRESETS
PKG ?=
HOURS ?= 1

.PHONY: help setup environment build test check demo bench soak lint format sanitize colcon docs clean distclean

help:
	@echo "make setup      install system packages, ROS 2 and Python packages here, build all, make the command ./takt"
	@echo "make demo       run the comparison that the README shows (two minutes)"
	@echo "make test       run all tests"
	@echo "make check      run lint and the tests that the changes since the last commit can affect"
	@echo "make build      build the C++ packages"
	@echo "make lint       run the static checks"
	@echo "make format     format the code"
	@echo "make sanitize   run the tests under AddressSanitizer and ThreadSanitizer"
	@echo "make colcon     build and test the packages with colcon"
	@echo "make bench      measure the costs of the executor: dispatch, preemption, exchange, scenario switches and more"
	@echo "make soak       run an application for an hour under load while its tasks change"
	@echo "make docs       make the pages of the C++ headers"
	@echo "make clean      remove what was built; make distclean: what was installed here, too"
	@echo "Variables: DISTRO=kilted (ROS 2 Kilted), PKG=takt_core (one package), RIGHTS=none (tests without real-time"
	@echo "priorities), RMW=rmw_cyclonedds_cpp (another middleware); the Makefile begins with the others."

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
