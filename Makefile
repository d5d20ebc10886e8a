# mistertop: the one door. `make` alone explains.
#
#   make run        install what is missing, build, open the dashboard on a live demo
#   make unit       build and run the unit tests, in parallel: within a minute once built
#   make test       install what is missing, build and run all tests
#   make test SUITE=NAME   a target, a suite, one test, or one row of the fault matrix, with the builds it needs
#   make build      leave the program at .build/release/mistertop, what names its functions beside it (mistertop.debug)
#   make fuzz       fuzz every parser, 10^9 inputs in all (FUZZ_SECONDS=60: as long for each)
#   make sanitize   all tests under the thread and the address sanitizer
#   make coverage   the lines of parser, writer and tail that tests run; fails below 95 %
#   make soak       after `make release-check`: the fault matrix and the `long` tests at their long counts
#                   (MATRIX_SECONDS=60: as long for each row, once P is reached)
#   make release-check   build the program as people get it, check how it was linked, and try it out; then play README's
#                   commands on machines that have nothing (an hour and a half)
#   make lint       format (strict), imports against the map, size of files, a test for each line of the checklist
#   make format     format all sources
#   make bench      measure against the bars and the figures kept before (takes minutes; BENCH='--record' keeps these)
#   make snapshots  record the golden pictures again (fails on purpose: look at the difference)
#   make install    copy what `make build` has left, with manual and completions, to $(PREFIX) (/usr/local); make uninstall
#   make dist       pack the sources of the last commit; they build without git
#   make deb        build, and pack for Debian
#   make clean      remove what was built
#
# Packages that are missing are installed once you have said yes; YES=1 says so beforehand. Root is not asked where there
# is no terminal (a container, CI).

SWIFT  ?= swift

# The default linker is another one on each system, and warns about a function of the C library inside Foundation.
ifeq ($(shell uname -s),Linux)
LINKER := -Xswiftc -use-ld=lld
endif

PREFIX ?= /usr/local

# What Debian has to have for the verbs of the command line, all in one go; Tests/Scripts/require-packages adds what Swift
# itself needs. On macOS the command line tools bring all of it.
VERBS := $(or $(FOR),$(MAKECMDGOALS))
ALL_TESTS := test release-check sanitize coverage soak
PACKAGES := libncurses-dev zlib1g-dev libcurl4-openssl-dev libsqlite3-dev \
	$(if $(filter $(ALL_TESTS),$(VERBS)),tmux strace e2fsprogs python3-pyte python3-prometheus-client nginx openssl fish jq \
		xz-utils zstd bzip2 bindfs clickhouse-server \
		clang lld llvm) \
	$(if $(filter $(ALL_TESTS) lint,$(VERBS)),shellcheck) $(if $(filter $(ALL_TESTS),$(VERBS)),zsh mandoc) \
	$(if $(filter deb release-check,$(VERBS)),build-essential debhelper lintian) \
	$(if $(filter soak,$(VERBS)),python3 python3-venv python3-fusepy fuse3) \
	$(if $(filter bench,$(VERBS)),python3 python3-venv python3-pyte g++ libsimdjson-dev nginx curl)

# Every symbol is bound at the start and its table read-only then, and no library is looked for beside the program:
# whoever may write there would decide what it runs.
ifeq ($(shell uname -s),Linux)
HARDENING := --disable-local-rpath -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xcc -fstack-protector-strong
# Exports no symbols, since there are no plug-ins, and skips the search for swift-backtrace at each start
# (Sources/CQuietStart).
START := -Xlinker --no-export-dynamic -Xlinker --wrap=swift_copyAuxiliaryExecutablePath
# Packs the table of 67,000 addresses to relocate at the start; glibc reads packed tables since 2.36.
ifeq ($(shell getconf GNU_LIBC_VERSION | awk '{ split($$2, part, "."); print (part[1] > 2 || part[2] >= 36) }'),1)
START += -Xlinker -z -Xlinker pack-relative-relocs
endif
# SQLite, ncurses and its reader of terminfo are linked in where the system has their archives, which `build` leaves where
# the linker looks first: loading SQLite is 7 % of each start, and minimal systems have no ncurses.
START += -Xlinker -L$(CURDIR)/.build/archives
# The name by which a crash report and the file beside the program that names its functions find each other.
BUILD_ID := -Xlinker --build-id=sha1
endif

# Functions and lines are all that a report needs. Paths begin at the package's folder, wherever that is.
DEBUG_INFORMATION := -Xswiftc -gline-tables-only -Xswiftc -file-prefix-map -Xswiftc '$(CURDIR)=.' \
	-Xcc '-ffile-prefix-map=$(CURDIR)=.'

