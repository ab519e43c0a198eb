package html

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// browser opens pages in a real browser, where the machine has one.
type browser struct {
	path, dir string
	// realTime has the clock of a page run as it does. Otherwise time is skipped while a page waits, and a page that only
	// computes sees no time pass. Firefox knows nothing else.
	realTime bool
}

// unguarded is a page without its policy, which lets no foreign script run: that is right, and in the way of a test.
func unguarded(page string) string { return guard.ReplaceAllString(page, "") }

var guard = regexp.MustCompile(`<meta http-equiv[^>]*>`)

// sample is what runs without BROWSER too, where there is a Chromium. All the tests together start a browser a hundred
// times: minutes, and on a busy machine more than `go test` waits for a package.
var sample = []string{
	"TestBrowserSteps", "TestBrowserKeys", "TestBrowserHostile", "TestBrowserCompares", "TestBrowserFolds",
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	if path := os.Getenv("BROWSER"); path != "" {
		path, err := exec.LookPath(path)
		require.NoError(t, err)
		return &browser{path: path, dir: t.TempDir()}
	}
	if testing.Short() || !slices.Contains(sample, t.Name()) {
		t.Skip("a browser takes seconds: .ci/tasks/browser runs all of these tests")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return &browser{path: path, dir: t.TempDir()}
		}
	}
	t.Skip("there is no chromium on the PATH")
	return nil
}

// patience is how long a browser may take before it counts as hanging, on a machine that does a lot besides.
const patience = 4 * time.Minute

// measure is ask in real time, for an expression that needs not wait for anything.
func (b *browser) measure(t *testing.T, page, fragment, expression string) string {
	t.Helper()
	page = strings.Replace(unguarded(page), "</body>", "<script>document.title = "+expression+"</script></body>", 1)
	real := *b
	real.realTime = true
	return text(t, real.open(t, page, fragment), "<title>", "</title>")
}

// open loads a page and returns it as it is once its script has run. The page must write nothing to the console.
func (b *browser) open(t *testing.T, page, fragment string, flags ...string) string {
	t.Helper()
	if strings.Contains(filepath.Base(b.path), "firefox") {
		return b.openInFirefox(t, page, fragment, flags...)
	}
	file := filepath.Join(b.dir, "page.html")
	require.NoError(t, os.WriteFile(file, []byte(page), 0o644))
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	profile, err := os.MkdirTemp(b.dir, "profile")
	require.NoError(t, err)
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + profile, "--enable-logging=stderr",
		"--dump-dom",
	}, flags...)
	if !b.realTime {
		args = append(args, "--virtual-time-budget=2000")
	}
	var console strings.Builder
	cmd := exec.CommandContext(ctx, b.path, append(args, "file://"+file+fragment)...)
	cmd.Stderr = &console
	dom, err := cmd.Output()
	require.NoError(t, err, console.String())
	for line := range strings.Lines(console.String()) {
		require.NotContains(t, line, "CONSOLE", "the page complains")
	}
	return string(dom)
}

// text is what an element of the page says.
func text(t *testing.T, dom, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(dom, from)
	require.True(t, found, "the page has no %s", from)
	inner, _, _ := strings.Cut(rest, to)
	return strings.TrimSpace(regexp.MustCompile(`\s+`).ReplaceAllString(tags.ReplaceAllString(inner, " "), " "))
}

var tags = regexp.MustCompile(`<[^>]*>`)

func table(t *testing.T, dom string) string { return text(t, dom, "<tbody>", "</tbody>") }

func told(t *testing.T, dom string) string { return text(t, dom, `<div id="told"`, "</div>") }

func now(t *testing.T, dom string) string {
	return text(t, dom, `<span id="now">`, "</span>")
}

