package upgrade

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Sets of different shapes have many runs in common: a version that does not know maxUnavailable drops it, and claims
// that nobody deletes come and stay. Such a run is played once, with a stand-in: a set with a name and an image of its
// own, and without what cannot matter to the run. What is told of it is told with the names of each set.

// The namespace, the name and the image of a stand-in. No word of a report contains one of them by chance.
const (
	standInNamespace = "space-of-sim-upgrade"
	standInName      = "stand-in-of-sim-upgrade"
	standInImage     = "sim.invalid/stand-in"
)

// stage keeps what the players of sets have played that have runs in common.
type stage struct {
	options *Options
	// path are the versions of the hops, and their patch releases.
	path []statefulset.Profile
	// standIns are the players of stand-ins, by the shapes of these.
	standIns map[string]*player
	// lent is what all stand-ins have from the first of their sets.
	lent lent
	// played are the complete runs so far, by their key, and timeless those that are the same with exact-requeue and
	// without, by their key without it. ends are the results of some runs, and looked those of comparing two. A looked
	// row has no names of versions and no command, as hops share it; row copies it.
	played, timeless map[whole][]timeline.Event
	ends             memo[whole, end]
	looked           memo[look, *Row]
	// parts are the longest parts of runs that were played up to an instant.
	parts map[whole]part
	// has are the differences that each version has.
	has memo[statefulset.Profile, behaves]
}

// memo has what was made for a key.
type memo[K comparable, V any] map[K]V

// get returns what was made for a key, which it makes the first time.
func (m memo[K, V]) get(key K, first func() V) V {
	made, known := m[key]
	if !known {
		made = first()
		m[key] = made
	}
	return made
}

// lent is the selector of a stand-in, and its templates by their images; "" is its own image.
type lent struct {
	selector  model.Selector
	templates map[string]*model.Template
}

// part is the beginning of a run, up to an instant.
type part struct {
	run   []timeline.Event
	until time.Duration
}

// newStage returns a stage on which nothing has been played.
func newStage(o *Options) *stage {
	return &stage{
		options: o, standIns: map[string]*player{}, played: map[whole][]timeline.Event{},
		timeless: map[whole][]timeline.Event{}, ends: map[whole]end{}, looked: map[look]*Row{}, parts: map[whole]part{},
		has: map[statefulset.Profile]behaves{},
	}
}

// stage returns an empty stage for the versions of the hops.
func (o *Options) stage(hops []*hop) *stage {
	s := newStage(o)
	for _, h := range hops[1:] {
		s.path = append(s.path, h.from, h.to)
		for i := range h.levels {
			s.path = append(s.path, h.levels[i].profile)
		}
	}
	return s
}

// stageOf returns what sets that have runs in common have in common: the shape without what a stand-in may lack, and
// how the pods stop, where they may run and which claims they name, because a stand-in has the template of the first of
// them.
func stageOf(set *model.StatefulSet) string {
	template := *set.Spec.Template
	stops := model.Template{
		Grace: template.Grace, Unreachable: template.Unreachable, NotReady: template.NotReady, Volumes: claimed(&template),
	}
	if template.Lifecycle != nil {
		stops.Lifecycle = &model.Lifecycle{
			Init: nameless(template.Lifecycle.Init), Containers: nameless(template.Lifecycle.Containers),
		}
	}
	if template.Constraints != nil {
		stops.Data = template.Data
	}
	text, err := json.Marshal(stops)
	if err != nil {
		panic(fmt.Sprintf("upgrade: a template cannot be encoded: %v", err))
	}
	return shapeOf(standIn(set, likeness{})) + string(text)
}

// claimed returns the volumes for which the template itself names claims. A claim template of the same name takes the
// place of such a volume.
func claimed(t *model.Template) []model.Volume {
	return slices.DeleteFunc(slices.Clone(t.Volumes), func(v model.Volume) bool { return v.Claim == "" })
}

// nameless returns containers without their names.
func nameless(containers []model.ContainerSpec) []model.ContainerSpec {
	list := slices.Clone(containers)
	for i := range list {
		list[i].Name = ""
	}
	return list
}

// likeness says what of a set's updateStrategy a stand-in has; the rest cannot matter to the run that it plays.
type likeness struct {
	// update is all of it but what the others name. Without it there is a rolling update of all pods.
	update bool
	// budget is maxUnavailable, block whether there is a rollingUpdate block.
	budget, block bool
}

