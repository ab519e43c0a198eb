package statefulset_test

import (
	"os"
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

func TestLookup(t *testing.T) {
	for _, test := range [][2]string{
		{"", "1.37"}, {"1.36", "1.36"}, {"1.36.3", "1.36"}, {"1.35", "1.35"}, {"1.35.0", "1.35.0"}, {"1.35.2", "1.35.1"},
		{"1.35.4", "1.35"}, {"1.35.6", "1.35"}, {"1.16.15", "1.16"}, {"1.24.9", "1.24.0"}, {"1.27.16", "1.27"},
		{"1.27.6", "1.27.4"}, {"1.30.1", "1.30.0"}, {"1.38", "1.38"}, {"v1.38.0-rc.1", "1.38"},
	} {
		p, err := statefulset.Lookup(test[0])
		require.NoError(t, err, test[0])
		assert.Equal(t, test[1], p.Version(), test[0])
	}
	for _, version := range []string{
		"1.15", "1.23", "1.39", "2.0", "1.36.x", "1.36.", "1.036", "1.-1", "1.36.3.1", "x",
	} {
		_, err := statefulset.Lookup(version)
		assert.ErrorContains(t, err, "sim knows 1.16, 1.22, 1.24, 1.25", version)
	}
}

// TestPreRelease: a version that is not out yet names the version it was compared with, and is never the default.
func TestPreRelease(t *testing.T) {
	for version, want := range map[string]string{"1.38": "v1.38.0-beta.0", "1.37": "", "": ""} {
		assert.Equal(t, want, profile(t, version, nil).PreRelease(), version)
	}
	assert.Equal(t, "", statefulset.Profile{}.PreRelease())
}

func TestVersionsAreTakenByLookup(t *testing.T) {
	for _, version := range statefulset.Versions() {
		p, err := statefulset.Lookup(version)
		require.NoError(t, err)
		assert.Equal(t, version, p.Version())
	}
}

func TestGates(t *testing.T) {
	for _, test := range []struct {
		version, gate string
		on, known     bool
	}{
		{"1.16", "StatefulSetMinReadySeconds", false, false},
		{"1.22", "StatefulSetMinReadySeconds", false, true},
		{"1.24", "StatefulSetMinReadySeconds", true, true},
		{"1.27", "StatefulSetMinReadySeconds", false, false},
		{"1.24", "MaxUnavailableStatefulSet", false, true},
		{"1.35.3", "MaxUnavailableStatefulSet", true, true},
		{"1.35.4", "MaxUnavailableStatefulSet", false, true},
		{"1.36", "MaxUnavailableStatefulSet", false, true},
		{"1.37", "MaxUnavailableStatefulSet", true, true},
		{"1.26", "StatefulSetStartOrdinal", false, true},
		{"1.27", "StatefulSetStartOrdinal", true, true},
		{"1.34", "StatefulSetStartOrdinal", false, false},
		{"1.34", "StatefulSetAutoDeletePVC", true, true},
		{"1.35", "StatefulSetAutoDeletePVC", false, false},
		{"1.28", "PodIndexLabel", true, true},
		{"1.34.1", "StatefulSetSemanticRevisionComparison", false, false},
		{"1.34.2", "StatefulSetSemanticRevisionComparison", true, true},
		{"1.36", "StaleControllerConsistencyStatefulSet", true, true},
		{"1.37", "StatefulSetRecreateStrategy", false, true},
		{"1.38", "StatefulSetRecreateStrategy", true, true},
	} {
		p := profile(t, test.version, nil)
		assert.Equal(t, test.on, p.Gate(test.gate), "%s in %s", test.gate, test.version)
		assert.Equal(t, test.known, contains(p.Gates(), test.gate), "%s in %s", test.gate, test.version)
	}
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func TestWithGates(t *testing.T) {
	p, err := profile(t, "1.36", nil).WithGates(map[string]bool{"MaxUnavailableStatefulSet": true})
	require.NoError(t, err)
	assert.True(t, p.API().MaxUnavailable)
	assert.False(t, profile(t, "1.36", nil).API().MaxUnavailable, "a profile is a value")

	_, err = p.WithGates(map[string]bool{"PodIndexLabel": true})
	assert.EqualError(t, err, "feature gate PodIndexLabel is not known in Kubernetes 1.36: it has "+
		"MaxUnavailableStatefulSet, StaleControllerConsistencyStatefulSet, StatefulSetSemanticRevisionComparison")
	_, err = profile(t, "1.16", nil).WithGates(map[string]bool{"PodIndexLabel": true})
	assert.EqualError(t, err, "feature gate PodIndexLabel is not known in Kubernetes 1.16: it has none for StatefulSets")
	_, err = profile(t, "1.34", nil).WithGates(map[string]bool{"PodIndexLabel": false})
	assert.EqualError(t, err, "feature gate PodIndexLabel is locked to true in Kubernetes 1.34: it cannot be set to false")
	_, err = profile(t, "1.34", nil).WithGates(map[string]bool{"PodIndexLabel": true})
	assert.NoError(t, err, "what it is locked to may be said")
}

func TestMutableFields(t *testing.T) {
	minReady := map[string]bool{"StatefulSetMinReadySeconds": true}
	for _, test := range []struct {
		version string
		gates   map[string]bool
		want    string
	}{
		{"1.16", nil, "'replicas', 'template', and 'updateStrategy'"},
		{"1.22", nil, "'replicas', 'template', 'updateStrategy' and 'minReadySeconds'"},
		{"1.22", minReady, "'replicas', 'template', 'minReadySeconds' and 'updateStrategy'"},
		{"1.24", nil, "'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and " +
			"'minReadySeconds'"},
		{"1.24", map[string]bool{"StatefulSetMinReadySeconds": false},
			"'replicas', 'template', 'updateStrategy' and 'persistentVolumeClaimRetentionPolicy'"},
		{"1.27", nil, "'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and " +
			"'minReadySeconds'"},
		{"1.33", nil, "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', " +
			"'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'"},
		{"1.37", nil, ""},
	} {
		assert.Equal(t, test.want, profile(t, test.version, test.gates).API().Mutable, test.version)
	}
	assert.False(t, profile(t, "1.36", nil).API().FieldErrors)
	assert.True(t, profile(t, "1.37", nil).API().FieldErrors)
}

// Every difference is one in which some versions differ, and can be applied and reverted.
func TestDifferences(t *testing.T) {
	names := map[string]bool{}
	for _, d := range statefulset.Differences {
		assert.False(t, names[d.Name], "%s stands twice", d.Name)
		names[d.Name] = true
		assert.NotEmpty(t, d.There, d.Name)
		assert.NotEmpty(t, d.Elsewhere, d.Name)
		assert.NotEmpty(t, d.Of.String(), d.Name)
		with, without := 0, 0
		for _, version := range statefulset.Versions() {
			p := profile(t, version, nil)
			if d.On(p) {
				with++
			} else {
				without++
			}
			assert.Equal(t, p, d.With(d.With(p, !d.On(p)), d.On(p)))
			assert.NotEqual(t, p, d.With(p, !d.On(p)))
		}
		assert.NotZero(t, without, d.Name)
		assert.NotZero(t, with, d.Name)
	}
}

// TestProfileIsTheTable: each field of a profile is one difference of the table, under the name that stands beside it.
func TestProfileIsTheTable(t *testing.T) {
	source, err := os.ReadFile("profile.go")
	require.NoError(t, err)
	named := map[string]string{}
	for _, match := range regexp.MustCompile(`(?m)^\t(\w+)\s+bool // (\S+)$`).FindAllStringSubmatch(string(source), -1) {
		named[match[1]] = match[2]
	}
	fields := 0
	for i := range reflect.TypeFor[statefulset.Profile]().NumField() {
		field := reflect.TypeFor[statefulset.Profile]().Field(i)
		if !field.IsExported() {
			continue
		}
		fields++
		var switched []string
		for _, d := range statefulset.Differences {
			on := d.With(statefulset.Profile{}, true)
			if reflect.ValueOf(on).Field(i).Bool() {
				switched = append(switched, d.Name)
			}
		}
		assert.Equal(t, []string{named[field.Name]}, switched, "%s", field.Name)
	}
	assert.Len(t, statefulset.Differences, fields)
}

// TestAPIRulesAreTheTable: each rule of the API server is switched by exactly one difference, but for the words of a
// refusal.
func TestAPIRulesAreTheTable(t *testing.T) {
	for i := range reflect.TypeFor[model.APIRules]().NumField() {
		if reflect.TypeFor[model.APIRules]().Field(i).Type.Kind() != reflect.Bool {
			continue
		}
		var switched []string
		for _, d := range statefulset.Differences {
			if reflect.ValueOf(d.With(statefulset.Profile{}, true).API()).Field(i).Bool() {
				switched = append(switched, d.Name)
				assert.NotZero(t, d.Of&statefulset.APIServer, d.Name)
			}
		}
		assert.Len(t, switched, 1, "%s", reflect.TypeFor[model.APIRules]().Field(i).Name)
	}
}

func TestSentencesOfDifferences(t *testing.T) {
	for _, d := range statefulset.Differences {
		switch d.Name {
		case "available-replicas":
			assert.Equal(t, "status.availableReplicas is counted; in other versions "+
				"status.availableReplicas is not counted.", d.Sentence())
		case "json-values":
			assert.Equal(t, "Refusals show values of several fields as JSON; before: refusals show them as Go prints them.",
				d.Change(true))
			assert.Equal(t, "Refusals show them as Go prints them; before: refusals show values of several fields as JSON.",
				d.Change(false))
		}
	}
}