# The same flags for every release build, so that modules are compiled once.
RELEASE_FLAGS := -c release --static-swift-stdlib $(LINKER) $(HARDENING) $(BUILD_ID) $(DEBUG_INFORMATION)
RELEASE := $(RELEASE_FLAGS) $(START) --product mistertop
RELEASE_FOLDER := $(CURDIR)/.build/release

BENCHMARKS := metrics-generator record-bench signpost-bench payload-files frame-bench history-bench histogram-bench \
	sync-bench delivery-bench screen-bench

# Where the rows of the fault matrix leave their figures.
MATRIX_LOG := $(CURDIR)/.build/matrix.log
SOAK_LOG   := $(CURDIR)/.build/soak.log

STRICT  := --explicit-target-dependency-import-check error

# Options for builds of tests that need no debugger (CI). Changing them builds everything again.
BUILD_OPTIONS ?=

# Whoever has built nothing yet is told how long it takes.
first-build = @test -e .build/$(1) || echo 'The first build takes about ten minutes on two cores, later ones far less.'

.PHONY: help ready run unit test release-check fuzz sanitize coverage soak build build-tests lint lint-format format bench \
	snapshots install uninstall dist deb clean

help:
	@sed -n '3,26s/^# \{0,3\}//p' Makefile

# Before anything is compiled: whatever is missing would otherwise show in the middle of a build, or at its end.
ready:
	@Tests/Scripts/require-packages $(sort $(PACKAGES))
	@Tests/Scripts/check-link $(SWIFT) build $(RELEASE_FLAGS) $(START) $(STRICT)

run: build
	.build/release/mistertop demo

build: ready
	$(call first-build,release/mistertop)
	@mkdir -p .build/archives
	@ln -sf /usr/lib/*/libsqlite3.a .build/archives
	@test ! -e "$$(ls /usr/lib/*/libtinfo.a 2>/dev/null)" || \
		echo 'INPUT(-l:libncursesw.a -l:libtinfo.a)' >.build/archives/libncursesw.so
	@Tests/Scripts/split-debug join .build/release/mistertop
	Tests/Scripts/with-commit $(SWIFT) build $(RELEASE) $(STRICT)
	@Tests/Scripts/split-debug split .build/release/mistertop
	@Tests/Scripts/check-hardening .build/release/mistertop
	@Tests/Scripts/share .build/release/mistertop .build/share

# The tests and the programs that they start, without those of the benchmarks. Modules whose code the tests run most are
# optimized, the tests are not (Package.swift).
build-tests: ready
	$(call first-build,debug/mistertopPackageTests.xctest)
	OPTIMIZE_SUBJECTS=1 $(SWIFT) build --product mistertopPackageTests $(STRICT) $(LINKER) $(BUILD_OPTIONS)

# Those that start no process and are over soon. What is kept apart, and why, is in Tests/suites.
unit: build-tests
	@SWIFT=$(SWIFT) Tests/Scripts/run-tests unit

# End-to-end tests and rows start the program that was built with the tests: one build serves all. The program as people
# get it is tried by `make release-check`; new inputs are found by `make fuzz`, the kept ones are read here.
ifndef SUITE
test: build-tests
	@rm -f $(MATRIX_LOG)
	SWIFT=$(SWIFT) MATRIX_LOG=$(MATRIX_LOG) Tests/Scripts/run-tests
	@Tests/Scripts/check-matrix $(MATRIX_LOG)
	@SWIFT=$(SWIFT) Tests/Scripts/check-backend
else ifeq ($(SUITE),P1)
test: ready
	Tests/Fuzz/run --seconds 4
else
test: build-tests
	@SWIFT=$(SWIFT) Tests/Scripts/run-tests '$(SUITE)'
endif

# The tests of screens, commands and crashes against the release build, and the packages.
release-check: $(if $(filter Linux,$(shell uname -s)),deb,build) build-tests
	@test ! -d .build/deb || Tests/Scripts/check-packages
	@SWIFT=$(SWIFT) MISTERTOP_BUILD=$(RELEASE_FOLDER) MATRIX_LONG=1 Tests/Scripts/run-tests EndToEndTests
	@for suite in ReportTests X6 X16; do \
	  SWIFT=$(SWIFT) MISTERTOP_BUILD=$(RELEASE_FOLDER) Tests/Scripts/run-tests $$suite || exit 1; done
	@Tests/Scripts/bare-machine || [ $$? = 77 ]

fuzz: ready
	MATRIX_LOG=$(MATRIX_LOG) FUZZ_OPTIMIZED=1 Tests/Fuzz/run $(if $(FUZZ_SECONDS),--seconds $(FUZZ_SECONDS),--executions 1000000000)

