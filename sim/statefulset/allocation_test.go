package statefulset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// quietView is the view of a set at whose replicas nothing is wrong. It counts what it is asked.
type quietView struct {
	set       *model.StatefulSet
	revisions []*model.Revision
	pod       model.Pod
	asked     int
}

func (v *quietView) Set() *model.StatefulSet { return v.set }
func (v *quietView) Now() model.Time         { return now }
func (v *quietView) Len(g model.Group) int {
	if g == model.Condemned {
		return 0
	}
	return int(v.set.Spec.Replicas)
}
func (v *quietView) Pod(model.Group, int) *model.Pod                 { return &v.pod }
func (v *quietView) Traits(model.Group, int) model.Traits            { return model.Exists }
func (v *quietView) First(g model.Group, _ int, _ model.Want) int    { v.asked++; return v.Len(g) }
func (v *quietView) FirstNot(g model.Group, _ int, _ model.Want) int { v.asked++; return v.Len(g) }
func (v *quietView) Last(model.Group, int, model.Want) int           { v.asked++; return -1 }
func (v *quietView) LastNot(model.Group, int, model.Want) int        { v.asked++; return -1 }
func (v *quietView) NextAvailable() (time.Duration, bool)            { v.asked++; return 0, false }
func (v *quietView) Revisions() []*model.Revision                    { return v.revisions }
func (v *quietView) RevisionUsed(string) bool                        { return false }
func (v *quietView) Claim(string) *model.Claim                       { return nil }
func (v *quietView) OwnedClaims() bool                               { return false }
func (v *quietView) Orphans() []*model.Pod                           { return nil }
func (v *quietView) Strays() []*model.Pod                            { return nil }
func (v *quietView) With([]*model.Pod) model.View                    { return v }
func (v *quietView) Latest(string) *model.Pod                        { return nil }
func (v *quietView) Stale() bool                                     { return false }
func (v *quietView) Count(g model.Group, w model.Want) int {
	v.asked++
	if w.Other {
		return 0
	}
	return v.Len(g)
}
func (v *quietView) Tally(string, string, bool) model.Tally {
	v.asked++
	n := v.set.Spec.Replicas
	return model.Tally{Replicas: n, Ready: n, Available: n, Current: n, Updated: n}
}

// A sync that finds nothing to do asks a few questions, whatever the number of replicas, and allocates nothing.
func TestASyncWithNothingToDoCostsNothing(t *testing.T) {
	for _, version := range statefulset.Versions() {
		for _, policy := range []model.PodManagement{model.OrderedReady, model.Parallel} {
			set := newSet()
			set.Spec.Replicas, set.Spec.PodManagement = 100_000, policy
			withClaim(set)
			set.Status.UpdateRevision = "web-v1"
			set.Status.ObservedGeneration = 1
			set.Status.Replicas, set.Status.Ready, set.Status.Current, set.Status.Updated = 100_000, 100_000, 100_000, 100_000
			if version != "1.16" {
				set.Status.Available = 100_000
			}
			view := &quietView{set: set, revisions: history(set)}
			controller := statefulset.New(profile(t, version, nil))
			result := controller.Sync(view, nil)
			assert.Empty(t, result.Waits)
			assert.NoError(t, result.Err)
			assert.LessOrEqual(t, view.asked, 7, "%s %s", version, policy)
			assert.Zero(t, testing.AllocsPerRun(10, func() { controller.Sync(view, nil) }), "%s %s", version, policy)
		}
	}
}
