package store_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

func rulesOf(t *testing.T, kubernetes string) model.APIRules {
	t.Helper()
	profile, err := statefulset.Lookup(kubernetes)
	require.NoError(t, err)
	return profile.API()
}

// created creates a set on a version, and returns the refusal's words without what stands before each.
func created(t *testing.T, kubernetes string, change func(*model.StatefulSet)) string {
	t.Helper()
	set := web()
	change(set)
	_, err := newCluster(rulesOf(t, kubernetes)).CreateSet(set)
	if err == nil {
		return ""
	}
	_, words, _ := strings.Cut(err.Message, " is invalid: ")
	return words
}

const (
	dots     = "must not contain dots"
	notLabel = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and " +
		"end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
		"'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
	longer = "must be no more than 63 characters"
)

// TestNames: which names of a set and of its Service are refused where the set is created, in which version.
func TestNames(t *testing.T) {
	long := strings.Repeat("w", 64)
	for _, c := range []struct{ from, before, field, value, why string }{
		{"1.27.0", "1.26", "metadata.name", "my.db", dots},
		{"1.27.0", "1.26", "metadata.name", long, longer},
		{"1.33.0", "1.32", "spec.serviceName", "my.svc", dots},
		{"1.33.0", "1.32", "spec.serviceName", "Web", notLabel},
		{"1.33.0", "1.32", "spec.serviceName", "-web", notLabel},
		{"1.33.0", "1.32", "spec.serviceName", long, longer},
	} {
		change := func(set *model.StatefulSet) {
			if c.field == "metadata.name" {
				set.Name = c.value
			} else {
				set.Spec.ServiceName = c.value
			}
		}
		require.Equal(t, c.field+`: Invalid value: "`+c.value+`": `+c.why, created(t, c.from, change))
		require.Empty(t, created(t, c.before, change), "%s %s on %s", c.field, c.value, c.before)
	}
}

// TestLabels: what is a DNS label, and so a name of a set or of its Service, and what is not.
func TestLabels(t *testing.T) {
	for name, is := range map[string]bool{
		"w": true, "web": true, "my-db": true, "my-d": true, "m-y": true, "0": true, "9z": true, "a--b": true,
		"-": false, "-w": false, "w-": false, "Web": false, "we_b": false, "w/": false, "w{": false, "w:": false, "w`": false,
	} {
		for _, change := range []func(*model.StatefulSet){
			func(set *model.StatefulSet) { set.Name = name },
			func(set *model.StatefulSet) { set.Spec.ServiceName = name },
		} {
			require.Equal(t, is, created(t, "1.37", change) == "", name)
		}
	}
}

// TestWrongStrategies: a mistake that was found when the manifest was read stands where the API server has it, in the place
// of what it would say of the strategy otherwise.
func TestWrongStrategies(t *testing.T) {
	require.Equal(t, "[spec.updateStrategy: as read, spec.replicas: Invalid value: -1: must be greater than or equal to 0]",
		created(t, "1.37", func(set *model.StatefulSet) {
			set.Spec.Wrong = &model.Wrong{Strategy: []string{"spec.updateStrategy: as read"}}
			set.Spec.Strategy, set.Spec.Replicas = model.Strategy{Type: model.RecreateStrategy}, -1
		}))
}

// TestDeclaredRules: from 1.38 on the rules that are declared beside the fields answer, in their own words and place. A
// mistake in the strategy names Recreate where that is accepted.
func TestDeclaredRules(t *testing.T) {
	bare := func(set *model.StatefulSet) {
		set.Spec.Selector = model.Selector{}
		set.Spec.Wrong = &model.Wrong{Strategy: []string{"spec.updateStrategy: x: must be 'RollingUpdate' or 'OnDelete'"}}
	}
	const labels = "spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match template `labels`"
	require.Equal(t, "[spec.updateStrategy: x: must be 'RollingUpdate' or 'OnDelete', spec.selector: Required value, "+labels+"]",
		created(t, "1.37", bare))
	require.Equal(t, "[spec.updateStrategy: x: must be 'RollingUpdate', 'OnDelete', or 'Recreate', "+labels+", spec.selector: Required value]",
		created(t, "1.38", bare))
}

