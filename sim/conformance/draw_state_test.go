package conformance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// stateDraw makes one State.
type stateDraw struct {
	draw
	state   *State
	profile statefulset.Profile
	// templates are the templates that there are; the set has one of them.
	templates []*model.Template
}

// The set of a State. Its pods have been Ready since the beginning of time, or for so short a time that they are not
// available yet.
const (
	setName      = "web"
	namespace    = "ns"
	setUID       = 7
	stateNow     = model.Time(1000 * time.Second)
	minReadyDraw = 50
)

// DrawState makes a random state for one sync of that version, also such as no run reaches.
func DrawState(t *rapid.T, kubernetes string) *State {
	d := &stateDraw{draw: draw{t}, state: &State{Kubernetes: kubernetes, Now: stateNow}}
	d.state.Gates = drawGates(d.draw, kubernetes)
	d.profile = must(d.state.Profile())
	d.drawTemplates()
	d.drawSet()
	d.drawRevisions()
	d.drawStatus()
	d.drawPods()
	d.drawClaims()
	d.disown()
	d.state.Stale = d.profile.StaleGuard && d.chance(40)
	d.state.Backwards = d.chance(2)
	d.drawFaults()
	return d.state
}

// worldGates are the gates that only matter to what surrounds a sync.
var worldGates = []string{"StaleControllerConsistencyStatefulSet"}

// drawGates flips gates of the version that may be flipped.
func drawGates(d draw, kubernetes string) map[string]bool {
	profile := must(statefulset.Lookup(kubernetes))
	gates := map[string]bool{}
	for _, gate := range profile.Gates() {
		if slices.Contains(worldGates, gate) {
			continue
		}
		on := !profile.Gate(gate)
		if _, err := profile.WithGates(map[string]bool{gate: on}); err == nil && d.chance(2) {
			gates[gate] = on
		}
	}
	return gates
}

func (d *stateDraw) drawTemplates() {
	null := writesNullTimestamps(d.state.Kubernetes)
	for i, image := range []string{"v1", "v2", "v3"} {
		labels := map[string]string{appLabel: setName}
		if i == 0 && d.chance(8) {
			d.templates = append(d.templates, newTemplate(numberedImage(null), labels, nil, null))
			continue
		}
		if d.chance(3) {
			labels["v"] = image
		}
		var volumes []string
		if d.chance(3) {
			volumes = []string{"tmp", "data"}
		}
		d.templates = append(d.templates, newTemplate(image, labels, volumes, null))
	}
}

// numberedImage returns an image with which the hash of the set's revision is a decimal number of 32 bits, as one
// in hundreds is.
func numberedImage(nullTimestamp bool) string {
	if nullTimestamp {
		return numberedImages[1]
	}
	return numberedImages[0]
}

var numberedImages = [...]string{findNumberedImage(false), findNumberedImage(true)}

func findNumberedImage(nullTimestamp bool) string {
	for n := 4; ; n++ {
		image := fmt.Sprintf("v%d", n)
		template := newTemplate(image, map[string]string{appLabel: setName}, nil, nullTimestamp)
		hash := strings.TrimPrefix(new(statefulset.Profile).RevisionName("", template, 0), "-")
		if _, err := strconv.ParseInt(hash, 10, 32); err == nil {
			return image
		}
	}
}

// inOtherWords returns the template as a version on the other side of 1.34 wrote it.
func (d *stateDraw) inOtherWords(t *model.Template) *model.Template {
	const null = `"creationTimestamp":null,`
	other := *t
	if writesNullTimestamps(d.state.Kubernetes) {
		other.Data = strings.Replace(t.Data, null, "", 1)
	} else {
		other.Data = strings.Replace(t.Data, `"metadata":{`, `"metadata":{`+null, 1)
	}
	return &other
}

func (d *stateDraw) drawSet() {
	set := &model.StatefulSet{}
	set.Namespace, set.Name, set.UID = namespace, setName, setUID
	set.Generation, set.ResourceVersion = int64(d.between(1, 3)), 5
	if d.chance(4) {
		set.Annotations = map[string]string{"a": "b"}
	}
	set.Spec = model.Spec{
		Replicas: int32(d.below(7)), Selector: d.drawSelector(), Template: pick(d.draw, d.templates...), ServiceName: "svc",
		PodManagement:        pick(d.draw, model.OrderedReady, model.Parallel),
		RevisionHistoryLimit: int32(d.below(4)),
	}
	if d.chance(10) {
		set.Spec.Replicas = int32(d.below(20))
	}
	set.Spec.Strategy = d.drawStrategy()
	if d.profile.MinReadySeconds && d.chance(3) {
		set.Spec.MinReadySeconds = minReadyDraw
	}
	if d.profile.StartOrdinal && d.chance(4) {
		set.Spec.Ordinals = &model.Ordinals{Start: int32(d.below(4))}
	}
	if d.profile.RetentionField && !d.chance(8) {
		set.Spec.Retention = &model.Retention{DeleteWithSet: d.chance(2), DeleteWhenScaled: d.chance(2)}
	}
	if d.chance(20) {
		set.Deletion = &model.Deletion{}
	}
	d.state.Live = pick(d.draw, "", "", "", "", "", "", "", LiveTerminating, LiveAnother, LiveGone)
	set.Spec.ClaimTemplates = d.drawClaimTemplates(set)
	d.state.Set = set
}

