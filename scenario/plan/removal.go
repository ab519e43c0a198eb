package plan

import (
	"fmt"

	"github.com/statefulsim/statefulsim/scenario/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/render"
)

// removals adds the sets that left the files, with what deletes them. kubectl apply leaves them alone; helm upgrade
// and --prune delete them. If that deletes claims too, it is played.
func (in *Input) removals(plan *Plan, w *world) {
	for _, e := range w.edits {
		if e.pair.New != nil || e.live == nil || w.interrupted() || !in.released(e.pair) {
			continue
		}
		pods := int(e.live.Spec.Replicas)
		s := &Set{
			Namespace: e.pair.Key.Namespace, Name: e.pair.Key.Name, key: e.pair.Key, Does: Removes, Changes: []diff.Change{},
			Headline: fmt.Sprintf("is not in the new files: helm upgrade and --prune delete it with its %s; "+
				"kubectl apply deletes nothing", render.Count(pods, "pod")),
			Completes: true, Ends: "nothing happens until somebody deletes it",
		}
		if retention(&e.live.Spec).DeleteWithSet {
			alone := w.of(e.still())
			script, _ := alone.script(play.DeleteSet(e.key(), sim.Background))
			s.Volumes = gather(alone.lab().Run(script), e.key(), len(script)).volumes
		}
		if len(s.Volumes) > 0 {
			s.alarm(TrapVolumes, "is not in the new files: if it is deleted (helm upgrade, --prune), so are %s permanently, "+
				"with their volumes (whenDeleted: Delete)", render.List(s.Volumes, 4))
		} else {
			s.alarm(TrapRemoved, "%s", s.Headline)
		}
		if plan.empty {
			last := &s.alarms[len(s.alarms)-1]
			last.Sentence += ". NEW has no StatefulSet at all: check that it was rendered"
		}
		plan.Sets = append(plan.Sets, s)
	}
}
