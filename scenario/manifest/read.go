// Package manifest reads real manifests: YAML or JSON, of one or many documents, lists, and dumps of a live
// cluster. A StatefulSet is decoded strictly into the types of k8s.io/api, defaulted as the API server does it, and
// converted into the model's StatefulSet and back; other objects are kept by their names.
//
// Reading keeps the place of each field, so that each refusal by the API server that can be foreseen is a problem
// with file, line and column. The simulated API server decides everything that depends on a version: this package
// finds mistakes and leaves their order and wording by version to it.
//
// Patches are made and applied here too, as kubectl and the API server do: on the JSON form of the live object.
//
// Invariants: equal objects have equal JSON, which the model compares templates by; Object returns the input of
// Model, with defaults; no function changes the model's set that it is given, but returns another.
//
// Packages scenario, dump, plan, play, heal and upgrade call it. It knows no world: an operation that kubectl splits
// between a client and a server is here only as far as it needs neither time nor other objects.
package manifest

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/names"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// File holds the objects of one or several manifests.
type File struct {
	// Sets are the StatefulSets in the order of the file.
	Sets []*Set
	// Services are the Services in the order of the file; they are among the Others too.
	Services []*Service
	// Others are the objects of other kinds, in the order of the file, Services among them.
	Others []Other
	// Wrong are the StatefulSets that cannot be read; the reader has their problems too. A reader of dumps can
	// continue.
	Wrong []Wrong

	// named is true if a name that every API server rejects is a problem.
	named bool
}

// Wrong is a StatefulSet that cannot be read, with the problems that its reader has of it.
type Wrong struct {
	Other
	Problems strict.Problems
}

// Set is a StatefulSet of a manifest.
type Set struct {
	// Object is the StatefulSet as it was given, without the fields that only a server writes (status, uid and so
	// on), and without defaults. Only Override changes it.
	Object *appsv1.StatefulSet
	// Given is the JSON form of the same, with exactly the fields that the manifest has: kubectl apply compares these.
	Given map[string]any
	// Node is its place in the file named File.
	Node *yaml.Node
	File string

	// nodes has the node of each field by its path in the file, for messages; nil once they are forgotten.
	nodes map[string]*yaml.Node
	// nulls are the paths of the fields that the manifest sets to null, those in lists left out, in their order.
	nulls [][]string
	// prefix precedes the paths of the fields in the API; the short form omits it.
	prefix string
}

// Other is an object that is no StatefulSet.
type Other struct {
	APIVersion, Kind, Namespace, Name string
	// Simulated is true if it has an influence nevertheless: a Service that selects pods, if there is a DNS, or a
	// claim.
	Simulated bool
	// Node is its place in the file.
	Node *yaml.Node
}

// String names the object as it is named to users: Service nginx.
func (o Other) String() string {
	name := o.Name
	if o.Namespace != "" {
		name = o.Namespace + "/" + name
	}
	return strings.TrimSpace(o.Kind + " " + name)
}

// Unmodelled says what is assumed about an object that affects pods in a cluster but not here; "" for any other.
func (o Other) Unmodelled() string {
	if o.APIVersion != "v1" {
		return ""
	}
	return Unmodelled(o.Kind, o.Name)
}

// Unmodelled says what is assumed about the object with a kind and a name, as a sentence.
func Unmodelled(kind, name string) string {
	switch kind {
	case "ResourceQuota":
		return fmt.Sprintf("The ResourceQuota %s is not modelled. Assumed: it refuses nothing.", name)
	case "LimitRange":
		return fmt.Sprintf("The LimitRange %s is not modelled. Assumed: it changes and refuses no pod.", name)
	}
	return ""
}

// Read reads the objects in the documents of a file, and in the lists among them. A mistake becomes a problem of
// the reader; objects that cannot be used are left out.
func Read(r *strict.Reader, docs []*yaml.Node) *File {
	file := &File{}
	for _, doc := range docs {
		file.add(r, doc)
	}
	return file
}