func TestBrowserSteps(t *testing.T) {
	b := newBrowser(t)
	page := write(t, rolled(2, 1))
	dom := b.open(t, page, "")
	require.Equal(t, "10s · moment 12 of 12", now(t, dom), "a page opens at the end of its run")
	require.Equal(t, "web-0 1/1 Running 0 2s @2 app:v2 web-1 1/1 Running 0 5s @2 app:v2", table(t, dom))

	dom = b.open(t, page, "#t=1.5")
	require.Equal(t, "1s · moment 2 of 12", now(t, dom))
	require.Equal(t, "web-0 0/1 Running 0 1s @1 app:v1", table(t, dom))
	require.Contains(t, told(t, dom), "until web-0 is Ready")

	dom = b.open(t, page, "#run=1&tick=6")
	require.Equal(t, "4s · moment 6 of 12", now(t, dom), "the step has a moment of its own")
	require.Contains(t, table(t, dom), "web-1 1/1 Terminating 0 2s @1 app:v1")
	require.Contains(t, dom, "STEP 2: set image of web to app:v2")
}

// TestBrowserKeys steps with keys at 400 pixels, in the light and in the dark, by a script that the test adds.
func TestBrowserKeys(t *testing.T) {
	b := newBrowser(t)
	// A window is 500 pixels wide at least.
	const keys = `<script>
document.documentElement.style.width = "400px";
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
document.getElementById("slider").focus();
press("Home"); press("ArrowRight"); press("ArrowRight"); press("ArrowDown");
const about_ = document.querySelector("#told > h3:last-of-type").textContent;
document.getElementById("story").open = true;
document.getElementById("ticks").click();
addEventListener("load", () => setTimeout(() => {
  const wide = document.body.scrollWidth > 400 ? "too wide" : "fits " + document.body.offsetWidth;
  const lanes = document.querySelector(".lanes canvas");
  const pixels = lanes.getContext("2d").getImageData(0, 0, lanes.width, lanes.height).data;
  const colours = new Set(new Uint32Array(pixels.buffer)).size;
  const told = document.querySelectorAll("#story li").length + " ticks told";
  const ground = getComputedStyle(document.body).backgroundColor;
  document.title = [about_, told, wide, colours > 5 ? "drawn" : "blank", ground].join(", ");
}, 100));
</script></body>`
	page := write(t, rolled(3, 1))
	page = strings.Replace(unguarded(page), "</body>", keys, 1)
	grounds := map[string]string{"rgb(255, 255, 255)": "--mute-audio", "rgb(18, 23, 29)": "--force-dark-mode"}
	for ground, flag := range grounds {
		dom := b.open(t, page, "", "--window-size=500,900", flag)
		require.Equal(t, "2s · moment 3 of 17", now(t, dom))
		require.Equal(t, "web-1 so far, 17 ticks told, fits 400, drawn, "+ground, text(t, dom, "<title>", "</title>"))
	}
}

// TestBrowserHostile holds that hostile texts do nothing, and that the failed expectation leads to its instant.
func TestBrowserHostile(t *testing.T) {
	b := newBrowser(t)
	dom := b.open(t, write(t, hostile()), "#run=1&tick=3", "--force-dark-mode")
	require.NotContains(t, dom, "<img")
	require.Contains(t, text(t, dom, `<section class="expectations"`, "</section>"), "It failed at 2s")
	require.Contains(t, dom, `<a class="instant" href="#run=1&amp;tick=3">2s</a>`)
	require.Equal(t, "2s · moment 3 of 12", now(t, dom))
}

// TestBrowserCompares holds that several runs share one axis, and that a run that has ended stays as it was.
func TestBrowserCompares(t *testing.T) {
	b := newBrowser(t)
	dom := b.open(t, write(t, rolled(1, 0), rolled(2, 1)), "#run=1&t=9")
	require.Contains(t, now(t, dom), "9s · moment 11 of 12")
	require.Equal(t, "web-0 1/1 Running 0 2s @1 app:v1", table(t, dom))
	require.Equal(t, 2, strings.Count(dom, "<figure>"))
	require.Contains(t, text(t, dom, `<ul id="steps"`, "</ul>"), "rolled · 1.37 1 0s set image of web to app:v1 (configured) "+
		"rolled · 1.37 1 0s set image", "the steps of each run stand under its name")
}

