package keyed_test

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// TestAgainstAMap does the same to a Map and to a map of Go.
func TestAgainstAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m keyed.Map[int]
		plain := map[model.Key]int{}
		key := func() model.Key {
			namespace := rapid.SampledFrom([]string{"default", "default", "other"}).Draw(t, "namespace")
			return model.Key{Namespace: namespace, Name: "web-" + strconv.Itoa(rapid.IntRange(0, 20).Draw(t, "key"))}
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				k, v := key(), rapid.IntRange(1, 100).Draw(t, "value")
				m.Put(k, v)
				plain[k] = v
			},
			"delete": func(*rapid.T) {
				k := key()
				m.Delete(k)
				delete(plain, k)
			},
			"clone": func(*rapid.T) {
				before := m.Clone()
				m.Put(key(), 0)
				m = before
			},
			"get": func(t *rapid.T) {
				k := key()
				require.Equal(t, plain[k], m.Get(k))
			},
			"": func(t *rapid.T) {
				require.Equal(t, len(plain), m.Len())
				keys := slices.SortedFunc(maps.Keys(plain), model.Key.Compare)
				require.ElementsMatch(t, keys, m.Keys())
				require.True(t, slices.IsSortedFunc(m.Keys(), model.Key.Compare))
				for i, v := range m.Values() {
					require.Equal(t, plain[keys[i]], v)
				}
			},
		})
	})
}

// TestGoMaps: a copy of a Go map is another map, and its keys come in their order; an empty one has neither.
func TestGoMaps(t *testing.T) {
	web, db := model.Key{Namespace: "b", Name: "web"}, model.Key{Namespace: "b", Name: "db"}
	first := model.Key{Namespace: "a", Name: "zoo"}
	m := map[model.Key]int{web: 1, first: 2, db: 3}
	require.Equal(t, []model.Key{first, db, web}, keyed.Sorted(m))
	require.Equal(t, []model.Key{web}, keyed.Sorted(map[model.Key]int{web: 1}))
	require.Nil(t, keyed.Sorted(map[model.Key]int{}))
	c := keyed.Copy(m)
	require.Equal(t, m, c)
	c[web] = 7
	require.Equal(t, 1, m[web])
	require.Equal(t, map[model.Key]int{web: 1}, keyed.Copy(map[model.Key]int{web: 1}))
	require.Nil(t, keyed.Copy(map[model.Key]int{}))
}

// TestPut: a Go map that is missing is made when it gets its first key.
func TestPut(t *testing.T) {
	var m map[string]int
	keyed.Put(&m, "web", 1)
	keyed.Put(&m, "db", 2)
	keyed.Put(&m, "web", 3)
	require.Equal(t, map[string]int{"web": 3, "db": 2}, m)
}
