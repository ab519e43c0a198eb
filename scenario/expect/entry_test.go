package expect

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

func TestEntry(t *testing.T) {
	event := timeline.Entry{Kind: timeline.KindPod, Set: model.Key{Namespace: "blue", Name: "web"}, Pod: "web-12", Template: 2,
		Image: "r.io/app@sha:v2", State: timeline.Ready}.Event()
	for text, want := range map[string]bool{
		"web-12 Ready":                        true,
		"web-12@2 Ready":                      true,
		"web-12=r.io/app@sha:v2 Ready":        true,
		"web-12=*/app@* Ready":                true,
		"blue/web-12@2 Ready":                 true,
		"b*/web-1?@[1-3] R*":                  true,
		"* *":                                 true,
		"@2 Ready":                            true,
		"=*v2 Ready":                          true,
		"blue/@2 Ready":                       true,
		"  web-12   Ready":                    true,
		"web-1 Ready":                         false,
		"eb-12 Ready":                         false,
		"web-12@1 Ready":                      false,
		"web-12@12 Ready":                     false,
		"web-12=app:v2 Ready":                 false,
		"default/web-12 Ready":                false,
		"web-12 Unready":                      false,
		"web-12 ?ready":                       false,
		"web-[0-9] Ready":                     false,
		"red/web-12=r.io/app@sha:v2 Ready":    false,
		"blue/web-12=r.io/app@sha:v[3] Ready": false,
	} {
		e, err := parseEntry(text)
		if text == "web-12 ?ready" {
			require.Error(t, err, "no state is like that")
			continue
		}
		require.NoError(t, err, text)
		assert.Equal(t, want, e.matches(&event), text)
	}
	sync := timeline.Entry{Kind: timeline.KindWait, Pod: "web-12", State: timeline.Ready}.Event()
	e, err := parseEntry("* *")
	require.NoError(t, err)
	assert.False(t, e.matches(&sync), "an entry is about changes of state")
}

// TestEntryOfEvent: what is told of an event is an entry that means it.
func TestEntryOfEvent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		event := timeline.Entry{Kind: timeline.KindPod, Set: model.Key{Namespace: "blue", Name: "web"},
			Pod: rapid.StringMatching(`[a-z]{1,3}-[0-9]{1,2}`).Draw(t, "pod"), Template: rapid.IntRange(0, 12).Draw(t, "template"),
			Image: rapid.StringMatching(`[a-z/@=:.]{1,8}`).Draw(t, "image"),
			State: timeline.State(rapid.IntRange(1, 8).Draw(t, "state"))}.Event()
		like := []*entry{nil, {}, {namespace: "blue"}, {image: "x"}, {namespace: "*", image: "*"}}
		for _, l := range like {
			e, err := parseEntry(textFor(l, &event))
			require.NoError(t, err)
			require.True(t, e.matches(&event), e.text)
		}
	})
}

func TestVersions(t *testing.T) {
	tests := []struct {
		bounds, version string
		want            bool
	}{
		{">=1.35.0 <1.35.4", "1.35.0", true},
		{">=1.35.0 <1.35.4", "1.35.3", true},
		{">=1.35.0 <1.35.4", "1.35.4", false},
		{">=1.35.0 <1.35.4", "1.34.9", false},
		{"1.36", "1.36.3", true},
		{"=1.36", "1.35.9", false},
		{"==1.36.3", "1.36.3", true},
		{"!=1.36", "1.36.1", false},
		{"!= 1.36.2", "1.36.1", true},
		{"<=1.36", "1.36.9", true},
		{"<1.36", "1.36.0", false},
		{">1.36", "1.36.9", false},
		{">1.36", "1.37.0", true},
		{"> 1.9 < 1.10", "1.9.9", false},
		{">=1.9", "1.10.1", true},
		{"v1.36", "1.36.0", true},
		{">=1.36.3", "1.36", true},
		{"<1.36.3", "1.36", false},
	}
	for _, test := range tests {
		r, err := parseRange(test.bounds)
		require.NoError(t, err)
		v, ok := parseVersion(test.version)
		require.True(t, ok)
		assert.Equal(t, test.want, r.contains(v), "%s in %s", test.version, test.bounds)
	}
	for _, bad := range []string{"", ">", "1", "1.2.3.4", "x", ">=", "<>1.36", "1.-3", ">=1.35 <"} {
		_, err := parseRange(bad)
		assert.Error(t, err, bad)
	}
}
