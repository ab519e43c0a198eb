package statefulset

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
)

func TestSafeEncode(t *testing.T) {
	assert.Equal(t, "456789bcdf", safeEncode([]byte("0123456789")))
}

func TestRevisionName(t *testing.T) {
	assert.Equal(t, "web-abc", revisionName("web", "abc"))
	assert.Len(t, revisionName(strings.Repeat("x", 300), "abc"), 223+4, "a long name is cut")
}

func TestReplacing(t *testing.T) {
	patch := func(data string) string {
		head, fields := replacing(data)
		return head + fields
	}
	assert.Equal(t, `{"$patch":"replace","metadata":{}}`, patch(`{"metadata":{}}`))
	assert.Equal(t, `{"$patch":"replace"}`, patch(`{}`))
	assert.Equal(t, `v1`, patch(`v1`))
}

func TestRevisionHashDependsOnTemplateAndCollisions(t *testing.T) {
	profile, template := &Profile{NullTimestamps: true}, &model.Template{Data: "v1"}
	assert.Equal(t, "web-"+revisionHash("v1", 0), profile.RevisionName("web", template, 0))
	assert.NotEqual(t, revisionHash("v1", 0), revisionHash("v2", 0))
	assert.NotEqual(t, revisionHash("v1", 0), revisionHash("v1", 1))
}

func TestWithoutNullTimestamp(t *testing.T) {
	for _, data := range []string{
		`{"metadata":{"labels":{},"creationTimestamp":null}}`, `{"metadata":{"creationTimestamp":null,"labels":{}}}`,
	} {
		assert.Equal(t, `{"metadata":{"labels":{}}}`, withoutNullTimestamp(data))
	}
	assert.Equal(t, `{"metadata":{}}`, withoutNullTimestamp(`{"metadata":{"creationTimestamp":null}}`))
}

// TestWritten: a version writes a template into a revision with its own timestamps, and each number as a float64.
func TestWritten(t *testing.T) {
	for _, c := range []struct{ stored, before, since string }{
		{`{"metadata":{"annotations":{"a":"\u003cb"},"labels":{}},"spec":{}}`,
			`{"metadata":{"annotations":{"a":"\u003cb"},"creationTimestamp":null,"labels":{}},"spec":{}}`,
			`{"metadata":{"annotations":{"a":"\u003cb"},"labels":{}},"spec":{}}`},
		{`{"metadata":{},"spec":{"volumes":[{"ephemeral":{"volumeClaimTemplate":{"metadata":{}}}},{"name":"b"}]}}`,
			`{"metadata":{"creationTimestamp":null},"spec":{"volumes":[{"ephemeral":{"volumeClaimTemplate":` +
				`{"metadata":{"creationTimestamp":null}}}},{"name":"b"}]}}`,
			`{"metadata":{},"spec":{"volumes":[{"ephemeral":{"volumeClaimTemplate":{"metadata":{}}}},{"name":"b"}]}}`},
		{`{"metadata":{},"spec":{"a":9007199254740993,"b":30}}`,
			`{"metadata":{"creationTimestamp":null},"spec":{"a":9007199254740992,"b":30}}`,
			`{"metadata":{},"spec":{"a":9007199254740992,"b":30}}`},
		{`v1`, `v1`, `v1`}, {`{"spec":{}}`, `{"spec":{}}`, `{"spec":{}}`},
	} {
		template := &model.Template{Data: c.stored}
		assert.Equal(t, c.before, (&Profile{NullTimestamps: true}).written(template))
		assert.Equal(t, c.since, (&Profile{}).written(template))
	}
}

func TestHashNumber(t *testing.T) {
	number, ok := hashNumber("2147483647")
	assert.True(t, ok)
	assert.EqualValues(t, 2147483647, number)
	for _, label := range []string{"", "b4", "2147483648"} {
		_, ok := hashNumber(label)
		assert.False(t, ok, label)
	}
}
