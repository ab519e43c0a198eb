// Package dump reads what kubectl prints of a live cluster (`kubectl get statefulsets,pods,... -o yaml`) as the state
// that a world can begin with. Package printing prints a state the other way round.
//
// It reads YAML or JSON, Lists or single objects, in any number of files, with any kinds left out. Objects of a live
// cluster have been accepted by an API server, so nothing is validated; unknown kinds and fields are ignored, because
// the server may be newer. The instant 0 of the state is the time of the dump, so everything in it has happened at or
// before 0.
//
// A dump does not show all that follows from it: why a pod is not Ready, or why a pod is missing that nothing holds
// back. lasting_failures.go and symptoms_and_what_is_missing.go say what is concluded, and from what; what is assumed
// because a kind is missing is in Dump.Assumed, in sentences for the user. Whatever is not known is assumed to be
// healthy, unless an object shows otherwise.
//
// Invariants: every uid in a state is above 0, and no two objects share one; each pod of the state has Facts; objects
// of one kind are in the order of kubectl, by namespace, name and ordinal, so nothing depends on how a dump was put
// together. A Dump does not change after Read, and neither does what is made of it: parts and worlds share its objects.
//
// Package explain asks a dump what it shows; packages scenario, plan and upgrade play worlds that begin with it. This
// package plays a world itself only to find out what the scheduler and the controller would do at once.
package dump

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/lists"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/names"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Options change how a dump is read. The zero value changes nothing.
type Options struct {
	// At is the time at which the dump was taken; the zero time means the newest time in it. Taken is the same,
	// given by a user: a dump with a newer time is a *NewerError.
	At, Taken time.Time
	// Clock, if it is set, says when the dump was taken, if the newest time in it is the one that it is passed.
	Clock func(newest time.Time) time.Time
	// Limits are the limits for the files; a limit of 0 means its default.
	Limits strict.Limits
}

// Dump is the state of a live cluster, as kubectl printed it. It does not change after Read; worlds that begin with it
// replace objects and do not write to them.
type Dump struct {
	// State is the state that a world begins with. Its instant 0 is At, the time at which it was taken.
	State *sim.State
	At    time.Time
	// Guessed is true if At is only the newest time in the dump, and no node shows how old that is: the kubelets write
	// the status of their nodes every few minutes, whatever happens.
	Guessed bool
	// Timeless is true if At is guessed and there are no events: a dump of an hour later would have the same newest time.
	Timeless bool
	// Assumed lists in sentences what is assumed because a kind or an object is missing.
	Assumed []string
	// Ignored is true if the dump has pods of StatefulSets that it does not have.
	Ignored bool
	// Attachments are the VolumeAttachments, if the dump shows them.
	Attachments []*storagev1.VolumeAttachment
	// Unseen are nodes of pods that are not in the dump, and whose state no pod shows.
	Unseen []string
	// Nodeless is true if the dump has no nodes, Claimless if it has no claims.
	Nodeless, Claimless bool
	// Kubelet is the newest version of the nodes' kubelets, as they print it; "" if it is not known.
	Kubelet string
	// Manager is the newest version of the kube-controller-managers among the pods; "" if the dump does not show it.
	Manager string
	// Facts has, for each pod of State, what the dump shows of it in addition to the model's pod; never nil for one of
	// them. A part of a dump has those of the whole.
	Facts map[model.Key]*Facts
	// Sets, Claims and Nodes have what the dump shows of them in addition to the model's. Claims need not exist.
	Sets   map[model.Key]SetFacts
	Claims map[model.Key]ClaimFacts
	Nodes  map[string]NodeFacts
	// Services are the Services of the dump. Hiding are those of them that are headless and show only Ready pods.
	Services, Hiding []model.Key
	// Foreign are pods that are named like those of a StatefulSet and belong to something else.
	Foreign []*Foreign
	// Going are the namespaces that are being deleted.
	Going map[string]*Namespace
	// Classes are the StorageClasses. If there are none, the dump does not show them.
	Classes manifest.Classes
	// Resizes are the changes of volumes that have not come to their end, in the order of the claims.
	Resizes []*Resize

	// allowed are the sets whose pods are refused no more, and volumes the claims that get a volume now, since a change
	// brings what they lack; see Given.
	allowed map[model.Key]bool
	// admits are the pods of sets that a quota has room for now although it does not have it for all.
	admits  map[model.Key]bool
	volumes []model.Key
	// works are the containers that admission has added, as far as they run in Ready pods.
	works map[added]bool
	// places finds the objects of State; nil for a dump that was not read.
	places *places
	// filters makes the filters of the worlds that begin with the dump, or with a part of it.
	filters *placement.Memory
	// limits are the ResourceQuotas, and ranges the LimitRanges.
	limits []*corev1.ResourceQuota
	ranges []*corev1.LimitRange
}

