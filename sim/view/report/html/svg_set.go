package html

import (
	"fmt"
	"slices"
	"strings"
)

// set draws the figure of a set: its axis, a lane for each pod, its waits, and how many pods serve.
func (p *picture) set(n int, row float64) {
	set := &p.run.Sets[n]
	p.y += 22
	p.text(8, p.y, set.Name, textStyle{size: 13, bold: true, colour: inkColour})
	if set.Assumed != "" {
		p.text(20+widthOf(set.Name, 14), p.y, assumed+set.Assumed, textStyle{size: 12, colour: warnColour})
	}
	p.y += 8
	top := p.y
	height := 34 + row*float64(len(set.Pods)) + 6 + waitHeight*float64(p.waitRows(set)) + chartHeight
	p.axis(n, top, height)
	p.y = top + 34
	for i := range set.Pods {
		p.pod(set, &set.Pods[i], row)
	}
	p.path(set, row)
	p.y += 6
	p.waits(set)
	p.chart(set)
	p.figures = append(p.figures, box{p.scale.left, top, pictureWidth - p.scale.left, p.y - top})
}

// assumed introduces an assumption about a set in a picture. The page has the same word.
const assumed = "assumed: "

// axis draws the marks of time over the height of a figure, and the steps and faults that concern the set with the
// index n, because they name it or name no set.
func (p *picture) axis(n int, top, height float64) {
	for _, m := range p.scale.marks() {
		p.line(m.x, top+32, m.x, top+height, `stroke="`+gridColour+`"`)
		p.text(m.x+2, top+30, m.text, textStyle{size: 11, colour: mutedColour})
	}
	for _, step := range p.run.Steps {
		if len(step.Sets) > 0 && !slices.Contains(step.Sets, n) {
			continue
		}
		var colour layout = accentColour
		x := p.scale.stop(step.Stop)
		if step.Fault || step.Refusal != "" {
			colour = badColour
		}
		p.line(x, top+16, x, top+height, `stroke="`+colour+`" stroke-dasharray="4 3"`)
		name := "!"
		if !step.Fault {
			name = fmt.Sprint(step.Number)
		}
		p.rect(box{x - 1, top, 10 + 7*float64(len(name)), 16}, `fill="`+colour+`"`)
		p.text(x+4, top+12, name, textStyle{size: 11, bold: true, colour: "#ffffff"})
	}
}

// pod draws the lane of a pod.
func (p *picture) pod(set *setData, pod *podData, row float64) {
	if row >= 10 {
		// A name that does not fit keeps its ordinal.
		ordinal := pod.Name[strings.LastIndexByte(pod.Name, '-')+1:]
		name := fitting(labelWidth-16, 12, pod.Name, "…"+strings.TrimPrefix(pod.Name, set.Plain), "…-"+ordinal)
		p.text(8, p.y+row/2+4, name, textStyle{size: min(12, row), colour: inkColour})
	}
	for i := 0; i < len(pod.Bars); i += barWidth {
		bar := pod.Bars[i : i+barWidth]
		state := p.data.States[bar[1]]
		if state == "Gone" {
			continue
		}
		b := box{x: p.scale.stop(bar[0]), y: p.y + row*0.1, h: row * 0.8}
		last := i+barWidth >= len(pod.Bars)
		if last {
			b.w = p.scale.right - b.x
		} else {
			b.w = p.scale.stop(pod.Bars[i+barWidth]) - b.x
		}
		p.state(b, state, bar[2])
		if set.Assumed != "" && float(string(p.run.Times[bar[0]])) > 0 {
			p.rect(box{b.x + 1.5, b.y + 1.5, b.w - 3, b.h - 3}, `fill="#ffffff" fill-opacity="0.72"`)
		}
		if row >= 14 {
			p.caption(b, state, bar, last && endless(p.run) && state != "Ready")
		}
	}
	p.awaited(set, pod, row)
	p.y += row
}

// stripes returns the fill for the stripes of a number, as patterns has them. n is the index of a template colour,
// or their number for a pod that is not well.
func stripes(n int) layout {
	fills := [...]layout{
		`fill="url(#stripes1)"`, `fill="url(#stripes2)"`, `fill="url(#stripes3)"`, `fill="url(#stripes4)"`,
		`fill="url(#stripes5)"`, `fill="url(#stripes6)"`, `fill="url(#stripes7)"`,
	}
	return fills[n]
}

