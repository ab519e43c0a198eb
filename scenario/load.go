package scenario

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// apiVersion is the version of the format.
const apiVersion = "statefulsim.dev/v1"

// defaultUntil is the virtual time when a run ends if its scenario does not give one. Practical rollouts are
// shorter, and a run that repeats itself ends earlier (sim.Config.Cycles).
const defaultUntil = 30 * 24 * time.Hour

// fileKeys are the keys of a scenario, as in schema.json.
var fileKeys = []string{"apiVersion", "name", "description", "kubernetes", "featureGates", "seed", "until", "kubelet",
	"start", "nodes", "volumes", "collector", "dns", "apiserver", "controller", "steps", "faults", "explore", "expect"}

// loader reads one scenario, once. Each of its methods notes problems in r and continues, so that a reader sees all
// of them; the result of a method after a problem is never played.
type loader struct {
	// options are the options of Parse; dir has the files that the scenario names, and is nil if it may name none.
	options Options
	dir     fs.FS
	// r has the problems and warnings of the scenario's own file, and the limits of reading.
	r *strict.Reader
	// digest is fed with the scenario, the files in the order in which they are read, and the settings of Options.With.
	digest hash.Hash
	// scenario is the scenario so far. Later parts use the results of earlier ones: the version, the nodes, the
	// start.
	scenario *Scenario
	// others are the problems of files other than the scenario's own; the problems of its own text are in r.
	others strict.Problems
	// warnings are the mistakes in other files that kubectl accepts; the warnings of the scenario's own text are in
	// r.
	warnings strict.Problems
	// skew are the versions of the components after the steps so far; nil where no order of steps is known.
	skew *release.Skew
	// census lists the objects that the steps so far create.
	census *census
	// named are the steps so far, as expectations refer to them, those with problems too.
	named []expect.Step
	// ignores holds the names of the objects that are in Scenario.Ignored, so that each is there once.
	ignores map[string]bool
	// expanded holds, by the node in the scenario, the manifests that a short form, a path or a block of text
	// represents. Expand writes them in its place.
	expanded map[*yaml.Node][]*yaml.Node
	// earliest is the earliest instant when the next step can act, from the start of the run: at least the `at` of
	// the earlier steps plus their `after`.
	earliest time.Duration
	// overrides are the patches of every set that the options ask for.
	overrides []*manifest.Patch
	// probed is true if the kubelet follows the probes of the manifests.
	probed bool
	// home is the namespace of steps that do not name one: the namespace of the dump's sets if they share one; ""
	// is default.
	home string
	// labels are the labels that steps, faults and the dump give to pods.
	labels []condition.Labelling
	// taken are the names of steps and faults that were resolved to sets in other namespaces.
	taken []taken
	// heals is true if the last step was an `unready … for`.
	heals bool
}

// newLoader returns a loader for a scenario that is called name in messages. dir may be nil.
func newLoader(name string, dir fs.FS, o Options) *loader {
	base := filepath.Base(name)
	return &loader{
		options:  o,
		dir:      dir,
		r:        &strict.Reader{File: name, Limits: o.Limits},
		digest:   sha256.New(),
		census:   newCensus(),
		ignores:  map[string]bool{},
		expanded: map[*yaml.Node][]*yaml.Node{},
		scenario: &Scenario{Path: name, Name: strings.TrimSuffix(base, filepath.Ext(base))},
	}
}

// err returns all problems as strict.Problems, sorted by file and line; nil if there are none.
func (l *loader) err() error { return slices.Concat(l.r.Problems, l.others).Err() }

// mapping reads a mapping with some reserved keys: they are known, but using one is an error of its own. It returns
// nil if n is nil or not a mapping; methods of strict.Map accept that.
func (l *loader) mapping(n *yaml.Node, what string, known, reserved []string) *strict.Map {
	m := l.r.Map(n, what)
	if m == nil {
		return nil
	}
	for _, key := range m.Keys() {
		switch {
		case slices.Contains(reserved, key):
			l.r.Problem(m.Key(key), fmt.Sprintf("%q is not yet supported", key), "the name is reserved; leave it out")
		case !slices.Contains(known, key):
			l.unknownKey(m, m.Key(key), what, known)
		}
	}
	return m
}

