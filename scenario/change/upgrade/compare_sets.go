package upgrade

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Options say between which versions sets are compared.
type Options struct {
	// The version before and the one after, with the feature gates that the user set.
	From, To statefulset.Profile
	// ToGates are the feature gates that the user set for the last version: its other patches are compared with them.
	ToGates map[string]bool
	// Names are the names of the versions, as the user wrote them; the same order.
	Names [2]string
	// Path are the versions that a cluster passes on its way, in order, From the first and To the last; nil is those two.
	Path []Stop
	// Show returns the command that shows the runs of NAMESPACE/NAME:CASE between two versions; nil shows none.
	Show func(from, to, what string) string
	// MaxEvents ends a run when its timeline has that many events; 0 is no limit.
	MaxEvents int
	// Interrupted, if set, is called now and then; true ends the comparison at once. The shape that is being played is
	// then left out of the report as a whole. With Each in parallel, several goroutines call it.
	Interrupted func() bool
	// Each calls a function for each shape of sets; it may do so in parallel.
	Each whatif.Each
	// Controller, if set, returns the controller of each run of a case, as in play.Lab.
	Controller func(statefulset.Profile) model.Controller

	// everything means that versions only count as alike if nothing at all differs: every run is then played under its
	// own version, as a timeline that is shown must be.
	everything bool
}

// Compare puts every set through every case, under the first version and the last, and hop by hop. Sets of one shape
// are played once. The cost is at most two runs for each shape, case and hop, and some more where the runs differ, to
// find the causes. The report does not depend on how Each orders the work. The input is not changed.
func (in *Input) Compare(o Options) *Report {
	in = in.accepted(o)
	r := &Report{
		Between: Between{From: o.Names[0], To: o.Names[1], Groups: []*Group{}}, Path: []*Hop{}, Invalid: in.Invalid,
		Ignored: in.Ignored, Unmodelled: in.Unmodelled, PreReleases: preReleases(o.Names[:]...),
		Hazards: hazardsOf(in.Sets, o.From, o.To), Components: in.cluster.components,
	}
	if in.live != nil {
		of := release.VersionsOf(o.From, in.live.Versions())
		r.Kubernetes = &of
	}
	hops := o.hops()
	for _, h := range hops[1:] {
		h.levels = levels(minor(h.names[1]), h.gates)
		r.Path = append(r.Path, &Hop{
			Between: Between{From: h.names[0], To: h.names[1], Groups: []*Group{}}, Patches: []*Patch{},
		})
	}
	shapes := o.shapes(in.Sets, hops)
	judged := o.judged(in, hops[1].from)
	for _, set := range in.Sets {
		if m := o.live(in, set, hops[1], judged[set.Key]); m != nil {
			r.NotAtRest, r.Moving = append(r.NotAtRest, m.Set), append(r.Moving, m)
		}
		s := shapes[set.shape]
		if s == nil {
			r.Interrupted = true
			continue
		}
		r.Between.add(set, s.groups[0])
		for i, hop := range r.Path {
			hop.add(set, s.groups[i+1])
			hop.avoid(set, s.patches[i+1])
		}
	}
	r.sort()
	has := traps{}
	r.trapped(hops[0], has)
	slices.SortStableFunc(r.Moving, func(a, b *Moving) int { return cmp.Compare(a.urgency(), b.urgency()) })
	for i, hop := range r.Path {
		hop.sort()
		hop.trapped(hops[i+1], has)
		slices.SortStableFunc(hop.Patches, func(a, b *Patch) int { return cmp.Compare(a.first, b.first) })
		hop.merge()
	}
	r.Checklist = r.checklist(in, &o)
	return r
}

// shapes compares the first set of each shape. If it is interrupted, the reports of some shapes are nil.
func (o *Options) shapes(sets []*Set, hops []*hop) map[string]*shapeReport {
	shapes := map[string]*shapeReport{}
	var firsts []*Set
	for _, set := range sets {
		if _, known := shapes[set.shape]; !known {
			shapes[set.shape], firsts = nil, append(firsts, set)
		}
	}
	reports := make([]*shapeReport, len(firsts))
	o.Each.Do(len(firsts), func(i int) {
		if s := o.compare(firsts[i], hops); !o.interrupted() {
			reports[i] = s
		}
	})
	for i, set := range firsts {
		shapes[set.shape] = reports[i]
	}
	return shapes
}

