package upgrade

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Input holds the sets that the upgrade is played for. The zero Input is empty; Read adds to it, once for each file,
// and then ReadState is called once. Compare, Set and Runs only read it.
type Input struct {
	// Sets are the StatefulSets in the order in which they were read. No two have the same key. A single version may
	// still refuse one; api says so.
	Sets []*Set
	// Ignored names the kinds of other objects, each once, in their order.
	Ignored []string
	// Unmodelled says what is assumed of objects that have an effect on pods in a cluster, and none here.
	Unmodelled []string
	// Warnings are things in manifests that are probably mistakes.
	Warnings []string
	// Invalid says what is wrong with sets that no version takes, each with its place. They are left out.
	Invalid []string

	// seen are the Sets by their keys; nil as long as there are none.
	seen map[model.Key]*Set
	// sources are the files that were read, pods says that one of them shows live pods, live is the state of them all.
	sources []dump.Source
	pods    bool
	live    *dump.Index
	// cluster is what was read of the cluster itself.
	cluster shownCluster
}

// Set is a StatefulSet of the input.
type Set struct {
	Key model.Key
	// Position is its place, FILE:LINE.
	Position string

	// object is the set as the user has it, before the API server's defaults; nobody changes it. shape is the same for
	// sets that behave alike, see shapeOf.
	object *model.StatefulSet
	shape  string
	// pods says what is wrong with its pods, which only some versions look at.
	pods strict.Problems
	// moving says why the status of a dump is that of a set that is not at rest; "" if it is none.
	moving string
}

// Read adds the StatefulSets of a file of manifests, or of a dump by `kubectl get statefulsets -A -o yaml`. A set
// without a namespace is in the namespace default. One that is wrong is left out; the error is about the file as a
// whole, and about sets that are there twice.
func (in *Input) Read(file string, data []byte, limits strict.Limits) error {
	stream := strict.ParseStream(file, data, limits)
	r := stream.Reader(file, limits)
	whole := len(r.Problems)
	found := readDocs(r, stream)
	in.leaveOut(r.Problems[whole:])
	r.Problems = r.Problems[:whole]
	for _, warning := range r.Warnings.Sorted() {
		in.Warnings = append(in.Warnings, warning.Error())
	}
	in.sources = append(in.sources, dump.Source{Name: file, Data: data})
	for _, other := range found.Others {
		in.cluster.note(&other)
		if note := other.Unmodelled(); note != "" {
			in.Unmodelled = append(in.Unmodelled, note)
			continue
		}
		in.pods = in.pods || pair.IsPod(&other)
		if !other.IsClaim() && !slices.Contains(in.Ignored, other.Kind) {
			in.Ignored = append(in.Ignored, other.Kind)
		}
	}
	for _, set := range found.Sets {
		own := *r
		own.Problems = nil
		set.CheckLimits(&own)
		set.Check(&own)
		status := pair.StatusOf(set.Node)
		in.add(r, &own, set, status)
		in.pods = in.pods || pair.ShowsNone(set.Node)
		in.leaveOut(own.Problems)
	}
	return r.Problems.Err()
}

// readDocs reads the documents of a stream. A field that is not known is a mistake in a manifest; what a server has
// printed may be newer than this program.
func readDocs(r *strict.Reader, stream *strict.Stream) *manifest.File {
	whole := &manifest.File{}
	for i, doc := range stream.Docs {
		r.Lenient = manifest.IsLive(doc)
		part := manifest.ReadNamed(r, stream.Docs[i:i+1])
		whole.Sets, whole.Others = append(whole.Sets, part.Sets...), append(whole.Others, part.Others...)
	}
	return whole
}

// accepted returns the input without the sets whose pods are wrong, if both versions look at the pods of a set: then
// both refuse it.
func (in *Input) accepted(o Options) *Input {
	if !o.From.CheckClaims || !o.To.CheckClaims {
		return in
	}
	left := *in
	left.Sets, left.Invalid = nil, slices.Clone(in.Invalid)
	for _, set := range in.Sets {
		if len(set.pods) == 0 {
			left.Sets = append(left.Sets, set)
			continue
		}
		left.leaveOut(set.pods)
	}
	return &left
}

// leaveOut notes what is wrong with sets that are left out. One wrong set of a whole cluster is no reason to refuse
// the others.
func (in *Input) leaveOut(problems strict.Problems) {
	for _, problem := range problems {
		in.Invalid = append(in.Invalid, problem.Error())
	}
}

// add adds a set, unless something is wrong with it. Problems of the set alone are written to own, so that the set is
// left out; that it is there twice is a problem of r, and so of the file: which of the two should count is unknown.
func (in *Input) add(r, own *strict.Reader, given *manifest.Set, status *pair.Status) {
	object, err := given.New("default")
	if err != nil {
		if len(own.Problems) == 0 {
			own.Problem(given.Node, err.Message, "no version of Kubernetes accepts this")
		}
		return
	}
	if len(own.Problems) > 0 {
		return
	}
	set := &Set{
		Key: object.Key(), Position: fmt.Sprintf("%s:%d", given.File, given.Node.Line),
		object: object, shape: shapeOf(object), moving: status.Unfinished(object),
	}
	wrong := strict.Reader{}
	given.CheckPods(&wrong)
	set.pods = wrong.Problems
	if first := in.seen[set.Key]; first != nil {
		r.Problem(given.Node, fmt.Sprintf("the StatefulSet %s occurs twice", set.Key), "the first is at "+first.Position)
		return
	}
	if in.seen == nil {
		in.seen = map[model.Key]*Set{}
	}
	in.seen[set.Key] = set
	in.Sets = append(in.Sets, set)
}

// shapeOf returns the part of a set that decides how it behaves: its spec without the images, the names and the
// labels, of the claims only how many there are, and of the template whether its pods are gone at once when they are
// deleted. Sets of one shape behave alike in every case, because the cases replace the images. A set whose names or
// whose template some version refuses has a shape of its own. It panics if a spec cannot be encoded, which is a bug.
func shapeOf(set *model.StatefulSet) string {
	spec, template := set.Spec, set.Spec.Template
	spec.Template, spec.Selector, spec.ServiceName, spec.ClaimTemplates = nil, model.Selector{}, "", nil
	text, err := json.Marshal(spec)
	if err != nil {
		panic(fmt.Sprintf("upgrade: a spec cannot be encoded: %v", err))
	}
	shape := fmt.Sprintf("%s %d", text, len(set.Spec.ClaimTemplates))
	if template != nil && template.Grace == 0 {
		shape += " gone at once"
	}
	if !isLabel(set.Name) || !isLabel(set.Spec.ServiceName) || template != nil && len(template.Wrong) > 0 {
		shape += " " + set.Key().String()
	}
	return shape
}

// Describe says in a few words what matters of a set for a rollout: "Parallel, 3 replicas, partition 1".
func (s *Set) Describe() string { return render.Shape(s.object) }
