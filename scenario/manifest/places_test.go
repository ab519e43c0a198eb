package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// mistakes are manifests of which every version refuses something: what takes the place of what in web, and what stands
// behind it.
var mistakes = []struct{ name, old, new, more string }{
	{name: "a namespace and labels that are wrong", old: "  name: web\n", new: "  name: web\n  namespace: My_Own\n  labels: {a b: c}\n  annotations: {a b: c}\n"},
	{name: "a name that no version takes", old: "name: web", new: "name: Web"},
	{name: "a selector with an unknown operator", old: "matchLabels: {app: web}", new: "matchExpressions: [{key: app, operator: Like}]"},
	{name: "a selector with a value for Exists", old: "matchLabels: {app: web}", new: "matchExpressions: [{key: app, operator: Exists, values: [a]}]"},
	{name: "a selector with In and no value", old: "matchLabels: {app: web}", new: "matchLabels: {app: web}\n    matchExpressions: [{key: app, operator: In}]"},
	{name: "a selector with a wrong label", old: "matchLabels: {app: web}", new: "matchLabels: {app: web, a b: c}"},
	{name: "an empty selector", old: "selector:\n    matchLabels: {app: web}", new: "selector: {}"},
	{name: "a selector that the labels do not fit", old: "matchLabels: {app: web}", new: "matchLabels: {app: web, tier: a}"},
	{name: "numbers below zero", more: "  revisionHistoryLimit: -1\n  minReadySeconds: -1\n  ordinals: {start: -1}\n"},
	{name: "retentions that there are not", more: "  persistentVolumeClaimRetentionPolicy: {whenDeleted: Keep, whenScaled: Drop}\n"},
	{name: "a block of OnDelete with everything", more: "  updateStrategy: {type: OnDelete, rollingUpdate: {maxUnavailable: 1}}\n"},
	{name: "an unknown strategy with a block", more: "  updateStrategy: {type: Rolling, rollingUpdate: {partition: 2, maxUnavailable: 10%}}\n"},
	{name: "a strategy of 1.37", more: "  updateStrategy: {type: Recreate, rollingUpdate: {}}\n"},
	{name: "a percentage without its sign", more: "  updateStrategy: {rollingUpdate: {maxUnavailable: '10', partition: -3}}\n"},
	{name: "a pod that ends", more: "      restartPolicy: OnFailure\n      activeDeadlineSeconds: 5\n"},
	{name: "a volume with the name of a claim, and one that is wrong", more: "        volumeMounts: [{name: data, mountPath: /a}, {name: gone, mountPath: /b}]\n" +
		"      volumes: [{name: own, emptyDir: {}}, {name: data, emptyDir: {}}, {name: Bad, secret: {}}]\n" +
		"  volumeClaimTemplates: [{metadata: {name: data}, spec: {}}, {metadata: {name: More}, spec: {}}]\n"},
	{name: "an annotation of the template", old: "      labels: {app: web}", new: "      labels: {app: web, a: b c}\n      annotations: {a b: c}"},
	{name: "one thing that cannot be read and others that are wrong", old: "  replicas: 3", new: "  replicas: three",
		more: "  minReadySeconds: -1\n  podManagementPolicy: Fast\n  persistentVolumeClaimRetentionPolicy: {whenScaled: Drop}\n"},
	{name: "too many replicas", old: "replicas: 3", new: "replicas: 100001"},
	{name: "just not too many replicas", old: "replicas: 3", new: "replicas: 100000"},
	{name: "no name at all", old: "metadata:\n  name: web\n", new: "metadata: {}\n"},
	{name: "no metadata", old: "metadata:\n  name: web\n", new: ""},
	{name: "no spec", old: web[strings.Index(web, "spec:"):], new: ""},
	{name: "no template", old: web[strings.Index(web, "  template:"):], new: ""},
}

// TestPlaces shows where in a manifest it is said what every version refuses: testdata/places.txt.
func TestPlaces(t *testing.T) {
	var text strings.Builder
	for _, c := range mistakes {
		manifested := web
		if c.old != "" {
			require.Contains(t, web, c.old, c.name)
			manifested = strings.Replace(web, c.old, c.new, 1)
		}
		_, err := read(manifested + c.more)
		fmt.Fprintf(&text, "# %s\n\n%v\n\n", c.name, err)
	}
	goldenfile.Equal(t, "testdata/places.txt", text.String())
}

// TestDirectives: the directives of a strategic merge patch may hold anything, and what JSON has no number for is text.
func TestDirectives(t *testing.T) {
	root, problems := strict.ParseOne("f", []byte("spec: {$a: [.inf, -.inf, .nan, 1.5, 5, ~, true, False, x, {b: 0x1f, c: 99999999999999999999}]}"), strict.Limits{})
	require.NoError(t, problems.Err())
	r := &strict.Reader{File: "f"}
	p := manifest.ReadPatch(r, root, true)
	require.NoError(t, r.Err())
	require.Equal(t, `{"spec":{"$a":[".inf","-.inf",".nan",1.5,5,null,true,false,"x",{"b":31,"c":100000000000000000000}]}}`, string(p.JSON()))
	require.Nil(t, manifest.ReadPatch(r, root, false), "a merge patch has no directives")
}

// TestContainers names the containers of a template and its init containers, in their order.
func TestContainers(t *testing.T) {
	containers, inits := readOne(t, twoContainers+"      initContainers: [{name: i, image: i}, {name: j, image: j}]\n").Containers()
	require.Equal(t, []string{"app", "side"}, containers)
	require.Equal(t, []string{"i", "j"}, inits)
}
