# The commands of the project. `make` alone lists them.
# Everything is installed into .venv, at the versions of constraints.txt, when first needed.

# The first interpreter that is new enough; override with `make PYTHON=...`.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
BIN := .venv/bin
RECIPE := constraints.txt pyproject.toml

.DEFAULT_GOAL := help
# What has a target of its own: real parts (a browser, a notebook's kernel, the compiler, a database
# server, files in passes), what takes long on real sets, every example of the documentation, and the
# paper's figures.
PARTS := $(addprefix tests/test_,docs.py report_browser.py notebooks.py kernels_jit.py cli_newcomer.py \
	league_kill.py league_postgres.py serve.py serve_browser.py serve_operation.py serve_questions.py \
	serve_guide.py serve_panel.py serve_panel_browser.py guide_panels.py walks.py \
	scale.py scale_files.py solvers_streamed.py solvers_far_units.py drift.py contexts.py parts.py lewis.py \
	sampling.py axioms.py jit.py adaptive_trackers.py \
	paper_authors.py paper_figures.py paper_reproduction.py)
# Spark has processes of its own on every core, and one session for all tests.
CLUSTER := tests/test_scale_spark.py

# Tests run at the same time: with more than one thread each, products of matrices wait for each other.
test parts replay: export OPENBLAS_NUM_THREADS := 1

.PHONY: help demo test parts replay check format lint types docs bench fuzz fuzz-coverage kills soak clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

demo: .venv/.core  ## a tour on embedded data, which writes demo/report.html
	@$(BIN)/qrja demo

test: .venv/.dev  ## run the tests and doctests
	@$(BIN)/python tools/compile_kernels.py
	$(BIN)/python -m pytest -q -n auto $(addprefix --ignore ,$(PARTS) $(CLUSTER) tests/test_fuzz.py)

parts: .venv/.dev  ## test with real parts: browser, notebook, compiler, database, cluster, all documentation, the paper
	@$(BIN)/python tools/compile_kernels.py
	$(BIN)/python -m pytest -q -n auto $(PARTS)
	$(BIN)/python -m pytest -q $(CLUSTER)

replay: .venv/.dev  ## replay what the harness found, and try a short, fixed part of it
	@$(BIN)/python tools/compile_kernels.py
	$(BIN)/python -m pytest -q -n auto tests/test_fuzz.py

check: lint types test parts replay docs  ## everything a change must pass: format, lint, types, tests, docs

format: .venv/.dev  ## format the code and mend what the linter can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: .venv/.dev  ## check format and style
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/.dev  ## check types, strictly
	$(BIN)/mypy

docs: .venv/.dev  ## build the documentation into docs/_build/html
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html

bench: .venv/.bench  ## measure against peers, write benchmarks/results and docs/benchmarks.md
	$(BIN)/python benchmarks/run.py

fuzz: .venv/.dev  ## look for failures for some minutes, keep new ones in tests/fuzz/corpus
	@$(BIN)/python tools/compile_kernels.py
	PYTHONPATH=tests $(BIN)/python -m fuzz --seconds 300

fuzz-coverage: .venv/.dev  ## let atheris, where it is installed, look for failures by coverage
	@$(BIN)/python tools/compile_kernels.py
	PYTHONPATH=tests $(BIN)/python -m fuzz.guided tables --seconds 600
	PYTHONPATH=tests $(BIN)/python -m fuzz.guided saves --seconds 300
	PYTHONPATH=tests $(BIN)/python -m fuzz.guided headers --seconds 300

kills: .venv/.dev  ## kill writers of a league 200 times in each database, and look for what is lost
	PYTHONPATH=tests $(BIN)/python tests/league_kill.py --times 200 sqlite
	PYTHONPATH=tests $(BIN)/python tests/league_kill.py --times 200 postgres

soak: .venv/.dev  ## look for failures for an hour, write the table of docs/reliability.md
	@$(BIN)/python tools/compile_kernels.py
	PYTHONPATH=tests $(BIN)/python -m fuzz --seconds 3600 --publish

clean:  ## remove the environment and everything built
	rm -rf .venv docs/_build demo .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "qrja needs Python 3.11 or later; none was found" >&2; exit 1; }
	@if command -v uv >/dev/null; then uv venv --quiet --python "$(PYTHON)" .venv; \
	else "$(PYTHON)" -m venv .venv; fi

# install EXTRAS, e.g. $(call install,[dev])
define install
	@echo "installing qrja$(1) into .venv (once) ..."
	@if command -v uv >/dev/null; then \
	  uv pip install --quiet --python $(BIN)/python -c constraints.txt -e '.$(1)'; \
	else \
	  $(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null; \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.$(1)'; \
	fi
	@touch $@
endef

.venv/.core: .venv/bin/python $(RECIPE)
	$(call install,)

.venv/.dev: .venv/bin/python $(RECIPE)
	$(call install,[dev])

.venv/.bench: .venv/bin/python $(RECIPE)
	$(call install,[dev$(comma)bench])

comma := ,
