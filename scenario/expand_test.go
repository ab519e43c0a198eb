package scenario_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

const short = `
# A comment that stays.
name: short
kubelet:
  rules:
  - match: &broken {image: "app:broken"} # and another
    start: never
  - match: *broken
    ready: never
steps:
- create: {name: "y", replicas: 2, image: "app:v1", minReadySeconds: 1, updateStrategy: {rollingUpdate: {partition: 1}}}
- apply: web.yaml
- apply: [deploy/v2.yaml, more.yaml]
- apply: |
    apiVersion: v1
    kind: Service
    metadata: {name: text}
- setImage: {statefulset: web, image: "app:v3"}
faults:
- at: 30s
  create: {name: late, replicas: 1, image: "app:v1"}
- pod: y-0 Terminating
  apply: web.yaml
expect:
- completes: {since: setImage}
`

func expand(t *testing.T, text string) string {
	out, err := scenario.Expand("test.yaml", []byte(text), files, scenario.Options{})
	require.NoError(t, err)
	return string(out)
}

// TestExpand shows the short forms and the paths of a scenario written out.
func TestExpand(t *testing.T) {
	out := expand(t, short)
	goldenfile.Equal(t, "testdata/expanded.golden", out)
	require.Equal(t, out, expand(t, out), "what is expanded stays as it is")
	flow := expand(t, `{"steps": [{"create": "commented.yaml"}, {"restart": {}}]}`)
	require.Contains(t, flow, "# The set.")
	require.Equal(t, flow, expand(t, flow))
	_, err := scenario.Expand("test.yaml", []byte("steps: []"), nil, scenario.Options{})
	require.ErrorContains(t, err, "test.yaml:1:8: the scenario has no steps")
}

// TestExpandWritesNull where a value was left out, which is no empty text.
func TestExpandWritesNull(t *testing.T) {
	out := expand(t, `steps:
- apply:
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: web, creationTimestamp: , annotations: {empty: ""}}
    spec:
      replicas: 1
      minReadySeconds:
      selector: {matchLabels: {app: web}}
      template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:v1"}]}}
`)
	require.Contains(t, out, "creationTimestamp: null,")
	require.Contains(t, out, "minReadySeconds: null\n")
	require.Contains(t, out, `empty: ""`)
	require.Equal(t, out, expand(t, out), "what is expanded stays as it is")
}

// TestExpansionPlaysTheSame plays scenarios and their expansions, which need no files any more, and compares.
func TestExpansionPlaysTheSame(t *testing.T) {
	for _, text := range append(cases(t), short) {
		s, err := scenario.Parse("test.yaml", []byte(text), files, scenario.Options{})
		require.NoError(t, err)
		again, err := scenario.Parse("test.yaml", []byte(expand(t, text)), nil, scenario.Options{})
		require.NoError(t, err)
		want, got := s.Run(scenario.RunOptions{}).Timeline, again.Run(scenario.RunOptions{}).Timeline
		want[0].Run.Digest, got[0].Run.Digest = "", ""
		require.Equal(t, timeline.Digest(want), timeline.Digest(got), text)
	}
}

// cases returns the texts of some of the known scenarios.
func cases(t *testing.T) []string {
	var texts []string
	for i, c := range known(t) {
		if i%10 == 0 {
			texts = append(texts, string(c.Scenario))
		}
	}
	require.NotEmpty(t, texts)
	return texts
}