# A race is reported by the exit code, whatever the tests said. The crash handler of the language would be blamed. Left
# out are what measures a program's time or memory (T10, the soak), limits the files it may write (W4), or kills it in ways that the sanitizer
# has its own handlers for (whose functions would be in the stacks of reports, too); all that runs inside of the tests' own process does run.
SANITIZE := SWIFT_BACKTRACE=enable=no $(SWIFT) test --no-parallel \
	--skip 'EndToEndTests|X([5-9]|10|12|13)[: ]|T10: |W4: |A client among faults|Of ten thousand events|Where no report can be written|A report names|The command in a report'
sanitize: ready
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Scripts/thread-suppressions $(SANITIZE) --sanitize=thread --scratch-path .build/thread
	ASAN_OPTIONS=detect_leaks=0 $(SANITIZE) --sanitize=address --scratch-path .build/address

coverage: ready
	$(SWIFT) test --no-parallel --enable-code-coverage --scratch-path .build/coverage
	@Tests/Scripts/check-coverage .build/coverage

# The scripts run whatever the rows said; the check at the end judges both.
soak: release-check
	Tests/Scripts/with-commit $(SWIFT) build $(RELEASE_FLAGS) --product delivery-soak
	@rm -f $(SOAK_LOG)
	-MATRIX_LOG=$(SOAK_LOG) MATRIX_LONG=1 MISTERTOP_BUILD=$(RELEASE_FOLDER) $(SWIFT) test --skip-build --no-parallel --filter FaultMatrix
	@rm -f $(SOAK_LOG).failed
	@MATRIX_LONG=1 SWIFT=$(SWIFT) Tests/Scripts/run-tests long || touch $(SOAK_LOG).failed
	-MATRIX_LOG=$(SOAK_LOG) FUZZ_OPTIMIZED=1 Tests/Fuzz/run --seconds $(or $(FUZZ_SECONDS),60)
	@for script in Tests/Soak/*; do MATRIX_LOG=$(SOAK_LOG) $$script || touch $(SOAK_LOG).failed; done
	@Tests/Scripts/check-matrix $(SOAK_LOG) soak
	@! test -e $(SOAK_LOG).failed || { echo 'a long test or a script failed: see above' >&2; exit 1; }

lint: lint-format build-tests
	@Tests/Scripts/check-sizes
	@Tests/Scripts/check-imports
	@Tests/Scripts/check-writes
	@Tests/Scripts/check-checklist
	@Tests/Scripts/check-words
	@Tests/Scripts/check-shell

lint-format: ready
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

bench: build
	@for product in $(BENCHMARKS); do Tests/Scripts/with-commit $(SWIFT) build $(RELEASE_FLAGS) --product $$product || exit 1; done
	Tests/Benchmarks/run $(BENCH)

snapshots: build-tests
	RECORD_SNAPSHOTS=1 SWIFT=$(SWIFT) Tests/Scripts/run-tests unit

# Never as root what can be done without: `make build`, then `sudo make install`.
install:
	@test -x .build/release/mistertop -a -d .build/share || \
		{ echo 'Nothing is built yet: run `make build` first, as yourself.' >&2; exit 1; }
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share
	install -m 755 .build/release/mistertop $(DESTDIR)$(PREFIX)/bin/mistertop
	cp -R .build/share/. $(DESTDIR)$(PREFIX)/share
	@test ! -f .build/release/mistertop.debug || \
		echo 'Keep .build/release/mistertop.debug: it names the functions of a crash report of this build.'

# With DESTDIR, also the folders that are empty then.
INSTALLED := bin/mistertop share/man/man1/mistertop.1 share/man/man1/mistertop-*.1 share/man/man5/mistertop.5 \
	share/bash-completion/completions/mistertop share/zsh/site-functions/_mistertop \
	share/fish/vendor_completions.d/mistertop.fish share/doc/mistertop
uninstall:
	rm -rf $(addprefix $(DESTDIR)$(PREFIX)/,$(INSTALLED))
	$(if $(DESTDIR),find '$(DESTDIR)' -mindepth 1 -depth -type d -empty -delete)

# Of a commit, so that the same one gives the same bytes.
VERSION := $(shell sed -n 's/.*packageVersion = "\(.*\)"/\1/p' Sources/Platform/PackageVersion.swift)
ARCHIVE := .build/mistertop-$(VERSION).tar.gz
dist:
	@mkdir -p .build
	git archive --prefix=mistertop-$(VERSION)/ HEAD | gzip -9n >$(ARCHIVE)
	@echo $(ARCHIVE)

# The package's own tools look for a folder `debian`. Symbols go into a package of their own.
deb: build
	@rm -rf .build/deb && mkdir -p .build/deb/mistertop && cp -R Resources/debian .build/deb/mistertop
	@Tests/Scripts/debian-changelog $(VERSION) >.build/deb/mistertop/debian/changelog
	cd .build/deb/mistertop && SOURCE=$(CURDIR) dpkg-buildpackage --build=binary --no-sign
	@ls .build/deb/*.deb

clean:
	$(SWIFT) package clean
