package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// page writes all of it: the part above the runs, the player that the script fills, and the part below.
func (v *view) page(m markup) {
	v.head(m)
	var head, player layout = "header", "main"
	if len(v.Runs) == 0 {
		head, player = "main", "div"
	}
	m.put("<"+head+">\n<h1>{}</h1>\n", v.Title)
	if v.Playground != "" {
		m.raw(`<p class="playground">`)
		m.playground("Open in the playground", v.Playground)
		m.raw("</p>\n")
	}
	v.above(m)
	m.raw("</" + head + ">\n")
	m.raw(`<noscript><p class="wrong">This page needs JavaScript to step through runs. Their results are shown ` +
		`without it.</p>`)
	for _, it := range v.Stills {
		if len(v.Runs) > 1 {
			m.put("<h2>{}</h2>\n", it.name)
		}
		m.safe(it.picture)
	}
	m.raw("</noscript>\n<" + player + ` id="player" hidden>` + "\n")
	m.safe(asset("assets/player.html"))
	m.raw("</" + player + ">\n")
	if v.Sheet != nil {
		m.raw(`<section id="sections" aria-label="What else there is to know">` + "\n")
		v.Sheet.sections(m, false)
		m.raw("</section>\n")
	}
	for i := range v.Runs {
		v.expectations(m, &v.Runs[i])
	}
	v.below(m)
	for i := range v.Runs {
		if run := &v.Runs[i]; run.Timeline != "" {
			m.put(`<script id="timeline-{}" type="application/gzip">`, strconv.Itoa(run.Index))
			m.safe(run.Timeline)
			m.raw("</script>\n")
		}
	}
	m.raw(`<script id="data" type="application/json">`)
	m.safe(v.Data)
	m.raw("</script>\n<script>")
	m.safe(script())
	m.raw("</script>\n</body>\n</html>\n")
}

