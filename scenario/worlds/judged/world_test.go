package judged_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
)

// judged is a small world that is dumped at an instant, and played on to see what comes.
type judged struct {
	// text is the scenario: what users do until then.
	text string
	// version is that of Kubernetes.
	version string
	// trouble is what is wrong with the cluster.
	trouble trouble
	// wait is the time from the last step to the dump.
	wait time.Duration
	// part is what of the world is dumped: a key of parts. given says that it is known when it was dumped.
	part  string
	given bool

	// state is the world when it is dumped, and at the instant of that; played sets them.
	state *sim.State
	at    model.Time
}

// trouble is something that is wrong with a cluster, whether a dump shows it or not: a key of troubles.
type trouble struct {
	kind string
	// ordinal, image and node say which pods it meets: those of an ordinal, of an image, on a node; -1 and "" are any.
	ordinal     int
	image, node string
	// from is the instant from which on it is there, ends the one at which it is over; 0 is for ever.
	from, ends time.Duration
	// says is what the cluster says of it.
	says string
	// spares says of a pod or a claim that it is not met all the same; nil for none.
	spares func(model.UID) bool
}

// String is the world for whoever looks at one that has failed.
func (w judged) String() string {
	return fmt.Sprintf("%s of ordinal %d, image %q, node %q, from %s, ends %s: %s; dumped %s after the last step, %s, time given: %t\n%s", w.trouble.kind, w.trouble.ordinal, w.trouble.image,
		w.trouble.node, w.trouble.from, w.trouble.ends, w.trouble.says, w.wait, w.part, w.given, w.text)
}

// GoString is the same.
func (w judged) GoString() string { return w.String() }

// troubles are the kinds of troubles, each with what clusters say of it: first what lasts until somebody changes
// something, then what may end by itself.
var troubles = map[string][2][]string{
	"image":         {{`failed to resolve reference "app:v2": not found`, "manifest unknown", "unauthorized: authentication required"}, {"dial tcp 10.0.0.1:443: i/o timeout", "429 Too Many Requests: toomanyrequests"}},
	"secret":        {{`secret "token" not found`, `configmap "conf" not found`, `couldn't find key password in Secret default/token`}},
	"mount":         {{`MountVolume.SetUp failed for volume "conf" : configmap "conf" not found`}, {`MountVolume.SetUp failed for volume "nfs" : mount failed: exit status 32`}},
	"sandbox":       {nil, {"failed to setup network for sandbox: plugin type=\"calico\" failed (add): connection refused"}},
	"attach":        {nil, {`Multi-Attach error for volume "pv-1" Volume is already exclusively attached to one node and can't be attached to another`}},
	"unready":       {nil, {"", "Readiness probe failed: HTTP probe failed with statuscode: 503"}},
	"crash":         {nil, {""}},
	"flap":          {nil, {""}},
	"unschedulable": {{"2 node(s) didn't match Pod's node affinity/selector."}, {"2 Insufficient cpu.", "2 node(s) had untolerated taint {dedicated: batch}.", "2 node(s) didn't have free ports for the requested pod ports.", "2 Too many pods."}},
	"scheduler":     {nil, {""}},
	"claim":         {{"storageclass.storage.k8s.io \"fast\" not found"}, {"", "failed to provision volume with StorageClass \"fast\": rpc error: code = ResourceExhausted"}},
	"hang":          {nil, {""}},
	"quota":         {nil, {`pods "POD" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2`}},
	"webhook":       {nil, {`admission webhook "v.example.com" denied the request: no`, `Internal error occurred: failed calling webhook "v.example.com": connection refused`}},
	"controller":    {nil, {""}},
	"node":          {nil, {""}},
}

// kinds are the troubles as often as they are drawn.
var kinds = strings.Fields("image image secret mount sandbox attach unready unready crash flap " +
	"unschedulable unschedulable scheduler claim claim hang quota webhook controller controller node node")

// readies are the times from Running to Ready as often as they are drawn: few pods need more than a minute, and have no
// probe that says so.
var readies = strings.Fields(strings.Repeat("2s 1s 3s 5s 10s 20s ", 6) + "45s 45s 100s")

// waits are the times from the last step to the dump.
var waits = []time.Duration{0, 1, 2, 3, 5, 10, 15, 20, 40, 50, 65, 90, 150, 240, 400, 900, 3600, 3 * 3600}

