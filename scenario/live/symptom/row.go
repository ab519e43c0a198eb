// Package symptom has the words by which a cluster tells what is wrong with a pod, and what they mean: each is here
// once, and packages dump, judge and heal ask. A family of symptoms is a table of rows in a file of its own.
package symptom

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// Row is one thing that the words of a cluster tell about a pod, and what follows from it.
type Row struct {
	// Name is what docs/causes.md calls it, and Source who says the words, in which versions, and in which file.
	Name, Source string
	// Reasons and Words are what it is known by: one of the reasons, or a text that has the words.
	Reasons []string
	Words   Words
	// Certain is true if no later try succeeds as long as nothing is changed. Only what its source says for good is
	// certain: whatever the table does not know may pass.
	Certain bool
	// Within is how long it says little, since the kubelet tries again; 0 if it says all at once.
	Within time.Duration
	// OfNode is true if it lies with the node and not with all that ask for the same, OfPod if only this very pod has it.
	// Refused is true if whoever else asks gets the same answer, although others have had a better one before.
	OfNode, OfPod, Refused bool
	// Outside is true if no change of the template helps.
	Outside bool
	// OfVolume is true if the scheduler waits for a volume, Behind if it looks for that only on nodes that can use the volume
	// of the pod. Passes is true if it may end by itself, so that nothing that is said besides is certain either.
	OfVolume, Behind, Passes bool
	// Cause is the name of the cause in docs/causes.md, where more than one family of words has it.
	Cause string
	// Sentence is the cause, Ends are sentences that say what ends it, and Heals is when a set continues although nobody
	// changes it: texts for Names.In. They are "" if there is nothing to say.
	Sentence, Ends, Heals string
	// Relaxed is what a change of the template does about it, where nothing else keeps the pod from a node.
	Relaxed string
	// Late is the cause as long as Within is not over, where it is another one.
	Late string
	// Does is what an edit of the template does about it, where another image is no help, and Needs is what that needs. Of
	// what admission refuses, they are about the object of this Kind, whose name the words find.
	Does, Needs, Kind string
}

// Words find what a component says, and names in it.
type Words func() *regexp.Regexp

func words(pattern string) Words { return lazy.Regexp(pattern) }

// In reports whether a text has the words.
func (w Words) In(text string) bool { return w().MatchString(text) }

// Found returns the name that the words find in a text; "" if they find none.
func (w Words) Found(text string) string {
	return strings.Join(append(w().FindStringSubmatch(text), "", "")[1:], "")
}

// OneOf are words of which a component gives one as a reason.
type OneOf []string

// Has reports whether a reason is one of them.
func (o OneOf) Has(reason string) bool { return slices.Contains(o, reason) }

// Family is a table of rows: the first that fits counts.
type Family []Row

// Nothing is what the words tell of which no row knows anything.
var Nothing = &Row{}

// None reports whether the words tell nothing.
func (r *Row) None() bool { return r.Name == "" }

// row returns the row of a reason and a text; Nothing if none fits.
func (f Family) row(reason, text string) *Row {
	at := slices.IndexFunc(f, func(r Row) bool {
		return slices.Contains(r.Reasons, reason) || r.Words != nil && r.Words.In(text)
	})
	if at < 0 {
		return Nothing
	}
	return &f[at]
}

// when returns the row of other words.
func (r Row) when(pattern string) Row {
	r.Reasons, r.Words = nil, words(pattern)
	return r
}

// surely returns the row as one that is certain.
func (r Row) surely() Row {
	r.Certain, r.Within = true, 0
	return r
}

// Found returns the name that the words find in a text.
func (r *Row) Found(text string) string {
	if r.Words == nil {
		return ""
	}
	return r.Words.Found(text)
}

// firstPull is the time within which the kubelet has tried to pull an image only once: it tries again after 10s.
// patience is the time within which what may pass has shown little.
const firstPull, patience = 15 * time.Second, time.Minute

// Names are what the texts of a row name, by the words that stand for it in braces.
type Names map[string]string

// braced finds the words in braces.
var braced = lazy.Regexp(`\{[a-z]+\}`)

// In returns a text with the names in the place of {pod}, {node} and so on.
func (n Names) In(text string) string {
	return braced().ReplaceAllStringFunc(text, func(word string) string {
		if name, known := n[strings.Trim(word, "{}")]; known {
			return name
		}
		return word
	})
}

// With returns the names, and others.
func (n Names) With(others Names) Names {
	all := maps.Clone(n)
	maps.Copy(all, others)
	return all
}

// Registry returns the registry of an image: the part before the first slash, if that can be a host.
func Registry(image string) string {
	if host, _, cut := strings.Cut(image, "/"); cut && (strings.ContainsAny(host, ".:") || host == "localhost") {
		return host
	}
	return "docker.io"
}

// states are what the state of an object tells, in no words of a component, by the names of the rows.
var states = sync.OnceValue(func() map[string]*Row {
	all := map[string]*Row{}
	for _, family := range []Family{nodes, deletions, unready, inits, volumes, claims, idle, starts, evictions} {
		for i := range family {
			all[family[i].Name] = &family[i]
		}
	}
	return all
})

// Named returns the row of a name, which must be one of a state.
func Named(name string) *Row { return states()[name] }

// named returns the row of a name, which the table must have.
func (f Family) named(name string) *Row {
	return &f[slices.IndexFunc(f, func(r Row) bool { return r.Name == name })]
}

// unreached finds in a message that the registry, the API server or the runtime was not reached, or did not answer.
var unreached = words(`(?i)i/o timeout|connection refused|connection reset|handshake timeout|no such host|` +
	`server misbehaving|deadline exceeded|failed to sync|unexpected EOF|registry is unavailable|` +
	`50[0234] (internal|bad|service|gateway)`)