// SetFacts has what a dump shows of a set in addition to the model's set.
type SetFacts struct {
	// FailedCreate is the message of the last event about a pod that could not be created; "" if none is refused.
	// Refused is when the first of those events was.
	FailedCreate string
	Refused      model.Time
	// FailedDelete is that of the last event about a pod that could not be deleted; "" if none is refused.
	FailedDelete string
	// Remade is how many sets of this name have created pods, by the events, besides the one of the dump.
	Remade int
	// Owner is its controller, the custom resource of an operator; nil if it has none. Scalers are what writes its
	// replicas: "HorizontalPodAutoscaler web".
	Owner   *Owner
	Scalers []string
	// Written is when its spec was changed last, if Dated, and Tool the last program that has done so and does so again, ""
	// for none, as its managedFields say.
	Written model.Time
	Dated   bool
	Tool    string
	// Historyless is true if revisions of it are not in the dump: nobody knows the order of those that are named.
	Historyless bool
}

// ClaimFacts has what a dump shows of a claim in addition to the model's claim.
type ClaimFacts struct {
	// Failed is the message of the last event that it gets no volume, and NotResized that of one that it does not grow.
	Failed, NotResized string
	// Lost is true if its PersistentVolume, Volume, does not exist any more.
	Lost   bool
	Volume string
	// Wrong says why it does not get the PersistentVolume that it asks for, as a clause about the volume; "" if it does, or
	// if the dump has no PersistentVolumes.
	Wrong string
	// Released is the PersistentVolume that an earlier claim of the same name had, and that still has its data: no claim
	// gets it as long as it refers to that one.
	Released string
	// Bound is its PersistentVolume, if the dump has that, and Path the directory of its node that this is; "" for none.
	Bound, Path string
	// reach are the nodes that can use its volume; nil if its PersistentVolume does not say so.
	reach *corev1.NodeSelector
	// Handle is what its CSI volume is called in the status of nodes; "" if the dump does not show it.
	Handle string
	// Holders are the pods of other owners than sets that use it, and have not ended.
	Holders []Holder
}

// Holder is a pod that uses a claim, and the Deployment or other object that makes it anew.
type Holder struct{ Pod, Node, Kind, Name string }

// NodeFacts has what a dump shows of a node in addition to the model's node.
type NodeFacts struct {
	// NotReady is what its kubelet says that is not Ready.
	NotReady string
	// Withheld are its devices that are in its capacity, by resource, and of which none is allocatable.
	Withheld map[string]string
	// InUse are the volumes that its kubelet says to be in use.
	InUse []string
}

// note changes the facts about an object.
func note[K comparable, F any](all map[K]F, of K, change func(*F)) {
	f := all[of]
	change(&f)
	all[of] = f
}

// the kinds that a dump may hold.
const (
	kindSet      = "StatefulSet"
	kindPod      = "Pod"
	kindClaim    = "PersistentVolumeClaim"
	kindRevision = "ControllerRevision"
	kindBudget   = "PodDisruptionBudget"
	kindService  = "Service"
	kindNode     = "Node"
	kindEvent    = "Event"
	kindVolume   = "PersistentVolume"
	kindQuota    = "ResourceQuota"
	kindLimits   = "LimitRange"
	kindClass    = "StorageClass"
	kindSpace    = "Namespace"
	kindAttached = "VolumeAttachment"
	// kindApplication is not read: it is Argo CD's, and has the names of what it applies.
	kindApplication = "Application"
)

// kind is a kind that is read: the API groups that have it, what keeps an object of it, and what sorts those kept.
type kind struct {
	groups []string
	keep   func(*raw, *lists.Object) error
	sort   func(*raw)
}

// object is an object of the API's own types.
type object[T any] interface {
	*T
	GetName() string
	GetNamespace() string
}

// keeping returns the kind whose objects are in a list.
func keeping[T any, P object[T]](list func(*raw) *[]P, groups ...string) kind {
	return kind{groups,
		func(r *raw, o *lists.Object) (err error) {
			*list(r), err = keep(*list(r), o, r.at)
			return err
		},
		func(r *raw) { sortByName(*list(r)) },
	}
}