// TestBrowserComparesFailures holds that a failed expectation of a later run leads to its instant in that run, and that
// the head says which of the runs has failed.
func TestBrowserComparesFailures(t *testing.T) {
	b := newBrowser(t)
	dom := b.open(t, write(t, rolled(2, 1), hostile()), "#run=2&tick=3")
	require.Contains(t, text(t, dom, "<h1>", "</h1>"), "2 runs on one axis")
	require.Equal(t, 2, strings.Count(dom, `<section class="card `))
	require.Contains(t, dom, `<a class="instant wrong" href="#run=2&amp;tick=3">at 2s</a>`)
	require.Contains(t, dom, `<a class="instant" href="#run=2&amp;tick=3">2s</a>`)
	require.Contains(t, now(t, dom), "2s · tick ")
}

// compared is the page of a run that settles and one that does not.
func compared(t *testing.T) string {
	t.Helper()
	good, bad := rolled(3, 1), stuckRun()
	c := &report.Comparison{Name: "a change", Groups: [][]int{{0}, {1}}}
	c.Versions = []report.VersionRun{{Version: "1.36", Run: good, OK: true}, {Version: "1.37", Run: bad}}
	c.Partings = []report.Parting{{Names: [2]string{"1.36", "1.37"}, Parting: versus.Find(good.Events, bad.Events)}}
	var page strings.Builder
	require.NoError(t, Compare(&page, c))
	return page.String()
}

// TestBrowserComparesInSight holds that the picture of a comparison is in the first window: above it stands where the
// runs diverge as far as there is room, and on paper in any case.
func TestBrowserComparesInSight(t *testing.T) {
	b := newBrowser(t)
	const ask = `[document.querySelector(".sight").open, plots[0].lanes.getBoundingClientRect().top < innerHeight,
		(document.querySelector("h1").style.marginTop = "900px", keepInSight(), document.querySelector(".sight").open),
		(dispatchEvent(new Event("beforeprint")), document.querySelector(".sight").open)].join()`
	require.Equal(t, "true,true,false,true", b.ask(t, compared(t), "", ask, "--window-size=1440,900"))
}

// unhurried are functions of a page that say whether something can be done within so many milliseconds, and how long it
// took. What else the machine does only adds to that, so it is tried again until it has been done, for at most 20 s. What
// the browser needs to lay the page out afterwards belongs to it where it is laid.
const unhurried = `
const within = (limit, act) => { let best = Infinity, i = 0;
  for (const since = performance.now(); i < 3 || (best >= limit && performance.now() - since < 20000); i++) { const begun = performance.now(); act(i); best = Math.min(best, performance.now() - begun); }
  return best < limit ? "ok" : "never within " + limit + " ms, but " + best + " ms"; };
const median = (act, times = 51) => { const each = [];
  for (let i = 0; i < times; i++) { const begun = performance.now(); act(i); each.push(performance.now() - begun); }
  return each.sort((a, b) => a - b)[times >> 1].toFixed(1); };
const laid = (act) => (i) => (act(i), document.body.offsetHeight);`

// TestBrowserLarge holds that 1,000 pods with 20,000 entries are drawn at once, and again while one scrolls, and that no
// more stands in the page than of a few pods.
func TestBrowserLarge(t *testing.T) {
	b := newBrowser(t)
	run := rolled(1000, 3)
	require.Greater(t, len(run.Events), 19_000)
	page := write(t, run)
	const measure = `(() => { ` + unhurried + `
		const nodes = document.querySelectorAll("*").length, all = within(250, drawAll), took = median(drawAll);
		plots[0].fullToggle.click();
		const scroll = (i) => { plots[0].scroller.scrollTop = (i % 20) * 900; drawLanes(plots[0]); };
		return [all, within(33, scroll), nodes, "drawn in " + took + " ms, again in " + median(scroll)].join(); })()`
	got := strings.Split(b.measure(t, page, "#t=3000", measure), ",")
	require.Equal(t, []string{"ok", "ok"}, got[:2])
	few := b.ask(t, write(t, rolled(10, 3)), "#t=30", `document.querySelectorAll("*").length`)
	count := func(text string) int {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		return n
	}
	require.Less(t, count(got[2]), 2*count(few), "elements of a page of 1,000 pods, and of 10")
	t.Logf("%d entries, %d kB, %s elements, %s of 10 pods: %s", len(run.Events), len(page)/1000, got[2], few, got[3])
}