// ReadNamed is Read for files that never have a wrong name on purpose, unlike a scenario that shows how it is
// refused: an object whose name or namespace every API server rejects is a problem.
func ReadNamed(r *strict.Reader, docs []*yaml.Node) *File {
	file := &File{named: true}
	for _, doc := range docs {
		file.add(r, doc)
	}
	return file
}

// openKruise is the API group of another kind of StatefulSets.
const openKruise = "apps.kruise.io"

// add reads one object, or each item of a list. An object of an unknown kind has no influence, except in the API
// group apps, where it is most likely a mistake.
func (f *File) add(r *strict.Reader, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		// It may be any file, and its contents may be confidential.
		what := "a manifest is not an object"
		if n.ShortTag() == "!!null" {
			what = "a manifest is empty"
		}
		r.Problem(n, what, "write an object with apiVersion, kind and metadata")
		return
	}
	before := len(r.Problems)
	// Keys that are doubled mean something where the object is read, and not here.
	m := (&strict.Reader{}).Map(n, "a manifest")
	version, hasVersion := text(m.Value("apiVersion"))
	kind, hasKind := text(m.Value("kind"))
	if !hasVersion || !hasKind {
		noManifest(r, n, m)
		return
	}
	if at := unrendered(m); at != nil {
		r.Problem(at, "this is a Helm template", "render it with helm template")
		return
	}
	group, _, _ := strings.Cut(version, "/")
	if f.named && misnamed(r, kind, n) {
		if kind == "StatefulSet" && group == "apps" {
			f.Wrong = append(f.Wrong, Wrong{other(version, kind, n), slices.Clone(r.Problems[before:])})
		}
		return
	}
	switch {
	case kind == "List" && version == "v1", strings.HasSuffix(kind, "List") && m.Has("items"):
		for _, item := range r.List(m.Value("items"), "items") {
			f.add(r, typedItem(item, version, strings.TrimSuffix(kind, "List")))
		}
	case kind == "StatefulSet" && version == "apps/v1":
		if set := readSet(r, n); set != nil {
			f.Sets = append(f.Sets, set)
		} else {
			f.Wrong = append(f.Wrong, Wrong{other(version, kind, n), slices.Clone(r.Problems[before:])})
		}
	case kind == "StatefulSet" && slices.Contains(betas, version):
		f.addBeta(r, m, version)
	case kind == "StatefulSet" && (group == "apps" || group == "extensions"):
		r.Problem(m.Value("apiVersion"), "apiVersion is "+version, "the StatefulSet's version is apps/v1")
		f.Wrong = append(f.Wrong, Wrong{other(version, kind, n), slices.Clone(r.Problems[before:])})
	case kind == "StatefulSet" && (version == "v1" || group == openKruise):
		what, want := "a StatefulSet of v1", "write apiVersion: apps/v1"
		if group == openKruise {
			what, want = "a StatefulSet of OpenKruise ("+openKruise+")", "sim plays those of apps/v1 only"
		}
		r.Problem(m.Value("apiVersion"), what, want)
		f.Wrong = append(f.Wrong, Wrong{other(version, kind, n), slices.Clone(r.Problems[before:])})
	case group == "kustomize.config.k8s.io":
		unbuilt(r, n)
	case group == "apps" && !slices.Contains(appsKinds, kind):
		r.Problem(m.Value("kind"), "kind is "+strict.Shorten(kind), strict.DidYouMean(kind, appsKinds))
	case kind == "Service" && version == "v1":
		o := other(version, kind, n)
		o.Simulated = selects(m)
		f.Others = append(f.Others, o)
		if o.Simulated {
			f.addService(r, n)
		}
	default:
		o := other(version, kind, n)
		o.Simulated = o.IsClaim()
		f.Others = append(f.Others, o)
	}
}

// misnamed notes what is wrong with the name and the namespace of an object that counts, and reports whether
// anything is.
func misnamed(r *strict.Reader, kind string, n *yaml.Node) bool {
	object, _ := (&typed{}).free(n).(map[string]any)
	wrong := names.Identity(kind, object)
	for _, w := range wrong {
		what, want := w.Problem()
		r.Problem(strict.Find(n, w.Path, w.Key), what, want)
	}
	return len(wrong) > 0
}

