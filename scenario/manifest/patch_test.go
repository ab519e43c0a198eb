package manifest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

func patch(t *testing.T, set *model.StatefulSet, text string, strategic bool) (*model.StatefulSet, *model.APIError) {
	root, problems := strict.ParseOne("f", []byte(text), strict.Limits{})
	require.NoError(t, problems.Err())
	r := &strict.Reader{File: "f"}
	p := manifest.ReadPatch(r, root, strategic)
	require.NoError(t, r.Err())
	return p.Apply(set)
}

func apply(t *testing.T, set *model.StatefulSet, text string) (*model.StatefulSet, bool) {
	applied, changed, err := readOne(t, text).Apply(set)
	require.Nil(t, err)
	return applied, changed
}

const twoContainers = web + `        ports:
        - {containerPort: 80}
      - name: side
        image: side:v1
        env:
        - {name: A, value: a}
`

// TestApply goes through what kubectl apply promises: what is given is changed, what left the manifest is removed, what
// others have set stays.
func TestApply(t *testing.T) {
	set := live(t, readOne(t, twoContainers))
	same, changed := apply(t, set, twoContainers)
	require.False(t, changed)
	require.Equal(t, set, same)

	scaled := *set
	scaled.Spec.Replicas = 7
	scaled.Labels = map[string]string{"by": "another"}
	next, changed := apply(t, &scaled, strings.Replace(twoContainers, "  replicas: 3\n", "", 1))
	require.True(t, changed)
	require.Equal(t, int32(1), next.Spec.Replicas, "a field that left the manifest gets its default")
	require.Equal(t, "another", next.Labels["by"], "what apply never set stays")

	next, _ = apply(t, &scaled, strings.Replace(twoContainers, "app:v1", "app:v2", 1))
	require.Equal(t, int32(3), next.Spec.Replicas, "what the manifest says wins over what another has set")
	require.Equal(t, []model.Container{{Name: "app", Image: "app:v2"}, {Name: "side", Image: "side:v1"}}, next.Spec.Template.Containers)
	require.NotContains(t, next.Annotations[manifest.LastApplied], "app:v1")

	without := twoContainers[:strings.Index(twoContainers, "      - name: side")]
	next, _ = apply(t, next, without)
	require.Len(t, next.Spec.Template.Containers, 1, "a container that left the manifest goes")
	require.Contains(t, next.Spec.Template.Data, `"containerPort":80,"protocol":"TCP"`)
}

// TestApplyOfCreated shows that apply removes nothing from a set that it has not made, and that a type written out over
// a defaulted object keeps the block that the default brought.
func TestApplyOfCreated(t *testing.T) {
	created, err := readOne(t, twoContainers).New("default")
	require.Nil(t, err)
	require.Empty(t, created.Annotations)
	next, changed := apply(t, created, web+"  updateStrategy: {type: RollingUpdate}\n")
	require.True(t, changed)
	require.Len(t, next.Spec.Template.Containers, 2)
	require.NotNil(t, next.Spec.Strategy.RollingUpdate)
	next, _ = apply(t, next, twoContainers)
	next, _ = apply(t, next, web)
	require.Len(t, next.Spec.Template.Containers, 1)
}

// TestApplyOfNull shows that a null in a manifest removes what the live set has there, a default too, and that a null
// where it has nothing is no change.
func TestApplyOfNull(t *testing.T) {
	set := live(t, readOne(t, web))
	require.NotNil(t, set.Spec.Strategy.RollingUpdate)
	const onDelete = web + "  minReadySeconds: null\n  updateStrategy: {type: OnDelete, rollingUpdate: null}\n"
	next, changed := apply(t, set, onDelete)
	require.True(t, changed)
	require.Equal(t, model.Strategy{Type: model.OnDeleteStrategy}, next.Spec.Strategy)
	_, changed = apply(t, next, onDelete)
	require.False(t, changed)
	next, _ = apply(t, next, strings.Replace(web, "replicas: 3", "replicas: null", 1))
	require.Equal(t, int32(1), next.Spec.Replicas, "the default takes its place")
}

func TestReplace(t *testing.T) {
	set := live(t, readOne(t, twoContainers))
	set.UID, set.ResourceVersion = 7, 9
	next, err := readOne(t, web).Replace(set)
	require.Nil(t, err)
	require.Len(t, next.Spec.Template.Containers, 1)
	require.Empty(t, next.Annotations)
	require.Equal(t, model.UID(7), next.UID)
}

