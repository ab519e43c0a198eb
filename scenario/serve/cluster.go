package serve

import (
	"reflect"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/container"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// cluster is what the server has noted of the world, to find out at a fixed point what is new.
type cluster struct {
	// defined are the kinds that clients have defined.
	defined kinds.Catalog
	// nodes are the nodes as they were last shown. seen is the number of the timeline's events that were looked at, noted
	// that of those whose reports are in voices.
	nodes       map[string]sim.NodeState
	seen, noted int
	// voices are events to be recorded at the fixed point; events are those that are shown, oldest first.
	voices []voice
	events []shown
	// bound are the claims whose volumes are to be shown.
	bound []kinds.Fields
	// answers are what each Service publishes, by pod.
	answers map[model.Key]map[string]*timeline.DNS
	// stirred are the pods that have become Ready or unready, or have begun to go.
	stirred []model.Key
	// waiting are the objects that go when what they own is gone. gone are the owners that the world has deleted, and
	// whose objects that only the API has are to follow.
	waiting []ref
	gone    []*objects.Object
	// files are those of the containers.
	files container.Files
}

// wrote shows what a write of the world's store has changed. It is called within the write.
func (s *Server) wrote(change *sim.Change) {
	kind, key, fields := s.projected(change)
	if fields == nil {
		if old := s.objects.Get(kind, key); old != nil && owns(kind) {
			s.gone = append(s.gone, old)
		}
		s.objects.Delete(kind, key, s.user.Version())
		switch kind {
		case kinds.Claim:
			s.releaseVolume(change.OldClaim)
			s.files.Forget(change.OldClaim.UID)
		case kinds.Pod:
			s.files.Forget(change.OldPod.UID)
		}
		return
	}
	base := s.wanted[ref{kind, key}]
	if old := s.objects.Get(kind, key); base == nil && old != nil && change.Type != model.Added {
		base = old.Fields
	}
	if kind == kinds.Claim && base == nil && len(change.Claim.Owners) > 0 {
		base = s.templateOf(key)
	}
	fields = project.Onto(kind, base, fields)
	if old := s.objects.Get(kind, key); old != nil && kind == kinds.Pod && s.wanted[ref{kind, key}] != nil &&
		change.Type != model.Added && change.Pod.Terminating() == change.OldPod.Terminating() {
		fields["status"] = old.Fields["status"] // A client has changed what it wants, and that alone.
	}
	o := objects.New(kind, fields, s.user.Version())
	s.objects.Put(o)
	switch {
	case kind == kinds.Pod:
		if was, is := change.OldPod, change.Pod; was != nil &&
			(was.Ready != is.Ready || was.Terminating() != is.Terminating()) {
			s.stirred = append(s.stirred, key)
		}
		s.voicesOf(change)
		s.started(change, o)
	case kind == kinds.Claim && change.Claim.Phase == model.ClaimBound:
		s.bound = append(s.bound, o.Fields)
	}
}

// projected returns the object that a change is about, as the API shows it; its fields are nil if it is gone.
func (s *Server) projected(change *sim.Change) (*kinds.Kind, model.Key, kinds.Fields) {
	epoch := s.config.Epoch
	switch change.Kind {
	case model.KindStatefulSet:
		if change.Set == nil {
			return kinds.StatefulSet, change.OldSet.Key(), nil
		}
		return kinds.StatefulSet, change.Set.Key(), project.Set(change.Set, epoch)
	case model.KindPod:
		if change.Pod == nil {
			return kinds.Pod, change.OldPod.Key(), nil
		}
		state, address := s.user.PodState(change.Pod)
		return kinds.Pod, change.Pod.Key(), project.Pod(state, address, s.instant())
	case model.KindClaim:
		if change.Claim == nil {
			return kinds.Claim, change.OldClaim.Key(), nil
		}
		return kinds.Claim, change.Claim.Key(), project.Claim(change.Claim, epoch)
	}
	if change.Revision == nil {
		return kinds.Revision, change.OldRevision.Key(), nil
	}
	return kinds.Revision, change.Revision.Key(), project.Revision(change.Revision, epoch)
}

// atFixedPoint shows what the world's rooms have that are no part of its store: nodes, endpoints, budgets, events.
func (s *Server) atFixedPoint() {
	if s.config.Uncontrolled {
		s.tell()
		return
	}
	s.seeNodes()
	s.hear()
	fresh, _ := s.since(s.seen)
	dirty := map[model.Key]bool{}
	for i := range fresh {
		switch e := &fresh[i]; e.Kind {
		case timeline.KindBudget:
			s.seeBudget(e.Budget)
		case timeline.KindDNS:
			s.seeAnswer(e, dirty)
		}
	}
	s.showVolumes()
	s.showSlices(dirty)
	s.speak()
	s.follow()
	s.endForeground()
	s.endNamespaces()
	s.tell()
}

// tell hands on the events that were not handed on before.
func (s *Server) tell() {
	fresh, all := s.since(s.seen)
	if s.config.Told != nil && len(fresh) > 0 {
		s.config.Told(fresh)
	}
	s.seen = all
}

// since returns the events of the timeline behind its first n, and how many there are in all. A livelock may have taken
// some back.
func (s *Server) since(n int) ([]timeline.Event, int) {
	events, gone := s.world.Events(), s.user.Forgotten()
	return events[min(n-gone, len(events)):], gone + len(events)
}

// seeNodes shows the nodes that have changed.
func (s *Server) seeNodes() {
	there := map[string]bool{}
	for _, state := range s.user.Nodes() {
		there[state.Name] = true
		if last, known := s.nodes[state.Name]; known && reflect.DeepEqual(last, state) {
			continue
		}
		s.nodes[state.Name] = state
		s.showNode(state)
	}
	for _, o := range s.objects.List(kinds.Node, "") {
		if _, known := s.nodes[o.Key.Name]; known && !there[o.Key.Name] {
			delete(s.nodes, o.Key.Name)
			s.objects.Delete(kinds.Node, o.Key, s.user.DrawVersion())
		}
	}
}

func (s *Server) showNode(state sim.NodeState) {
	key := model.Key{Name: state.Name}
	fields := project.Node(state, "v"+s.config.Kubernetes, s.config.Epoch)
	base := s.wanted[ref{kinds.Node, key}]
	if old := s.objects.Get(kinds.Node, key); base == nil && old != nil {
		base = old.Fields
	}
	if base == nil {
		s.add(kinds.Node, fields)
		return
	}
	s.put(kinds.Node, project.Onto(kinds.Node, base, fields))
}

// seeBudget shows the status of a budget.
func (s *Server) seeBudget(b *timeline.Budget) {
	old := s.objects.Get(kinds.Budget, model.Key{Namespace: b.Namespace, Name: b.Name})
	if old == nil {
		return
	}
	fields := kinds.Clone(old.Fields)
	fields["status"] = map[string]any{
		"currentHealthy": int64(b.Healthy), "desiredHealthy": int64(b.Desired), "disruptionsAllowed": int64(b.Allowed),
		"expectedPods": int64(b.Expected), "observedGeneration": fields.Number("metadata", "generation"),
		"conditions": []any{budgetCondition(b, s.instant().Format(time.RFC3339))},
	}
	s.put(kinds.Budget, fields)
}

func budgetCondition(b *timeline.Budget, now string) map[string]any {
	c := map[string]any{"type": "DisruptionAllowed", "status": "True", "reason": "SufficientPods", "message": "",
		"lastTransitionTime": now, "observedGeneration": int64(1)}
	if b.Allowed == 0 {
		c["status"], c["reason"] = "False", "InsufficientPods"
	}
	return c
}

// showVolumes shows the volumes of the claims that were bound and are still there.
func (s *Server) showVolumes() {
	for _, claim := range s.bound {
		fields := project.Volume(claim)
		meta := claim.Map("metadata")
		now := s.objects.Get(kinds.Claim, model.Key{Namespace: meta.Text("namespace"), Name: meta.Text("name")})
		if now == nil || now.UID() != meta.Text("uid") {
			continue
		}
		if s.objects.Get(kinds.Volume, model.Key{Name: fields.Text("metadata", "name")}) == nil {
			s.add(kinds.Volume, fields)
		}
	}
	s.bound = nil
}

// releaseVolume deletes the volume of a claim that is gone.
func (s *Server) releaseVolume(claim *model.Claim) {
	key := model.Key{Name: project.VolumeName(claim)}
	s.objects.Delete(kinds.Volume, key, s.user.DrawVersion())
}