// reads are the kinds that are read. Other groups have kinds of the same names: the StatefulSet of OpenKruise, the Node
// of Longhorn, the Service of Knative.
var reads = map[string]kind{
	kindSet:          keeping(func(r *raw) *[]*appsv1.StatefulSet { return &r.sets }, "apps"),
	kindPod:          keeping(func(r *raw) *[]*corev1.Pod { return &r.pods }, ""),
	kindClaim:        keeping(func(r *raw) *[]*corev1.PersistentVolumeClaim { return &r.claims }, ""),
	kindRevision:     keeping(func(r *raw) *[]*appsv1.ControllerRevision { return &r.revisions }, "apps"),
	kindBudget:       keeping(func(r *raw) *[]*policyv1.PodDisruptionBudget { return &r.budgets }, "policy"),
	kindService:      keeping(func(r *raw) *[]*corev1.Service { return &r.services }, ""),
	kindNode:         keeping(func(r *raw) *[]*corev1.Node { return &r.nodes }, ""),
	kindEvent:        keeping(func(r *raw) *[]*corev1.Event { return &r.events }, "", "events.k8s.io"),
	kindVolume:       keeping(func(r *raw) *[]*corev1.PersistentVolume { return &r.volumes }, ""),
	kindQuota:        keeping(func(r *raw) *[]*corev1.ResourceQuota { return &r.quotas }, ""),
	kindLimits:       keeping(func(r *raw) *[]*corev1.LimitRange { return &r.ranges }, ""),
	kindSpace:        keeping(func(r *raw) *[]*corev1.Namespace { return &r.namespaces }, ""),
	kindClass:        keeping(func(r *raw) *[]*storagev1.StorageClass { return &r.classes }, "storage.k8s.io"),
	kindAttached:     keeping(func(r *raw) *[]*storagev1.VolumeAttachment { return &r.attached }, "storage.k8s.io"),
	kindAutoscaler:   keeping(func(r *raw) *[]*scaler { return &r.scalers }, "autoscaling"),
	kindScaledObject: keeping(func(r *raw) *[]*scaler { return &r.scalers }, "keda.sh"),
}

// Kinds returns the kinds that the dump has.
func Kinds() []string {
	return []string{
		kindSet, kindPod, kindClaim, kindRevision, kindBudget, kindService, kindNode, kindEvent, kindVolume, kindQuota,
		kindClass, kindSpace,
	}
}

// raw are the objects of a dump in the API's own types, each name once, in the order of the dump until they are sorted.
type raw struct {
	// The lists have the kinds that are read. Sets are those that a server has printed, see isManifest.
	sets      []*appsv1.StatefulSet
	pods      []*corev1.Pod
	claims    []*corev1.PersistentVolumeClaim
	revisions []*appsv1.ControllerRevision
	budgets   []*policyv1.PodDisruptionBudget
	services  []*corev1.Service
	nodes     []*corev1.Node
	events    []*corev1.Event
	volumes   []*corev1.PersistentVolume
	quotas    []*corev1.ResourceQuota
	ranges    []*corev1.LimitRange
	classes   []*storagev1.StorageClass
	// namespaces are all of them, as far as they are shown.
	namespaces []*corev1.Namespace
	scalers    []*scaler
	attached   []*storagev1.VolumeAttachment
	// at has the index of each object in the list of its kind, until they are sorted.
	at map[objectName]int
	// kinds are the first kinds that the dump has, also those that are not read.
	kinds []string
	// newest is the newest time in them that is not in the future; known counts the sets and pods.
	newest time.Time
	known  int
	// replicas are those that each set wants, by its place in sets, and all those together, of which there may be most.
	replicas  map[int]int64
	all, most int64
}

// objectName is what an object of a dump is found by. The namespace of one that names none is default, as everywhere.
type objectName struct{ kind, namespace, name string }

// Source is the content of a file or of standard input, with a name for messages.
type Source = lists.Source

// Looks reports whether some text looks like a dump, or a manifest, and not like a scenario.
func Looks(data []byte) bool { return lists.Looks(data) }

