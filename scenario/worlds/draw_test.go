package worlds_test

import (
	"strconv"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"
)

// object and list are YAML as it is drawn. Their keys are written in order.
type (
	object = map[string]any
	list   = []any
)

// draw makes one scenario. The first of several answers is the dull one, so that a shrunk world is a dull one but for
// what matters.
type draw struct {
	t *rapid.T
	// version is the version that the scenario names, "" where it names none.
	version string
	sets    []*set
	// verbs are those that its steps and faults have.
	verbs []string
	// nodes are the names of the nodes.
	nodes []string
	// probes is true where the kubelet follows the manifests, claims where the sets have claim templates.
	probes, claims bool
	// earliest is the least second at which the next step can act.
	earliest int
}

// set is a set of the scenario.
type set struct {
	namespace, name string
	// manifest is true where it is created by a real manifest, with the containers app and proxy.
	manifest bool
	// app is the label that it selects: that of its name, or the other set's.
	app string
}

// rare says yes once in so many times.
func (d *draw) rare(what string, in int) bool { return d.number(what, 0, in-1) == in-1 }

func (d *draw) number(what string, low, high int) int {
	return rapid.IntRange(low, high).Draw(d.t, what)
}

// some puts a value into an object once in so many times.
func (d *draw) some(o object, key string, in int, value func() any) {
	if d.rare(key, in) {
		o[key] = value()
	}
}

// pick chooses one of the values, as likely as often as it stands there.
func pick[T any](d *draw, what string, of ...T) T { return rapid.SampledFrom(of).Draw(d.t, what) }

// one chooses a value and gives it back as one of YAML.
func one[T any](d *draw, what string, of ...T) func() any {
	return func() any { return pick(d, what, of...) }
}

// integer draws a number as a value of YAML.
func (d *draw) integer(what string, low, high int) func() any {
	return func() any { return d.number(what, low, high) }
}

// duration draws a short duration.
func (d *draw) duration(what string) string {
	return pick(d, what, "1s", "0s", "500ms", "3s", "10s", "40s")
}

// positive draws a duration that is not 0.
func (d *draw) positive(what string) string { return pick(d, what, "1s", "200ms", "7s", "30s", "2m") }

// delay draws how long something takes: mostly a duration, sometimes a distribution.
func (d *draw) delay(what string) func() any {
	return func() any {
		if d.rare(what+" is drawn", 5) {
			return d.distribution(what, false)
		}
		return d.duration(what)
	}
}

// mayNever draws how long something takes that may never come.
func (d *draw) mayNever(what string) func() any {
	return func() any {
		switch d.number(what+" how", 0, 9) {
		case 8:
			return "never"
		case 9:
			return d.distribution(what, true)
		}
		return d.duration(what)
	}
}

func (d *draw) distribution(what string, never bool) object {
	switch pick(d, what+" distribution", "uniform", "normal", "lognormal", "exponential", "choice") {
	case "normal":
		return object{"normal": object{"mean": d.duration("mean"), "sd": d.duration("sd")}}
	case "lognormal":
		return object{"lognormal": object{"p50": "1s", "p99": d.pick("p99", "1s", "20s")}}
	case "exponential":
		return object{"exponential": object{"mean": d.duration("mean")}}
	case "choice":
		other := any("9s")
		if never {
			other = "never"
		}
		return object{"choice": list{
			object{"value": d.duration("value"), "weight": d.number("weight", 1, 4)}, object{"value": other, "weight": 1},
		}}
	}
	return object{"uniform": list{"0s", d.duration("high")}}
}

func (d *draw) pick(what string, of ...string) string { return pick(d, what, of...) }

func (d *draw) image(what string) string {
	return d.pick(what, "app:v1", "app:v2", "app:v2", "app:v3", "app:bad")
}

func (d *draw) set() *set { return pick(d, "set", d.sets...) }

func (d *draw) podOf(s *set) string { return s.name + "-" + strconv.Itoa(d.number("ordinal", 0, 4)) }

func (d *draw) node() string {
	if d.rare("all nodes", 6) {
		return "node-*"
	}
	return pick(d, "node", d.nodes...)
}

// world is a scenario document, how it is played, and what is asked of its run.
type world struct {
	text []byte
	// sweep is the seed of all that is a choice; 0 plays as the file says.
	sweep int
	question
}

// worlds draws them.
var worlds = rapid.Custom(func(t *rapid.T) world {
	d := &draw{t: t, nodes: []string{"node-1", "node-2", "node-3"}}
	text, err := yaml.Marshal(d.file())
	if err != nil {
		t.Fatal(err)
	}
	w := world{text: text, question: question{
		at: d.number("at", 0, 1000), pod: d.pick("asked", "web-0", "web-1", "api-0"), out: d.rare("out", 5),
	}}
	if d.rare("compared", 5) {
		w.other = pick(d, "other version", versions...)
	}
	if d.rare("swept", 2) {
		w.sweep = d.number("sweep", 1, 1000)
	}
	return w
})

// file draws a whole file.
func (d *draw) file() object {
	file := object{}
	d.head(file)
	d.drawSets()
	d.drawThemes()
	d.cluster(file)
	file["kubelet"] = d.kubelet()
	if d.rare("machinery", 3) {
		d.machinery(file)
	}
	file["steps"] = d.steps()
	if d.rare("faults", 3) {
		file["faults"] = d.faults()
	}
	d.some(file, "expect", 4, func() any { return d.expectations() })
	return file
}
