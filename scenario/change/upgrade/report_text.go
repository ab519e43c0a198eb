package upgrade

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Document is the report as people read it: first what is for the worse.
func (r *Report) Document(view View) *doc.Document {
	d := &doc.Document{
		Title:    doc.Of("Kubernetes " + statefulset.Title(r.From) + " to " + statefulset.Title(r.To)),
		Headline: doc.Of(r.headline()), Tone: render.Good,
		Table: doc.Table{Header: []string{"StatefulSet", "What happens", "Before", "After", "Way out"}},
		Notes: doc.All(r.notes(&view)),
	}
	if r.Worse > 0 {
		d.Tone = render.Bad
	}
	if r.Kubernetes != nil && r.Kubernetes.Doubt() != "" {
		d.First = []doc.Text{doc.Of(r.Kubernetes.Doubt())}
	}
	for i, gates := range []string{r.FromGates, r.ToGates} {
		if gates != "" {
			d.Facts = append(d.Facts, doc.Line([]string{r.From, r.To}[i]+" with "+gates).In(render.Dim))
		}
	}
	d.Facts = slices.Concat(d.Facts, r.hops(&view), r.movingItems(&view))
	if view.Checklist {
		d.Parts = r.Checklist.parts(&view, statefulset.Title(r.To))
	} else {
		d.Facts = append(d.Facts, r.Checklist.stops(&view)...)
	}
	var told []*Row
	for _, hop := range r.worstFirst() {
		prefix := ""
		if len(r.Path) > 1 {
			prefix = hop.From + " to " + hop.To + ": "
		}
		for _, s := range view.subjects(&hop.Between) {
			d.Parts = append(d.Parts, s.part(prefix, &view, &hop.Between))
			told = append(told, s.shown...)
			for _, g := range s.groups {
				d.Table.Rows = append(d.Table.Rows, g.overview(&view, &hop.Between, len(d.Parts))...)
			}
		}
	}
	if len(r.Hazards) > 0 {
		d.Parts = append(d.Parts, doc.Part{Title: doc.Of("What can happen from " + r.To + " on"), Items: r.hazardItems()})
	}
	if legend := r.legend(told); len(legend) > 0 {
		d.Parts = append(d.Parts, doc.Part{Title: doc.Of("What these differences are"), Items: legend})
	}
	return d
}

func (r *Report) hops(v *View) []doc.Item {
	var list []doc.Item
	for _, hop := range r.Path {
		item := doc.Line(hop.summary())
		for _, patch := range hop.Patches {
			item.Items = append(item.Items, doc.Line(patch.says(v)).Bad())
		}
		list = append(list, item)
	}
	if len(r.Path) < 2 {
		return list[0].Items
	}
	described := ""
	if !slices.Equal(r.worstFirst(), r.Path) {
		described = " (described below, the worst first)"
	}
	return doc.Head("The hops, each from one minor version to the next"+described+":", list...)
}

func (r *Report) movingItems(v *View) []doc.Item {
	var list []doc.Item
	for _, text := range movingLines(r.shown(v)) {
		item := doc.Line(text)
		if strings.Contains(text, worse) {
			item = item.Bad()
		}
		list = append(list, item)
	}
	return doc.Head(notAtRest, list...)
}

// subject is what a part of the report is about: a group, or what several groups have in common.
type subject struct {
	title, brief string
	tone         render.Tone
	items        []doc.Item
	// groups are those that it is about, and that no subject before it was about. shown are the rows that are told.
	groups []*Group
	shown  []*Row
	sets   int
}

// subjects are the groups of a hop that the view shows; if they are many, what they have in common.
func (v *View) subjects(b *Between) []subject {
	var list []subject
	if len(b.Groups) > manyGroups {
		seen := map[*Group]bool{}
		for _, f := range v.findings(b) {
			list = append(list, v.ofFinding(b, f, seen))
		}
		return list
	}
	for _, g := range b.Groups {
		if rows, status := v.rows(g); len(rows)+len(status)+len(g.API) > 0 && (!v.OnlyWorse || g.Worse()) {
			list = append(list, v.ofGroup(b, g))
		}
	}
	return list
}

// ofGroup says of the sets of a group in which cases they behave differently.
func (v *View) ofGroup(b *Between, g *Group) subject {
	rows, status := v.rows(g)
	s := subject{
		title: v.names(g.Sets), brief: g.Description, groups: []*Group{g}, sets: len(g.Sets), shown: append(rows, status...),
	}
	if g.Worse() {
		s.tone = render.Bad
	}
	for _, text := range append(g.trapsIn(b), g.API...) {
		s.items = append(s.items, doc.Line(text).In(render.Warn))
	}
	for _, row := range rows {
		s.items = append(s.items, row.item(b))
	}
	if len(status) > 0 {
		s.items = append(s.items, doc.Line(statusOnly(status)))
	}
	return s
}