// Read reads a dump: one List, several documents or several sources, with any kinds left out. Unknown kinds and fields
// are ignored. An object that occurs twice counts once: the last one. The error is strict.Problems; it is one if there
// is neither a StatefulSet nor a Pod, and for each StatefulSet that is what people apply, and not what a server prints.
// There must be a source. Problems of all sources are reported together, and then there is no Dump. It costs O(bytes).
func Read(sources []Source, o Options) (*Dump, error) {
	r := &raw{at: map[objectName]int{}, replicas: map[int]int64{}, most: int64(o.Limits.OrDefault().Replicas)}
	var problems strict.Problems
	for _, source := range sources {
		if lists.IsCut(source.Data) {
			lines := bytes.Count(source.Data, []byte("\n"))
			problems = append(problems, strict.Problem{File: source.Name, Line: lines, Column: 1,
				What: "the list is cut off here: the line kind: List is missing", Want: "save all that kubectl get prints"})
			continue
		}
		var taken strict.Problems
		err := lists.Each(source, o.Limits, func(o *lists.Object) { taken = append(taken, asProblems(r.take(o))...) })
		problems = append(append(problems, asProblems(err)...), taken...)
	}
	if len(problems) > 0 {
		return nil, problems.Err()
	}
	if r.known == 0 {
		return nil, r.nothing(sources[0].Name).Err()
	}
	switch {
	case o.Clock != nil:
		o.At = o.Clock(r.newest)
	case o.Taken.IsZero():
	case o.Taken.Before(r.newest):
		return nil, &NewerError{r.newest}
	default:
		o.At = o.Taken
	}
	guessed := o.At.IsZero() && !slices.ContainsFunc(r.nodes, beats)
	if o.At.IsZero() {
		o.At = r.newest
	}
	for _, name := range slices.Sorted(maps.Keys(reads)) {
		reads[name].sort(r)
	}
	d := r.dump(o.At, namesOf(sources))
	d.Guessed, d.Timeless = guessed, guessed && len(r.events) == 0
	return d, nil
}

// NewerError is the error of a dump that has a newer time than the one at which it is said to be taken.
type NewerError struct{ Newest time.Time }

// Error names the newest time.
func (e *NewerError) Error() string {
	return "the dump has a newer time, " + e.Newest.UTC().Format(time.RFC3339) + ", so it was taken then or later"
}

// namesOf joins the names of the sources, for the timeline of a run that begins with the dump.
func namesOf(sources []Source) string {
	var list []string
	for _, source := range sources {
		list = append(list, source.Name)
	}
	return strings.Join(list, ", ")
}

// asProblems returns the problems of an error of this package.
func asProblems(err error) strict.Problems {
	problems, _ := err.(strict.Problems)
	return problems
}

// nothing is the problem of a dump with neither sets nor pods. It says what there is instead.
func (r *raw) nothing(file string) strict.Problems {
	p := strict.Problem{File: file, Line: 1, Column: 1, What: "there is no StatefulSet in it, and no Pod", Want: Command}
	if kinds := slices.DeleteFunc(r.kinds, func(kind string) bool { return kind == "" }); len(kinds) > 0 {
		p.What += ", but " + render.List(kinds, 3)
		if slices.Contains(kinds, kindApplication) {
			p.Want = "an Application of Argo CD only names its objects: argocd app manifests APPLICATION prints them for sim " +
				"plan, and this prints the state of the cluster: " + Command
		} else if meant := strict.Nearest(kinds[0], []string{kindSet}); meant != "" {
			p.Want = "did you mean " + meant + "?"
		}
	}
	return strict.Problems{p}
}

// take adds an object of a kind that is used.
func (r *raw) take(o *lists.Object) error {
	if len(r.kinds) < 6 && !slices.Contains(r.kinds, o.Kind) {
		r.kinds = append(r.kinds, o.Kind)
	}
	if !isKubernetes(o.Kind, o.Version) {
		return nil
	}
	if wrong := wrongNames(o); wrong != nil {
		return wrong
	}
	as, read := reads[o.Kind]
	if !read {
		return nil
	}
	switch o.Kind {
	case kindSet:
		if err := ofServer(o); err != nil {
			return err
		}
	case kindEvent:
		settleEvent(o)
	}
	err := as.keep(r, o)
	if o.Kind == kindAutoscaler || o.Kind == kindScaledObject {
		return err
	}
	if o.Kind == kindSet && err == nil {
		err = r.crowded(o)
	}
	if o.Kind == kindSet || o.Kind == kindPod {
		r.known++
	}
	r.newest = later(r.newest, newestIn(o.Fields))
	return err
}

// ofServer returns the problem of a set that no API server has printed.
func ofServer(o *lists.Object) error {
	if !FromServer(o.Fields) {
		return isManifest(o)
	}
	if spec, _ := o.Fields["spec"].(map[string]any); spec["selector"] == nil {
		// No API server has one, and a change of it could not be told from a change of what every set must keep.
		return strict.Problems{o.Problem("the StatefulSet has no spec.selector, which every API server asks for",
			"save all that kubectl get prints: "+Command)}
	}
	return nil
}