// state draws a state as the page does: a pod fills up on its way to Ready, stripes go away.
func (p *picture) state(b box, state string, of int) {
	colour := templateColour(of)
	fill, outline := `fill="`+colour+`"`, `fill="none" stroke="`+colour+`" stroke-width="1.2"`
	failing := stripes(len(templateColours))
	inner := box{b.x + 0.6, b.y + 0.6, b.w - 1.2, b.h - 1.2}
	half := box{b.x, b.y + b.h/2, b.w, b.h / 2}
	switch state {
	case "Ready":
		p.rect(b, fill)
		return
	case "Running":
		p.rect(half, fill)
	case "Unready":
		p.rect(half, fill)
		p.rect(box{b.x, b.y, b.w, b.h / 2}, failing)
	case "Succeeded":
		p.rect(b, fill+` opacity="0.45"`)
	case "Failed":
		p.rect(b, failing)
		outline = `fill="none" stroke="` + badColour + `" stroke-width="1.2"`
	case "Terminating":
		p.rect(b, stripes(max(0, of-1)%len(templateColours)))
	}
	if b.w >= 3 {
		p.rect(inner, outline)
	}
}

// caption writes into a bar what it is, as far as there is room.
func (p *picture) caption(b box, state string, bar []int, ever bool) {
	status := p.data.Words[bar[4]]
	if state != "Pending" && state != "Running" || status == "" || status == "ContainerCreating" {
		status = state
	}
	of := fmt.Sprintf("@%d", bar[2])
	texts := []string{of + " " + status, status, of}
	if ever {
		texts = append([]string{of + " for ever: " + status, status + " ∞"}, texts...)
	}
	text := fitting(b.w-10, 11, texts...)
	if text == "" {
		return
	}
	var colour layout = "#ffffff"
	if state != "Ready" {
		colour = inkColour
		p.rect(box{b.x + 4, b.y + 2, widthOf(text, 11) + 4, b.h - 4}, `fill="#ffffff" opacity="0.85"`)
	}
	p.text(b.x+6, b.y+b.h/2+4, text, textStyle{size: 11, bold: true, colour: colour})
}

// awaited marks a pod that the controller waits for, forever.
func (p *picture) awaited(set *setData, pod *podData, row float64) {
	w := set.Waits
	for i := 0; i < len(w) && endless(p.run); i += waitWidth {
		if w[i+1] == neverEnded && w[i+4] == 0 && p.data.Words[w[i+5]] == pod.Name {
			x := p.scale.stop(w[i])
			p.rect(box{x + 1, p.y + row*0.06, p.scale.right - x - 2, row * 0.88},
				`fill="none" stroke="`+badColour+`" stroke-width="2.5"`)
		}
	}
}

// pathWidth is the number of columns of a set's critical path.
const pathWidth = 4

// path draws the critical path along the lanes; the last lane has just been drawn.
func (p *picture) path(set *setData, row float64) {
	if len(set.Path) == 0 || row < 10 {
		return
	}
	top, begun := p.y-row*float64(len(set.Pods)), false
	var d strings.Builder
	for i := 0; i < len(set.Path); i += pathWidth {
		pod := set.Path[i+2]
		if pod < 0 {
			continue
		}
		from, to, y := p.scale.stop(set.Path[i]), p.scale.stop(set.Path[i+1]), top+float64(pod+1)*row-1.5
		if begun {
			fmt.Fprintf(&d, "H%.1fV%.1fH%.1f", from, y, to)
		} else {
			fmt.Fprintf(&d, "M%.1f %.1fH%.1f", from, y, to)
		}
		begun = true
	}
	for _, style := range []layout{`stroke="#ffffff" stroke-width="5"`, `stroke="` + inkColour + `" stroke-width="2"`} {
		p.put(`<path d="%s" fill="none" stroke-linejoin="round" %s/>`, d.String(), style)
	}
}

// quorumOf returns the majority of replicas, which a set of members that vote needs; of a set too small or too large
// for such members it is 0.
func quorumOf(replicas int) int {
	if replicas < 3 || replicas > 9 {
		return 0
	}
	return replicas/2 + 1
}