// elsewhere are keys that people often write one level too high, by the mapping where they write them, each with
// its right place.
var elsewhere = map[string]map[string]string{
	"a step": {
		"toRevision":  "undo: {statefulset: web, toRevision: 1}",
		"replicas":    "scale: {statefulset: web, replicas: 5}",
		"image":       `setImage: {statefulset: web, image: "app:v2"}`,
		"statefulset": "restart: {statefulset: web}",
		"pod":         "unready: {pod: web-1}",
		"node":        "nodeDown: {node: node-2}",
	},
	"a rule of the kubelet": {
		"pod": "match: {pod: web-1}", "image": `match: {image: "app:v2"}`, "ordinal": "match: {ordinal: 1}",
		"nth": "match: {nth: 2}", "node": "match: {node: node-2}", "statefulset": "match: {statefulset: web}",
	},
	"a rule of the volumes": {"claim": "match: {claim: data-web-1}", "nth": "match: {nth: 2}"},
}

// unknownKey notes that a mapping must not have the key, and where it belongs if that is known.
func (l *loader) unknownKey(m *strict.Map, key *yaml.Node, what string, known []string) {
	if place := elsewhere[what][key.Value]; place != "" && m.Open(key) == "" {
		l.r.Problem(key, fmt.Sprintf("%q is no key of %s", key.Value, what), "it belongs one level deeper, as in "+place)
		return
	}
	if what == "a step" && slices.Contains(fileKeys, key.Value) && m.Open(key) == "" {
		l.r.Problem(key, fmt.Sprintf("%q is no key of a step", key.Value), "it belongs to the left margin, not below a step")
		return
	}
	m.UnknownKey(key, known)
}

// file reads the whole scenario. The order matters: each part may look at those before it. The version comes first,
// since rules of nodes and probes follow from it; the start before the kubelet, whose times it replaces; the nodes
// before the steps that name them; and the steps before faults, expectations and the block explore.
func (l *loader) file(root *yaml.Node) {
	s := l.scenario
	m := l.mapping(root, "a scenario", fileKeys, nil)
	if m == nil {
		return
	}
	if m.Has("apiVersion") {
		m.OneOf("apiVersion", apiVersion)
	}
	if name := m.String("name"); name != "" {
		s.Name = name
	}
	s.Description = strings.TrimSpace(m.String("description"))
	l.seed(m)
	l.with()
	limits := l.options.Limits.OrDefault()
	s.Until, s.MaxEvents, s.MaxReplicas, s.MaxCost = defaultUntil, limits.Events, int(limits.Replicas), limits.Cost
	if s.UntilGiven = m.Has("until"); s.UntilGiven {
		ok := false
		if s.Until, ok = l.r.Duration(m.Value("until"), "until"); ok && s.Until == 0 {
			l.r.Problem(m.Value("until"), "until is 0", "write a duration like 1h")
		}
	}
	l.start(m)
	l.version(m)
	s.Kubelet = l.kubelet(m.Value("kubelet"))
	l.nodes(m.Value("nodes"))
	l.dns(m)
	s.Machinery = l.machinery(m)
	s.Volumes = l.volumes(m.Value("volumes"))
	s.Collector = l.collector(m.Value("collector"))
	l.steps(m)
	l.faults(m)
	if len(l.census.classes) > 0 {
		s.Volumes.Mode = modes(l.census.classes)
	}
	l.expect(m.Value("expect"))
	l.exploration(m.Value("explore"))
	l.stillClear()
	s.Digest = "sha256:" + hex.EncodeToString(l.digest.Sum(nil))
}

// IsScenario reports whether a text is meant to be a scenario, and not a manifest: a mapping with steps, or without
// a kind. It looks at the first document only. A text that cannot be parsed is not a scenario.
func IsScenario(data []byte) bool {
	var doc yaml.Node
	if yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc) != nil || len(doc.Content) == 0 {
		return false
	}
	root := doc.Content[0]
	has := func(key string) bool {
		return slices.ContainsFunc(root.Content, func(n *yaml.Node) bool { return n.Value == key })
	}
	return root.Kind == yaml.MappingNode && (has("steps") || !has("kind"))
}

// IsDump reports whether a text was printed of a live cluster, as kubectl get does. It looks at the first document
// only.
func IsDump(data []byte) bool {
	var doc yaml.Node
	return yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc) == nil && len(doc.Content) > 0 &&
		manifest.IsLive(doc.Content[0])
}