// shapeReport says what sets of one shape do: a group for each hop, and the patches of it under which they are worse
// off. Both have the length of hops; patches[0] is nil. The groups have no Sets yet: add appends them, and each group
// belongs to one shape and one hop alone.
type shapeReport struct {
	groups  []*Group
	patches [][]*Patch
}

func (o *Options) interrupted() bool { return o.Interrupted != nil && o.Interrupted() }

func (o *Options) compare(set *Set, hops []*hop) *shapeReport {
	s, p := &shapeReport{}, newPlayer(set.object, o)
	for _, h := range hops {
		s.groups = append(s.groups, o.group(set, p, h))
		s.patches = append(s.patches, h.worsePatches(p))
	}
	return s
}

// group says what a set does differently between two versions. If it is interrupted, cases are missing, and the caller
// must throw the group away.
func (o *Options) group(set *Set, p *player, h *hop) *Group {
	g := &Group{Description: set.Describe(), API: p.api(h), Rows: []*Row{}, of: set.object}
	if p.all(h.from) == p.all(h.to) {
		return g
	}
	for _, c := range p.cases() {
		if row := o.row(p, c, h); row.Parting.Parting != nil {
			// The runs are played again if they are shown.
			row.Pair = nil
			g.Rows = append(g.Rows, row)
		}
		if o.interrupted() {
			break
		}
	}
	slices.SortStableFunc(g.Rows, func(a, b *Row) int { return cmp.Compare(a.urgency(), b.urgency()) })
	return g
}

// row returns the result of a case under both versions of a hop. The row is a copy that the caller may change; its Pair
// and its slices are shared.
func (o *Options) row(p *player, c *whatif.Case, h *hop) *Row {
	key := p.bothOf(c, h)
	row := *p.looked.get(key, func() *Row { return p.look(c, h, key) })
	row.Parting.Names = h.names
	if o.Show != nil && row.Parting.Parting != nil {
		row.Show = o.Show(h.names[0], h.names[1], p.set.Key().String()+":"+c.Name)
	}
	return &row
}

// look plays a case under both versions of a hop. Where the runs are alike, the row has no Parting and nothing else is
// computed. Where when_differences_can_matter.go knows that they are alike, nothing is played.
func (p *player) look(c *whatif.Case, h *hop, key [2]whole) *Row {
	row := &Row{Case: c.Name, Does: c.Does, kind: c, promised: promised(p.set) - c.Lost}
	row.replicas = int(p.set.Spec.Replicas)
	if p.alike(c, h, key) {
		return row
	}
	row.Pair = pairOf(h.from, h.to, p.of(c, h), p.both(c, h, key))
	row.Parting.Parting = row.Pair.Parting
	if row.Pair.Parting == nil {
		return row
	}
	p.judge(row, key)
	row.Endings[0], row.Endings[1] = contrast(row.Outcomes[0], row.Outcomes[1], int(p.set.Spec.Replicas))
	row.Parting.Causes = CausesOf(row.Pair.causes(p.differ(c, h)), h.to)
	row.Advice = row.advice(p)
	row.Parting.Parting = row.Pair.Parting.Told(func(text string) string { return text })
	return row
}

func (p *player) alike(c *whatif.Case, h *hop, runs [2]whole) bool {
	if p.options.everything {
		return false
	}
	from, to := runs[0], runs[1]
	if c.Across && p.all(h.to)&meaning != 0 {
		// The later version keeps the revision that the earlier one has written, however it would write it itself.
		from.from, from.to, to.from, to.to = from.from&^revised, from.to&^revised, to.from&^revised, to.to&^revised
	}
	if p.asked(c, false).oneBreaks() {
		from.to, to.to = inTurn(from.to), inTurn(to.to)
	}
	return from == to
}