// TestFiles shows that paths are relative to the scenario's folder, lead out of it as far as the root, and that only files are
// read.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := writer(t, dir)
	manifest := write("manifests/web.yaml", manifestOf("web", "app:v1", ""))
	file := write("scenarios/a.yaml", "steps:\n- apply: ../manifests/web.yaml\n- apply: "+manifest+"\n")
	wide := scenario.Options{Root: dir}
	s, err := scenario.Load(file, wide)
	require.NoError(t, err)
	require.Equal(t, "a", s.Name)
	require.Equal(t, file, s.Path)
	digest := s.Digest

	const outside = "cannot be read: it is outside of the scenario's folder; --root DIR allows the files in DIR"
	_, err = scenario.Load(file, scenario.Options{})
	require.ErrorContains(t, err, file+":2:10: the manifest ../manifests/web.yaml "+outside)
	require.ErrorContains(t, err, file+":3:10: the manifest "+manifest+" "+outside)
	require.NoError(t, os.Symlink(manifest, filepath.Join(dir, "scenarios", "link.yaml")))
	_, err = scenario.Load(write("scenarios/b.yaml", "steps: [{apply: link.yaml}]"), scenario.Options{})
	require.ErrorContains(t, err, "path escapes from parent")

	write("manifests/web.yaml", manifestOf("web", "app:v2", ""))
	s, err = scenario.Load(file, wide)
	require.NoError(t, err)
	require.NotEqual(t, digest, s.Digest, "the digest is of the manifests too")

	write("manifests/web.yaml", strings.Replace(manifestOf("web", "app:v2", ""), "image:", "imago:", 1))
	_, err = scenario.Load(file, wide)
	require.EqualError(t, err, manifest+`:14:9: unknown field "spec.template.spec.containers[0].imago": did you mean image?`)

	_, err = scenario.Load(filepath.Join(dir, "none.yaml"), scenario.Options{})
	require.EqualError(t, err, filepath.Join(dir, "none.yaml")+": the file cannot be read: there is no such file")
	_, err = scenario.Load(dir, scenario.Options{})
	require.ErrorContains(t, err, "it is a folder")
	_, err = scenario.Load("/dev/zero", scenario.Options{})
	require.ErrorContains(t, err, "it is no regular file")
}

// TestRealManifests plays the manifests of testdata: a creation, an update, a rollback.
func TestRealManifests(t *testing.T) {
	for _, file := range glob(t, "testdata/manifests/*.yaml") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			container := "container: mysql, "
			if filepath.Base(file) != "mysql.yaml" {
				container = ""
			}
			namespace := ""
			if filepath.Base(file) == "chart.yaml" {
				namespace = "  namespace: data\n"
			}
			text := "steps:\n- apply: " + filepath.Base(file) + "\n- setImage: {" + container + "image: \"other:v2\"}\n" + namespace +
				"- undo: {}\n" + namespace + "expect:\n- completes:\n"
			s, err := scenario.Parse("test.yaml", []byte(text), os.DirFS("testdata/manifests"), scenario.Options{})
			require.NoError(t, err)
			o := s.Run(scenario.RunOptions{})
			require.Empty(t, o.Failed())
			require.Equal(t, timeline.Settled, o.Result.Verdict)
			for _, warning := range o.Result.Warnings {
				require.Contains(t, warning, "no nodes are given")
			}
		})
	}
}

// writer returns a function that writes a file below a folder, and returns its path.
func writer(t *testing.T, dir string) func(name, text string) string {
	return func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		return file
	}
}

// TestFolders shows which manifests of a folder are applied: all that kubectl takes, or those that a kustomization names.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	write := writer(t, dir)
	file := write("a.yaml", "steps: [{apply: all}, {apply: base/}]\n")
	write("all/web.yaml", manifestOf("web", "app:v1", ""))
	write("all/db.yml", manifestOf("db", "app:v1", ""))
	write("all/notes.txt", "{")
	write("all/deeper/other.yaml", "{")
	write("base/kustomization.yaml", "resources: [cache.yaml, ../more]\n")
	write("base/cache.yaml", manifestOf("cache", "app:v1", ""))
	write("base/unused.yaml", "{")
	write("more/queue.yaml", manifestOf("queue", "app:v1", ""))
	s, err := scenario.Load(file, scenario.Options{})
	require.NoError(t, err)
	require.Equal(t, "apply db, web", s.Steps[0].Does)
	require.Equal(t, "apply cache, queue", s.Steps[1].Does)
	require.Equal(t, timeline.Settled, s.Run(scenario.RunOptions{}).Result.Verdict)

	write("base/kustomization.yaml", "resources: [cache.yaml]\nnamePrefix: a-\n")
	_, err = scenario.Load(file, scenario.Options{})
	require.EqualError(t, err, filepath.Join(dir, "base/kustomization.yaml")+":2:1: namePrefix is for Kustomize, "+
		"and sim reads only resources: apply what kubectl kustomize base prints")
	_, err = scenario.Load(write("b.yaml", "steps: [{apply: all/deeper/none}]"), scenario.Options{})
	require.ErrorContains(t, err, "there is no such file")
}
