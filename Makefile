# Two commands check all that needs only Python: `make verify` and `make test`; `make prove` needs Coq.
PYTHON ?= python3
BIN := .venv/bin
export PYTHONHASHSEED = 0

.PHONY: setup verify prove formulas test test-portable test-engines lint dist bench results book article mutants fuzz coverage clean help

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /: /'

setup: .venv/.ok-dev ## create .venv with everything that the other targets need

.venv/.ok-dev: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing torch and about 60 packages: 1-4 minutes"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@

.venv/.ok-book: .venv/.ok-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[book]"
	mkdir -p .venv/etc/ipython
	echo "c.IPKernelApp.log_level = 40  # no notice that a kernel on this machine is not encrypted" > .venv/etc/ipython/ipython_kernel_config.py
	touch $@

verify: setup ## the main job
	$(BIN)/fpsverify run --demo
	$(BIN)/fpsverify verify

prove: setup ## build all Coq proofs from nothing and check what they state (opt-in: needs Coq; ACCEPT=1 records new statements)
	$(BIN)/python -m theory.proofs.prove $(if $(ACCEPT),--accept) $(if $(CHECK),--check)

formulas: setup ## print the calculators' formulas as Coq definitions
	$(BIN)/python -m theory.proofs.gallina

test: setup ## all tests (under 9 minutes on 2 idle cores)
	$(BIN)/python -m pytest property_tests -n 2

test-portable: setup ## the tests as older processors would run them (opt-in; ROWS="sse4-1 avx2-2")
	for row in $(or $(ROWS),sse4-1 avx2-2 own-2 sse4-2 avx2-1); do $(BIN)/python -m benchmarks.processors $$row || exit 1; done

.venv-engines/.ok: pyproject.toml constraints-engines.txt
	test -x .venv-engines/bin/python || $(PYTHON) -m venv .venv-engines
	.venv-engines/bin/python -m pip install --quiet --disable-pip-version-check -c constraints-engines.txt \
		-e ".[dev,flower,dask]" flwr-datasets
	touch $@

test-engines: .venv-engines/.ok ## the tests that need Flower and Dask, in an environment of their own (opt-in)
	.venv-engines/bin/python -m pytest property_tests/engines

lint: setup ## style, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

dist: setup ## sdist and wheel in dist/, and the wheel tried in an environment of its own, outside of this folder
	rm -rf dist
	$(BIN)/python -m build --installer pip .
	$(BIN)/python -m benchmarks.wheel dist

bench: setup ## speed ratios against stand-ins, in one interleaved run
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.kdd_run

results: setup ## make anew every stored result whose methods have changed, cheapest first; goes on after an interruption (opt-in; LIST=1 only lists them)
	$(BIN)/python -m benchmarks.results $(if $(LIST),--list)

book: .venv/.ok-book ## build the report
	$(BIN)/python book/vendor.py
	$(BIN)/python -m book.bookkit.ledger_data
	$(BIN)/python -m book.article
	$(BIN)/jupyter-book build -W --keep-going --all book
	@echo "Open book/_build/html/index.html"

article: .venv/.ok-book ## the article as a PDF (offline)
	$(BIN)/python -m book.article

mutants: setup ## break the modules that decide, one mutant a function, and list what no test sees (opt-in; MUTANTS="*" for all)
	FPSVERIFY_PROFILE=mutants $(BIN)/mutmut run $(or $(MUTANTS),"*__mutmut_4")
	$(BIN)/mutmut results

fuzz: setup ## 100,000 damaged inputs and 200 kills: one clear line each, nothing lost (opt-in)
	FPSVERIFY_PROFILE=fuzz $(BIN)/python -m pytest property_tests/commands/test_robustness.py -n 2

coverage: setup ## which lines of the three packages the laws never reach, and why (opt-in)
	$(BIN)/python -m pytest property_tests -n 2 -q --cov --cov-report=
	$(BIN)/python -m coverage report --skip-covered --show-missing --fail-under=100

clean: ## remove what the other targets made
	rm -rf .venv .venv-engines build mutants dist book/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
