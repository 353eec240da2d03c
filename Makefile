# The main entry point.  CMakeLists.txt defines what is built, and how; `make help` lists the targets.
PREFIX ?= /usr/local
BUILD := build

.DEFAULT_GOAL := all
.PHONY: all demo apps check check-long bench report-env format-env site-env site lsp-env perfetto-env vscode format install uninstall clean deps help

# A build folder made for another source folder cannot be used, as after a move.
all: $(BUILD)/CMakeCache.txt
	@source="$$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' $(BUILD)/CMakeCache.txt)"; [ "$$source" -ef . ] || \
	    { echo "$(BUILD) was made for $$source, not for this folder; 'make clean' removes it." >&2; exit 1; }
	@cmake --build $(BUILD)

$(BUILD)/CMakeCache.txt:
	@command -v cmake >/dev/null || \
	    { echo "CMake is missing; 'make deps' installs it and all else that is needed." >&2; exit 1; }
	@cmake -S . -B $(BUILD) $$(command -v ninja >/dev/null && echo -G Ninja) || { rm -f $@; exit 1; }

demo: deps
	@$(MAKE) --no-print-directory all
	@python3 scripts/demo $(BUILD)

# Well-known programs, in UPC and over each installed MPI
apps: all
	@PATH="$$(realpath $(BUILD))/bin:$$PATH" $(MAKE) --no-print-directory -C apps UPCC=upcc \
	    BUILD=$(if $(filter /%,$(BUILD)),,../)$(BUILD)/apps

check:
	@scripts/deps check
	@python3 scripts/check

check-long:
	@scripts/deps check
	@python3 scripts/check --long

bench: all
	@python3 bench/language/run
	@python3 bench/libraries/run

# What the commands that read files of uoms need, in pinned versions, where they look for it
report-env: $(BUILD)/share/banyan/report-env/pyvenv.cfg

$(BUILD)/share/banyan/report-env/pyvenv.cfg: bench/report/uoms/requirements.lock bench/report/uoms/environment.py
	@PYTHONPATH=bench/report python3 -B -m uoms.environment $(BUILD)/share/banyan/report-env
	@echo "$(BUILD)/bin/uoms-compare, uoms-report and others have what they need"

# clang-format in the version of tests/lint/format.lock, where the lint looks for it
format-env: $(BUILD)/format-env/complete
$(BUILD)/format-env/complete: tests/lint/format.lock

# MkDocs with a theme, in pinned versions, for the pages of docs/ as a web site
site-env: $(BUILD)/site-env/complete
$(BUILD)/site-env/complete: docs/site/requirements.lock

site: site-env
	@scripts/site $(BUILD)/site

# The client library for tests/lsp/session_test.py, where that test looks for it
lsp-env: $(BUILD)/lsp-env/complete
$(BUILD)/lsp-env/complete: tests/lsp/client.lock

# Perfetto's schema from PyPI, and its trace processor, which takes long to build, where run/perfetto looks for them
perfetto-env: $(BUILD)/perfetto-env/bin/trace_processor_shell
$(BUILD)/perfetto-env/complete: tests/run/perfetto.lock
$(BUILD)/perfetto-env/bin/trace_processor_shell: $(BUILD)/perfetto-env/complete scripts/trace-processor
	@scripts/trace-processor $@

# An environment with what a lock file names.  The target is written last, so one that pip has not filled is made anew.
$(BUILD)/%-env/complete:
	@python3 -m venv --clear $(@D) || { echo "Python's venv is missing; on Debian and Ubuntu:" \
	    "apt-get install python3-venv" >&2; rm -rf $(@D); exit 1; }
	@$(@D)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# The extension of VS Code, by npm
vscode: $(BUILD)/upc.vsix

$(BUILD)/upc.vsix: $(wildcard editors/vscode/*.json editors/vscode/src/* editors/vscode/syntaxes/*)
	@command -v npm >/dev/null || { echo "npm is missing; on Debian and Ubuntu: apt-get install npm" >&2; exit 1; }
	@mkdir -p $(BUILD)
	@rm -rf $(BUILD)/vscode && cp -r editors/vscode $(BUILD)/vscode
	@cd $(BUILD)/vscode && npm ci --ignore-scripts --no-audit --no-fund && npm run package
	@mv $(BUILD)/vscode/upc.vsix $@
	@echo "$@: code --install-extension $@"

format: format-env
	@python3 tests/lint/house_rules.py --formatted | xargs $(BUILD)/format-env/bin/clang-format -i

# As from PREFIX=$P where P is not set.  CMake would install where it was configured for.
ifneq ($(filter install uninstall,$(MAKECMDGOALS)),)
ifeq ($(strip $(PREFIX)),)
$(error PREFIX is empty; name a folder, or leave PREFIX= out for /usr/local)
endif
endif

PLACE = "$$(realpath -ms "$(patsubst ~/%,$(HOME)/%,$(PREFIX))")"

install: all
	@cmake --install $(BUILD) --prefix $(PLACE)

uninstall:
	@scripts/uninstall $(BUILD) $(PLACE)

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-clang $(BUILD)-clang-asan $(BUILD)-clang-tsan $(BUILD)-debug $(BUILD)-fuzz \
	    $(BUILD)-tsan $(BUILD)-ubsan

# CMake runs again afterwards, to find what was missing before.
deps:
	@scripts/deps build
	@if [ -f $(BUILD)/CMakeCache.txt ]; then cmake $(BUILD) >/dev/null; fi

help:
	@echo "make             build into build/; build/bin/upcc, upcrun and banyan-info work in place"
	@echo "make demo        compile and run some UPC programs on all cores"
	@echo "make apps        build the programs of apps/ into build/apps/, also with each installed MPI"
	@echo "make check       run all tests, sanitizers, and a second compiler; about 28 minutes on 2 cores"
	@echo "make check-long  run more of the same: random programs, fuzzing, random kills"
	@echo "make bench       measure the language and libraries against their limits; 5 minutes on a quiet machine"
	@echo "make report-env  install the Python packages that the uoms-... commands need (scipy, pandas, ...) from PyPI"
	@echo "make lsp-env     install what a test of the language server needs (pygls) from PyPI"
	@echo "make perfetto-env  install what a test of traces needs: Perfetto's schema and trace processor"
	@echo "make vscode      build the extension for VS Code, build/upc.vsix, with npm"
	@echo "make format      format C and C++ according to .clang-format; make format-env installs clang-format"
	@echo "make site        make a web site of the documents, in $(BUILD)/site"
	@echo "make install     install into PREFIX (now $(PREFIX)); DESTDIR is respected"
	@echo "make uninstall   remove what 'make install' put into the same PREFIX (and DESTDIR)"
	@echo "make clean       remove the build folders"
	@echo "make deps        install what the build needs; needs root or sudo"
