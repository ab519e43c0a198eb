# What people run most. All else is a script in .ci/tasks, and docs/testing.md says what each is for. Every target works on
# a clean clone: Go downloads what it needs.
GO ?= go

.PHONY: build test lint check bench e2e nightly

# The command, as bin/sim, and bin/sim-serve, which has the commands of sessions.
build:
	$(GO) build -o bin/sim ./cmd/sim
	$(GO) build -C scenario/serve -o $(CURDIR)/bin/sim-serve ./cmd/sim-serve

# The quick tests: minutes, and no Kubernetes code. `make lint` vets all code, so the tests do not do it again.
test:
	$(GO) test -short -vet=off -timeout 30m ./...
	cd scenario/serve && $(GO) test -short -vet=off -timeout 30m ./...
	cd sim/conformance && $(GO) test -short -vet=off .

# Formatting, vet and staticcheck.
lint:
	@unformatted=$$(gofmt -l cmd model scenario scenarios sim); \
	if [ -n "$$unformatted" ]; then echo "not formatted: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	cd scenario/serve && $(GO) vet ./...
	@$(GO) build -C .ci/tools -o $(CURDIR)/bin/ honnef.co/go/tools/cmd/staticcheck golang.org/x/tools/cmd/deadcode
	bin/staticcheck ./...
	cd scenario/serve && $(CURDIR)/bin/staticcheck ./...

# What must hold before a change lands: the quick tests, then the longer suites, with a sample of what the nightly has.
check:
	.ci/run

# How long rollouts, plans and upgrades take, in the form that benchstat compares (docs/performance.md).
bench:
	.ci/tasks/bench

# Kubernetes' own end-to-end specs of StatefulSets against sim serve. Building them takes ten minutes (docs/serve.md).
e2e: build
	.ci/tasks/e2e

# What takes a night: searches, random worlds, and everything that builds programs of others.
nightly:
	.ci/tasks/nightly