// inTurn returns how a version behaves where a budget of one pod is as good as none if broken pods come first.
func inTurn(b behaves) behaves {
	if b&broken != 0 {
		return b &^ (budget | broken)
	}
	return b
}

// judge computes the results of the two runs of a row, which must be whole. It needs kind and promised.
func (p *player) judge(r *Row, key [2]whole) {
	for side, run := range r.Runs {
		r.Outcomes[side] = p.ends.get(key[side], func() Outcome { return outcomeOf(run, p.set.Key()) })
	}
	r.IsWorse = r.worse()
}

// whole is the key of a run of a set: the case, and how the versions behave. Versions that behave alike have the same
// runs.
type whole struct {
	name string
	// from is 0 unless the case is an upgrade: in any other case the set is created under the version that is played.
	from, to behaves
}

// wholeOf returns the key of a case under a version of a hop. It is not the key of the hop: two hops share a run where
// versions behave alike.
func (p *player) wholeOf(c *whatif.Case, h *hop, profile statefulset.Profile) whole {
	under := side{c, h.from, profile}
	key := whole{name: c.Name, to: p.behaves(under, profile)}
	if c.Across {
		key.from = p.behaves(under, h.from)
	}
	return key
}

func (p *player) bothOf(c *whatif.Case, h *hop) [2]whole {
	return [2]whole{p.wholeOf(c, h, h.from), p.wholeOf(c, h, h.to)}
}

// whole plays a case in full under a version of a hop, once. The key is that of the run.
func (p *player) whole(c *whatif.Case, h *hop, profile statefulset.Profile, key whole) []timeline.Event {
	return p.played.get(key, func() []timeline.Event { return p.play(c, h.from, profile, 0) })
}

func (p *player) both(c *whatif.Case, h *hop, key [2]whole) [2][]timeline.Event {
	return [2][]timeline.Event{p.whole(c, h, h.from, key[0]), p.whole(c, h, h.to, key[1])}
}

// promised returns the number of pods that an update leaves serving, by the spec. A version that ignores maxUnavailable
// takes down one pod only, and so keeps the promise.
func promised(set *model.StatefulSet) int { return int(set.Spec.Replicas) - set.MayBeDown() }

// CausesOf are differences between versions as reports have them, seen from the later version.
func CausesOf(differences []statefulset.Difference, to statefulset.Profile) []report.Cause {
	var causes []report.Cause
	for _, d := range differences {
		causes = append(causes, report.Cause{Name: d.Name, Sentence: d.Sentence(), On: d.On(to), Links: d.Links})
	}
	return causes
}

// Set returns the set with that key, or nil.
func (in *Input) Set(key model.Key) *Set { return in.seen[key] }

// Show plays one case of a set, or all its cases if none is named. It returns nil if the set does not have the case.
func (s *Set) Show(name string, o Options) []*Row {
	// The runs are shown, each under its own version.
	o.everything = true
	p, h := newPlayer(s.object, &o), o.hops()[0]
	var rows []*Row
	for _, c := range p.cases() {
		if name == "" || c.Name == whatif.Name(name) {
			rows = append(rows, o.row(p, c, h))
		}
	}
	return rows
}

// APIBetween says what the API servers of the versions do differently with the set's fields.
func (s *Set) APIBetween(o Options) []string { return newPlayer(s.object, &o).api(o.hops()[0]) }

// CaseNames lists what can happen to the set.
func (s *Set) CaseNames() []string {
	var names []string
	for _, c := range newPlayer(s.object, &Options{}).cases() {
		names = append(names, c.Name)
	}
	return names
}

// Shown returns a case of the set as the report of two columns has it.
func (s *Set) Shown(row *Row, names [2]string) *report.Shown {
	shown := &report.Shown{
		Set: s.Key.String(), Case: row.Case, Does: row.Does, Advice: row.Advice, Endings: row.Endings,
		Columns: [2]report.Column{{Name: names[0], Events: row.Runs[0]}, {Name: names[1], Events: row.Runs[1]}},
	}
	if row.Parting.Parting != nil {
		shown.Parting = &row.Parting
	}
	return shown
}
