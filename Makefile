# The commands of the project. Each sets up what it needs; the scripts are in .ci/.
.DEFAULT_GOAL := help
.PHONY: docker docker-test help setup doctor notebooks notebooks-save book contents test test-long bench mutants latency attack compare studies lint lab class env clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install and build what is missing
	@.ci/setup.sh
	@echo "set-up complete"

doctor: ## list the requirements, what was found and what mends the rest
	@.ci/doctor.sh

notebooks: ## execute the notebooks (NOTEBOOK=02_few_directions runs one, NOTEBOOK=/any/path.ipynb one of yours)
	@.ci/notebooks.sh $(NOTEBOOK)

notebooks-save: ## execute the notebooks and write their outputs into notebooks/
	@SAVE=1 .ci/notebooks.sh $(NOTEBOOK)

book: ## make build/book, all notebooks as pages and slides that any browser shows without a network (PDF=1 prints it too)
	@PDF="$(PDF)" .ci/book.sh

contents: ## write notebooks/README.md, its thumbnails and the links between notebooks
	@.ci/book.sh contents

test: ## run all tests and execute the notebooks (NOTEBOOKS=skip leaves these out)
	@.ci/test.sh

test-long: ## run the statistical tests over many seeds as well (PACKAGE=./sparsero/... narrows)
	@LONG=1 PACKAGE="$(PACKAGE)" .ci/test.sh

bench: ## run the benchmarks for benchstat (PACKAGE=./solver/... BENCH=Solve narrows, COUNT=10 repeats)
	@.ci/setup.sh solver
	@environment=$$(.ci/env.sh) && eval "$$environment" && go test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem -count $(or $(COUNT),1) $(or $(PACKAGE),./...)

mutants: ## change PACKAGE, else all that claim but solver/proof, in COUNT places, one at a time, and list what no test notices (SEED=1, PLACE=file.go:12, PATIENCE=3s, TESTS=TestOne)
	@.ci/mutants.sh "$(PACKAGE)" $(or $(COUNT),100) $(or $(SEED),1) $(PLACE)

attack: ## compare every certificate with exact truth and store the table (COUNT=20000 SEED=1)
	@.ci/setup.sh solver
	@environment=$$(.ci/env.sh) && eval "$$environment" && go test -v -count=1 -timeout 5h -run '^TestAttack$$' ./tests/attack \
		-attack.count=$(or $(COUNT),20000) -attack.seed=$(or $(SEED),1) -attack.commit="$$(git describe --always --dirty)" \
		-attack.table="$(CURDIR)/notebooks/results/attack.txt"

compare: ## measure against NumPy and SciPy side by side and store the figures (ARGUMENTS=-quick: agreement alone)
	@.ci/compare.sh $(ARGUMENTS)

latency: ## time a warm notebook cell, of GoNB alone, bare, with selection, with a figure and with HiGHS, and weigh its program (COUNT=5 repeats)
	@.ci/latency.sh

studies: ## run the full experiments, resumable, and write their tables (ARGUMENTS="-list" names them)
	@go run ./notebooks/studies $(ARGUMENTS)

lint: ## gofmt, go mod tidy, go vet, staticcheck
	@.ci/lint.sh

lab: ## open JupyterLab on the notebooks (ONLINE=1 lets cells fetch other Go modules)
	@.ci/lab.sh $(ARGUMENTS)

class: ## write what a class needs into OUT=folder: notebooks without solutions, the answers, nbgrader's tree (IMAGE=name: an image for students)
	@.ci/class.sh "$(OUT)"

docker: ## start JupyterLab in a container, every tutorial in it (docker/README.md)
	@docker/start.sh $(ARGUMENTS)

docker-test: ## build the container image and test it and its page in a headless browser (ALL=1 runs every tutorial there)
	@.ci/docker.sh

env: ## print the environment for plain go commands: eval "$$(make -s env)"
	@.ci/env.sh

clean: ## remove what the commands produced here (the cache of tools stays)
	@rm -rf build