// quorum draws the line of the majority, as long as the set has as many replicas as at the end.
func (p *picture) quorum(set *setData, y func(int) float64) {
	if len(set.Counts) == 0 {
		return
	}
	last := set.Counts[len(set.Counts)-countWidth:]
	if n := quorumOf(last[1]); n > 0 {
		p.line(p.scale.left, y(n), p.scale.right, y(n), `stroke="`+inkColour+`" stroke-dasharray="10 4"`)
		p.text(8, y(n)+4, fmt.Sprintf("quorum %d", n), textStyle{size: 11, colour: mutedColour})
	}
}

// mostWaitRows is the number of rows of waits that are drawn.
const mostWaitRows = 3

// waitRows returns the number of rows that the waits of a set need.
func (p *picture) waitRows(set *setData) int {
	rows := 0
	p.eachWait(set, func(_ []int, _ box, row int) { rows = max(rows, row+1) })
	return rows
}

// eachWait packs the waits so that none overlaps another. It leaves out waits that take no time, and waits that do
// not fit into mostWaitRows rows. It draws nothing itself.
func (p *picture) eachWait(set *setData, draw func(wait []int, b box, row int)) {
	var ends []float64
	for i := 0; i < len(set.Waits); i += waitWidth {
		w := set.Waits[i : i+waitWidth]
		from, to := p.scale.stop(w[0]), p.scale.right
		if w[1] != neverEnded {
			to = p.scale.stop(w[1])
		}
		row := 0
		for row < len(ends) && ends[row] > from+0.5 {
			row++
		}
		if to <= from || row >= mostWaitRows {
			continue
		}
		if row == len(ends) {
			ends = append(ends, to)
		}
		ends[row] = to
		draw(w, box{from, p.y + float64(row)*waitHeight + 2, to - from, waitHeight - 4}, row)
	}
}

// waits draws the waits, and moves down by as many rows as they need.
func (p *picture) waits(set *setData) {
	rows := 0
	p.eachWait(set, func(w []int, b box, row int) {
		rows = max(rows, row+1)
		var colour layout = warnColour
		if w[1] == neverEnded && w[4] == 0 && endless(p.run) {
			colour = badColour
		}
		p.rect(b, `fill="`+colour+`" opacity="0.18"`)
		p.rect(box{b.x, b.y, min(1.5, b.w), b.h}, `fill="`+colour+`"`)
		whole, less := p.data.Words[w[2]], ""
		if object := p.data.Words[w[5]]; object != "" {
			less = "for " + object
		}
		if text := fitting(b.w-8, 11, whole, less); text != "" {
			p.text(b.x+5, b.y+b.h-3, text, textStyle{size: 11, colour: inkColour})
		}
	})
	if rows > 0 {
		p.text(8, p.y+waitHeight-5, "waits", textStyle{size: 12, colour: mutedColour})
	}
	p.y += waitHeight * float64(rows)
}

// chart draws how many pods serve, with the least of it.
func (p *picture) chart(set *setData) {
	most := 1
	for i := 0; i < len(set.Counts); i += countWidth {
		most = max(most, set.Counts[i+1], set.Counts[i+5])
	}
	ground := p.y + chartHeight - 8
	y := func(n int) float64 { return ground - (chartHeight-24)*float64(n)/float64(most) }
	var path strings.Builder
	for i := 0; i < len(set.Counts); i += countWidth {
		x := p.scale.stop(set.Counts[i])
		if i == 0 {
			fmt.Fprintf(&path, "M%.1f %.1f", x, ground)
		}
		fmt.Fprintf(&path, "H%.1fV%.1f", x, y(set.Counts[i+5]))
	}
	if path.Len() > 0 {
		p.put(`<path d="%sH%.1fV%.1fZ" fill="`+goodColour+`" fill-opacity="0.15" stroke="`+goodColour+
			`" stroke-width="1.5"/>`, path.String(), p.scale.right, ground)
	}
	p.quorum(set, y)
	p.text(8, ground-14, "serving", textStyle{size: 12, colour: mutedColour})
	number := fmt.Sprint(most)
	p.text(labelWidth-8-widthOf(number, 11), y(most)+4, number, textStyle{size: 11, colour: mutedColour})
	if set.FewestAt != nil {
		x := p.scale.stop(*set.FewestAt)
		p.put(`<circle cx="%.1f" cy="%.1f" r="3.5" fill="`+inkColour+`"/>`, x, y(set.Fewest))
		p.text(min(x+6, p.scale.right-70), y(set.Fewest)-4, fmt.Sprintf("fewest %d", set.Fewest),
			textStyle{size: 11, bold: true, colour: inkColour})
	}
	p.y = ground + 8
}