// judgedWorlds draws them. In troubledWorlds there is always some trouble.
var judgedWorlds, troubledWorlds = worldsWith(4), worldsWith(1)

// worldsWith draws worlds of which one in so many is in trouble.
func worldsWith(in int) *rapid.Generator[judged] {
	return rapid.Custom(func(t *rapid.T) judged { return (&draw{t: t}).world(in) })
}

func (d *draw) world(in int) judged {
	w := judged{trouble: d.trouble(in), part: d.pick("part", partNames...), given: d.rare("given", 2)}
	w.wait = pick(d, "wait", waits...) * time.Second
	w.version = d.pick("kubernetes", "1.37", "1.37", "1.36", "1.34", "1.28")
	w.text = d.judgedFile(w.version, &w.trouble)
	return w
}

func (d *draw) trouble(in int) trouble {
	of := trouble{kind: "none", ordinal: d.number("of ordinal", -1, 2)}
	if d.rare("in trouble", in) {
		of.kind = d.pick("trouble", kinds...)
	}
	of.image = d.pick("of image", "app:v2", "app:v1", "")
	of.from = time.Duration(d.number("from", 0, 3)) * 10 * time.Second
	says := troubles[of.kind]
	lasts := len(says[0]) > 0 && (len(says[1]) == 0 || d.rare("lasts", 2))
	if component := components[of.kind]; component.name != "" && d.rare("of the catalogue", 2) {
		of.says, lasts = d.catalogued(of.kind)
		if !lasts && d.rare("ends", 6) {
			of.ends = of.from + pick(d, "ends after", 5*time.Second, 30*time.Second, 2*time.Minute, 10*time.Minute)
		}
		return of.of(d)
	}
	switch {
	case lasts:
		of.says = d.pick("says", says[0]...)
	case len(says[1]) > 0:
		of.says = d.pick("says", says[1]...)
		if d.rare("ends", 6) {
			of.ends = of.from + pick(d, "ends after", 5*time.Second, 30*time.Second, 2*time.Minute, 10*time.Minute)
		}
	}
	return of.of(d)
}

// of returns the trouble with the node that it is of, or of all pods, where it is of no pod.
func (of trouble) of(d *draw) trouble {
	switch of.kind {
	case "sandbox", "node":
		of.node, of.ordinal, of.image = d.pick("of node", "node-1", "node-2"), -1, ""
	case "scheduler", "controller":
		of.ordinal, of.image = -1, ""
	}
	return of
}

// judgedFile draws what users do, and how fast the pods are.
func (d *draw) judgedFile(version string, of *trouble) string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	add("kubernetes: %q", version)
	add("nodes: {count: 2}")
	add("kubelet: {start: %s, ready: %s, stop: %s}", d.pick("start", "1s", "3s", "20s"), d.pick("ready", readies...),
		d.pick("stop", "2s", "1s", "15s"))
	add("steps:\n- create: %s", d.judgedSet("web", of.kind == "claim"))
	if d.rare("two sets", 4) {
		add("- {at: 1s, namespace: %s, create: %s}", d.pick("namespace", "default", "other"), d.judgedSet("api", false))
	}
	at := 0
	for range d.number("changes", 0, 2) {
		at += d.number("after", 1, 60)
		if change := d.judgedChange(); change != "" {
			add("- {at: %ds, %s}", at, change)
		}
	}
	switch of.kind {
	case "controller":
		// A controller whose watches bring nothing does nothing.
		add("- {at: %s, watch: {delay: 100h, for: 100h}}", of.from)
	case "node":
		add("- {at: %s, nodeDown: %s}", of.from, of.node)
	}
	return sortedSteps(b.String())
}

// judgedSet draws a set in the short form.
func (d *draw) judgedSet(name string, claims bool) string {
	set := fmt.Sprintf(`name: %s, image: "app:v1", replicas: %d`, name, d.number("replicas", 0, 3))
	if d.rare("parallel", 3) {
		set += ", podManagementPolicy: Parallel"
	}
	switch d.number("strategy", 0, 5) {
	case 4:
		set += ", updateStrategy: {type: OnDelete}"
	case 5:
		set += fmt.Sprintf(", updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: %d}}", d.number("partition", 1, 2))
	}
	if claims || d.rare("claims", 4) {
		set += `, volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: fast, accessModes: [ReadWriteOnce], ` +
			`resources: {requests: {storage: 1Gi}}}}]`
	}
	return "{" + set + "}"
}

