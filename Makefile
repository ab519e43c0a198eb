# Every target works on a clean clone: Go downloads what it needs.
GO ?= go

.PHONY: e2e instructions profile axe browser consumers playground playground-test playground-driver playground-borrowed notices same-bytes build test lint dead snapshot bench check fuzz properties nightly mutants mutate pruning grid conformance refusals

# The command, as bin/sim.
build:
	$(GO) build -o bin/sim ./cmd/sim

# The playground: a folder that any web server can serve, and that works without one once it is loaded.
SITE ?= bin/playground
playground: npm wasm playground-borrowed
	$(GO) run ./cmd/playground -wasm bin/sim.wasm -borrowed $(BORROWED) -o $(SITE)

# The playground, and with it the library and the course as pages that lead to it, in one folder to serve.
.PHONY: site
site: build playground
	SIM_PLAYGROUND=../ bin/sim test --html $(SITE)/library scenarios
	SIM_PLAYGROUND=../ bin/sim learn all --report --dir $(SITE)/course

# The command for a browser, as bin/sim.wasm: what the playground packs, and what same-bytes plays. Without inlining in
# the libraries, and where no world is played, it is a fifteenth smaller: inlining takes room there and saves little time.
SMALL := cel.dev google.golang.org github.com/olekukonko github.com/spf13 github.com/antlr4-go gopkg.in \
	encoding html net regexp text k8s.io sigs.k8s.io \
	$(addprefix github.com/statefulsim/statefulsim/,cmd scenario/kube scenario/manifest scenario/cluster/explain scenario/cluster/plan \
	scenario/runs/upgrade scenario/cluster/heal scenario/save scenario/strict sim/output/report)
.PHONY: wasm
wasm:
	@mkdir -p bin
	GOOS=js GOARCH=wasm GOFLAGS= $(GO) build -trimpath -pgo=off -ldflags="-s -w" $(SMALL:%=-gcflags=%/...=-l) -o bin/sim.wasm ./cmd/sim

# The playground, used as people use it, in Chromium and in Firefox, as far as they are here. Needs npm.
playground-test: build playground playground-driver
	node .ci/playground.mjs bin/browsers $(SITE) $(BROWSERS)

# What drives browsers and looks at pages in them, in the versions of a lockfile.
playground-driver: bin/browsers/node_modules/.package-lock.json
bin/browsers/node_modules/.package-lock.json: .ci/browsers/package-lock.json
	mkdir -p bin/browsers && cp .ci/browsers/package.json .ci/browsers/package-lock.json bin/browsers/
	npm ci --prefix bin/browsers --no-audit --no-fund
	touch $@

# What the playground has from packages of others: the editor, what unpacks the module, and all licences. Needs npm.
BORROWED := $(CURDIR)/bin/borrowed
playground-borrowed: npm notices
	cd cmd/playground/editor && npm ci --no-audit --no-fund && npm run build -- $(BORROWED)
	cp $(NOTICES) $(BORROWED)/licences-go.txt

.PHONY: npm
npm:
	@command -v npm >/dev/null || { echo "npm is missing: it builds the editor of the playground" >&2; exit 1; }

# The licences and notices of everything that is linked into the command, in one file. Built with -trimpath go-licenses
# finds nothing: it takes all packages for the standard library.
NOTICES ?= bin/NOTICES.txt
notices:
	GOFLAGS= $(GO) build -C .ci/tools -o $(CURDIR)/bin/ github.com/google/go-licenses/v2
	.ci/notices $(NOTICES)

# The library on js/wasm under node, against the same natively: the same bytes. Needs node.
same-bytes: wasm build
	node --stack-size=8192 .ci/same-bytes.mjs $(FORMATS)

# Every kind of page against the accessibility rules of axe-core, in a browser. Needs npm and chromium.
axe: playground-driver
	AXE_CORE=$(CURDIR)/bin/browsers/node_modules/axe-core/axe.min.js $(GO) test ./sim/output/report/html -run TestBrowserAxe

