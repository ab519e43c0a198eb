package html

import "slices"

// mostSteps is how many steps a legend names, so that it stays short.
const mostSteps = 6

// legend explains below a picture what is in it: the steps, the states of a pod, and what the lines are.
func (p *picture) legend() {
	p.y += 4
	x := 8.0
	room := func(width float64) {
		if x == 8 || x+width > pictureWidth {
			x, p.y = 8, p.y+20
		}
	}
	word := func(text string) {
		room(widthOf(text, 11))
		p.text(x, p.y, text, textStyle{size: 11, colour: mutedColour})
		x += widthOf(text, 11) + 10
	}
	for i := range p.run.Steps[:min(len(p.run.Steps), mostSteps)] {
		if step := &p.run.Steps[i]; !step.Fault {
			word(step.Title)
		}
	}
	x = 8
	for _, state := range []string{"Pending", "Running", "Ready", "Terminating"} {
		room(32 + widthOf(state, 11))
		p.state(box{x, p.y - 11, 24, 14}, state, 1)
		x += 30
		p.text(x, p.y, state, textStyle{size: 11, colour: mutedColour})
		x += widthOf(state, 11) + 10
	}
	word("@1, @2: templates, a colour each")
	if slices.ContainsFunc(p.run.Sets, func(s setData) bool { return len(s.Path) > 0 }) {
		word("black line: what the rollout waits for")
	}
	if slices.ContainsFunc(p.run.Sets, func(s setData) bool {
		return len(s.Counts) > 0 && quorumOf(s.Counts[len(s.Counts)-countWidth+1]) > 0
	}) {
		word("quorum: more than half")
	}
	if p.scale.fold > 0 {
		word("the creation is drawn shorter than it is")
	}
}