// judgedChange draws what somebody does to the set web; "" is nothing.
func (d *draw) judgedChange() string {
	switch d.number("change", 0, 9) {
	case 0, 1, 2:
		return `setImage: {statefulset: web, image: "app:v2"}`
	case 3:
		return fmt.Sprintf("scale: {statefulset: web, replicas: %d}", d.number("to", 0, 3))
	case 4:
		return "restart: web"
	case 5:
		return fmt.Sprintf("delete: pod/web-%d", d.number("deleted", 0, 1))
	case 6:
		return "cordon: " + d.pick("cordon", "node-1", "node-*")
	case 7:
		return `setImage: {statefulset: web, image: "app:v1"}`
	case 8:
		return fmt.Sprintf("fail: {pod: web-%d, reason: Evicted}", d.number("failed", 0, 1))
	}
	return ""
}

// meets says whether the trouble is about a pod.
func (of *trouble) meets(p *model.Pod) bool {
	_, ordinal := model.SplitPodName(p.Name)
	return !of.spared(p.UID) && (of.ordinal < 0 || of.ordinal == ordinal) && (of.image == "" || imageOf(p) == of.image) &&
		(of.node == "" || of.node == p.Node)
}

func (of *trouble) spared(uid model.UID) bool { return of.spares != nil && of.spares(uid) }

func imageOf(p *model.Pod) string {
	if p.Template == nil || len(p.Template.Containers) == 0 {
		return ""
	}
	return p.Template.Containers[0].Image
}

// configure brings the trouble into a world.
func (of *trouble) configure(config *sim.Config, now func() model.Time) {
	rule := behaviour.Rule{Match: behaviour.Match{That: of.meets}}
	lasts := behaviour.Delay(behaviour.Never)
	if of.ends > 0 {
		lasts = until{of.ends, now}
	}
	switch of.kind {
	case "image", "secret", "mount", "sandbox", "attach":
		rule.Times.Start = lasts
	case "unready":
		rule.Times.Ready = lasts
	case "crash":
		rule.Times.Crash, rule.Times.Ready = behaviour.Constant(4*time.Second), behaviour.Never
	case "flap":
		rule.Times.Crash = behaviour.Constant(3 * time.Minute)
	case "unschedulable":
		rule.Times.Schedule = lasts
	case "scheduler":
		rule.Match.That = func(p *model.Pod) bool { return p.Created >= model.Time(of.from) }
		rule.Times.Schedule = lasts
	case "hang":
		rule.Times.Stop = lasts
	case "claim":
		config.Volumes.Rules = append(config.Volumes.Rules, sim.ClaimRule{
			Match: sim.ClaimMatch{That: of.meetsClaim}, Times: sim.ClaimTimes{Bind: lasts},
		})
	case "quota", "webhook":
		config.Admit = func(p *model.Pod) *model.APIError {
			if !of.meets(p) || now() < model.Time(of.from) || of.ends > 0 && now() >= model.Time(of.ends) {
				return nil
			}
			return &model.APIError{Reason: model.Forbidden, Message: strings.ReplaceAll(of.says, "POD", p.Name)}
		}
	}
	config.Kubelet.Rules = append(config.Kubelet.Rules, rule)
}

// meetsClaim says whether the trouble is about a claim.
func (of *trouble) meetsClaim(c *model.Claim) bool {
	return !of.spared(c.UID) && (of.ordinal < 0 || strings.HasSuffix(c.Name, fmt.Sprint("-", of.ordinal)))
}

// until is the delay of what does not happen before an instant.
type until struct {
	at  time.Duration
	now func() model.Time
}

// Draw returns the time until the instant, and a second if it has passed.
func (u until) Draw(choose.Chooser) (int64, bool) {
	return int64(max(time.Second, u.at-time.Duration(u.now()))), false
}

// String names the instant.
func (u until) String() string { return "until " + u.at.String() }

// sortedSteps puts the lines of a scenario that are steps with a time in the order of their times.
func sortedSteps(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	at := func(line string) time.Duration {
		rest, is := strings.CutPrefix(line, "- {at: ")
		if !is {
			return -1
		}
		d, _ := time.ParseDuration(strings.SplitN(rest, ",", 2)[0])
		return d
	}
	slices.SortStableFunc(lines, func(a, b string) int { return cmp.Compare(at(a), at(b)) })
	return strings.Join(lines, "\n") + "\n"
}