# Every kind of page, and the playground where it is built, in windows of all sizes, in the light, in the dark and in forced
# colours, on paper and by the keyboard alone, in Chromium and in Firefox, as far as they are here. Needs npm. KINDS,
# WINDOWS="390-dark" and BROWSERS=firefox try fewer; PICTURES=FOLDER draws each page.
.PHONY: pages
pages: export BROWSERS := $(BROWSERS)
pages: export WINDOWS := $(WINDOWS)
pages: export PICTURES := $(PICTURES)
pages: build playground-driver
	node .ci/pages.mjs bin/browsers $(SITE) $(KINDS)

# What the command prints, given to the programs that read it elsewhere: Mermaid, markdown-it, remark, resvg, readers of
# JUnit, the schema of Jenkins' xUnit plugin, and the rules of the Trace Event Format. Needs npm, and for Jenkins xmllint
# and its schema, which is downloaded or named by JUNIT_XSD.
JUNIT_XSD ?= bin/consumers/junit-10.xsd
XUNIT := https://raw.githubusercontent.com/jenkinsci/xunit-plugin/8c515de2804b3fd591a3b0f1ff8908a1b1a41887
consumers: build
	npm install --prefix bin/consumers --no-save --no-audit --no-fund mermaid@11.17.2 jsdom@29.1.1 markdown-it@15.0.3 \
		unified@11.0.5 remark-parse@11.0.0 remark-gfm@4.0.1 @resvg/resvg-js@2.6.2 junit2json@4.0.0 test-results-parser@0.4.6
	test -e $(JUNIT_XSD) || curl -fsSL -o $(JUNIT_XSD) \
		$(XUNIT)/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd || true
	JUNIT_XSD=$(JUNIT_XSD) node .ci/consumers.mjs bin/consumers

# All tests of the pages in a browser: `make test` runs a sample of them. BROWSER=firefox runs them in Firefox.
BROWSER ?= chromium
browser:
	BROWSER=$(BROWSER) $(GO) test ./sim/output/report/html -run 'TestBrowser' -timeout 1h

# The tests that do without Kubernetes' own code. A busy machine may take longer than the ten minutes that go gives each
# package. `make lint` vets all code, so the tests do not do it again.
test:
	$(GO) test -vet=off -timeout 30m ./...
	cd sim/conformance && $(GO) test -vet=off .

# Operators in tests, with client-go, against the simulated cluster: a module of its own, which go.work joins to this one.
.PHONY: simtest
simtest:
	cd sim/simtest && $(GO) vet . && $(GO) test .

# Formatting, vet and staticcheck.
lint:
	@unformatted=$$(gofmt -l cmd model scenario scenarios sim); \
	if [ -n "$$unformatted" ]; then echo "not formatted: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	@$(GO) build -C .ci/tools -o $(CURDIR)/bin/ honnef.co/go/tools/cmd/staticcheck golang.org/x/tools/cmd/deadcode
	bin/staticcheck ./...

# The command for machines of 32 bits, and for Windows and macOS: that it compiles, and what vet says of it there.
.PHONY: cross
cross:
	GOARCH=386 $(GO) build -o bin/cross-386 ./cmd/sim
	GOARCH=arm $(GO) build -o bin/cross-arm ./cmd/sim
	GOOS=windows $(GO) vet ./cmd/sim
	GOOS=darwin $(GO) vet ./cmd/sim

# The timelines and texts of all scenarios of the library, played by the command for machines of 32 bits: the same bytes as
# here. 386 runs on the machine itself, arm by qemu, where they can; what was skipped is said.
QEMU_ARM ?= qemu-arm-static
.PHONY: architectures
architectures: build
	GOARCH=386 CGO_ENABLED=0 $(GO) build -o bin/sim-386 ./cmd/sim
	GOARCH=arm CGO_ENABLED=0 $(GO) build -o bin/sim-arm ./cmd/sim
	.ci/architectures bin/sim bin/sim-386
	.ci/architectures bin/sim $(QEMU_ARM) bin/sim-arm

# Ctrl-C and SIGTERM at 20 moments of each command: make test tries a sample.
.PHONY: moments
moments:
	INTERRUPTIONS=20 $(GO) test ./cmd/sim -run '^TestMoments$$' -timeout 3h