// head writes everything before the body, and the links that skip the picture.
func (v *view) head(m markup) {
	m.put(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{} · sim</title>
<link rel="icon" href="data:,">
<style>`, policy(), v.Title)
	m.safe(style())
	m.raw(`</style>
</head>
<body>
<a class="skip" href="#table">Skip the picture: to the table of the pods</a>
<a id="begin"></a>
`)
}

// above writes everything above the player.
func (v *view) above(m markup) {
	if v.Description != "" {
		m.put(`<details class="description"><summary>{}</summary></details>`+"\n", v.Description)
	}
	if v.Lesson != nil {
		v.Lesson.write(m)
	}
	switch {
	case v.Sheet != nil:
		v.Sheet.write(m)
	case v.Comparison != nil:
		v.Comparison.write(m)
	default:
		for i := range v.Runs {
			v.Runs[i].card(m)
		}
	}
}

// below writes the footer: the scenarios, and the commands that play and print it all again.
func (v *view) below(m markup) {
	m.raw("<footer>\n")
	if v.Sheet != nil {
		v.timelines(m)
	}
	for i := range v.Runs {
		run := &v.Runs[i]
		if v.Sheet == nil && (len(run.Source) > 0 || run.Timeline != "") {
			run.carried(m, len(v.Runs) > 1)
		}
		if run.Repeat != "" {
			m.raw(`<p class="repeat">Play it again:</p>`)
			m.command(run.Repeat)
		}
	}
	if v.Command != "" {
		m.raw("<p>This page was printed by:</p>")
		m.command(v.Command)
	}
	m.raw("</footer>\n" + `<div id="tip" role="tooltip" hidden></div>` + "\n")
}

// carried writes the scenario, line by line, and the button that saves the timeline.
func (v *runView) carried(m markup, many bool) {
	of := ""
	if many {
		of = " of " + v.Name
	}
	m.put(`<details class="source" id="source-{}"><summary>The scenario{}, and its timeline to download</summary>`+"\n",
		strconv.Itoa(v.Index), of)
	if v.Timeline != "" {
		m.raw("<p>")
		v.download(m, "Download the timeline (JSON Lines)")
		m.raw("</p>\n")
	}
	if len(v.Source) > 0 {
		m.raw(`<div class="command"><pre tabindex="0" role="region" aria-label="The scenario">`)
		for i, line := range v.Source {
			m.put(`<span id="line-{}-{}">{}`+"\n</span>", strconv.Itoa(v.Index), strconv.Itoa(i+1), line)
		}
		m.raw(`</pre><button type="button" class="copy">Copy</button></div>` + "\n")
	}
	if many && v.Playground != "" {
		m.raw("<p>")
		m.playground("Open it in the playground", v.Playground)
		m.raw("</p>\n")
	}
	m.raw("</details>\n")
}

// download writes the button that saves the timeline.
func (v *runView) download(m markup, text string) {
	m.put(`<button type="button" class="download" data-from="timeline-{}" data-name="{}">{}</button>`,
		strconv.Itoa(v.Index), v.TimelineName, text)
}

// timelines writes the buttons that save the timelines of a sheet's runs.
func (v *view) timelines(m markup) {
	if !slices.ContainsFunc(v.Runs, func(run runView) bool { return run.Timeline != "" }) {
		return
	}
	m.raw(`<details class="source"><summary>The timelines of the runs, to download (JSON Lines)</summary>` + "\n<ul>")
	for i := range v.Runs {
		if run := &v.Runs[i]; run.Timeline != "" {
			m.raw("<li>")
			run.download(m, run.Name)
			m.raw("</li>")
		}
	}
	m.raw("</ul></details>\n")
}

// card writes how a run ended: what the reader must know first, the way out, three numbers.
func (v *runView) card(m markup) {
	which, many := "", ""
	if v.Many {
		which, many = fmt.Sprintf("run %d, ", v.Index+1), ","
	}
	m.put(`<section class="card {}" aria-label="How {}{}{} ended">`+"\n", v.Class, which, v.Name, many)
	m.raw(`<div class="says">` + "\n")
	if v.Many {
		m.put("<h2>{}</h2>\n", v.Name)
	}
	v.failures(m)
	headline := "headline "
	if v.Failed > 0 {
		headline = ""
	}
	m.put(`<p class="{}{}">{}</p>`+"\n", headline, v.Headline.Class, v.Headline.Text)
	for _, cure := range v.Cures {
		m.put(`<p class="{}">{}</p>`+"\n", cure.Class, cure.Line)
		m.command(cure.Commands)
	}
	if v.Untried != "" {
		m.put("<p>{}</p>\n", v.Untried)
	}
	if v.Explain != "" {
		m.command(v.Explain)
		m.raw("<p>says why, and what was tried</p>\n")
	}
	v.ending(m)
	m.raw("</div>\n")
	v.numbers(m)
	m.raw("</section>\n")
}

// failures writes the expectations that failed, with links to when; nothing if none did.
func (v *runView) failures(m markup) {
	if v.Failed == 0 {
		return
	}
	m.put(`<p class="headline wrong"><a class="wrong" href="#expectations-{}">FAILED: {} of {} expectations</a></p>`+"\n",
		strconv.Itoa(v.Index), strconv.Itoa(v.Failed), strconv.Itoa(len(v.Expectations)))
	m.raw(`<ul class="failures" tabindex="0">`)
	for _, e := range v.Expectations {
		if e.Verdict != "failed" {
			continue
		}
		m.put("<li>{}", e.Failure)
		for _, to := range e.Links {
			m.raw(" ")
			m.link("instant wrong", to.Href, "at "+to.Text)
		}
		m.raw("</li>")
	}
	m.raw("</ul>\n")
}

// ending writes the details about the end beyond the headline, and about the input.
func (v *runView) ending(m markup) {
	m.raw(`<details class="more" open><summary>More about how it ended</summary>` + "\n")
	m.raw(`<ul class="ending" tabindex="0">` + "\n")
	for _, line := range v.Ending {
		m.put(`<li class="{}">{}</li>`+"\n", line.Class, line.Text)
	}
	if v.Complaint != "" {
		m.put(`<li class="wrong">{}</li>`+"\n", v.Complaint)
	}
	m.raw("</ul>\n")
	if len(v.Rest) > 0 {
		m.put(`<details class="rest"><summary>How each of the {} sets stands</summary><ul class="ending" tabindex="0">`,
			strconv.Itoa(len(v.Rest)))
		for _, line := range v.Rest {
			m.put(`<li class="{}">{}</li>`, line.Class, line.Text)
		}
		m.raw("</ul></details>\n")
	}
	if v.Spent != "" {
		m.put(`<p class="spent">{}</p>`+"\n", v.Spent)
	}
	m.put(`<p class="source" title="{}">{}`, v.File, v.About)
	if len(v.Expectations) > 0 {
		class := "right"
		if v.Failed > 0 {
			class = "wrong"
		}
		m.put(` <a class="{}" href="#expectations-{}">{} of {} expectations held</a>`, class, strconv.Itoa(v.Index),
			strconv.Itoa(v.Held), strconv.Itoa(len(v.Expectations)))
	}
	m.raw("</p>\n</details>\n")
}

// numbers writes the numbers of a run, or nothing for a run without events.
func (v *runView) numbers(m markup) {
	if len(v.Numbers) == 0 {
		return
	}
	m.raw(`<dl class="numbers">`)
	for _, n := range v.Numbers {
		m.put("<div><dt>{}</dt><dd>{}", n.Name, n.Value)
		if n.Href != "" {
			m.put(` <a href="{}">{}</a>`, n.Href, n.At)
		} else if n.At != "" {
			m.put(" <small>{}</small>", n.At)
		}
		m.raw("</dd></div>")
	}
	m.raw("</dl>\n")
}

// expectations writes what became of the expectations of a run; in a comparison they are folded away.
func (v *view) expectations(m markup, run *runView) {
	if len(run.Expectations) == 0 {
		return
	}
	index := strconv.Itoa(run.Index)
	// Expectations belong to the unchanged file: they do not colour the results of another version, or of a
	// variant.
	class := "expectations"
	if v.Comparison != nil {
		class += " compared"
	}
	m.put(`<section class="{}" id="expectations-{}" aria-labelledby="expected-{}">`+"\n", class, index, index)
	if v.Comparison != nil {
		m.put(`<details><summary id="expected-{}">Expectations of {}: {} held, {} not</summary>`+"\n", index, run.Name,
			strconv.Itoa(run.Held), strconv.Itoa(run.Failed))
	} else {
		of := ""
		if len(v.Runs) > 1 {
			of = " of " + run.Name
		}
		m.put(`<h2 id="expected-{}">Expectations{}</h2>`+"\n", index, of)
	}
	m.raw("<ul>\n")
	for i := range run.Expectations {
		run.Expectations[i].write(m, run.Index)
	}
	m.raw("</ul>\n")
	if v.Comparison != nil {
		m.raw("</details>\n")
	}
	m.raw("</section>\n")
}

// write writes an expectation as an item of a list. run is the index of its run on the page, from 0.
func (e *expectationView) write(m markup, run int) {
	m.put(`<li class="{}"><span class="mark">{}</span> <code>{}</code>`, e.Verdict, e.Verdict, e.Text)
	if e.Line > 0 {
		line := strconv.Itoa(e.Line)
		m.put(` <a class="line" href="#line-{}-{}">line {}</a>`, strconv.Itoa(run), line, line)
	} else if e.Position != "" {
		m.put(" <small>{}</small>", e.Position)
	}
	m.raw("\n")
	if e.Detail != "" {
		m.put("<p>{}</p>\n", e.Detail)
	}
	if len(e.Links) > 0 {
		m.put("<p>{}", map[bool]string{true: "It failed at", false: "See"}[e.Verdict == "failed"])
		for _, to := range e.Links {
			m.raw(" ")
			m.link("instant", to.Href, to.Text)
		}
		m.raw("</p>\n")
	}
	if len(e.Difference) > 0 {
		m.raw(`<pre tabindex="0" role="region" aria-label="minus: expected, plus: what came instead">`)
		m.put("{}\n</pre>\n", strings.Join(e.Difference, "\n"))
	}
	if len(e.Around) > 0 {
		m.put("<details><summary>The timeline around it</summary><pre tabindex=\"0\">{}\n</pre></details>\n",
			strings.Join(e.Around, "\n"))
	}
	m.raw("</li>\n")
}