// typedItem returns an item of a list with its kind. Items of a StatefulSetList need not say what they are.
func typedItem(n *yaml.Node, version, kind string) *yaml.Node {
	if kind == "" || n.Kind != yaml.MappingNode || (&strict.Reader{}).Map(n, "").Has("kind") {
		return n
	}
	item := without(n, []string{"apiVersion"})
	for _, text := range []string{"apiVersion", version, "kind", kind} {
		item.Content = append(item.Content, &yaml.Node{
			Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Line: n.Line, Column: n.Column,
		})
	}
	return item
}

// addService adds a Service that can be read.
func (f *File) addService(r *strict.Reader, n *yaml.Node) {
	if service := readService(r, n); service != nil {
		f.Services = append(f.Services, service)
	}
}

// selects reports whether a Service selects pods. One that does not, or is a name for something outside of the
// cluster, has no influence on a run.
func selects(service *strict.Map) bool {
	var quiet strict.Reader
	spec := service.Value("spec")
	if spec == nil || spec.Kind != yaml.MappingNode {
		return false
	}
	fields := quiet.Map(spec, "")
	kind, _ := text(fields.Value("type"))
	selector := fields.Value("selector")
	return selector != nil && len(selector.Content) > 0 && kind != string(corev1.ServiceTypeExternalName)
}

// noManifest notes what a document is that has no kind and version.
func noManifest(r *strict.Reader, n *yaml.Node, m *strict.Map) {
	what, want := "this is not a manifest", "an object needs apiVersion and kind, both text"
	switch {
	case slices.Contains(Kustomizations, filepath.Base(r.File)):
		unbuilt(r, n)
		return
	case filepath.Base(r.File) == ChartFile:
		what, want = OfChart(filepath.Dir(r.File))
	case m.Has("releases"):
		what, want = "this is a helmfile", "pass what "+shell.Line("helmfile", "-f", r.File, "template")+printsIt
	case strings.HasPrefix(filepath.Base(r.File), "values"):
		what, want = "this file has the values of a Helm chart", "pass what "+
			shell.Line("helm", "template", "CHART", "-f", r.File)+printsIt
	case slices.Contains([]string{".jsonnet", ".libsonnet"}, filepath.Ext(r.File)):
		what, want = "this is Jsonnet", "pass what "+shell.Line("jsonnet", r.File)+printsIt
	case m.Has("steps"):
		want = "it is a scenario, which sim run plays"
	case len(n.Content) > 0 && strict.Message(n.Content[0].Value+":"):
		what, want = strict.MessageIs(n.Content[0].Value + ": " + n.Content[1].Value)
	}
	r.Problem(n, what, want)
}

// Kustomizations are the names that the file of a folder of Kustomize may have.
var Kustomizations = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// unbuilt refuses the file of a Kustomize folder, and says what to pass instead: the file does not contain what
// Kustomize makes of its resources.
func unbuilt(r *strict.Reader, n *yaml.Node) {
	folder := filepath.Dir(r.File)
	if !slices.Contains(Kustomizations, filepath.Base(r.File)) {
		folder = "DIR"
	}
	r.Problem(n, "this file is for Kustomize", fmt.Sprintf("build it first, and pass what %s prints, "+
		"in a file or, through a pipe, as -", shell.Kubectl("kustomize", folder)))
}

// appsKinds are the kinds of the API group apps. Another one there is a mistake, and hardly to be ignored.
var appsKinds = []string{"StatefulSet", "StatefulSetList", "Deployment", "DeploymentList", "DaemonSet", "DaemonSetList",
	"ReplicaSet", "ReplicaSetList", "ControllerRevision", "ControllerRevisionList"}