# Texts that try to get out of their places, in every place of every input, one at a time: make test tries a sample.
.PHONY: planted
planted:
	PLANTED=1 $(GO) test ./cmd/sim -run '^TestNothingOfAFileSteersAnybody$$' -v -timeout 5h

# Functions that nothing but tests calls.
dead: lint
	bin/deadcode ./...

# The tests of the packages that goroutines may meet in, which all import sync, under the race detector. It needs a C
# compiler.
.PHONY: race vulnerabilities
race:
	$(GO) test -race -timeout 2h \
		$$($(GO) list -f '{{range .Imports}}{{if eq . "sync"}}{{$$.ImportPath}}{{end}}{{end}}' ./...)

# Whether sim calls anything that the Go vulnerability database names.
vulnerabilities:
	$(GO) build -C .ci/tools -o $(CURDIR)/bin/ golang.org/x/vuln/cmd/govulncheck
	bin/govulncheck ./...

# The archives, images and manifests of a release, without publishing or signing anything. Needs goreleaser, syft and
# docker.
snapshot:
	goreleaser release --snapshot --clean --skip=sign

# How long rollouts of 3 to 100,000 replicas take to play, what an event costs, the peak of the memory, what conditions
# cost, how long a plan and an upgrade of 300 different sets take, and what 300 replicas take with Kubernetes' own control
# code and with sim, in the form that benchstat compares. What they allocate is held by a test: see docs/performance.md.
BENCHTIME ?= 3x
PROFILE := $(CURDIR)/cmd/sim/release.pgo
bench:
	$(GO) test -run '^$$' -bench . -benchtime $(BENCHTIME) -pgo=$(PROFILE) ./sim ./scenario ./scenario/cluster/plan ./scenario/runs/upgrade
	version=v1_36; export CONFORMANCE_SPEED=1; $(REAL) -tags real,$$version -count=1 -pgo=$(PROFILE) \
		-run '^TestSpeed$$' -v . | grep '^Benchmark'

# The instructions of rollouts, counted by valgrind, against sim/testdata/instructions.txt: a tenth more is a failure. What
# the machine does beside does not count. Without valgrind nothing is counted. The test is compiled as a release is.
instructions:
	INSTRUCTIONS=1 $(GO) test ./sim -pgo=$(PROFILE) -run '^TestInstructions$$' -v

# The profile with which Go compiles releases and benchmarks: rollouts of all sizes without the garbage collector, and sim
# upgrade. It stays useful when the code changes: write it again only when the hot path changes.
profile:
	mkdir -p bin
	GOGC=off GOMEMLIMIT=4GiB $(GO) test ./sim -run '^$$' -bench '$(HOT)' -benchtime 15s \
		-o bin/rollouts.test -cpuprofile $(CURDIR)/bin/rollouts.pprof
	$(GO) test ./scenario/runs/upgrade -run '^$$' -bench DifferentSets -benchtime 6s \
		-o bin/upgrade.test -cpuprofile $(CURDIR)/bin/upgrade.pprof
	cd .ci/profile && $(GO) run . ../../bin/rollouts.pprof ../../bin/upgrade.pprof > $(PROFILE)
HOT := Rollout/(ordered|parallel|latency)/replicas=(5|100|1000)$$

# The decoder, the pages, and every command with changed files of all kinds, against arbitrary input: FUZZTIME for each.
# STRANGERS=1000000 is how many executions of commands there are, instead.
FUZZTIME ?= 30s
fuzz: strangers
	$(GO) test -run '^$$' -fuzz FuzzParse -fuzztime $(FUZZTIME) -fuzzminimizetime 1s ./scenario
	$(GO) test -run '^$$' -fuzz FuzzPages -fuzztime $(FUZZTIME) -fuzzminimizetime 1s ./sim/output/report/html

.PHONY: strangers
strangers:
	STRANGERS_FOR=$(if $(STRANGERS),,$(FUZZTIME)) SEED=$(SEED) $(GO) test -run '^TestStrangers$$' -timeout 24h -v ./cmd/sim

