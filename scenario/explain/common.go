package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/sim/lazy"
	"github.com/statefulsim/statefulsim/sim/render"
)

// Cause is what keeps several sets stuck at once: whoever removes it helps all of them.
type Cause struct {
	// What is the cause as a clause: "node a does not answer". Sets are the sets that it keeps stuck, as NAMESPACE/NAME,
	// in the order of the explanation; they are at least two.
	What string   `json:"what"`
	Sets []string `json:"sets"`
}

// shared returns the causes that several stuck sets have in common, those of the most sets first. A set counts for the
// pod that it is stuck on, which has one cause; it may be one that cannot be compared with those of other sets.
func (l *Live) shared(d *dump.Dump) []Cause {
	var causes []Cause
	places := map[string]int{}
	for _, s := range l.Sets {
		what := s.cause(d)
		if what == "" {
			continue
		}
		place, known := places[what]
		if !known {
			place = len(causes)
			places[what] = place
			causes = append(causes, Cause{What: what})
		}
		causes[place].Sets = append(causes[place].Sets, s.key.String())
	}
	causes = slices.DeleteFunc(causes, func(c Cause) bool { return len(c.Sets) < 2 })
	slices.SortStableFunc(causes, func(a, b Cause) int { return cmp.Compare(len(b.Sets), len(a.Sets)) })
	return causes
}

// cause says what keeps a stuck set, in the words that are the same for each set with that cause; "" if the set is not
// stuck, or its cause is its own.
func (s *LiveSet) cause(d *dump.Dump) string {
	if !s.Stuck() {
		return ""
	}
	key := model.Key{Namespace: s.Namespace, Name: s.StuckOn}
	p, f := d.Pod(key), d.Facts[key]
	if p == nil || f == nil {
		return s.refusedFor()
	}
	for i := range d.State.Nodes {
		if n := &d.State.Nodes[i]; n.Name == p.Node && n.Down {
			return "node " + n.Name + " does not answer"
		}
	}
	switch {
	case d.NotReady[p.Node] != "":
		return "node " + p.Node + " is not Ready"
	case p.Node == "":
		return s.unplacedFor(p, f, d)
	case f.Added:
		return "admission adds the container " + f.Container + ", which does not run"
	case f.OfNode():
		return "pods do not start on node " + p.Node
	case strings.Contains(f.Waiting, "ImagePull"):
		return unpulled(p.Node, f)
	}
	if kind, name := f.Lacks(); name != "" {
		return fmt.Sprintf("the %s %s does not exist in the namespace %s", kind, name, s.Namespace)
	}
	return ""
}

// quota finds in a refusal the name of the ResourceQuota that is used up.
var quota = lazy.Regexp(`exceeded quota: ([^,]+),`)

// refusedFor says why the API server does not create the pod that the set is stuck on, without the names of the pod and
// the set.
func (s *LiveSet) refusedFor() string {
	if s.StuckOn == "" || len(s.Waits) == 0 || s.Waits[0].Error == "" {
		return ""
	}
	says := s.Waits[0].Error
	if found := quota().FindStringSubmatch(says); found != nil {
		return fmt.Sprintf("the ResourceQuota %s of the namespace %s allows no more", found[1], s.Namespace)
	}
	if _, after, cut := strings.Cut(says, " failed error: "); cut {
		says = after
	}
	return "pods cannot be created: " + dump.OneLine(strings.ReplaceAll(says, s.StuckOn, "POD"))
}

// unplacedFor says why a pod has no node: its PVCs get no volume, or the nodes do not take it.
func (s *LiveSet) unplacedFor(p *dump.Pod, f *dump.Facts, d *dump.Dump) string {
	for _, claim := range d.ClaimsOf(p.Pod) {
		if class := dump.ClassOf(claim); class != "" && d.Waits(claim) && d.FailedClaims[claim.Key()] != "" {
			return "PVCs of the StorageClass " + class + " get no volume"
		}
	}
	if f.Unschedulable == "" || strings.Contains(f.Unschedulable, "persistentvolumeclaim") {
		return ""
	}
	return "the scheduler says: " + dump.OneLine(f.Unschedulable)
}

// unpulled says why an image cannot be pulled: what lies with the registry or the node holds for all its images.
func unpulled(node string, f *dump.Facts) string {
	registry := registryOf(f.Image)
	switch {
	case dump.Diskless(f.Message + f.Event):
		return "the disk of node " + node + " has no room for images"
	case dump.Unreached(f.Message):
		return "the registry " + registry + " is not reached, or does not answer"
	case dump.RateLimited(f.Message):
		return "the registry " + registry + " limits how often images are pulled"
	case heal.Unauthorized(f.Message):
		return "the registry " + registry + " refuses the credentials"
	}
	return "image " + f.Image + " cannot be pulled"
}

// registryOf returns the registry of an image: the part before the first slash, if that can be a host.
func registryOf(image string) string {
	if host, _, cut := strings.Cut(image, "/"); cut && (strings.ContainsAny(host, ".:") || host == "localhost") {
		return host
	}
	return "docker.io"
}

// mostInCommon is the number of sets of a cause that are named in text.
const mostInCommon = 4

// InCommon says of each of the causes how many sets it keeps stuck, and which.
func (l *Live) InCommon() []string {
	var sentences []string
	for _, c := range l.Causes {
		sentences = append(sentences, fmt.Sprintf("%s are stuck for one reason: %s (%s).",
			render.Count(len(c.Sets), "set"), c.What, render.List(c.Sets, mostInCommon)))
	}
	return sentences
}