func (v *View) ofFinding(b *Between, f *finding, seen map[*Group]bool) subject {
	s := subject{title: f.title(), shown: f.shown(), sets: f.sets()}
	if f.weight == forTheWorse {
		s.tone = render.Bad
	}
	if len(f.examples) > 0 {
		example := doc.Line(f.says(b))
		example.Items = s.shown[0].below(b)
		s.items = append(s.items, example)
	}
	s.items = append(s.items, doc.Line("sets: "+v.names(f.names())))
	for _, g := range f.groups {
		if !seen[g] {
			s.groups, seen[g] = append(s.groups, g), true
		}
	}
	return s
}

// part is the subject as a part of a document, with the command that shows the first of its rows, and its run.
func (s *subject) part(prefix string, v *View, b *Between) doc.Part {
	p := doc.Part{
		Title: doc.Of(prefix + s.title), Brief: doc.Of(s.brief), Tone: s.tone, Items: s.items, Things: s.sets,
	}
	if len(s.shown) > 0 {
		p.Items = append(p.Items, doc.Commands(s.shown[0].Show)...)
	}
	if len(s.groups) > 0 {
		p.Run = s.groups[0].run(b)
	}
	return p
}

// run is the name of the run of the first case of a group under the first version; "" if only the API servers differ.
func (g *Group) run(b *Between) string {
	if len(g.Rows) == 0 {
		return ""
	}
	return runName(g, b.From)
}

func runName(g *Group, version string) string {
	return g.Sets[0] + ", " + g.Rows[0].Case + " on " + version
}

// overview are the rows of a group in the overview, a case each; part is the number of the part that tells of them. A
// group that only the API servers treat differently has one row.
func (g *Group) overview(v *View, b *Between, part int) []doc.Row {
	sets := v.names(g.Sets)
	rows, status := v.rows(g)
	var list []doc.Row
	for i, r := range append(rows, status...) {
		before, after := b.From+" "+r.Endings[0], b.To+" "+r.Endings[1]
		row := doc.Row{Part: part, Cells: doc.All([]string{sets, r.Does, before, after, r.Advice})}
		if r.IsWorse {
			row.Tone = render.Bad
		}
		if i == 0 {
			row.Run = g.run(b)
		}
		list = append(list, row)
	}
	if len(list) == 0 {
		cells := []string{sets, strings.Join(append(g.trapsIn(b), g.API...), "; "), "", "", ""}
		list = append(list, doc.Row{Part: part, Cells: doc.All(cells)})
	}
	return list
}

// item is the row as an item: how the runs end and, below it, where they diverge.
func (r *Row) item(b *Between) doc.Item {
	item := doc.Line(r.title() + ": " + r.contrast(b)).In(render.Warn)
	if r.IsWorse {
		item = item.Bad()
	}
	item.Items = r.below(b)
	return item
}

func (r *Row) below(b *Between) []doc.Item {
	parting := doc.Line(r.Parting.Heading() + ":")
	for side, does := range r.Parting.Does() {
		parting.Items = append(parting.Items, doc.Fact(r.Parting.Names[side], does))
	}
	list := []doc.Item{parting}
	if causes := causeNames([]*Row{r}); len(causes) > 0 {
		list = append(list, doc.Line("because of "+render.And(causes)))
	}
	if r.Advice != "" {
		list = append(list, doc.Line("way out: "+r.Advice).In(render.Good))
	}
	return list
}

// legend says what the causes of rows are, each once, in the order in which the report names them.
func (r *Report) legend(rows []*Row) (list []doc.Item) {
	var told []string
	d := report.Parting{Names: [2]string{r.From, r.To}}
	for _, row := range rows {
		for i := range row.Parting.Causes {
			c := &row.Parting.Causes[i]
			if slices.Contains(told, c.Name) {
				continue
			}
			item := doc.Line(d.Sentence(c))
			item.Links = c.Links
			told, list = append(told, c.Name), append(list, item)
		}
	}
	return list
}

// Runs plays again what a page of the report has room for, under the names that its document knows: of each group that
// the view shows the first case, under both versions of the hop. The report keeps no runs, because those of many sets
// would fill the memory. Options must be those of the comparison.
func (r *Report) Runs(view View, o Options) []*report.Run {
	var runs []*report.Run
	hops := o.hops()[1:]
	for _, between := range r.worstFirst() {
		at := slices.IndexFunc(hops, func(h *hop) bool { return h.names == [2]string{between.From, between.To} })
		for _, g := range between.Groups {
			if len(g.Rows) == 0 || view.OnlyWorse && !g.Worse() || len(runs)+2 > doc.MostRuns {
				continue
			}
			runs = append(runs, bothRuns(g, hops[at], o)...)
		}
	}
	return runs
}

// bothRuns plays the first case of a group under both versions of a hop; it is nil if that is too long for a page.
func bothRuns(g *Group, h *hop, o Options) (runs []*report.Run) {
	o.From, o.To, o.Names, o.Path = h.from, h.to, h.names, nil
	events := 0
	for side, run := range (&Set{object: g.of}).Show(g.Rows[0].Case, o)[0].Runs {
		events += len(run)
		runs = append(runs, &report.Run{Name: runName(g, h.names[side]), Description: g.Rows[0].Does, Events: run})
	}
	if events > doc.MostEvents {
		return nil
	}
	return runs
}