# Many more random worlds than `make test` makes, held to what StatefulSets promise: with nodes that go down, claims that
# are deleted, pods that change owners, calls that fail and caches that lag; and whole scenario files that draw from all of
# the format at once, which take longer, and of which there are fewer. SEED=0 makes others every time; with a seed of
# its own a check says of the same commit the same each time, which is what lets it hold a change back.
WORLDS ?= 20000
SEED ?= 1
properties:
	$(GO) test ./sim -run 'Promises|Owners|Names|TestFaults$$' -rapid.checks=$(WORLDS) -rapid.seed=$(SEED)
	$(GO) test ./sim -run 'TestFaultsRepeat$$' -rapid.checks=2000 -rapid.seed=$(SEED)
	$(GO) test ./scenario/worlds -timeout 1h -skip Numbers -rapid.checks=$$(($(WORLDS) / 10)) -rapid.seed=$(SEED)
	$(GO) test ./scenario/worlds -timeout 1h -run Numbers -rapid.checks=$$(($(WORLDS) / 100)) -rapid.seed=$(SEED)
	$(GO) test ./scenario/worlds/judged -v -timeout 1h -run TestCertain -rapid.checks=$$(($(WORLDS) / 3)) -rapid.seed=$(SEED)
	$(GO) test ./scenario/worlds/judged -timeout 1h -run 'TestAgree|TestFixes' -rapid.checks=$$(($(WORLDS) / 10)) -rapid.seed=$(SEED)

# What is said of dumps of random worlds, against what then comes in them: it prints how much of what is said with certainty,
# and of what is said as likely, comes true. That explain, plan and upgrade say the same of each dump. And that the fixes
# that are offered heal the worlds that were dumped.
.PHONY: judgement
judgement:
	$(GO) test ./scenario/worlds/judged -v -timeout 24h -run 'TestCertain|TestAgree|TestFixes|TestFollow' -rapid.checks=$(WORLDS) -rapid.seed=$(SEED)

# What takes a night: 10^5 random worlds, each stopped at a fixed point and begun again from its state; as many of which
# all numbers that are printed are held to the world; pairs of worlds whose fingerprints are compared; the plans of all
# public manifests; and what is said of dumps. NIGHT of other sizes, or with another SEED, may run side by side.
NIGHT ?= 100000
nightly:
	$(GO) test ./scenario/worlds -run TestBegunAgain -timeout 24h -rapid.checks=$(NIGHT) -rapid.seed=$(SEED)
	$(GO) test ./scenario/worlds -run TestPrintedNumbers -timeout 24h -rapid.checks=$(NIGHT) -rapid.seed=$(SEED)
	$(GO) test ./sim -run 'TestFingerprint$$' -timeout 24h -rapid.checks=$$(($(NIGHT) / 5)) -rapid.seed=$(SEED)
	JUDGED=all $(GO) test ./scenario/cluster/plan -run TestJudged -v
	$(MAKE) judgement WORLDS=$(NIGHT)
	$(MAKE) tours
	$(MAKE) load
	$(MAKE) operators SIM_KUBECTL=$(CURDIR)/bin/kubectl-$(firstword $(KUBECTLS))

# kubectl of several versions, each built from its module, on its tour through sim serve: what they print is the session in
# testdata/tour. The first one, the newest, also plays the recordings of real control planes.
KUBECTLS ?= 1.37 1.36 1.35 1.34 1.33 1.32 1.31 1.30 1.29
.PHONY: tours
tours: $(KUBECTLS:%=bin/kubectl-%)
	@for version in $(KUBECTLS); do echo "kubectl $$version"; \
		SIM_KUBECTL=$(CURDIR)/bin/kubectl-$$version SIM_KUBECTL_VERSION=$$version \
		$(GO) test -count=1 ./scenario/serve -run '^TestKubectl$$' || exit; done
	SIM_KUBECTL=$(CURDIR)/bin/kubectl-$(firstword $(KUBECTLS)) $(GO) test -count=1 ./scenario -run '^TestKubectlLives$$' -v -timeout 2h
bin/kubectl-%:
	.ci/kubectl $* $@