// crowded returns the problem of a set with which there are more replicas than the limit allows: what is asked about
// each of them would not end. One that was there before takes the place of that. A set without a number wants one.
func (r *raw) crowded(o *lists.Object) error {
	spec, _ := o.Fields["spec"].(map[string]any)
	replicas, given := number(spec["replicas"])
	if replicas = max(0, replicas); !given {
		replicas = 1
	}
	what := fmt.Sprintf("spec.replicas is %d", replicas)
	if replicas <= r.most {
		name, _ := o.Fields["metadata"].(map[string]any)
		at := r.at[objectName{kindSet, cmp.Or(lists.Text(name["namespace"]), metav1.NamespaceDefault), lists.Text(name["name"])}]
		r.all, r.replicas[at] = r.all+replicas-r.replicas[at], replicas
		if r.all <= r.most {
			return nil
		}
		what += fmt.Sprintf(", with which all sets up to here have %d replicas", r.all)
	}
	line, column := o.Place([]any{"spec", "replicas"}, false)
	return strict.Problems{{File: o.File, Line: line, Column: column, What: what,
		Want: fmt.Sprintf("at most %d are simulated: raise the limit with --max-replicas", r.most)}}
}

// wrongNames returns the names that no API server takes, if the object is of a kind that is used.
func wrongNames(o *lists.Object) error {
	if !slices.Contains(Kinds(), o.Kind) {
		return nil
	}
	var problems strict.Problems
	for _, wrong := range names.Of(o.Kind, o.Fields) {
		what, want := wrong.Problem()
		line, column := o.Place(wrong.Path, wrong.Key)
		problems = append(problems, strict.Problem{File: o.File, Line: line, Column: column, What: what, Want: want})
	}
	return problems.Err()
}

// isManifest says what is wrong with a set that no server has printed: nobody can say how it stands.
func isManifest(o *lists.Object) error {
	return strict.Problems{o.Problem("this is a manifest, not what kubectl get -o yaml prints: it has no uid, "+
		"resourceVersion, creationTimestamp or generation, and nothing in its status",
		"for a manifest use sim plan, or the step apply of a scenario; a dump of the cluster is what this prints: "+Command)}
}

// FromServer says whether an object has something that only a server gives it. What renders manifests writes the empty
// fields of the types, such as creationTimestamp: null and status: {replicas: 0}, which say nothing. An object from
// which somebody has removed some of these fields has others.
func FromServer(fields map[string]any) bool {
	metadata, _ := fields["metadata"].(map[string]any)
	for _, key := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "deletionTimestamp"} {
		if says(metadata[key]) {
			return true
		}
	}
	return says(fields["status"])
}

// says says whether there is anything but zeros in a value.
func says(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), says)
	case []any:
		return slices.ContainsFunc(v, says)
	case bool:
		return v
	case string:
		return v != ""
	}
	n, is := number(v)
	return v != nil && (!is || n != 0)
}

// settleEvent gives an event of the group events.k8s.io the names of the core group, and one that is counted in a
// series its count and its last time.
func settleEvent(o *lists.Object) {
	for _, name := range [][2]string{{"regarding", "involvedObject"}, {"note", "message"}, {"deprecatedCount", "count"},
		{"deprecatedFirstTimestamp", "firstTimestamp"}, {"deprecatedLastTimestamp", "lastTimestamp"}} {
		if o.Fields[name[1]] == nil {
			o.Fields[name[1]] = o.Fields[name[0]]
		}
	}
	if series, is := o.Fields["series"].(map[string]any); is {
		o.Fields["count"] = cmp.Or(series["count"], o.Fields["count"])
		o.Fields["lastTimestamp"] = cmp.Or(series["lastObservedTime"], o.Fields["lastTimestamp"])
		o.Fields["firstTimestamp"] = cmp.Or(o.Fields["firstTimestamp"], o.Fields["eventTime"])
	}
}

// keep decodes an object and adds it to the list of its kind. It replaces one of the same name from an earlier source.
func keep[T any, P object[T]](list []P, o *lists.Object, at map[objectName]int) ([]P, error) {
	object := P(new(T))
	if err := o.Into(object); err != nil {
		return list, err
	}
	if object.GetName() == "" {
		return list, strict.Problems{o.Problem("a "+o.Kind+" has no name", "a dump is what kubectl get -o yaml prints")}
	}
	key := objectName{o.Kind, cmp.Or(object.GetNamespace(), metav1.NamespaceDefault), object.GetName()}
	if i, known := at[key]; known {
		list[i] = object
		return list, nil
	}
	at[key] = len(list)
	return append(list, object), nil
}

// number returns a number of an object, as YAML or JSON has read it; false for anything else. A fraction is cut off.
func number(v any) (int64, bool) {
	switch v := v.(type) {
	case int:
		return int64(v), true
	case int64:
		return v, true
	case float64:
		return int64(v), true
	}
	return 0, false
}