func TestMergePatch(t *testing.T) {
	set := live(t, readOne(t, twoContainers))
	next, err := patch(t, set, `{spec: {replicas: 5, updateStrategy: {rollingUpdate: {partition: 2, maxUnavailable: 2}}}, metadata: {labels: {a: b}}}`, false)
	require.Nil(t, err)
	require.Equal(t, int32(5), next.Spec.Replicas)
	require.Equal(t, &model.RollingUpdate{Partition: 2, MaxUnavailable: &model.IntOrPercent{Value: 2}}, next.Spec.Strategy.RollingUpdate)
	require.Equal(t, "b", next.Labels["a"])
	require.Equal(t, int32(3), set.Spec.Replicas, "the live object is not changed")

	next, err = patch(t, next, `{spec: {updateStrategy: {rollingUpdate: null}}}`, false)
	require.Nil(t, err)
	require.Equal(t, model.Strategy{}, next.Spec.Strategy, "the type stays, so the block does not come back")
	next, err = patch(t, next, `{spec: {updateStrategy: null, replicas: null}}`, false)
	require.Nil(t, err)
	require.Equal(t, model.Strategy{RollingUpdate: &model.RollingUpdate{}}, next.Spec.Strategy)
	require.Equal(t, int32(1), next.Spec.Replicas)

	next, err = patch(t, set, `{spec: {template: {spec: {containers: [{name: app, image: "app:v2"}]}}}}`, false)
	require.Nil(t, err)
	require.Equal(t, []model.Container{{Name: "app", Image: "app:v2"}}, next.Spec.Template.Containers, "a list is replaced as a whole")
}

func TestStrategicPatch(t *testing.T) {
	set := live(t, readOne(t, twoContainers))
	next, err := patch(t, set, `{spec: {template: {spec: {containers: [{name: app, image: "app:v2"}]}}}}`, true)
	require.Nil(t, err)
	require.Equal(t, []model.Container{{Name: "app", Image: "app:v2"}, {Name: "side", Image: "side:v1"}}, next.Spec.Template.Containers)
	next, err = patch(t, set, `{spec: {template: {spec: {containers: [{name: side, $patch: delete}]}}}}`, true)
	require.Nil(t, err)
	require.Len(t, next.Spec.Template.Containers, 1)
	_, err = patch(t, set, `{spec: {template: {spec: {containers: [{name: side, $patch: nonsense}]}}}}`, true)
	require.NotNil(t, err)
}

// TestPatchRefused shows that a patch whose result no version accepts is refused in the API server's words.
func TestPatchRefused(t *testing.T) {
	s := server(t, "1.37")
	set, refusal := s.CreateSet(live(t, readOne(t, web)))
	require.Nil(t, refusal)
	next, refusal := patch(t, set, `{spec: {podManagementPolicy: x, template: {metadata: {labels: null}}}}`, false)
	require.Nil(t, refusal)
	_, refusal = s.UpdateSet(next)
	require.Equal(t, model.Invalid, refusal.Reason)
	require.Equal(t, "StatefulSet.apps \"web\" is invalid: [spec.podManagementPolicy: Invalid value: \"x\": must be 'OrderedReady' or 'Parallel', "+
		"spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`, "+
		"spec.podManagementPolicy: Invalid value: \"x\": field is immutable]", refusal.Message)
}

// TestCheckPatch shows what is said of a patch before it is applied to anything.
func TestCheckPatch(t *testing.T) {
	for text, want := range map[string]string{
		"spec: {replicas: -1}":                       "f:1:18: spec.replicas: Invalid value: -1: must be greater than or equal to 0: no version of Kubernetes accepts this",
		"spec: {replicas: 2000000000}":               "f:1:18: spec.replicas is 2000000000: write at most 100000, or raise the limit with --max-replicas",
		"spec: {updateStrategy: {type: OnDelete}}":   "",
		"spec: {template: {metadata: {labels: {}}}}": "",
		"spec: {replicas: 5, minReadySeconds: null}": "",
		"metadata: {labels: {a: b}}":                 "",
		"spec: {updateStrategy: {type: RollingUpdat}}": "f:1:24: spec.updateStrategy: Invalid value: {\"Type\":\"RollingUpdat\",\"RollingUpdate\":null}: " +
			"must be 'RollingUpdate' or 'OnDelete': no version of Kubernetes accepts this",
	} {
		root, _ := strict.ParseOne("f", []byte(text), strict.Limits{})
		r := &strict.Reader{File: "f"}
		p := manifest.ReadPatch(r, root, false)
		p.Check(r)
		p.CheckLimits(r)
		got := ""
		if err := r.Err(); err != nil {
			got = err.Error()
		}
		require.Equal(t, want, got, text)
	}
}

func TestSetImage(t *testing.T) {
	set := live(t, readOne(t, web+"      initContainers:\n      - {name: init, image: init:v1}\n"))
	next, err := manifest.SetImage(set, "", "app:v2")
	require.NoError(t, err)
	require.Equal(t, "app:v2", next.Spec.Template.Image())
	next, err = manifest.SetImage(set, "init", "init:v2")
	require.NoError(t, err)
	require.Contains(t, next.Spec.Template.Data, `"image":"init:v2"`)
	_, err = manifest.SetImage(set, "ap", "x")
	require.EqualError(t, err, `unable to find container named "ap"`)
	_, err = manifest.SetImage(live(t, readOne(t, twoContainers)), "", "x")
	require.EqualError(t, err, "name the container: the pods of web have app, side")
}