// TestPodNames: a set that an old version takes, and whose pods it refuses.
func TestPodNames(t *testing.T) {
	long, longest := strings.Repeat("w", 54), strings.Repeat("w", 52)
	for _, c := range []struct{ kubernetes, hostname, subdomain, revision, want string }{
		{"1.37", longest + "-0", "web", longest + "-7bf5c74744", ""},
		{"1.37", "web-0", "web", "web-7bf5c74744", ""},
		{"1.37", "web-0", "", "web-7bf5c74744", ""},
		{"1.26", "my.db-0", "web", "my.db-7bf5c74744", `spec.hostname: Invalid value: "my.db-0": ` + notLabel},
		{"1.32", "web-0", "my.svc", "web-7bf5c74744", `spec.subdomain: Invalid value: "my.svc": ` + dots},
		{"1.37", long + "-0", "web", long + "-7bf5c74744",
			`metadata.labels: Invalid value: "` + long + `-7bf5c74744": ` + longer},
	} {
		pod := &model.Pod{Hostname: c.hostname, Subdomain: c.subdomain}
		pod.Namespace, pod.Name = "default", c.hostname
		pod.Labels = map[string]string{model.LabelRevision: c.revision, model.LabelPodName: c.hostname}
		_, err := newCluster(rulesOf(t, c.kubernetes)).CreatePod(pod)
		if c.want == "" {
			require.Nil(t, err)
			continue
		}
		require.Equal(t, model.Invalid, err.Reason)
		require.Equal(t, `Pod "`+c.hostname+`" is invalid: `+c.want, err.Message)
	}
}

// TestPodsOfAWrongTemplate: what is wrong with a template is what its pods are refused for.
func TestPodsOfAWrongTemplate(t *testing.T) {
	_, err := newCluster(rulesOf(t, "1.37")).CreatePod(&model.Pod{
		Meta:     model.Meta{Namespace: "default", Name: "web-0"},
		Template: &model.Template{Wrong: []string{"spec.containers: Required value", "spec.nodeName: Invalid value"}},
	})
	require.Equal(t, `Pod "web-0" is invalid: [spec.containers: Required value, spec.nodeName: Invalid value]`, err.Message)
}

// TestClaimTemplates: from 1.34 the claim templates of a new set are checked, and those of a set that is there are not.
func TestClaimTemplates(t *testing.T) {
	with := func(facts *model.ClaimFacts) func(*model.StatefulSet) {
		return func(set *model.StatefulSet) {
			set.Spec.ClaimTemplates = []model.ClaimTemplate{{Name: "data", Data: "{}", Facts: facts}}
		}
	}
	const path = "spec.volumeClaimTemplates[0].spec"
	for _, c := range []struct {
		facts *model.ClaimFacts
		want  string
	}{
		{nil, ""},
		{&model.ClaimFacts{AccessModes: []string{"ReadWriteOnce"}, Storage: "1Gi"}, ""},
		{&model.ClaimFacts{}, "[" + path + ".accessModes: Required value: at least 1 access mode is required, " +
			path + ".resources[storage]: Required value]"},
		{&model.ClaimFacts{AccessModes: []string{"RWO"}, Storage: "0"}, "[" + path + `.accessModes: Unsupported value: "RWO": ` +
			`supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod", ` +
			path + `.resources[storage]: Invalid value: "0": must be greater than zero]`},
		{&model.ClaimFacts{AccessModes: []string{"ReadWriteOncePod", "ReadWriteMany"}, Storage: "1Gi"},
			path + ".accessModes: Forbidden: may not use ReadWriteOncePod with other access modes"},
	} {
		require.Equal(t, c.want, created(t, "1.34.0", with(c.facts)))
		require.Empty(t, created(t, "1.33", with(c.facts)))
	}
}

