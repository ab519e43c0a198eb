package html

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/report"
)

// write writes what the runs of a comparison come to, and where they part.
func (c *comparisonView) write(m markup) {
	m.raw(`<div class="scroll" tabindex="0" role="region" aria-label="The runs beside each other"><table class="runs">`)
	m.columns(c.Header)
	for _, row := range c.Rows {
		m.raw("<tr>")
		for _, cell := range row {
			m.raw("<td")
			m.class(cell.Class)
			m.put(">{}</td>", cell.Text)
		}
		m.raw("</tr>")
	}
	m.raw("</tbody></table></div>\n")
	for _, line := range c.Alike {
		m.put("<p>{}.</p>\n", line)
	}
	if len(c.Partings)+len(c.Cures) > 0 {
		m.raw(`<details class="sight" open><summary>Where they diverge, and the fixes</summary>` + "\n")
		c.told(m)
		m.raw("</details>\n")
	}
}

// told writes where the runs diverge, and the ways out of those that are stuck.
func (c *comparisonView) told(m markup) {
	few := min(len(c.Partings), mostPartings)
	m.partings(c.Partings[:few])
	if rest := c.Partings[few:]; len(rest) > 0 {
		others := "the other run diverges"
		if len(rest) > 1 {
			others = fmt.Sprintf("the other %d runs diverge", len(rest))
		}
		m.put("<details><summary>Where {}</summary>", others)
		m.partings(rest)
		m.raw("</details>\n")
	}
	for _, cure := range c.Cures {
		m.put(`<p class="{}">{}</p>`+"\n", cure.Class, cure.Line)
		m.command(cure.Commands)
	}
}

// mostPartings is the number of runs whose divergence from the first is shown at once: the picture has to stay in
// sight.
const mostPartings = 2

// partings writes where runs part, one section for each.
func (m markup) partings(list []partingView) {
	m.raw(`<div class="partings">`)
	for i := range list {
		list[i].write(m)
	}
	m.raw("</div>\n")
}

// columns writes the head of a table, and opens its body.
func (m markup) columns(names []string) {
	m.raw("<thead><tr>")
	for _, name := range names {
		m.put(`<th scope="col">{}</th>`, name)
	}
	m.raw("</tr></thead>\n<tbody>")
}

// write writes where two runs part: a link to the instant, what each does there, and why, folded away.
func (p *partingView) write(m markup) {
	m.raw(`<section class="parting"><p class="headline">`)
	m.link("instant", p.Href, p.Heading)
	m.raw("</p>\n<dl>")
	for _, side := range p.Sides {
		m.put("<dt>{}</dt><dd>{}</dd>", side.Name, side.Does)
	}
	m.raw("</dl>\n")
	if len(p.Causes) > 0 {
		m.put("<details><summary>by {}</summary>", strings.Join(p.Rules, ", "))
		for _, cause := range p.Causes {
			m.put("<p>{}</p>", cause)
		}
		m.raw("</details>\n")
	}
	m.raw("</section>\n")
}

// write writes the summary of a sheet, its table with a filter, and the sections that come before the picture.
func (s *Sheet) write(m markup) {
	tone := toneNames[s.Tone]
	m.put(`<section class="card {}" aria-label="Summary"><div class="says">`+"\n"+`<p class="headline {}">{}</p>`+"\n",
		tone, tone, s.Headline)
	m.notes(append(ofNothing(s.Risks), s.Alarms...), report.Waiting)
	m.notes(ofNothing(s.Notes), report.Plain)
	m.raw("</div></section>\n")
	if s.Scatter != nil {
		s.Scatter.write(m)
	}
	s.table(m)
	s.sections(m, true)
}

// sections writes the sections that come before the picture, or those after it.
func (s *Sheet) sections(m markup, first bool) {
	for i := range s.Sections {
		if s.Sections[i].First == first {
			s.Sections[i].write(m, i+1)
		}
	}
}

// mostNotes is the number of risks, and of notes, that the summary shows; the rest is a click away.
const mostNotes = 4

// ofNothing returns texts as alarms that are about nothing in particular.
func ofNothing(texts []string) []Alarm {
	list := make([]Alarm, len(texts))
	for i, text := range texts {
		list[i].Text = text
	}
	return list
}

// notes writes a list of notes, or nothing if there are none; notes that do not fit are a click away.
func (m markup) notes(notes []Alarm, tone report.Tone) {
	if len(notes) == 0 {
		return
	}
	m.raw(`<ul class="notes">`)
	for _, note := range notes[:min(len(notes), mostNotes)] {
		m.note(note, tone)
	}
	m.raw("</ul>")
	if rest := notes[min(len(notes), mostNotes):]; len(rest) > 0 {
		m.put(`<details><summary>and {} more</summary><ul class="notes">`, strconv.Itoa(len(rest)))
		for _, note := range rest {
			m.note(note, tone)
		}
		m.raw("</ul></details>\n")
	}
}

// note writes one of them: an alarm leads to what it is about.
func (m markup) note(note Alarm, tone report.Tone) {
	m.put(`<li class="{}">`, toneNames[tone])
	if note.Of != "" {
		m.raw("<strong>ALARM</strong> ")
		if note.Href != "" {
			m.link("instant", note.Href, note.Of)
		} else {
			m.put("{}", note.Of)
		}
		m.raw(": ")
	}
	m.put("{}</li>\n", note.Text)
}

