package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Sessions are the commands of sessions: sim lists them, and sim-serve has them.
var Sessions = []Session{
	{"serve [FILE...]", "Serve the API of Kubernetes over a simulated cluster, for kubectl"},
	{"clock [advance DURATION | step | settle | speed SPEED | pause]",
		"Show the virtual time in a session of sim serve, or move its clock"},
	{"checkpoint NAME", "Keep a session of sim serve as it is, to go back to it"},
	{"restore NAME", "Go back to a checkpoint of a session of sim serve"},
	{"why KIND/NAME", "Say why an object in a session of sim serve is as it is"},
	{"fail image GLOB | pod NAME", "Let an image or a pod fail in a session of sim serve"},
	{"slow KIND GLOB", "Make pods slow in a session of sim serve"},
	{"node down|up NAME", "Take a node of a session of sim serve down, or bring it back"},
	{"heal [image GLOB | pod NAME | node NAME | slow KIND GLOB]", "End what sim fail, slow and node have begun"},
	{"mcp", "Answer agents over the Model Context Protocol"},
	{"save SESSION", "Write a recorded session of sim serve as a scenario"},
}

// Session is a command of sessions: how it is used, and what it is for.
type Session struct{ Use, Short string }

// Cmd returns the command without what it does.
func (s Session) Cmd() *cobra.Command {
	return &cobra.Command{Use: s.Use, Short: s.Short, GroupID: GroupServe}
}

// SessionCmd returns a command of sessions by its name, without what it does.
func SessionCmd(name string) *cobra.Command {
	at := slices.IndexFunc(Sessions, func(s Session) bool { return s.Use == name || strings.HasPrefix(s.Use, name+" ") })
	return Sessions[at].Cmd()
}

// OfFlag starts the first argument when sim hands a command over to sim-serve: the build of sim follows.
const OfFlag = "--of-sim="

// Handed returns the arguments of a command that sim has handed over, without sim's argument about itself. It is an
// error if that sim has another build than this program. Arguments from elsewhere stay as they are.
func Handed(args []string) ([]string, error) {
	if len(args) == 0 || !strings.HasPrefix(args[0], OfFlag) {
		return args, nil
	}
	sim := strings.TrimPrefix(args[0], OfFlag)
	version, commit, _ := strings.Cut(sim, "+")
	own := Build()
	ownVersion, ownCommit, _ := strings.Cut(own, "+")
	if version != ownVersion || commit != ownCommit && commit != "" && ownCommit != "" {
		return nil, fmt.Errorf("sim-serve is of sim %s, and this is sim %s: %s", own, sim, HowToServe(version))
	}
	return args[1:], nil
}

// HowToServe says how to build the sim-serve of a version of sim.
func HowToServe(version string) string {
	return "run make build in the sources of sim, which builds both, or go install " +
		"github.com/statefulsim/statefulsim/scenario/serve/cmd/sim-serve@v" + version
}
