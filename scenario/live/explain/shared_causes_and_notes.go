package explain

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// shared returns the causes that several stuck sets have in common, those of the most sets first. A set counts for the
// first of its causes.
func shared(sets []*DumpedSet) []Cause {
	var causes []Cause
	places := map[string]int{}
	for _, s := range sets {
		if !s.Stuck() || len(s.Judgement.Causes) == 0 {
			continue
		}
		what := s.Judgement.Causes[0].Sentence
		place, known := places[what]
		if !known {
			place = len(causes)
			places[what] = place
			causes = append(causes, Cause{What: what})
		}
		causes[place].Sets = append(causes[place].Sets, s.Key().String())
	}
	causes = slices.DeleteFunc(causes, func(c Cause) bool { return len(c.Sets) < 2 })
	slices.SortStableFunc(causes, func(a, b Cause) int { return cmp.Compare(len(b.Sets), len(a.Sets)) })
	return causes
}

// mostInCommon is the number of sets of a cause that are named in text.
const mostInCommon = 4

// InCommon says of each of the causes how many sets it keeps stuck, and which.
func (l *Dumped) InCommon() []string {
	var sentences []string
	for _, c := range l.Causes {
		sentences = append(sentences, fmt.Sprintf("%s are stuck for one reason: %s (%s).",
			render.Count(len(c.Sets), "set"), c.What, render.List(c.Sets, mostInCommon)))
	}
	return sentences
}

// notes are observations besides the sets: pods without an owner that are named like those of a set, by name and
// ordinal. No set adopts one that is being deleted.
func notes(d *dump.Dump) []string {
	orphans := map[model.Key][]int{}
	for i := range d.State.Pods {
		p := &d.State.Pods[i]
		set, ordinal := model.SplitPodName(p.Name)
		if p.Controller() == nil && !p.Terminating() && ordinal >= 0 && p.Labels[model.LabelPodName] != "" {
			key := model.Key{Namespace: p.Namespace, Name: set}
			orphans[key] = append(orphans[key], ordinal)
		}
	}
	var list []string
	for _, set := range slices.SortedFunc(maps.Keys(orphans), model.Key.Compare) {
		ordinals := orphans[set]
		slices.Sort(ordinals)
		var pods []string
		for _, ordinal := range ordinals {
			pods = append(pods, fmt.Sprintf("%s-%d", set.Name, ordinal))
		}
		n := len(pods)
		list = append(list, fmt.Sprintf("%s: %s %s no owner, as after a deletion with --cascade=orphan. As long as that "+
			"is so, nothing replaces %s. A StatefulSet with this name and a selector that matches %s labels adopts %[4]s.", set,
			strings.Join(pods, ", "), render.Agree(n, "has", "have"), render.Agree(n, "it", "them"),
			render.Agree(n, "its", "their")))
	}
	return list
}

// resizes says which claims do not grow, or grow when their pods start again, by namespace. Those that a set is stuck
// with are told there.
func resizes(d *dump.Dump, sets []*DumpedSet) []string {
	var list, namespaces []string
	restart := map[string][]string{}
	for _, r := range d.Resizes {
		told := slices.ContainsFunc(sets, func(s *DumpedSet) bool { return slices.Contains(s.Facts, r.String()) })
		namespace := r.Claim.Namespace
		switch {
		case told:
		case !r.Restart:
			list = append(list, namespace+": "+r.String())
		default:
			if restart[namespace] == nil {
				namespaces = append(namespaces, namespace)
			}
			restart[namespace] = append(restart[namespace], r.Claim.Name)
		}
	}
	for _, namespace := range namespaces {
		names := restart[namespace]
		list = append(list, fmt.Sprintf("%s: the file system of %s grows when a pod that uses %s starts again "+
			"(FileSystemResizePending): delete these pods one by one, or restart the rollout.", namespace,
			render.List(names, 4), render.Agree(len(names), "it", "them")))
	}
	return list
}

// unlike says which pods have something else than their templates. The controller does not look at that: it goes by the
// label with the revision.
func unlike(d *dump.Dump) []string {
	type note struct{ set, has string }
	var notes []note
	pods := map[note][]string{}
	for i := range d.State.Pods {
		p := &d.State.Pods[i]
		f := d.Facts[p.Key()]
		parent, _ := model.SplitPodName(p.Name)
		add := func(is bool, has string) {
			n := note{p.Namespace + "/" + parent, has}
			if is && pods[n] == nil {
				notes = append(notes, n)
			}
			if is {
				pods[n] = append(pods[n], p.Name)
			}
		}
		add(f.Resized, "other requests or limits than the template: a resize in place, or admission, has changed them. What "+
			"was resized in place is lost when the pod is made again.")
		add(f.Resize != "", "a pending resize in place ("+f.Resize+").")
		add(f.RestartsAll, "the condition AllContainersRestarting: the kubelet removes all its containers and starts them again, in "+
			"the same pod. A container that has ended is among them.")
		instead := " (" + f.Runs + ", not " + f.Instead + ")"
		add(f.Runs != "" && mirrored(f.Runs, f.Instead), "an image from another registry than the template names"+instead+
			": admission (a mutating webhook, for example that of a mirror), or somebody, has changed it.")
		add(f.Runs != "" && !mirrored(f.Runs, f.Instead), "another image than the revision of the label "+
			model.LabelRevision+" names"+instead+". The controller goes by the label, and leaves such pods as they are: "+
			"somebody has changed the label or the image, or admission has. A new pod has the image of the revision, unless "+
			"admission changes it too.")
	}
	var list []string
	for _, n := range notes {
		list = append(list, fmt.Sprintf("%s: %s %s %s", n.set, render.List(pods[n], 4),
			render.Agree(len(pods[n]), "has", "have"), n.has))
	}
	return list
}

// mirrored says whether two images are one, as far as their names show, from two registries.
func mirrored(a, b string) bool {
	a, digestA, _ := strings.Cut(path.Base(a), "@")
	b, digestB, _ := strings.Cut(path.Base(b), "@")
	return a == b && (digestA == digestB || digestA == "" || digestB == "")
}