// other describes an object by the parts that can be read without its type.
func other(version, kind string, n *yaml.Node) Other {
	o := Other{APIVersion: version, Kind: kind, Node: n}
	object := (&typed{}).free(n)
	if metadata, ok := object.(map[string]any)["metadata"].(map[string]any); ok {
		o.Name, _ = metadata["name"].(string)
		o.Namespace, _ = metadata["namespace"].(string)
	}
	return o
}

// serverOnly are the fields of an object that only a server writes: a dump has them, and they mean nothing to a run.
var serverOnly = map[string][]string{
	"": {"status"},
	"metadata": {"managedFields", "resourceVersion", "uid", "generation", "selfLink", "creationTimestamp",
		"deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences", "finalizers"},
}

// ownership are the fields among them that a manifest may still have. They are checked, and mean nothing to a run.
var ownership = []string{"ownerReferences", "finalizers"}

// readSet reads a StatefulSet; nil if there is a problem. generateName is refused: every run of a scenario would need
// the name that the server makes up.
func readSet(r *strict.Reader, n *yaml.Node) *Set {
	before := len(r.Problems)
	set := &Set{Node: n, File: r.File, nodes: map[string]*yaml.Node{}}
	reader := typed{r: r, nodes: set.nodes}
	keep := ownership
	if r.Lenient {
		// What runs has been accepted.
		keep = nil
	}
	given := reader.value(WithoutServerOnly(n, keep...), "", reflect.TypeFor[appsv1.StatefulSet]())
	object, _ := given.(map[string]any)
	set.Given = object
	if set = set.decoded(r, before); set == nil {
		return nil
	}
	if metadata, is := object["metadata"].(map[string]any); is {
		for _, field := range ownership {
			delete(metadata, field)
		}
	}
	if set.Object.Name == "" && set.Object.GenerateName != "" {
		r.Problem(set.at("metadata.generateName"), "metadata.generateName is given",
			"give the StatefulSet a name: metadata.name")
		return nil
	}
	return set
}

// decoded fills Object from Given. before is the number of problems before the set. If reading has found problems, the
// values that could be read are checked as far as each can be by itself, so that a reader learns of all mistakes at
// once, and the result is nil.
func (s *Set) decoded(r *strict.Reader, before int) *Set {
	s.nulls = nullsOf(s.nodes)
	s.Object = new(appsv1.StatefulSet)
	err := kube.Decode(s.Given, s.Object)
	switch {
	case len(r.Problems) > before:
		s.checkValues(r)
		return nil
	case err != nil:
		misfit(r, s.Node, "StatefulSet", err)
		return nil
	}
	return s
}

// misfit notes that an object cannot be decoded.
func misfit(r *strict.Reader, n *yaml.Node, kind string, err error) {
	what, want := strict.Misfit(err)
	r.Problem(n, "the "+kind+" cannot be decoded: "+what, want)
}

// nullsOf returns the paths of the nodes that are null, except those in lists.
func nullsOf(nodes map[string]*yaml.Node) [][]string {
	var paths [][]string
	for _, path := range slices.Sorted(maps.Keys(nodes)) {
		if nodes[path].ShortTag() == "!!null" && path != "" && !strings.Contains(path, "[") {
			paths = append(paths, strings.Split(path, "."))
		}
	}
	return paths
}

// Forget drops the text of the set, keeping only its start position. For a thousand sets, the text takes more
// memory than everything else. The set must not be checked any more after that.
func (s *Set) Forget() {
	s.nodes, s.Node = nil, &yaml.Node{Kind: s.Node.Kind, Line: s.Node.Line, Column: s.Node.Column}
}