// TestAnyNode: what keeps the pods from nodes is gone, and the rest of the template stays.
func TestAnyNode(t *testing.T) {
	set := live(t, readOne(t, web+`        resources: {requests: {cpu: 3}}
        env: [{name: A, value: a}]
      nodeSelector: {disk: ssd}
      tolerations: [{key: own, operator: Exists}]
      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname}]}}
      topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]
      initContainers:
      - {name: init, image: init:v1, resources: {requests: {memory: 1Gi}}}
`))
	before := manifest.Object(set).Spec.Template.Spec
	spec := manifest.Object(manifest.AnyNode(set, []string{"gpu", "db"})).Spec.Template.Spec
	var tolerated []string
	for _, toleration := range spec.Tolerations {
		tolerated = append(tolerated, toleration.Key+" "+string(toleration.Operator))
	}
	require.Equal(t, []string{"own Exists", "gpu Exists", "db Exists"}, tolerated)
	before.Tolerations = spec.Tolerations
	before.NodeSelector, before.Affinity, before.TopologySpreadConstraints = nil, nil, nil
	before.Containers[0].Resources, before.InitContainers[0].Resources = spec.Containers[0].Resources, spec.InitContainers[0].Resources
	require.Equal(t, before, spec)
	require.Empty(t, spec.Containers[0].Resources.Requests)
	require.Empty(t, spec.InitContainers[0].Resources.Requests)
}

func TestRestart(t *testing.T) {
	set := live(t, readOne(t, web))
	next := manifest.Restart(set, "2026-01-01T00:00:05Z")
	require.NotEqual(t, set.Spec.Template.Data, next.Spec.Template.Data)
	var template struct {
		Metadata struct{ Annotations map[string]string }
	}
	require.NoError(t, json.Unmarshal([]byte(next.Spec.Template.Data), &template))
	require.Equal(t, "2026-01-01T00:00:05Z", template.Metadata.Annotations["kubectl.kubernetes.io/restartedAt"])
	require.Equal(t, next.Spec.Template, manifest.Restart(next, "2026-01-01T00:00:05Z").Spec.Template)
}

// TestShort shows what the short form stands for.
func TestShort(t *testing.T) {
	root, _ := strict.ParseOne("f", []byte(`{name: web, image: "app:v1", replicas: 2, updateStrategy: {type: OnDelete},
		volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce]}}]}`), strict.Limits{})
	r := &strict.Reader{File: "f"}
	short := manifest.Short(r, root)
	require.NoError(t, r.Err())
	set, err := short.New("prod")
	require.Nil(t, err)
	require.Equal(t, model.Key{Namespace: "prod", Name: "web"}, set.Key())
	require.Equal(t, map[string]string{"app": "web"}, set.Spec.Template.Labels)
	require.Equal(t, []model.Container{{Name: "app", Image: "app:v1"}}, set.Spec.Template.Containers)
	require.Equal(t, "web", set.Spec.ServiceName)
	require.Equal(t, appsv1.OnDeleteStatefulSetStrategyType, manifest.Object(set).Spec.UpdateStrategy.Type)
	require.Equal(t, "data", set.Spec.ClaimTemplates[0].Name)

	root, _ = strict.ParseOne("f", []byte(`{name: web, image: a, volumeClaimTemplates: [{metadata: {name: data}}]}`), strict.Limits{})
	set, err = manifest.Short(r, root).New("prod")
	require.NoError(t, r.Err())
	require.Nil(t, err)
	claim := manifest.Object(set).Spec.VolumeClaimTemplates[0].Spec
	size := claim.Resources.Requests[corev1.ResourceStorage]
	require.Equal(t, "1Gi", size.String(), "a claim of which only the name is given")
	require.Len(t, claim.AccessModes, 1)

	for text, want := range map[string]string{
		"{name: web, image: a, replica: 2}":                                      `f:1:23: unknown field "replica": did you mean replicas?`,
		"{name: web, image: a, replicas: -2}":                                    "f:1:33: spec.replicas: Invalid value: -2: must be greater than or equal to 0: no version of Kubernetes accepts this",
		"{name: Web, image: a}":                                                  "f:1:8: metadata.name: Invalid value: \"Web\"",
		"{name: web, image: a, updateStrategy: {rollingUpdate: {partition: x}}}": `f:1:67: updateStrategy.rollingUpdate.partition is "x": write a whole number`,
	} {
		root, _ := strict.ParseOne("f", []byte(text), strict.Limits{})
		r := &strict.Reader{File: "f"}
		if set := manifest.Short(r, root); set != nil {
			set.Check(r)
		}
		require.Error(t, r.Err())
		require.True(t, strings.HasPrefix(r.Err().Error(), want), r.Err().Error())
	}
}
