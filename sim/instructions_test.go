package sim_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// counted are the rollouts whose instructions are counted, and how often each is played for it.
var counted = []struct {
	name  string
	times int
}{
	{"ordered/replicas=5", 10}, {"ordered/replicas=100", 1}, {"parallel/replicas=100", 1}, {"latency/replicas=100", 1},
}

// playsEnv says to a test that runs under valgrind which rollout it plays: NAME TIMES.
const playsEnv = "SIM_COUNTED"

// TestInstructions holds the instructions of rollouts to those of the baseline, as TestAllocations does with what they
// allocate. It is for `.ci/tasks/instructions`: valgrind counts, which takes some seconds. The collector is off.
func TestInstructions(t *testing.T) {
	if plays := os.Getenv(playsEnv); plays != "" {
		playCounted(t, plays)
		return
	}
	if os.Getenv("INSTRUCTIONS") == "" {
		t.Skip(".ci/tasks/instructions counts them")
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skip("instructions are counted by valgrind, which is not there")
	}
	const baseline = "testdata/instructions.txt"
	startUp := instructions(t, counted[0].name+" 0")
	var lines []string
	for _, c := range counted {
		n := instructions(t, fmt.Sprint(c.name, " ", c.times)) - startUp
		lines = append(lines, fmt.Sprintf("%-24s %6d thousand instructions", c.name, n/c.times/1000))
	}
	t.Log("\n" + strings.Join(lines, "\n"))
	goldenfile.Write(t, baseline, strings.Join(lines, "\n")+"\n")
	text, err := os.ReadFile(baseline)
	require.NoError(t, err)
	before := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, before, len(lines), "write the baseline anew with -update")
	for i, line := range lines {
		is, was := thousands(t, line), thousands(t, before[i])
		require.LessOrEqual(t, is, was+was/10, "instructions of %s: before, %s", line, before[i])
	}
}

func thousands(t *testing.T, line string) (n int) {
	var name string
	_, err := fmt.Sscanf(line, "%s %d thousand instructions", &name, &n)
	require.NoError(t, err, line)
	return n
}

// playCounted plays a rollout so many times.
func playCounted(t *testing.T, plays string) {
	name, times, _ := strings.Cut(plays, " ")
	n, err := strconv.Atoi(times)
	require.NoError(t, err)
	all := slices.Concat(rollouts, large)
	at := slices.IndexFunc(all, func(r rollout) bool { return r.name == name })
	require.GreaterOrEqual(t, at, 0, name)
	// A test samples what is allocated, and the command does not.
	runtime.MemProfileRate = 0
	for range n {
		all[at].play(t)
	}
}

var refs = regexp.MustCompile(`I +refs: +([0-9,]+)`)

// instructions runs this test under valgrind and returns how many instructions the process has had.
func instructions(t *testing.T, plays string) int {
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.Command("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
		self, "-test.run", "^TestInstructions$")
	command.Env = append(os.Environ(), playsEnv+"="+plays, "GOGC=off", "GOMAXPROCS=1")
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	match := refs.FindSubmatch(out)
	require.NotNil(t, match, string(out))
	n, err := strconv.Atoi(strings.ReplaceAll(string(match[1]), ",", ""))
	require.NoError(t, err)
	return n
}