// at returns the node of a field path of the API server, or the nearest one above it that the manifest has; the set
// itself if it has none.
func (s *Set) at(path string) *yaml.Node {
	// The API server leaves a part out if it reports errors in a template's labels and annotations.
	if rest, found := strings.CutPrefix(path, "spec.template."); found && (rest == "labels" || rest == "annotations") {
		path = "spec.template.metadata." + rest
	}
	path = strings.TrimPrefix(s.ofVolume(path), s.prefix)
	for path != "" {
		if n := s.nodes[path]; n != nil {
			return n
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return s.Node
}

// ofVolume returns the place of a field of a volume in the manifest: the API server counts the claim templates first,
// as volumes of the pod.
func (s *Set) ofVolume(path string) string {
	const volumes = "spec.template.spec.volumes["
	rest, is := strings.CutPrefix(path, volumes)
	number, rest, _ := strings.Cut(rest, "]")
	i, err := strconv.Atoi(number)
	if !is || err != nil {
		return path
	}
	claims := s.Object.Spec.VolumeClaimTemplates
	if i < len(claims) {
		return fmt.Sprintf("spec.volumeClaimTemplates[%d].metadata%s", i, rest)
	}
	i -= len(claims)
	for own := range s.Object.Spec.Template.Spec.Volumes {
		if ofTemplate(&s.Object.Spec, s.Object.Spec.Template.Spec.Volumes[own].Name) {
			continue
		}
		if i == 0 {
			return volumes + strconv.Itoa(own) + "]" + rest
		}
		i--
	}
	return path
}

// Place returns the place of the field at a path of the API, such as spec.replicas; nil if the manifest does not have it.
func (s *Set) Place(path string) *yaml.Node { return s.nodes[strings.TrimPrefix(path, s.prefix)] }

// WithoutServerOnly copies an object without the fields that only a server writes. The values are shared.
func WithoutServerOnly(n *yaml.Node, but ...string) *yaml.Node {
	leave := slices.DeleteFunc(slices.Clone(serverOnly["metadata"]), func(field string) bool {
		return slices.Contains(but, field)
	})
	copied := without(n, serverOnly[""])
	for i := 0; i+1 < len(copied.Content); i += 2 {
		if value := copied.Content[i+1]; copied.Content[i].Value == "metadata" && value.Kind == yaml.MappingNode {
			copied.Content[i+1] = without(value, leave)
		}
	}
	return copied
}

// without copies a mapping and leaves keys out.
func without(n *yaml.Node, keys []string) *yaml.Node {
	copied := *n
	copied.Content = nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !slices.Contains(keys, n.Content[i].Value) {
			copied.Content = append(copied.Content, n.Content[i], n.Content[i+1])
		}
	}
	return &copied
}

// text returns a text that is not empty; false for anything else.
func text(n *yaml.Node) (string, bool) {
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		return "", false
	}
	return n.Value, n.Value != ""
}

// Default fills in the API server's defaults that do not depend on a version: in the pod template, the claim
// templates, replicas, podManagementPolicy, revisionHistoryLimit and the update strategy. Defaults that depend on a
// version or a feature gate (maxUnavailable, the retention policy) are left to the simulated API server. It changes
// the set, and doing it again changes nothing. After it, pointers that have a default are not nil: conversion and
// validation rely on that.
func Default(set *appsv1.StatefulSet) {
	defaultSpec(&set.Spec)
	defaultPodTemplate(&set.Spec.Template)
	for i := range set.Spec.VolumeClaimTemplates {
		claim := &set.Spec.VolumeClaimTemplates[i]
		defaultClaimSpec(&claim.Spec)
	}
}

// defaultSpec fills in the spec apart from its templates.
func defaultSpec(spec *appsv1.StatefulSetSpec) {
	if spec.PodManagementPolicy == "" {
		spec.PodManagementPolicy = appsv1.OrderedReadyPodManagement
	}
	absent(&spec.Replicas, 1)
	absent(&spec.RevisionHistoryLimit, 10)
	strategy := &spec.UpdateStrategy
	// The block appears only where the type was left out. With the type written and the block left out the object has
	// none, and then a pod that comes back in mid-rollout may come back at the old revision.
	if strategy.Type == "" {
		strategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
		if strategy.RollingUpdate == nil {
			strategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{}
		}
	}
	if strategy.Type == appsv1.RollingUpdateStatefulSetStrategyType && strategy.RollingUpdate != nil {
		absent(&strategy.RollingUpdate.Partition, 0)
	}
}

// absent sets a field that is not given.
func absent[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}
