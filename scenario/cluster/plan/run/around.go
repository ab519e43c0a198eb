package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/heal"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/facts"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/world"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Around is the way around a refusal that was found.
type Around struct {
	// Says is how to make the change nevertheless and, if that was played, its result. Commands are its commands.
	Says     string
	Commands []string
	// Heals says that with the commands the set is as the new files want it; FewestServing is the least number of
	// serving pods on the way, and Takes how long it takes.
	Heals         bool
	FewestServing int
	Takes         time.Duration
	// Events is the run of the way, nil if none was played.
	Events []timeline.Event
	// stays says that the way leaves the pods as they are.
	stays bool
}

// AroundOf finds the way around a refusal: the set is deleted without its pods, and created again. Several ways to
// continue from there are played; the one on which the most pods serve is printed, and of equally good ones the
// quickest.
func AroundOf(f *stored.Frame, refused *stored.Set) *Around {
	as := *refused
	as.Fate = stored.Accepted
	w := (&world.World{Frame: f}).Of(&as)
	if _, refusal := f.Lab().Store(as.Fresh); refusal != nil {
		return &Around{Says: "the new set would be refused even if there were no old one: " + refusal.Message}
	}
	var best, tried *Around
	for _, way := range ways(&as) {
		p := w.Lab().Paste(w.Before(), way.script)
		shown := facts.Gather(p.Events, as.Key(), p.First)
		found := &Around{Says: way.says + shown.Ending(), Commands: p.Commands, Events: p.Events}
		if p.Hangs != "" || !heal.Whole(p.Events, as.Key()) {
			tried = cmp.Or(tried, found)
			continue
		}
		found.Heals, found.stays = true, len(shown.Moves) == 0
		found.FewestServing, found.Takes = play.Cost(p.Events, as.Key(), p.First)
		found.Says = way.says + found.cost(&as, p, shown)
		if best == nil || cmp.Or(-cmp.Compare(found.FewestServing, best.FewestServing),
			cmp.Compare(found.Takes, best.Takes)) < 0 {
			best = found
		}
	}
	if best == nil {
		best = tried
		best.Says += cmp.Or(withPeers(w, &as), ". None of the tried fixes works")
	}
	best.Says += best.afterwards(&as)
	return best
}

// withPeers says of a set that is made anew with Parallel, and that gets stuck on a pod which does not become Ready in
// the dump, what happens if this pod only waits for its peers, which OrderedReady does not start; "" for any other set.
func withPeers(w *world.World, s *stored.Set) string {
	lab := w.Lab()
	if lab.World.Start == nil || lab.World.Kubelet.Default.When != nil || !onlyUnready(s, lab.World.Start) ||
		s.Live.Spec.PodManagement != model.OrderedReady || s.Wanted.Spec.PodManagement != model.Parallel {
		return ""
	}
	p := heal.InQuorum(lab).Paste(w.Before(), ways(s)[0].script)
	if p.Hangs != "" || !heal.Whole(p.Events, s.Key()) {
		return ""
	}
	_, takes := play.Cost(p.Events, s.Key(), p.First)
	return fmt.Sprintf(". This assumes that the pods that are not Ready in the dump stay unready. If they wait for their "+
		"peers, as the members of a quorum do, the new set starts these, and all are Ready after %s", render.Brief(takes))
}

// onlyUnready says whether all pods of the set that are not Ready in a state run, with containers that run.
func onlyUnready(s *stored.Set, state *sim.State) bool {
	return !slices.ContainsFunc(state.Pods, func(p sim.PodState) bool {
		return p.Namespace == s.Key().Namespace && s.Live.OrdinalOf(p.Name) >= 0 && !p.Ready &&
			(p.Phase != model.Running || p.Containers != nil && p.Containers.Shown != "")
	})
}

// cost says what a way costs: what happens to the pods, how many serve and how long it takes.
func (a *Around) cost(s *stored.Set, p *play.Pasted, f *facts.Facts) string {
	switch {
	case a.stays && keepsBlock(s):
		return "no pod is touched"
	case a.stays:
		return "the pods stay, none is touched, and the new set adopts them"
	}
	text := strings.Join(f.Moves.Order(true), "; ")
	if f.Moves[0].Does == facts.Replaced && f.Begin < f.End && !deletesPods(p) {
		text = "the new set adopts the pods and replaces them: " + strings.TrimPrefix(text, facts.Replaced+": ")
	}
	return fmt.Sprintf("%s; %s; it takes %s%s", text, facts.Serve(a.FewestServing, int(s.Wanted.Spec.Replicas)),
		strings.TrimSpace(s.About()+" "+render.Brief(a.Takes)), s.Timings.Uncertain())
}

// afterwards says what else changes for a set that was created again, or stays as it was: its claims, and its names.
func (a *Around) afterwards(s *stored.Set) string {
	text := ""
	if !keepsBlock(s) {
		text = claimsAfterwards(s)
	}
	was, is := s.Live.Spec.ServiceName, s.Wanted.Spec.ServiceName
	if was == is || is == "" || !a.stays {
		return text
	}
	keep := fmt.Sprintf("the pods keep the subdomain %q", was)
	if was == "" {
		keep = "the pods have no subdomain"
	}
	return text + fmt.Sprintf("; %s, so that %s.%s does not resolve before they restart", keep,
		s.Live.PodName(s.Live.Start()), is)
}
