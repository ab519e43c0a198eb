package plan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
)

// mounting gives the container of web mounts and other lists.
func mounting(lists string) string {
	return `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 3
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: "a:1", ` + lists + `}]
      volumes: [{name: data, emptyDir: {}}]
`
}

// TestLists plans changes within lists. Each replaces all pods, and none is hidden by what the items of a list are
// paired by.
func TestLists(t *testing.T) {
	const app = "spec.template.spec.containers[app]."
	for _, c := range []struct {
		name, before, after string
		changes             []string
	}{
		{"a volume that is mounted twice, elsewhere",
			`volumeMounts: [{name: data, mountPath: /data}, {name: data, mountPath: /a, subPath: a}]`,
			`volumeMounts: [{name: data, mountPath: /data}, {name: data, mountPath: /b, subPath: a}]`,
			[]string{
				app + `volumeMounts[/a]: removed, it was {"mountPath":"/a","name":"data","subPath":"a"}`,
				app + `volumeMounts[/b]: added, {"mountPath":"/b","name":"data","subPath":"a"}`,
			}},
		{"a part of a volume that is mounted twice",
			`volumeMounts: [{name: data, mountPath: /data}, {name: data, mountPath: /a, subPath: a}]`,
			`volumeMounts: [{name: data, mountPath: /data}, {name: data, mountPath: /a, subPath: b}]`,
			[]string{app + `volumeMounts[/a].subPath: "a" → "b"`}},
		{"a port without a name, after one with a name",
			`ports: [{name: http, containerPort: 80}, {containerPort: 81}]`,
			`ports: [{name: http, containerPort: 80}, {containerPort: 82}]`,
			[]string{
				app + `ports[81]: removed, it was {"containerPort":81,"protocol":"TCP"}`,
				app + `ports[82]: added, {"containerPort":82,"protocol":"TCP"}`,
			}},
		{"a port of two protocols",
			`ports: [{containerPort: 53}, {containerPort: 53, protocol: UDP}]`,
			`ports: [{containerPort: 53}]`,
			[]string{app + `ports[1]: removed, it was {"containerPort":53,"protocol":"UDP"}`}},
		{"variables in another order",
			`env: [{name: A, value: a}, {name: B, value: b}, {name: C, value: c}]`,
			`env: [{name: B, value: b}, {name: A, value: a}, {name: C, value: d}]`,
			[]string{
				app + `env: in another order, ["A","B","C"] → ["B","A","C"]`,
				app + `env[C].value: "c" → "d"`,
			}},
		{"a variable in front", `env: [{name: A, value: a}]`, `env: [{name: B, value: b}, {name: A, value: a}]`,
			[]string{app + `env[B]: added, {"name":"B","value":"b"}`}},
		{"an argument in front", `args: [-a, -b, -c]`, `args: [-x, -a, -b, -c]`, []string{app + `args[0]: added, "-x"`}},
		{"an argument less", `args: [-a, -b, -c]`, `args: [-a, -c]`, []string{app + `args[1]: removed, it was "-b"`}},
		{"arguments in another order", `args: [-a, -b, -c]`, `args: [-c, -a, -b]`,
			[]string{app + `args: in another order, ["-a","-b","-c"] → ["-c","-a","-b"]`}},
		{"options of which one is new and one has another value", `args: [--a=1, --c=1, last]`,
			`args: [--a=1, --b=1, --c=2, last]`,
			[]string{app + `args[1]: added, "--b=1"`, app + `args[2]: "--c=1" → "--c=2"`}},
		{"another option and another argument", `args: [--a=1, one]`, `args: [two, --b=1]`, []string{
			app + `args[0]: removed, it was "--a=1"`, app + `args[0]: "one" → "two"`, app + `args[1]: added, "--b=1"`,
		}},
		{"another script", `command: [sh, -c, one]`, `command: [sh, -c, two]`, []string{app + `command[2]: "one" → "two"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := one(t, mounting(c.before), mounting(c.after), &Options{})
			require.Equal(t, Rolls, set.Does)
			require.ElementsMatch(t, c.changes, diff.Lines(set.Changes))
		})
	}
}

// TestOrderAlone: another order of a list replaces the pods, and the plan says that nothing else does.
func TestOrderAlone(t *testing.T) {
	set := one(t, mounting("env: [{name: A, value: a}, {name: B, value: b}]"),
		mounting("env: [{name: B, value: b}, {name: A, value: a}]"), &Options{})
	require.Contains(t, set.Notes, "only the order of lists in the template changes: the pods restart all the same, with "+
		"the same images")
}

// TestGlance: of a long value a reader sees what tells it apart.
func TestGlance(t *testing.T) {
	for _, c := range []struct {
		name, before, after, change string
	}{
		{"a list", `env: [{name: FIRST, value: aaaaaaaaaaaaaaaa}, {name: SECOND, value: bbbbbbbbbbbbbbbbbbbbbbb}]`,
			`args: []`, `spec.template.spec.containers[app].env: removed, it was 2 items: FIRST, SECOND`},
		{"a container", `args: []`, `args: []}, {name: log, image: "log:1", args: [aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbb]`,
			`spec.template.spec.containers[log]: added, {"image":"log:1","args":["aaaaaaaaaaaaaaaaaaaa",` +
				`"bbbbbbbbbbbbbbbbbbbbbbb"],"ima…`},
		{"a list of containers", `args: []`, "args: []}]\n      initContainers: " + `[{name: log, image: "log:1", ` +
			`args: [aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbb]`,
			`spec.template.spec.initContainers: added, 1 item: log (log:1)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, []string{c.change}, diff.Lines(one(t, mounting(c.before), mounting(c.after), &Options{}).Changes))
		})
	}
}
