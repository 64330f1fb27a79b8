# The front door: every target installs the Debian packages it needs, builds what it needs and runs.
# `make help` lists the targets; CMakePresets.json holds the build variants behind them.
JOBS ?= $(shell nproc)
PRESET ?= release
LIMIT ?= 60
BASE ?=
# The test programs that `make sanitize` builds: those below the engines, which build and run in a few minutes.  The
# campaigns among their tests that take a minute each with sanitizers are left to `make dev`.
SANITIZED := base model smt frontend_bp frontend_pbmc frontend_tts frontend_spec frontend_pnml frontend_red \
  frontend_scpl frontend_lola dd lp
CAMPAIGNS := RandomPasses PlantedBugs
space := $(subst ,, )

.DEFAULT_GOAL := build
PREFIX ?= /usr/local

.PHONY: help build program demo test dev fuzz bench format lint lint-changed sanitize sanitize-threads coverage clean packages install deb

help:  ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

packages:
	@scripts/install_packages.sh build

build: packages  ## Build the program (build/cohort) and its tests.
	@cmake --preset release
	@cmake --build build -j $(JOBS)

program: packages  ## Build the program alone (build/cohort).
	@cmake --preset release
	@cmake --build build -j $(JOBS) --target cohort

install: program  ## Install the program, its manual page and completions under PREFIX (DESTDIR is put before it).
	@cmake --install build --prefix $(PREFIX)

deb: program  ## Make a Debian package (build/cohort_VERSION_ARCHITECTURE.deb).
	@scripts/install_packages.sh package
	@scripts/make_deb.sh build

demo: program  ## Prove one example program and find the bug in another.
	@scripts/demo.sh build/cohort

test: build  ## Build and run all tests.
	@scripts/install_packages.sh test
	@ctest --test-dir build --output-on-failure -j $(JOBS)

dev: packages  ## Build with sanitizers (build-dev) and run all tests there.
	@scripts/install_packages.sh test
	@cmake --preset dev
	@cmake --build build-dev -j $(JOBS)
	@ctest --test-dir build-dev --output-on-failure -j $(JOBS)

fuzz: build  ## Compare the engines on many random programs (FUZZ_ARGS are handed on), threads with and without names, Cohort with gcc's sanitizers, and all ways to ask about C programs (FUZZ_C of each).
	@build/cohort_fuzz $(FUZZ_ARGS)
	@tests/frontend/c/native/random_identity.py build/cohort --programs $(or $(FUZZ_C),4000)
	@tests/frontend/c/native/random_library.py build/cohort --programs $(or $(FUZZ_C),20000) --runs 5
	@tests/frontend/c/native/random_phases.py build/cohort --programs $(or $(FUZZ_C),20000)
	@tests/frontend/c/verdicts/matrix.py build/cohort --sample $(or $(FUZZ_C),2000) --public tests/frontend/c/verdicts/*.c examples/c/*.c
	@tests/frontend/c/verdicts/ends.py build/cohort --benchmarks 400 examples/c/*.c

bench:  ## Run the benchmarks (LIMIT=seconds for each run; results in build-bench/results).
	@scripts/install_packages.sh build bench
	@cmake --preset bench
	@cmake --build build-bench -j $(JOBS)
	@bench/run_all.sh build-bench $(LIMIT)

format:  ## Format all sources with clang-format.
	@scripts/install_packages.sh lint
	@find src tests bench -name '*.hpp' -o -name '*.cpp' | xargs clang-format -i

lint: packages  ## Check format and clang-tidy (BASE=commit: only sources changed since then).
	@scripts/install_packages.sh lint
	@cmake --preset release
	@scripts/lint.sh format
	@scripts/lint.sh tidy build $(JOBS) $(BASE)

lint-changed: packages  ## Check with clang-tidy the sources that changed last.
	@scripts/install_packages.sh lint
	@cmake --preset release
	@scripts/lint.sh changed build $(JOBS)

sanitize: packages  ## Build a fast subset of the tests with sanitizers (build-dev) and run it.
	@cmake --preset dev
	@cmake --build build-dev -j $(JOBS) --target $(addprefix test_,$(SANITIZED))
	@ctest --test-dir build-dev --stop-on-failure --output-on-failure -j $(JOBS) -R '^($(subst $(space),|,$(strip $(SANITIZED))))\.' \
	  -E '\.($(subst $(space),|,$(CAMPAIGNS)))\.'

sanitize-threads: packages  ## Build the tests of what runs in several threads with the thread sanitizer (build-threads) and run them.
	@cmake --preset threads
	@cmake --build build-threads -j $(JOBS) --target test_engine_sides test_engine_explicit
	@ctest --test-dir build-threads --output-on-failure -j $(JOBS) -R '^engine_sides\.|^engine_explicit\.(Shared|Partitioned|Exchange)'

coverage: packages  ## Run the tests with coverage counters and print the share of lines reached.
	@scripts/install_packages.sh test coverage
	@cmake --preset coverage
	@cmake --build build-coverage -j $(JOBS)
	@ctest --test-dir build-coverage --output-on-failure -j $(JOBS)
	@gcovr --root . --filter src/ --print-summary build-coverage

clean:  ## Remove every build folder.
	@rm -rf build build-dev build-threads build-bench build-coverage