// parse reads the text of a scenario, and returns its root.
func (l *loader) parse(data []byte) (*yaml.Node, error) {
	docs, problems := strict.Parse(l.r.File, data, l.r.Limits)
	if len(docs) > 0 && l.isManifest(docs[0], len(docs) == 1) {
		return nil, l.err()
	}
	root, problems := strict.One(l.r.File, docs, problems)
	l.r.Problems = problems
	if root != nil {
		l.file(root)
	}
	return root, l.err()
}

// setless are kinds of objects that people run, other than StatefulSets.
var setless = []string{"Deployment", "ReplicaSet", "DaemonSet", "Job", "CronJob", "Pod", "Service", "PodDisruptionBudget",
	"ConfigMap", "Secret"}

// isManifest reports whether the file is an object of Kubernetes where a scenario is wanted, and notes a problem that
// names the command for it. alone is true if the file has no other document.
func (l *loader) isManifest(root *yaml.Node, alone bool) bool {
	if root.Kind != yaml.MappingNode {
		return false
	}
	keys := map[string]*yaml.Node{}
	for i := 0; i < len(root.Content); i += 2 {
		keys[root.Content[i].Value] = root.Content[i]
	}
	if keys["kind"] == nil || keys["steps"] != nil {
		return false
	}
	file, path := l.r.File, l.r.File
	if file == "<stdin>" {
		// A scenario cannot name what comes from standard input, so the state of a cluster has to be a file.
		file, path = "FILE", "-"
	}
	if manifest.IsLive(root) {
		l.r.Problem(keys["kind"], "this is what kubectl get prints of a cluster, and not a scenario",
			shell.Line("sim", "explain", path)+" explains it, and "+shell.Line("sim", "init", file)+
				" writes a scenario that begins with it")
		return true
	}
	if kind := (&strict.Reader{}).Map(root, "").String("kind"); alone && slices.Contains(setless, kind) {
		l.r.Problem(keys["kind"], "this is a manifest and not a scenario, and there is no StatefulSet in it, but "+kind,
			"sim plays StatefulSets only")
		return true
	}
	l.r.Problem(keys["kind"], "this is a manifest and not a scenario",
		shell.Line("sim", "init", path)+" writes a scenario that applies it, and sim plan compares it with another")
	return true
}

// seed reads the seed; the option takes precedence.
func (l *loader) seed(m *strict.Map) {
	l.scenario.Seed = m.Uint("seed")
	if l.options.Seed != nil {
		l.scenario.Seed = *l.options.Seed
	}
}

// dns reads how slow the DNS is, and how long it caches; 0 is at once, and not at all.
func (l *loader) dns(m *strict.Map) {
	dns := l.r.Map(m.Value("dns"), "dns", "delay", "ttl")
	l.scenario.DNSDelay, l.scenario.DNSTTL = dns.Duration("delay"), dns.Duration("ttl")
}

// expect compiles the expectations. If a step could not be read the sets are not all known, and then none is refused.
func (l *loader) expect(n *yaml.Node) {
	env := expect.Env{File: l.r.File, Limits: l.r.Limits, Steps: l.named, Sets: l.census.keys}
	if l.census.lost {
		env.Sets = nil
	}
	labels := l.labels
	env.Labels = &labels
	compiled, problems := expect.Compile(n, env)
	l.scenario.Expectations = compiled
	l.r.Problems = append(l.r.Problems, problems...)
}

// gates reads the feature gates of the file; the options take precedence. It appends them to Scenario.Gates, sorted
// by name, so it must be called once for each version that is tried, with Gates emptied in between.
func (l *loader) gates(m *strict.Map) map[string]bool {
	gates := map[string]bool{}
	if n := m.Value("featureGates"); n != nil && n.Kind == yaml.SequenceNode && len(n.Content) > 0 {
		gate, _, _ := strings.Cut(n.Content[0].Value, "=")
		l.r.Problem(n, "featureGates is a list", "write {"+strict.Shorten(gate)+": true}")
		return gates
	}
	named := m.Map("featureGates")
	for _, gate := range named.Keys() {
		gates[gate] = named.Bool(gate)
	}
	maps.Copy(gates, l.options.Gates)
	for _, gate := range slices.Sorted(maps.Keys(gates)) {
		l.scenario.Gates = append(l.scenario.Gates, timeline.Gate{Name: gate, On: gates[gate]})
	}
	return gates
}