// filter writes the filter of the table, if there is something to choose from.
func (s *Sheet) filter(m markup) {
	if len(s.Rows) < 2 {
		return
	}
	m.raw(`<p class="filter"><input type="search" id="filter" aria-label="Filter the table" placeholder="Filter" ` +
		`autocomplete="off"> `)
	look := 0
	for _, row := range s.Rows {
		if looks(row.Tone) {
			look++
		}
	}
	if look > 0 && look < len(s.Rows) {
		m.raw(`<label><input type="checkbox" id="look"> only what needs a look</label> `)
	}
	m.raw(`<span id="left" role="status"></span></p>` + "\n")
}

// filled is the sheet without its empty columns. The sheet itself stays as it is. Each row must have a cell for
// each name of the header.
func (s *Sheet) filled() *Sheet {
	as := *s
	as.Header, as.Rows = nil, make([]Row, len(s.Rows))
	for i, row := range s.Rows {
		as.Rows[i].Tone = row.Tone
	}
	for column, name := range s.Header {
		if !slices.ContainsFunc(s.Rows, func(row Row) bool { return row.Cells[column] != Cell{} }) {
			continue
		}
		as.Header = append(as.Header, name)
		for i, row := range s.Rows {
			as.Rows[i].Cells = append(as.Rows[i].Cells, row.Cells[column])
		}
	}
	return &as
}

// table writes the rows, or nothing if there are none. An image that this package did not draw is left out.
func (s *Sheet) table(m markup) {
	if len(s.Rows) == 0 {
		return
	}
	s.filter(m)
	m.raw(`<div class="scroll" tabindex="0" role="region" aria-label="Summary as a table"><table class="runs" id="rows">`)
	s = s.filled()
	m.columns(s.Header)
	for _, row := range s.Rows {
		m.raw("<tr")
		if looks(row.Tone) {
			m.class("look " + toneNames[row.Tone])
		}
		m.raw(">")
		for _, cell := range row.Cells {
			m.raw("<td>")
			if strings.HasPrefix(cell.Image, thumbnailPrefix) {
				m.put(`<img class="thumbnail" src="{}" alt="" width="132" height="44"> `, cell.Image)
			}
			switch {
			case cell.Playground != "":
				m.playground(cell.Text, cell.Playground)
			case cell.Href != "":
				m.link("instant", cell.Href, cell.Text)
			default:
				m.put("{}", cell.Text)
			}
			m.raw("</td>")
		}
		m.raw("</tr>\n")
	}
	m.raw("</tbody></table></div>\n")
}

// write writes a section. It is open if it comes before the picture or if there is something to look at. number is
// its place among all, from 1; rows of the table link to it.
func (s *Section) write(m markup, number int) {
	m.put(`<details id="section-{}" class="section`, strconv.Itoa(number))
	if looks(s.Tone) {
		m.put(` look {}`, toneNames[s.Tone])
	}
	m.raw(map[bool]layout{true: `" open>`, false: `">`}[s.First || looks(s.Tone)])
	m.put("<summary>{}", s.Title)
	if s.Brief != "" {
		m.put(` <span class="brief">{}</span>`, s.Brief)
	}
	m.raw("</summary>\n")
	m.items(s.Items)
	m.watch(s.Run, s.Set)
	m.raw("</details>\n")
}

// items writes a list, with the sub-items of each item below it.
func (m markup) items(list []Item) {
	if len(list) == 0 {
		return
	}
	m.raw(`<ul class="items">`)
	for i := range list {
		item := &list[i]
		m.raw("<li")
		if item.Name != "" {
			// A name, like the number of a fix, is mark enough.
			m.class("named")
		}
		m.raw("><span")
		if looks(item.Tone) {
			m.class(toneNames[item.Tone])
		}
		switch {
		case item.Name != "":
			m.put("><b>{}</b> {}</span>", item.Name, item.Text)
		case item.Head:
			m.put("><b>{}</b></span>", item.Text)
		default:
			m.put(">{}</span>", item.Text)
		}
		m.items(item.Items)
		if len(item.Commands) > 0 {
			m.command(strings.Join(item.Commands, "\n"))
		}
		m.watch(item.Run, item.Set)
		m.raw("</li>\n")
	}
	m.raw("</ul>\n")
}

// watch writes a link to the run of that number, at a set, or nothing if there is no such run.
func (m markup) watch(run int, set string) {
	if run == 0 {
		return
	}
	m.raw(`<p class="watch">`)
	href := fmt.Sprintf("#run=%d", run)
	if set != "" {
		href += "&set=" + url.QueryEscape(set)
	}
	m.link("instant", href, "Watch it")
	m.raw("</p>\n")
}

// write writes the question of a lesson, its choices, and the answer after them.
func (l *lessonView) write(m markup) {
	m.put(`<section id="lesson" aria-label="The question" data-right="{}">`+"\n", l.Right)
	m.raw(`<div class="question">`)
	m.safe(l.Question)
	m.raw("</div>\n<div><fieldset><legend>Your answer, before you play it</legend>")
	for _, c := range l.Choices {
		m.put(`<label><input type="radio" name="answer" value="{}"> <b>{})</b> <span>`, c.Letter, c.Letter)
		m.safe(c.Text)
		m.raw("</span></label>")
	}
	m.raw(`</fieldset>
<p><button type="button" id="watch">Play it</button> <button type="button" id="reveal">Show the answer</button> ` +
		`<span id="judged" role="status"></span></p>
</div>
<div id="answer" hidden>`)
	m.safe(l.Answer)
	m.raw("</div>\n")
	if l.Index != "" {
		m.put(`<p class="more"><a href="{}">All lessons</a>`, l.Index)
		if l.Next != "" {
			m.put(` · <a href="{}">Next lesson</a>`, l.Next)
		}
		m.raw("</p>\n")
	}
	m.raw("</section>\n")
}
