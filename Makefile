# Everything a user or a developer runs. `make help` lists it.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

JOBS ?= $(shell nproc)
# Where there is no Go, or no Python packages, what needs them says so and exits with 77; only CI has
# to have them.
skippable = code=0; { $(1); } || code=$$?; [[ $$code -eq 77 && -z "$${CI:-}" ]] && exit 0; exit $$code
SOURCES = $(shell git ls-files '*.cc' '*.h')

.PHONY: help
help: ## List these commands
	@echo "Berth: GPU placement on Kubernetes, decided by a policy."
	@echo
	@grep -hE '^[a-z0-9.-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | \
	  while IFS=$$'\t' read -r name text; do printf '  make %-13s %s\n' "$$name" "$$text"; done

.PHONY: setup
setup: ## Install the Debian packages that the build needs (root, Debian 12)
	@.ci/install

TARGETS = berth berth-extender
.PHONY: build
build: setup ## Build what users run, into build/release/bin
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release -j $(JOBS) --target $(TARGETS)

.PHONY: plugin plugin-test plugin-1.36
plugin: setup ## Build berth-scheduler, kube-scheduler 1.37 with Berth inside, into build/release/bin
	@plugin/build build/release/bin
plugin-test: setup ## Build the plugin, and its unit tests under Go's race detector
	@$(call skippable,plugin/build build/release/bin && plugin/build --test)
plugin-1.36: setup ## The same two for Kubernetes 1.36, into build/kubernetes-1.36
	@plugin/build build/kubernetes-1.36 go-1.36
	@plugin/build --test go-1.36

.PHONY: python-test
python-test: setup ## Build the Python package, and test it against Gymnasium (without PyTorch)
	@$(call skippable,python/test)

.PHONY: demo
demo: TARGETS += berth-demo
demo: build ## See Berth place thousands of pods on 1,213 GPU nodes, without a cluster
	@build/release/bin/berth-demo

.PHONY: check
check: setup ## The developer's loop: formatting, build, unit tests
	@$(MAKE) --no-print-directory format-check
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev -j $(JOBS)
	@ctest --preset dev -j $(JOBS)

.PHONY: test
test: TARGETS = all
test: build ## All tests, the sanitizers, fuzzing, and the real control plane
	@$(MAKE) --no-print-directory format-check
	@ctest --preset release -j $(JOBS)
	@$(MAKE) --no-print-directory verify-policies
	@$(MAKE) --no-print-directory asan
	@$(MAKE) --no-print-directory fuzz
	@$(MAKE) --no-print-directory tsan
	@$(MAKE) --no-print-directory plugin-test
	@$(MAKE) --no-print-directory python-test
	@$(MAKE) --no-print-directory e2e

# Written by formula, and by training.
FORMULAS = fgd fgd-bestfit
TRAINED = linear berth
.PHONY: policies verify-policies study
policies: build ## Make the shipped policies anew, from TRACES=DIR with openb/ in it (about 50 minutes)
	@[[ -d "$(TRACES)/openb/orders" ]] || { echo "say where the public traces lie, with openb/ in it: make policies TRACES=DIR (docs/learning.md)"; exit 1; }
	@for name in $(FORMULAS); do build/release/bin/berth policy export $$name --out policies/$$name; done
	@for name in $(TRAINED); do \
	  rm -f policies/$$name/checkpoint; \
	  build/release/bin/berth train policies/$$name/recipe.json --data "$(TRACES)/openb" --out policies/$$name; \
	done
	@for name in $(TRAINED); do \
	  build/release/bin/berth policy measure policies/$$name --orders "$(TRACES)/openb/orders"; \
	done
verify-policies: build ## Whether the shipped policies still do what was measured (moments)
	@build/release/bin/berth policy verify $(TRAINED:%=policies/%)
study: build ## What the parts of the policy `berth` are worth, from TRACES=DIR (hours)
	@policies/methods.py --traces "$(TRACES)"
	@policies/study.py --traces "$(TRACES)"

.PHONY: golden
golden: TARGETS = test_golden
golden: build ## Write anew what the policies decide in tests/data/golden, where a change is meant
	@BERTH_WRITE_GOLDEN=1 build/release/bin/test_golden
	@git status --short tests/data/golden

.PHONY: e2e
e2e: TARGETS += berth-replay
e2e: build ## Place pods through a real kube-apiserver, etcd and kube-scheduler
	@$(call skippable,plugin/build build/release/bin && python3 tests/integration/e2e/run.py --bin build/release/bin)

.PHONY: sandbox
sandbox: build ## A playground: the real control plane with Berth, until Ctrl-C
	@exec python3 tests/integration/e2e/sandbox.py --bin build/release/bin

.PHONY: bench
bench: TARGETS += berth-bench
bench: build ## Measure speed and memory into build/bench/report.json (two minutes)
	@build/release/bin/berth-bench

.PHONY: bench-swap
bench-swap: TARGETS += berth-swap-bench
bench-swap: build ## Measure what 100 swaps of the policy cost, into build/bench/swap.json (five minutes or more)
	@build/release/bin/berth-swap-bench

.PHONY: asan tsan
asan: setup ## Unit tests under AddressSanitizer and UBSan (without libtorch)
	@cmake --preset asan --log-level=WARNING
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(JOBS)
# Without what goes through gRPC: Debian's is not instrumented, so what it orders looks like a race.
# Nor with a test that reads 64 MiB of JSON, which takes minutes here.
CONCURRENT = base cluster_concurrency decisions extender kube policy rollout service_concurrency
tsan: setup ## Concurrency tests under ThreadSanitizer (without libtorch)
	@cmake --preset tsan --log-level=WARNING
	@cmake --build --preset tsan -j $(JOBS) --target $(CONCURRENT:%=test_%)
	@GTEST_FILTER=-*.ListsLargeObjectsInSmallerPages ctest --preset tsan -j $(JOBS) -R '^($(subst $(eval ) ,|,$(CONCURRENT)))$$'

.PHONY: fuzz
fuzz: setup ## Feed the parsers damaged input for a minute (SECONDS_EACH=600: a hunt)
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz -j $(JOBS)
	@tests/fuzz/run build/fuzz $(SECONDS_EACH)

.PHONY: format format-check
format: ## Format every C++ file
	@clang-format -i $(SOURCES)
format-check: ## Fail when a C++ file is not formatted
	@clang-format --dry-run -Werror $(SOURCES)

.PHONY: tidy
tidy: ## clang-tidy on the files changed since main (without libtorch)
	@command -v clang-tidy >/dev/null || { echo "clang-tidy is missing: apt-get install clang-tidy"; exit 1; }
	@cmake --preset asan --log-level=WARNING
	@git diff --name-only --diff-filter=d main -- 'src/*.cc' ':!src/torch' ':!src/apps/berth' | \
	  xargs -r -P $(JOBS) -n 1 clang-tidy --quiet -p build/asan

.PHONY: clean
clean: ## Remove everything that was built
	@rm -rf build
