package html

import (
	"encoding/json"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// pageData is all that the script of the page is given. Names are short where they repeat with every run, and what
// repeats with every event is a flat list of numbers: a run of 1,000 pods must load at once.
type pageData struct {
	Runs []runData `json:"runs"`
	// States are the names of the states, by the numbers that the lanes use; Actors and Tones likewise.
	States []string `json:"states"`
	Actors []string `json:"actors"`
	Tones  []string `json:"tones"`
	// Words are the texts that the flat lists refer to by their index.
	Words []string `json:"words"`
	// Lesson hides the future with a curtain until the reader asks for it.
	Lesson bool `json:"lesson,omitempty"`
	// Start makes the reader start at the first stop.
	Start bool `json:"start,omitempty"`
	// Tabs shows the runs one at a time.
	Tabs bool `json:"tabs,omitempty"`
}

// runData is one run.
type runData struct {
	Name       string `json:"name"`
	Kubernetes string `json:"kubernetes"`
	// Begun is true if the run starts with a running cluster: the state at 0 was the same before.
	Begun   bool   `json:"begun,omitempty"`
	Verdict string `json:"verdict"`
	// End is the last instant, in virtual seconds like every time here. Times has the instant of each stop.
	End   json.Number   `json:"end"`
	Times []json.Number `json:"times"`
	// Lines has for each stop a flat list: actor, tone, word.
	Lines [][]int `json:"lines"`
	// Steps are the steps of the user and the faults, in the order of the timeline.
	Steps []stepData `json:"steps"`
	// Sets are the sets that have a pod or a wait, in the order of their appearance.
	Sets []setData `json:"sets"`
	// Failures are the places where expectations failed; Partings the places where the run diverges from the first,
	// or the first from the others. Cures are the fixes of a stuck run.
	Failures []failureData `json:"failures"`
	Partings []int         `json:"partings,omitempty"`
	Cures    []cureData    `json:"cures,omitempty"`
	// Things are the nodes, claims and other objects of the run.
	Things []thingData `json:"things,omitempty"`
}

// stepData is a step of the user, or a fault.
type stepData struct {
	// Stop is the stop that starts with the step, or that contains the fault.
	Stop    int    `json:"stop"`
	Number  int    `json:"number"`
	Fault   bool   `json:"fault,omitempty"`
	Title   string `json:"title"`
	Refusal string `json:"refusal,omitempty"`
	// Line is the line of the step in the scenario that the page shows; 0 if it shows none.
	Line int `json:"line,omitempty"`
	// Creates is true if the step only creates sets. Sets are the sets that it names, by their index.
	Creates bool  `json:"creates,omitempty"`
	Sets    []int `json:"sets,omitempty"`

	// keys are the sets that the step changes or removes; they become Sets when it is known which are shown.
	keys []model.Key
}

// failureData is an instant of a failed expectation.
type failureData struct {
	Stop int    `json:"stop"`
	Text string `json:"text"`
}

// cureData is a way out of a run that is stuck, for one set.
type cureData struct {
	Set      string   `json:"set"`
	Commands []string `json:"commands"`
	Line     string   `json:"line"`
	// Danger is true if it can lose something.
	Danger bool `json:"danger,omitempty"`
}

// setData is a set. Its flat lists have rows of numbers, all of the same length: see the functions that fill them.
type setData struct {
	// Name has the namespace if the run has several; Plain never has it.
	Name  string `json:"name"`
	Plain string `json:"plain"`
	// Key is NAMESPACE/NAME, if the name is not that already.
	Key  string    `json:"key,omitempty"`
	Pods []podData `json:"pods"`
	// Images are the first container's, by template.
	Images map[int]string `json:"images"`
	// Counts: stop, desired, ready, available, updated, serving, and how many the set's budget asks to be healthy.
	Counts []int `json:"counts"`
	// Waits: first stop, last stop (-1 if it never ends), word of the code, word of the sentence, resting (0 or 1),
	// word of the awaited thing.
	Waits []int `json:"waits"`
	// Fewest is the least number of pods that served once the set had been complete, or from the start of a run
	// that starts with a running cluster, and FewestAt the stop when it was first reached; nil if the set never was
	// complete.
	Fewest   int  `json:"fewest"`
	FewestAt *int `json:"fewestAt,omitempty"`
	// Path is the critical path since the last step: first stop, last stop, awaited pod (-1 is none), word of the
	// wait. A wait that starts while another one still runs counts from the end of the other.
	Path []int `json:"path,omitempty"`
	// Assumed is the run's assumption about the set.
	Assumed string `json:"assumed,omitempty"`
	// Nodes are the run's nodes that have had pods of the set.
	Nodes []string `json:"nodes,omitempty"`

	// nodes and pods are by name: the nodes that have had pods, and the index of each pod in Pods until these are
	// sorted. open has the index in Waits of each open wait. counts are the last noted ones; -1 at first, so that
	// the first ones are always noted.
	nodes  map[string]bool
	pods   map[string]int
	open   map[waitKey]int
	counts [6]int
}

// thingData is something other than a pod. Changes: stop, word of its new state, tone.
type thingData struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Changes []int  `json:"changes"`
}

type podData struct {
	Name string `json:"name"`
	// Age is its age in seconds at the start of the run, if the run starts with it.
	Age json.Number `json:"age,omitempty"`
	// Bars: stop, state, template, word of READY, word of STATUS, stop of the pod's creation, word of the reason,
	// actor, number of changes in that stop, restarts, whether it has no owner (0 or 1).
	Bars []int `json:"bars"`

	// ordinal is the number at the end of the name, for sorting; born is the stop of the start of this life. name
	// is its name as it is.
	ordinal int
	born    int
	name    string
}

const (
	// The lengths of the rows of flat lists, the places of the number of changes and of the ownerless mark in a row
	// of bars, and the last stop of a wait that never ends. The script has the same numbers.
	barWidth   = 11
	waitWidth  = 6
	countWidth = 7
	changesAt  = 8
	bareAt     = 10
	neverEnded = -1
)

type waitKey struct {
	code   model.Code
	object string
	rule   model.Rule
}

type thingKey struct {
	kind report.ThingKind
	name string
}