# What sim serve takes: 10^6 writes, 1,000 pods with five watchers, a hundred requests in a second; and that the informers
# of client-go hold what the server has after 10,000 writes with watches that break. make test and make simtest have a
# sample.
.PHONY: load
load:
	SERVE_LOAD=1 $(GO) test -count=1 ./scenario/serve -run 'TestNothingGrows|TestManyWatchedPods|TestManyRequests' -v -timeout 24h
	cd sim/simtest && SERVE_LOAD=1 $(GO) test -count=1 -run TestInformersEqualTheStore -v -timeout 2h .

# Kubernetes' own end-to-end specs of StatefulSets against sim serve, with a kubectl of your own. Building them takes ten
# minutes. E2E_SPECS are parts of names, to run some. docs/serve.md has the results.
E2E_SPECS ?=
e2e: build
	GOFLAGS= $(GO) test -C .ci/e2e -c -ldflags='-s -w' -o $(CURDIR)/bin/e2e.test .
	SIM=$(CURDIR)/bin/sim E2E=$(CURDIR)/bin/e2e.test SIM_KUBECTL=$${SIM_KUBECTL:-kubectl} .ci/e2e/run $(E2E_SPECS)

# Operators, each built from its module, against sim serve (docs/serve.md): OPERATORS=rabbitmq names those that run.
.PHONY: operators
operators: build
	SIM=$(CURDIR)/bin/sim SIM_KUBECTL=$${SIM_KUBECTL:-kubectl} .ci/operators $(OPERATORS)

# Errors planted in the algorithm one at a time, each of which sim explore must find within 10 s of CPU time.
mutants:
	MUTANTS=all $(GO) test ./scenario/runs/explore -run Planted -v -timeout 3h

# Changes planted in the source of PACKAGES one at a time, and those that no test of their package notices (LIVED) or
# reaches (NOT COVERED). FLAGS="--diff main" plants only in the lines that differ from main; gremlins has more.
PACKAGES ?= scenario/cluster/plan/diff
FLAGS ?=
mutate:
	$(GO) build -C .ci/tools -o $(CURDIR)/bin/ github.com/go-gremlins/gremlins/cmd/gremlins
	@for package in $(PACKAGES); do \
		bin/gremlins unleash --invert-logical --invert-loopctrl --timeout-coefficient 10 -S lct $(FLAGS) ./$$package || exit; done

# That the search loses no class of findings because it knows states, on every scenario of the library.
pruning:
	PRUNING=all $(GO) test ./scenario/runs/explore -run Pruning -timeout 3h

# Each set of a grid of shapes, on each version, searched for every pair of deviations (GRID=1: every single one): what is
# found must be known under a name, or explained. GRID_VERSIONS=1.38 does so for a new version.
GRID ?= 2
grid:
	GRID=$(GRID) GRID_VERSIONS=$(GRID_VERSIONS) $(GO) test ./scenario/runs/explore -run Grid -v -timeout 12h

# All of the above but the benchmarks and what takes a night.
check: lint build test fuzz properties

# The simulator against Kubernetes' own control code, for each version that has a module file in sim/conformance/versions:
# N single syncs and N/50 whole runs, but at least 500, and N/100 worlds of the whole controller, but at least 100. What it
# finds is kept in testdata and tried first the next time.
VERSIONS ?= $(basename $(notdir $(wildcard sim/conformance/versions/*.mod)))
N ?= 10000
RANDOM := CONFORMANCE_N=$(N) CONFORMANCE_SEED=$(SEED)
REAL = cd sim/conformance && CONFORMANCE_VERSION=$$version $(GO) test -vet=off -timeout 12h -mod=mod -modfile=versions/$$version.mod
conformance:
	@for version in $(VERSIONS); do (export $(RANDOM); $(REAL) -tags real,$$version .) || exit 1; done

# What the simulated API server refuses, drops and fills in, against the strategies of the real one. They take longer to
# compile than all the rest.
REFUSALS := Refusals|Manifests|PodTemplates|ClaimChanges|Budgets
refusals:
	@for version in $(VERSIONS); do \
		(export $(RANDOM); $(REAL) -tags real,apiserver,$$version -run '$(REFUSALS)' .) || exit 1; \
	done
