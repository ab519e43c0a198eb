package dump

import (
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Brought is an object that a change brings: one that is new, or that is not as it was. Namespace is "" for an object
// that belongs to none, Keys are those of its data.
type Brought struct {
	Kind, Namespace, Name string
	Keys                  []string
}

// Given returns the dump as it is when a change has brought some objects, and says of the sets what they cure. A pod
// that waits for one of them starts. A container that ends again and again reads its environment and its files anew at
// each restart (kuberuntime_container.go), so with another ConfigMap or Secret it may stay up: reads says which of them
// a template reads. The dump does not change, and is returned as it is if nothing is cured.
func (d *Dump) Given(brought []Brought, reads func(*model.Template, Brought) bool) (*Dump, map[model.Key][]Brought) {
	cures := map[model.Key][]Brought{}
	given, state := *d, *d.State
	given.State, given.Facts = &state, maps.Clone(d.Facts)
	given.FailedCreates, given.FailedClaims = maps.Clone(d.FailedCreates), maps.Clone(d.FailedClaims)
	state.Pods = slices.Clone(d.State.Pods)
	for i := range state.Pods {
		p, f := state.Pods[i], d.Facts[state.Pods[i].Key()]
		for _, b := range brought {
			again := f.ends() && b.Namespace == p.Namespace && reads(p.Template, b)
			if p.Ready || p.Terminating() || !f.cures(p, b) && !again {
				continue
			}
			state.Pods[i], given.Facts[p.Key()] = cured(p), f.cured()
			set := model.Key{Namespace: p.Namespace, Name: ownerName(p.Pod)}
			cures[set] = append(cures[set], b)
			break
		}
	}
	for _, b := range brought {
		for _, set := range slices.SortedFunc(maps.Keys(d.FailedCreates), model.Key.Compare) {
			says := d.FailedCreates[set]
			if (b.Namespace == "" || b.Namespace == set.Namespace) && tells(says, b) {
				delete(given.FailedCreates, set)
				cures[set] = append(cures[set], b)
			}
		}
		for _, claim := range slices.SortedFunc(maps.Keys(d.FailedClaims), model.Key.Compare) {
			if b.Kind == "StorageClass" && tells(d.FailedClaims[claim], b) {
				delete(given.FailedClaims, claim)
			}
		}
	}
	if len(cures) == 0 {
		return d, nil
	}
	given.places = placesOf(&state)
	return &given, cures
}

// cures says whether an object is what a pod waits for to start.
func (f *Facts) cures(p Pod, b Brought) bool {
	if b.Namespace != p.Namespace {
		return false
	}
	if kind, name := f.Lacks(); kind == b.Kind && name == b.Name {
		return true
	}
	if key, of := f.LacksKey(); of == b.Kind+" "+b.Name && slices.Contains(b.Keys, key) {
		return true
	}
	return b.Kind == kindClaim && tells(f.Unschedulable, b) || f.PullSecret != "" && b.Kind == "Secret" &&
		strings.Contains(f.PullSecret, b.Name)
}

// ends says whether a container of the pod ends again and again.
func (f *Facts) ends() bool { return f.Waiting == "CrashLoopBackOff" || f.Crashed }

// tells says whether a message says that an object is missing, or that it is used up.
func tells(says string, b Brought) bool {
	lower := strings.ToLower(says)
	return strings.Contains(lower, strings.ToLower(b.Kind)) && strings.Contains(says, `"`+b.Name+`"`) ||
		b.Kind == kindQuota && strings.Contains(says, "exceeded quota: "+b.Name+",") ||
		b.Kind == "PriorityClass" && strings.Contains(says, "PriorityClass with name "+b.Name+" ")
}

// cured returns a pod whose containers begin to start now.
func cured(p Pod) Pod {
	own := *p.Pod
	own.Containers = nil
	p.Pod, p.Bound, p.Started = &own, 0, 0
	return p
}

// cured returns the facts of a pod that lacks nothing any more.
func (f *Facts) cured() *Facts {
	is := *f
	is.Waiting, is.Message, is.Event, is.PullSecret, is.Unschedulable = "", "", "", "", ""
	is.Crashed, is.Lost, is.Last, is.Cured = false, false, nil, true
	return &is
}
