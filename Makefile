# SPDX-License-Identifier: GPL-2.0
# "make help" says what there is.
MAKEFLAGS += --no-print-directory
.NOTPARALLEL:
.DEFAULT_GOAL := all

top := $(CURDIR)
BUILD := $(top)/build
PREFIX ?= /usr/local
DESTDIR ?=
PARTS ?= modules tools lab
VARIANT := $(if $(filter-out 0,$(DEBUG)),debug,lab)
TOOLS := $(patsubst tools/%/Makefile,%,$(wildcard tools/*/Makefile))
export KSRC KHDR RXE_CC_CACHE JOBS RXE_FIXES_LEAVE_OUT

all: modules tools ## build the modules (lab kernel and host) and the tools

demo: packages-and-kernel modules-demo tools ## RoCE with and without DCQCN in virtual time: table, plots, report
	@scripts/demo.sh

test: packages-test ## build, KUnit, selftests (DEBUG=1: debug.set); last "N passed, N failed, N skipped"
	@scripts/test.sh $(if $(filter debug,$(VARIANT)),--debug)

packages: ## install missing Debian packages (root or sudo)
	@scripts/install-packages.sh

packages-and-kernel:
	@scripts/packages-and-kernel.sh $(VARIANT)

packages-install:
	@scripts/install-packages.sh kernel demo install

packages-deb:
	@scripts/install-packages.sh kernel demo install deb

packages-test:
	@scripts/install-packages.sh kernel demo install deb test

packages-apps: ## the same for "lab mpirun", ucx_perftest and "make lab-apps"
	@scripts/install-packages.sh apps

packages-check:
	@scripts/install-packages.sh kernel demo install deb test check

kernel: ## build the User-Mode-Linux lab kernel (cached)
	@scripts/kernel.sh uml $(VARIANT)

modules: $(if $(KHDR),,modules-uml) modules-host ## build the modules for the lab kernel and for the host; with KHDR for that kernel only

modules-uml: ## build the modules for the lab kernel only
	@scripts/modules.sh uml-$(VARIANT)

# Without the KUnit suites, unless they are there already.
modules-demo:
	@scripts/modules.sh uml-lab --no-tests

modules-lab:
	@scripts/modules.sh uml-$(VARIANT) --no-tests

modules-host: ## build the modules for the distribution's kernel only
	@scripts/modules.sh host

tools: $(TOOLS:%=tool-%) ## build lab, flowgen, rxecc and the tc plug-in into build/
	@ln -sfn ../../build/bin/lab tools/lab/lab

tool-%:
	@scripts/tool.sh $*

lab: packages-and-kernel modules-lab tools ## all that "build/bin/lab" needs

lab-apps: lab packages-apps ## and a kernel for fio and NVMe over RDMA ("lab run --apps")
	@scripts/modules.sh uml-apps --no-tests

lab-tests: packages-and-kernel modules-uml tools ## the same, and the KUnit suites

install: packages-install $(if $(filter lab,$(PARTS)),modules-lab) $(if $(filter modules lab,$(PARTS)),modules-host) man ## install modules, tools, manual pages, lab (root); PARTS="modules tools"; "dev" is for "lab build"
	@scripts/install.sh --parts "$(PARTS)" "$(DESTDIR)" "$(PREFIX)"

uninstall: ## remove what "install" put there (root)
	@scripts/install.sh --uninstall "$(DESTDIR)" "$(PREFIX)"

man: tools ## build the manual pages, from what the tools say of themselves
	@scripts/man.sh

deb: packages-deb modules-lab modules-host man ## Debian packages: modules by DKMS, tools, lab, into build/deb/
	@scripts/deb.sh

check: packages-check ## spdx, stray files, names of files, checkpatch --strict, sparse, kernel-doc, cppcheck, shellcheck, generated files, circles of source files, all of it built in
	@scripts/check.sh

kunit: lab-tests ## unit tests of the modules, in the lab kernel
	@scripts/kunit.sh $(if $(filter debug,$(VARIANT)),--debug)

selftests: lab-tests modules-host ## functional tests; TESTS='tc lab/latency.sh' runs some
	@selftests/run.sh $(TESTS)

fuzz: ## inputs made up for what the lab reads, with clang (TIME=60 seconds for each reader)
	@scripts/fuzz $(if $(TIME),--time $(TIME)) $(FUZZ)

torture: packages-test ## races, removal, fuzzing on 2 and 4 processors, in QEMU (TIME=600 seconds, SEED=, RUN="removal fuzz", KERNELS="host kasan kcsan kasan73")
	@tools/qemu/torture/torture.sh $(if $(TIME),--time $(TIME)) $(if $(SEED),--seed $(SEED)) $(if $(RUN),--only "$(RUN)") $(if $(KERNELS),--kernels "$(KERNELS)")

bench: lab ## patched against stock rxe, cost of the qdisc, lab speed
	@tools/bench/bench.sh

papers: lab ## all figures of papers in the papers' sizes, hours; what is there already is not run again
	@FULL=1 selftests/run.sh --jobs 1 lab/papers.sh

gcov: ## which lines of the modules KUnit and selftests run (TESTS='rxe tc')
	@scripts/gcov.sh $(TESTS)

clean: ## remove build/
	rm -rf build
	rm -f tools/lab/lab

distclean: clean ## also remove the cached kernel source and lab kernels
	rm -rf "$${RXE_CC_CACHE:-$$HOME/.cache/rxe-cc}"

help: ## this text
	@echo "make TARGET [VARIABLE=VALUE]..."
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' Makefile
	@echo "Variables:"
	@echo "  DEBUG=1       the debug lab kernel: lockdep, KASAN, kmemleak; \"test\" then runs"
	@echo "                KUnit and the selftests of selftests/debug.set in it"
	@echo "  KSRC=DIR      another kernel tree than linux-source-6.12"
	@echo "  KHDR=DIR      another kernel's headers than linux-headers-6.12-amd64"
	@echo "  RXE_FIXES_LEAVE_OUT='FIX...'  fixes of rxe that this kernel has itself"
	@echo "  RXE_CC_CACHE  kernel source and lab kernels; default ~/.cache/rxe-cc"
	@echo "  JOBS=N        parallel compiler jobs; default all CPUs"
	@echo "  PREFIX, DESTDIR  where \"install\" puts things; default /usr/local"

.PHONY: all demo test packages packages-and-kernel packages-install packages-deb packages-test packages-check packages-apps kernel modules \
	modules-uml modules-demo modules-lab modules-host tools lab lab-apps lab-tests \
	install uninstall man deb check kunit selftests fuzz torture gcov bench papers clean distclean help
