package expect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// resolves is the rule: at one moment, a pod of the namespace that asks for the name is led to these pods only.
type resolves struct {
	name, namespace string
	// to are the patterns: each pod of the answer must match one, and each must match a pod. None means no pod.
	to []answer
	at moment
	// asked is an earlier instant when the name was asked for, if isAsked: until the TTL has passed, the cache
	// gives the same answer, even if there was no pod.
	asked   moment
	isAsked bool
}

// answer is a pattern for pods that a name leads to: POD[@N]. POD is a glob; template "" is any.
type answer struct{ pod, template string }

// matches reports whether a pod that a name leads to is as the pattern wants.
func (a *answer) matches(p *timeline.Endpoint) bool {
	return glob.Match(a.pod, p.Pod) && (a.template == "" || glob.Match(a.template, strconv.Itoa(p.Template)))
}

// compileResolves reads a mapping with the name and the pods. asked must not be later than at, if both are instants.
func compileResolves(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	k := resolves{namespace: "default"}
	m := c.reader.Map(value, "resolves", "name", "to", "at", "asked", "namespace")
	if !c.needs(value, m, "resolves", "name") || !m.Need("to") {
		return k
	}
	k.name = c.dnsName(m.Value("name"))
	if m.Has("namespace") {
		k.namespace = m.String("namespace")
	}
	for _, n := range c.answers(m.Value("to")) {
		k.to = append(k.to, c.answer(n))
	}
	k.at = c.moment(m.Value("at"))
	if n := m.Value("asked"); n != nil {
		d, ok := c.reader.Duration(n, "asked")
		k.asked, k.isAsked = moment{at: model.Time(d), instant: true}, true
		if ok && k.at.instant && k.asked.at > k.at.at {
			c.reader.Problem(n, "asked is later than at", "it is the time of an earlier lookup, whose answer a cache keeps")
		}
	}
	return k
}

// answers reads the list of the key to; a single pod needs no brackets.
func (c *compiler) answers(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" {
		return []*yaml.Node{n}
	}
	if n.Kind == yaml.ScalarNode {
		c.reader.Problem(n, "to is not given", "list the pods that the name leads to, [] for none")
		return nil
	}
	return c.reader.List(n, "to")
}

// maxName is the longest name that the DNS has.
const maxName = 253

// dnsName checks a name: labels without white space, of at most 253 characters together.
func (c *compiler) dnsName(n *yaml.Node) string {
	name, ok := c.reader.String(n, "name")
	if !ok {
		return ""
	}
	empty := slices.Contains(strings.Split(strings.TrimSuffix(name, "."), "."), "")
	if empty || len(name) > maxName || strings.ContainsAny(name, " \t\n/:*") {
		c.reader.Problem(n, fmt.Sprintf("%q is not a name of the DNS", strict.Shorten(name)),
			"write one like web-0.web, web.default.svc or _http._tcp.web")
	}
	return name
}

// answer reads POD or POD@N; N is a number here, and no glob.
func (c *compiler) answer(n *yaml.Node) answer {
	text, ok := c.reader.String(n, "a pod")
	if !ok {
		return answer{}
	}
	pod, template, numbered := strings.Cut(text, "@")
	a := answer{pod, template}
	if _, err := strconv.Atoi(a.template); a.pod == "" || numbered && err != nil || strings.ContainsAny(text, " /=") {
		c.reader.Problem(n, fmt.Sprintf("%q is not a pod", strict.Shorten(text)), "write POD or POD@N, for example web-0@2")
	}
	if err := strict.Glob(a.pod); err != nil {
		c.reader.Problem(n, fmt.Sprintf("%s in %q", err, a.pod), "")
	}
	return a
}

// begin judges two moments if a cache is involved: its content, and the later answer of the cache or the DNS.
func (k resolves) begin(r *run, _ model.Key) watcher {
	w := &resolvesWatcher{resolves: k}
	w.watcher = k.at.judged(r, w.judge)
	if !k.isAsked {
		return w
	}
	if w.ttl = r.dnsTTL; w.ttl == 0 {
		return broken{detail: "the run has no DNS cache that keeps earlier answers: add dns: {ttl: 30s} to the scenario"}
	}
	w.before = k.asked.judged(r, func(f *timeline.Fold) string {
		w.cached, w.exists = k.lookup(f)
		w.isCached = true
		return ""
	})
	return w
}

// resolvesWatcher judges the answer at one moment; before notes what the cache holds until then, nil without one.
type resolvesWatcher struct {
	watcher
	resolves
	before watcher
	ttl    model.Time
	// cached is the answer at the earlier query.
	cached []timeline.Endpoint
	// exists is true if the name existed then, isCached if the answer is known, whichever it is.
	exists, isCached bool
}

// tick lets the cache be filled before the answer is judged, also where both are at one point.
func (w *resolvesWatcher) tick(f *timeline.Fold) {
	if w.before != nil {
		w.before.tick(f)
	}
	w.watcher.tick(f)
}

// lookup asks the fold. The answer is a copy, because the fold continues; false is NXDOMAIN.
func (k *resolves) lookup(f *timeline.Fold) ([]timeline.Endpoint, bool) {
	to, exists := f.Resolve(k.name, k.namespace)
	return slices.Clone(to), exists
}

// judge compares the answer with the expectation. The instant comes from the rule, not from the fold, which is at
// the last event before it.
func (w *resolvesWatcher) judge(f *timeline.Fold) string {
	at := f.T
	if w.at.instant {
		at = w.at.at
	}
	to, exists := w.lookup(f)
	since := ""
	if w.isCached && at < w.asked.at+w.ttl {
		to, exists = w.cached, w.exists
		since = ", out of the cache since " + clock(w.asked.at)
	}
	wrong := func(p timeline.Endpoint) bool {
		return !slices.ContainsFunc(w.to, func(a answer) bool { return a.matches(&p) })
	}
	missing := func(a answer) bool {
		return !slices.ContainsFunc(to, func(p timeline.Endpoint) bool { return a.matches(&p) })
	}
	if !slices.ContainsFunc(to, wrong) && !slices.ContainsFunc(w.to, missing) {
		return ""
	}
	return fmt.Sprintf("at %s the name %s %s%s", clock(at), w.name, answered(to, exists), since)
}

// answered describes an answer of the DNS.
func answered(to []timeline.Endpoint, exists bool) string {
	if !exists {
		return "does not exist (NXDOMAIN)"
	}
	var pods []string
	for i := range to {
		text := to[i].Pod
		if to[i].Template != 0 {
			text += "@" + strconv.Itoa(to[i].Template)
		}
		pods = append(pods, text)
	}
	return "leads to " + cmp.Or(strings.Join(pods, ", "), "no pod")
}
