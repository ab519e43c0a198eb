package cache

import "github.com/statefulsim/statefulsim/model"

// Printer is the writer that a view prints itself to.
type Printer interface {
	Int(int)
	Time(model.Time)
	Set(*model.StatefulSet)
	Pod(*model.Pod)
	Revision(*model.Revision)
}

// Print prints what the view holds, position by position; what is read live is left out, because the store has it. It
// costs O(pods).
func (f *Frozen) Print(p Printer) {
	g := f.group
	p.Set(f.set)
	for _, column := range [...]*column{&g.replicas, &g.condemned} {
		p.Int(column.len())
		for i := range column.len() {
			slot := column.slot(i)
			p.Pod(column.at(slot).pod)
			p.Int(int(column.traits(slot)))
		}
	}
	for _, pods := range [...][]*model.Pod{g.unplaced, g.strays} {
		p.Int(len(pods))
		for _, pod := range pods {
			p.Pod(pod)
		}
	}
	p.Int(len(g.revisions))
	for _, revision := range g.revisions {
		p.Revision(revision)
	}
	p.Time(g.nextRipe())
}