// playing returns the player that plays a case for the set under a version of a hop: that of a stand-in, unless
// something may come up that a stand-in has not, as the text of a refusal.
func (p *player) playing(c *whatif.Case, h *hop, profile statefulset.Profile) *player {
	if p.options.everything || p.set.Name == standInName || !p.ordinary() {
		return p
	}
	needed := takes[c.Name]
	if block := p.set.Spec.Strategy.RollingUpdate; block != nil && block.MaxUnavailable != nil &&
		block.MaxUnavailable.Percent {
		// The number of the stand-in is that of the percentage, if both versions round it up to one.
		needed |= leastOne
	}
	if p.all(h.from)&p.all(h.to)&needed != needed {
		return p
	}
	like := p.likeness(side{c, h.from, profile})
	return p.sharing.get(like, func() *player { return p.standIn(like) })
}

// likeness returns what a stand-in needs for a case. If no pod has an old template, the strategy does not matter.
func (p *player) likeness(s side) likeness {
	if (asked{StatefulSet: p.set, of: s.of, quiet: p.quiet(s)}).still() {
		return likeness{}
	}
	began := s.then
	if s.of.Across {
		began = s.from
	}
	return likeness{update: true, budget: p.all(began)&budget != 0, block: p.asksForBlock(s)}
}

// asksForBlock says whether a set does something else without the rollingUpdate block than with an empty one. Both
// differ in the revision of a pod that comes back in the middle of a rollout, and that matters if it is not the one
// that the update has deleted, or if the update finds it at once, unavailable and of an old revision.
func (p *player) asksForBlock(s side) bool {
	if (asked{of: s.of}).is("never-starts", "broken", "restart") {
		return true
	}
	both := budget | broken
	return p.set.Spec.PodManagement == model.Parallel && (p.all(s.from)|p.all(s.then))&both == both && s.of.Name != "image"
}

// isOrdinary says whether the set has nothing that some version refuses, or in which its names play a role.
func (p *player) isOrdinary() bool {
	spec := &p.set.Spec
	return spec.Wrong == nil && len(spec.Template.Wrong) == 0 && isLabel(p.set.Name) && isLabel(spec.ServiceName) &&
		p.strict()
}

// standIn returns the player of the set's stand-in with that likeness.
func (p *player) standIn(like likeness) *player {
	set := standIn(p.set, like)
	shape := shapeOf(set)
	if p.standIns[shape] == nil {
		if p.lent.templates == nil {
			p.lent.selector, p.lent.templates = set.Spec.Selector, map[string]*model.Template{"": p.template(standInImage)}
		}
		set.Spec.Selector, set.Spec.Template = p.lent.selector, p.lent.templates[""]
		player := p.stage.player(set)
		player.strict, player.templates = p.strict, p.lent.templates
		p.standIns[shape] = player
	}
	return p.standIns[shape]
}

// standIn returns a stand-in for a set. Its image is still that of the set. It has maxUnavailable as a number; one of 1
// is what a version takes without it.
func standIn(set *model.StatefulSet, like likeness) *model.StatefulSet {
	other := &model.StatefulSet{Meta: model.Meta{Namespace: standInNamespace, Name: standInName}, Spec: set.Spec}
	spec := &other.Spec
	if block := spec.Strategy.RollingUpdate; block != nil && block.MaxUnavailable != nil {
		spec.Strategy.RollingUpdate = &model.RollingUpdate{Partition: block.Partition}
		if down := spec.Replicas - int32(promised(set)); like.budget && down > 1 {
			spec.Strategy.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Value: down}
		}
	}
	if !like.update {
		spec.Strategy = model.Strategy{Type: model.RollingUpdateStrategy}
	}
	if spec.Strategy.Type == model.RollingUpdateStrategy && spec.Strategy.RollingUpdate == nil && !like.block {
		spec.Strategy.RollingUpdate = &model.RollingUpdate{}
	}
	if spec.Retention == nil && len(claimed(spec.Template)) == 0 {
		spec.ClaimTemplates = nil
	}
	return other
}

// rename gives a row that was played with a stand-in the names of the set.
func (p *player) rename(row *Row) {
	row.Parting.Parting = row.Parting.Told(p.named)
	for side := range row.Endings {
		row.Endings[side] = p.named(row.Endings[side])
		row.Outcomes[side].Ending = p.named(row.Outcomes[side].Ending)
	}
}

// named gives a text about a stand-in the names of the set.
func (p *player) named(text string) string {
	return strings.NewReplacer(
		standInNamespace, p.set.Namespace, standInName, p.set.Name, standInImage, p.set.Spec.Template.Image(),
	).Replace(text)
}
