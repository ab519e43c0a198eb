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
	assert.Equal(t, "web-"+revisionHash("v1", 0), RevisionName("web", &model.Template{Data: "v1"}, 0))
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

func TestWithNullTimestamp(t *testing.T) {
	for data, want := range map[string]string{
		`{"metadata":{"annotations":{"a":"<b>"},"labels":{}},"spec":{}}`: `{"metadata":{"annotations":{"a":"<b>"},` +
			`"creationTimestamp":null,"labels":{}},"spec":{}}`,
		`{"metadata":{"creationTimestamp":null}}`: `{"metadata":{"creationTimestamp":null}}`,
		`v1`: `v1`, `{"spec":{}}`: `{"spec":{}}`,
	} {
		assert.Equal(t, want, withNullTimestamp(data))
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
