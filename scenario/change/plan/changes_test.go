package plan

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// unavailable lets an update take down so many pods.
func unavailable(most string) string {
	return "updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: " + most + "}}"
}

// called is a set with another name in the place of web.
func called(set, name string) string { return strings.ReplaceAll(set, "web", name) }

// fleet are so many sets, of which the last one differs.
func fleet(n int, image string) string {
	var list []string
	for i := range n {
		replicas := "2"
		if i == n-1 {
			replicas = "3"
		}
		list = append(list, called(probed(web(replicas, image)), fmt.Sprintf("s%02d", i)))
	}
	return strings.Join(list, "---\n")
}

// environment gives the container so many variables, and the set labels.
func environment(n int, value string, labels ...string) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("{name: V%02d, value: %q}", i, value))
	}
	set := strings.Replace(web("1", "a:1"), "image: \"a:1\"", "image: \"a:1\", env: ["+strings.Join(list, ", ")+"]", 1)
	return strings.Replace(set, "{name: web}", "{name: web, labels: {"+strings.Join(labels, ", ")+"}}", 1)
}

func annotated(set, annotations string) string {
	return strings.Replace(set, "{name: web}", "{name: web, annotations: {"+annotations+"}}", 1)
}

// volumes is a set whose claims are deleted when it is scaled down.
func volumes(replicas string) string {
	return web(replicas, "a:1", "persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Retain}",
		"volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]")
}

const budgetOfTwo = `---

apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
`

// TestChangesInWords plans small changes, each at the edge of something, and compares all that is printed with
// testdata/changes.txt.
func TestChangesInWords(t *testing.T) {
	onTwo := Options{Profiles: profiles(t, "1.37", "1.27")}
	halfDown := "replicas: 5, readyReplicas: 3, updatedReplicas: 5, currentRevision: web-2, updateRevision: web-2"
	cases := []struct {
		name, before, after string
		options             Options
	}{
		{"eight pods", web("8", "a:1"), web("8", "a:2"), Options{}},
		{"nine pods", web("9", "a:1"), web("9", "a:2"), Options{}},
		{"one pod", web("1", "a:1"), web("1", "a:2"), Options{}},
		{"40 % of five may be down", probed(web("5", "a:1", unavailable("40%"))), probed(web("5", "a:2", unavailable("40%"))), onTwo},
		{"10 % of five may be down", probed(web("5", "a:1", unavailable("10%"))), probed(web("5", "a:2", unavailable("10%"))), Options{}},
		{"two may be down, and all go at once", web("4", "a:1", parallel, unavailable("2")), web("4", "a:2", parallel, unavailable("2")), onTwo},
		{"a partition of all", web("3", "a:1", partition3), web("3", "a:2", partition3), Options{}},
		{"a partition of some", web("3", "a:1", partition1), web("3", "a:2", partition1), Options{}},
		{"more pods and another image", probed(web("2", "a:1")), probed(web("4", "a:2")), Options{}},
		{"fewer pods and another image", probed(web("4", "a:1")), probed(web("2", "a:2")), Options{Quorum: 2}},
		{"to nothing", web("2", "a:1"), web("0", "a:1"), Options{}},
		{"from nothing", web("0", "a:1"), web("2", "a:1"), Options{}},
		{"annotations of the set", annotated(web("2", "a:1"), "a: \"1\""), web("2", "a:1"), Options{}},
		{"what apply keeps", annotated(web("2", "a:1"), "kubectl.kubernetes.io/last-applied-configuration: \"{}\""), web("2", "a:2"), Options{}},
		{"twelve fields", environment(12, "x"), environment(12, "y"), Options{}},
		{"thirteen fields", environment(13, "x"), environment(13, "y"), Options{}},
		{"two labels", environment(0, "x", "a: v1", "b: v1"), environment(0, "x", "a: v2", "b: v2"), Options{}},
		{"a label beside two fields", environment(2, "x", "a: v1"), environment(2, "y", "a: v2"), Options{}},
		{"a budget that the rollout does not ask", probed(web("2", "a:1")) + budgetOfTwo, probed(web("2", "a:2")) + budgetOfTwo, Options{}},
		{"a budget that is kept", probed(web("3", "a:1")) + budgetOfTwo, probed(web("3", "a:2")) + budgetOfTwo, Options{}},
		{"half of the pods were down", dumped(probed(web("5", "a:1")), halfDown), probed(web("5", "a:2")), Options{}},
		{"a rollout was half way", dumped(probed(web("5", "a:2")), halfWay), probed(web("5", "a:3")), Options{}},
		{"eight sets", fleet(8, "a:1"), fleet(8, "a:2"), Options{}},
		{"nine sets", fleet(9, "a:1"), fleet(9, "a:2"), Options{}},
		{"a set less and a set more", web("2", "a:1") + "---\n" + called(web("1", "a:1"), "old"),
			web("2", "a:1") + "---\n" + called(web("1", "a:1"), "new"), Options{}},
		{"fewer pods, whose volumes go with them", volumes("3"), volumes("1"), Options{}},
		{"the worst of three sets first", called(web("2", "a:1"), "aa") + "---\n" + called(web("2", "a:1"), "bb") + "---\n" + web("2", "a:1", "serviceName: one"),
			called(web("3", "a:1"), "aa") + "---\n" + called(web("2", "a:2"), "bb") + "---\n" + web("2", "a:1", "serviceName: other"), Options{}},
		{"what must be so", probed(web("3", "a:1")), probed(web("3", "a:2")), Options{Require: []string{"minReady >= 2", "minReady >= 3", "duration < 1s"}}},
	}
	var text bytes.Buffer
	for _, c := range cases {
		fmt.Fprintf(&text, "# %s\n\n", c.name)
		plan := plans(t, c.before, c.after, &c.options)
		require.NoError(t, plan.Document().Text(&text, render.Style{Width: 110}))
		text.WriteString("\n")
		if strings.Contains(c.name, " sets") || strings.Contains(c.name, "fields") || strings.Contains(c.name, "may be down") {
			require.NoError(t, plan.Document().Markdown(&text))
			text.WriteString("\n")
		}
	}
	golden(t, "changes.txt", text.String())
}

// TestNothingAsJSON: a plan without sets has an empty list of them, and not none.
func TestNothingAsJSON(t *testing.T) {
	var document bytes.Buffer
	require.NoError(t, render.JSON(&document, plans(t, web("2", "a:1"), web("2", "a:1"), &Options{})))
	require.Contains(t, document.String(), `"sets": []`)
}
