package judged_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// components are the troubles of which the catalogue has words, with the component that says them and what is around
// them.
var components = map[string]struct{ name, around string }{
	"image": {"images", "WORDS"}, "secret": {"containers", "WORDS"}, "sandbox": {"sandboxes", "WORDS"},
	"mount":         {"volumes", `MountVolume.SetUp failed for volume "pv-1" : WORDS`},
	"attach":        {"attachments", `AttachVolume.Attach failed for volume "pv-1" : WORDS`},
	"unready":       {"probes", "Readiness probe failed: WORDS"},
	"unschedulable": {"scheduler", "2 WORDS."},
	"claim":         {"claims", "failed to provision volume with StorageClass \"fast\": WORDS"},
	"webhook":       {"admission", `pods "POD" is forbidden: WORDS`},
}

// words are those of the catalogue of package symptom, by component, and those of them that are certain: what they say
// lasts until somebody changes something.
var words = sync.OnceValues(func() (of map[string][]string, lasting []string) {
	const folder = "../../live/symptom/testdata/"
	read := func(name string) []byte {
		data, err := os.ReadFile(folder + name)
		if err != nil {
			panic(err)
		}
		return data
	}
	of = map[string][]string{}
	for line := range strings.Lines(string(read("catalogue.tsv"))) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		format, err := strconv.Unquote(fields[len(fields)-1])
		if err != nil {
			panic(err)
		}
		if text := filled(format); !slices.Contains(of[fields[0]], text) {
			of[fields[0]] = append(of[fields[0]], text)
		}
	}
	for line := range strings.Lines(string(read("certain.txt"))) {
		_, format, _ := strings.Cut(strings.TrimSpace(line), "\t")
		lasting = append(lasting, filled(format))
	}
	return of, lasting
})

var verbs = regexp.MustCompile(`%[-+#0-9.\[\]]*[a-zA-Z]`)

// filled is a format with something in the place of its verbs.
func filled(format string) string {
	return verbs.ReplaceAllStringFunc(format, func(verb string) string {
		switch verb[len(verb)-1] {
		case 'q':
			return `"x"`
		case 'd', 'f':
			return "3"
		}
		return "x"
	})
}

// catalogued draws what a component says of a trouble, and says whether it lasts until somebody changes something.
func (d *draw) catalogued(kind string) (says string, lasts bool) {
	of, lasting := words()
	component := components[kind]
	text := d.pick("words", of[component.name]...)
	return strings.Replace(component.around, "WORDS", text, 1), slices.Contains(lasting, text)
}