// drawSelector makes a selector that the labels of all templates satisfy.
func (d *stateDraw) drawSelector() model.Selector {
	if !d.chance(4) {
		return selector()
	}
	return newSelector(d.chance(3), pick(d.draw,
		model.Requirement{Label: appLabel, Op: model.OpIn, Values: []string{setName, "other"}},
		model.Requirement{Label: appLabel, Op: model.OpExists},
		model.Requirement{Label: "x", Op: model.OpDoesNotExist},
		model.Requirement{Label: appLabel, Op: model.OpNotIn, Values: []string{"other"}},
		model.Requirement{Label: appLabel, Op: model.OpIn, Values: []string{setName}},
	))
}

func (d *stateDraw) drawStrategy() model.Strategy {
	switch k := d.below(10); {
	case k < 2:
		return model.Strategy{}
	case k < 4:
		return model.Strategy{Type: model.OnDeleteStrategy}
	case k == 4 && d.profile.KnowsRecreate:
		return model.Strategy{Type: model.RecreateStrategy}
	}
	block := &model.RollingUpdate{}
	if d.chance(2) {
		block.Partition = int32(d.below(8))
	}
	switch d.below(4) {
	case 0:
		block.MaxUnavailable = &model.IntOrPercent{Value: int32(d.between(1, 4))}
	case 1:
		block.MaxUnavailable = &model.IntOrPercent{Value: int32(d.between(1, 100)), Percent: true}
	}
	return model.Strategy{RollingUpdate: block}
}

// labelsCrash is the version whose Parallel mode writes into the labels of the set's claim templates from several
// goroutines, and crashes (fixed by PR 121142).
const labelsCrash = "1.27.4"

func (d *stateDraw) drawClaimTemplates(set *model.StatefulSet) []model.ClaimTemplate {
	var templates []model.ClaimTemplate
	crashes := d.state.Kubernetes == labelsCrash && set.Spec.PodManagement == model.Parallel
	for _, name := range []string{"data", "log"}[:max(0, d.below(6)-3)] {
		template := model.ClaimTemplate{Name: name, Data: "{}"}
		if d.chance(2) && !crashes {
			template.Labels = map[string]string{"k": "v", appLabel: "no"}
		}
		templates = append(templates, template)
	}
	return templates
}

// drawRevisions makes a history: revisions of equal or of different templates, of equal numbers, with hash labels
// that are numbers and others; and revisions that the cache does not know, under the names that will be tried.
func (d *stateDraw) drawRevisions() {
	number := int64(0)
	for i := range d.below(5) {
		template := pick(d.draw, d.templates...)
		name := revisionNames(template)
		if slices.ContainsFunc(d.state.Revisions, func(r *model.Revision) bool { return r.Name == name }) {
			name = fmt.Sprintf("%s-%d", name, i)
		}
		number += int64(d.between(1, 2))
		if d.chance(8) && number > 1 {
			number--
		}
		if d.chance(6) {
			template = d.inOtherWords(template)
		}
		hash := pick(d.draw, "bcd", "55", "66", "")
		d.state.Revisions = append(d.state.Revisions, d.revision(template, number, name, hash))
	}
	if d.chance(5) {
		set := d.state.Set
		for collisions := range d.between(1, 3) {
			name := new(statefulset.Profile).RevisionName(set.Name, set.Spec.Template, int32(collisions))
			d.state.Stored = append(d.state.Stored, d.revision(pick(d.draw, d.templates...), 9, name, "x"))
		}
	}
}

func revisionNames(t *model.Template) string { return setName + "-" + t.Image() }

func (d *stateDraw) revision(t *model.Template, number int64, name, hash string) *model.Revision {
	r := &model.Revision{Number: number, Template: t}
	r.Namespace, r.Name, r.Owners, r.UID = namespace, name, owned(), model.UID(200+len(d.state.Revisions))
	r.Labels = map[string]string{appLabel: setName, "controller.kubernetes.io/hash": hash}
	return r
}

// drawStatus makes a status that need not fit anything.
func (d *stateDraw) drawStatus() {
	status := &d.state.Set.Status
	status.ObservedGeneration = int64(d.below(4))
	for _, count := range []*int32{&status.Replicas, &status.Ready, &status.Current, &status.Updated} {
		*count = int32(d.below(6))
	}
	if d.profile.AvailableReplicas {
		status.Available = int32(d.below(6))
	}
	status.CollisionCount = int32(d.below(2))
	names := d.someRevisionNames()
	status.CurrentRevision, status.UpdateRevision = pick(d.draw, names...), pick(d.draw, names...)
	if d.chance(8) {
		status.CurrentRevision = ""
	}
	if d.chance(5) {
		status.Conditions = []model.Condition{{
			Type: pick(d.draw, "Progressing", "Other"), True: d.chance(2),
			Reason: "RecreateInProgress", Message: "Deleting old revision pods",
		}}
	}
}

// someRevisionNames lists the names of revisions that there are, and of some that there may not be.
func (d *stateDraw) someRevisionNames() []string {
	var names []string
	for _, t := range d.templates {
		names = append(names, revisionNames(t))
	}
	for _, r := range d.state.Revisions {
		names = append(names, r.Name)
	}
	return names
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