// TestValues: before 1.34 a refusal shows a value of several fields as Go prints it.
func TestValues(t *testing.T) {
	labels := func(set *model.StatefulSet) { set.Spec.Selector.Needs[0].Values = []string{"other"} }
	empty := func(set *model.StatefulSet) { set.Spec.Selector = model.Selector{Data: "{}"} }
	zero := func(set *model.StatefulSet) {
		set.Spec.Strategy.RollingUpdate = &model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{Percent: true}}
	}
	most := func(percent int32) func(*model.StatefulSet) {
		return func(set *model.StatefulSet) {
			set.Spec.Strategy.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Value: percent, Percent: true}
		}
	}
	withBlock := func(set *model.StatefulSet) { set.Spec.Strategy.Type = model.RecreateStrategy }
	recreate := func(set *model.StatefulSet) { set.Spec.Strategy = model.Strategy{Type: model.RecreateStrategy} }
	for _, c := range []struct {
		kubernetes string
		change     func(*model.StatefulSet)
		want       string
	}{
		{"1.33", labels, "spec.template.metadata.labels: Invalid value: map[string]string{\"app\":\"web\"}: " +
			"`selector` does not match template `labels`"},
		{"1.34", labels, "spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: " +
			"`selector` does not match template `labels`"},
		{"1.33", empty, "spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), " +
			"MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for statefulset"},
		{"1.34", empty, "spec.selector: Invalid value: {}: empty selector is invalid for statefulset"},
		{"1.37", most(100), ""},
		{"1.37", most(101), `spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%`},
		{"1.35.0", zero, `spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "0%": cannot be 0`},
		{"1.33", recreate, "spec.updateStrategy: Invalid value: apps.StatefulSetUpdateStrategy{Type:\"Recreate\", " +
			"RollingUpdate:(*apps.RollingUpdateStatefulSetStrategy)(nil)}: must be 'RollingUpdate' or 'OnDelete'"},
		{"1.33", withBlock, "spec.updateStrategy: Invalid value: apps.StatefulSetUpdateStrategy{Type:\"Recreate\", " +
			"RollingUpdate:(*apps.RollingUpdateStatefulSetStrategy)(0x…)}: must be 'RollingUpdate' or 'OnDelete'"},
		{"1.34", withBlock, `spec.updateStrategy: Invalid value: {"Type":"Recreate","RollingUpdate":{"Partition":0,"MaxUnavailable":null}}: ` +
			`must be 'RollingUpdate' or 'OnDelete'`},
		{"1.34", recreate, `spec.updateStrategy: Invalid value: {"Type":"Recreate","RollingUpdate":null}: ` +
			`must be 'RollingUpdate' or 'OnDelete'`},
	} {
		require.Equal(t, c.want, created(t, c.kubernetes, c.change))
	}
}

// TestUnknownFields: what a version does not know is not shown by its refusals, and nothing that could be changed.
func TestUnknownFields(t *testing.T) {
	block := func(set *model.StatefulSet) { set.Spec.Strategy.Type = model.OnDeleteStrategy }
	require.Contains(t, created(t, "1.22", block), "apps.RollingUpdateStatefulSetStrategy{Partition:0}")
	require.Contains(t, created(t, "1.24", block), "apps.RollingUpdateStatefulSetStrategy{Partition:0, MaxUnavailable:")

	for kubernetes, refused := range map[string]bool{"1.16": false, "1.22": true} {
		cluster := newCluster(rulesOf(t, kubernetes))
		set, err := cluster.CreateSet(web())
		require.Nil(t, err)
		changed := *set
		changed.Spec.MinReadySeconds = 5
		_, err = cluster.UpdateSet(&changed)
		require.Equal(t, refused, err != nil, kubernetes)
	}
}

// TestNoClaimTemplates: the claim templates that a change takes away are shown as null.
func TestNoClaimTemplates(t *testing.T) {
	c := newCluster(rulesOf(t, "1.37"))
	sent := web()
	sent.Spec.ClaimTemplates = []model.ClaimTemplate{{Name: "data", Data: "{}"}}
	stored, err := c.CreateSet(sent)
	require.Nil(t, err)
	bare := *stored
	bare.Spec.ClaimTemplates = nil
	_, err = c.UpdateSet(&bare)
	require.ErrorContains(t, err, "spec.volumeClaimTemplates: Invalid value: null: field is immutable")
}

// TestProfilesOfOCI: a refusal of 1.38 shows the field oci of seccomp profiles, and of no other profile.
func TestProfilesOfOCI(t *testing.T) {
	for given, shown := range map[string]string{
		`spec.securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"Foo","LocalhostProfile":"a"}: can only`: `spec.securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"Foo","LocalhostProfile":"a","OCI":null}: can only`,
		`x: {"SeccompProfile":{"Type":"A","LocalhostProfile":null},"AppArmorProfile":{"Type":"A","LocalhostProfile":null}}`:    `x: {"SeccompProfile":{"Type":"A","LocalhostProfile":null,"OCI":null},"AppArmorProfile":{"Type":"A","LocalhostProfile":null}}`,
		`spec.seccompProfile.type: Unsupported value: "Foo"`:                                                                   `spec.seccompProfile.type: Unsupported value: "Foo"`,
	} {
		require.Equal(t, shown, model.WithOCI(given))
	}
}
