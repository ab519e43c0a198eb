package symptom_test

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// carriers are how the words of a component reach a dump: what has them, for which reasons, and what is around them.
var carriers = map[string]struct {
	by      string
	reasons []string
	around  string
}{
	"images": {"waiting", []string{"ErrImagePull", "ImagePullBackOff", "RegistryUnavailable", "ImageInspectError"}, "%s"},
	"containers": {"waiting", []string{"CreateContainerConfigError", "CreateContainerError", "RunContainerError", "PreStartHookError",
		"PostStartHookError", "ImageVolumeMountFailed"}, "%s"},
	"sandboxes": {"pod", []string{"FailedCreatePodSandBox"}, "Failed to create pod sandbox: rpc error: code = Unknown desc = %s"},
	"volumes":   {"pod", []string{"FailedMount", "FailedMapVolume"}, `MountVolume.SetUp failed for volume "pv-1" : %s`},
	"probes":    {"pod", []string{"Unhealthy"}, "Readiness probe failed: %s"},
	"scheduler": {"unscheduled", []string{"Unschedulable"}, "0/1 nodes are available: 1 %s. preemption: 0/1 nodes are available: " +
		"1 Preemption is not helpful for scheduling."},
	"attachments": {"pod", []string{"FailedAttachVolume"}, `AttachVolume.Attach failed for volume "pv-1" : %s`},
	"admission":   {"set", []string{"FailedCreate"}, `create Pod web-0 in StatefulSet web failed error: pods "web-0" is forbidden: %s`},
	"claims":      {"claim", []string{"ProvisioningFailed", "FailedBinding"}, `failed to provision volume with StorageClass "fast": %s`},
}

// word is a line of the catalogue.
type word struct{ component, versions, file, format string }

// catalogue returns the lines of the catalogue, each format of a component once.
func catalogue(t *testing.T) []word {
	data, err := os.ReadFile("testdata/catalogue.tsv")
	require.NoError(t, err)
	var words []word
	seen := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		require.Len(t, fields, 4, line)
		format, err := strconv.Unquote(fields[3])
		require.NoError(t, err)
		if key := fields[0] + format; !seen[key] {
			seen[key] = true
			words = append(words, word{fields[0], fields[1], fields[2], format})
		}
	}
	return words
}

var verbs = regexp.MustCompile(`%[-+#0-9.\[\]]*[a-zA-Z]`)

// said is a format with something in the place of its verbs.
func (w word) said() string {
	return verbs.ReplaceAllStringFunc(w.format, func(verb string) string {
		switch verb[len(verb)-1] {
		case 'q':
			return `"x"`
		case 'd', 'f':
			return "3"
		}
		return "x"
	})
}

// sampled returns all of the catalogue, or every twentieth word of each component.
func sampled(t *testing.T) []word {
	words := catalogue(t)
	if !testing.Short() {
		return words
	}
	n := 0
	return slices.DeleteFunc(words, func(word) bool { n++; return n%20 != 0 })
}

// TestCatalogue: whatever a component says is quoted, at any age and in dumps that have little else, and is judged alike
// for whatever reason it is given. It is certain only if testdata/certain.txt has it.
func TestCatalogue(t *testing.T) {
	var certain []string
	for _, w := range sampled(t) {
		carrier, is := carriers[w.component]
		if !is {
			continue
		}
		bys := []string{carrier.by}
		if carrier.by == "waiting" {
			bys = append(bys, "init", "again")
		}
		p := planted{message: fmt.Sprintf(carrier.around, w.said())}
		for i := range len(bys) * len(ages) * 2 {
			p.by, p.age, p.partial = bys[i%len(bys)], ages[i/len(bys)%len(ages)], i/len(bys)/len(ages) > 0
			if judgedAlike(t, p, w, carrier.reasons) && !slices.Contains(certain, w.component+"\t"+w.format) {
				certain = append(certain, w.component+"\t"+w.format)
			}
		}
	}
	if testing.Short() {
		whole, err := os.ReadFile("testdata/certain.txt")
		require.NoError(t, err)
		require.Subset(t, strings.Split(string(whole), "\n"), certain)
		return
	}
	goldenfile.Equal(t, "testdata/certain.txt", strings.Join(certain, "\n")+"\n")
}

// judgedAlike says whether words are judged to be certain, and holds that they are quoted, have a cause, and are judged
// alike for all reasons.
func judgedAlike(t *testing.T, p planted, w word, reasons []string) (certain bool) {
	first := ""
	for _, p.reason = range reasons {
		set := p.judged(t)
		how := fmt.Sprintf("%s of %s, %s after %s, partial %t: %s", w.component, w.file, p.reason, p.age, p.partial, p.message)
		require.Contains(t, fmt.Sprint(set.Facts, set.Causes, set.Why), dump.OneLine(p.message), "passed over: "+how)
		require.NotEmpty(t, set.Causes, "without a cause: "+how)
		verdict := fmt.Sprint(set.State, set.Certain, set.Causes[0].Name)
		require.Equal(t, cmp.Or(first, verdict), verdict, "not judged as for "+reasons[0]+": "+how)
		first, certain = verdict, set.Certain
	}
	return certain
}

// TestReasons: a container that waits for any reason of the kubelet does not run, which is said. With words that are new,
// only that of an image that is never pulled is certain, and of the others it is too early to say much at first.
func TestReasons(t *testing.T) {
	for _, w := range catalogue(t) {
		if !strings.HasSuffix(w.component, " reasons") {
			continue
		}
		for _, age := range ages {
			set := planted{by: "waiting", reason: w.format, message: "words that are new", age: age}.judged(t)
			require.Contains(t, fmt.Sprint(set.Facts, set.Causes, set.Why), w.format)
			require.Contains(t, fmt.Sprint(set.Facts, set.Causes, set.Why), "words that are new")
			always := w.format == "ErrImageNeverPull" || w.format == "InvalidImageName"
			require.Equal(t, always, set.Certain, w.format)
			require.Equal(t, always || age == time.Hour, set.State == judge.Stuck, w.format)
		}
	}
}
