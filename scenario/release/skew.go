package release

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Component is a component of Kubernetes that is upgraded by itself.
type Component struct {
	// Name is its name in a scenario, Binary that of its program.
	Name, Binary string
	// Part is what it is of a world; NoPart of the kubelets, whose versions do not differ in what is modelled.
	Part sim.Part
}

// Components are all components, in the order in which they are upgraded.
var Components = []Component{
	{"apiServer", "kube-apiserver", sim.APIServer}, {"controllerManager", "kube-controller-manager", sim.ControllerManager},
	{"scheduler", "kube-scheduler", sim.Scheduler}, {"kubelets", "kubelet", sim.NoPart},
}

// Skew are the versions of the components, in the order of Components.
type Skew [4]string

// Alike returns components of one version.
func Alike(version string) Skew { return Skew{version, version, version, version} }

// Breaks returns which rule of Kubernetes' version skew policy the versions break, and what would be right; "" if none.
// https://kubernetes.io/releases/version-skew-policy/
func (s Skew) Breaks() (rule, right string) {
	server := minor(s[0])
	for i, c := range Components[1:] {
		own, most := minor(s[i+1]), mostBehind(c, s[i+1])
		pair := fmt.Sprintf("%s %s with kube-apiserver %s", c.Binary, s[i+1], s[0])
		switch {
		case own > server:
			return pair + ": Kubernetes supports none that is newer",
				"an upgrade begins with the apiServer, and a downgrade ends with it"
		case server-own > most:
			return fmt.Sprintf("%s: Kubernetes supports none that is more than %s older", pair,
				render.Count(most, "minor version")), "upgrade the " + c.Name + " on the way"
		}
	}
	return "", ""
}

// mostBehind is how many minor versions a component may be older than the API server.
func mostBehind(c Component, version string) int {
	switch {
	case c.Part != sim.NoPart:
		return 1
	case minor(version) < 25:
		return 2
	}
	return 3
}

// Shown returns which component of the control plane a container runs, and the version in the tag of its image; "" if it
// runs none, or the image has no such tag. words are its command and arguments.
func Shown(image string, words []string) (binary, version string) {
	if len(words) == 0 {
		return "", ""
	}
	binary = words[0][strings.LastIndex(words[0], "/")+1:]
	if !slices.ContainsFunc(Components, func(c Component) bool { return c.Binary == binary && c.Part != sim.NoPart }) {
		return "", ""
	}
	image, _, _ = strings.Cut(image, "@")
	if tag := image[strings.LastIndex(image, ":")+1:]; strings.HasPrefix(tag, "v1.") {
		version = tag
	}
	return binary, version
}

func minor(version string) int {
	n, _ := strconv.Atoi(strings.Split(version+"..", ".")[1])
	return n
}
