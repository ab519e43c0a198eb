package timeline

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

// derived are fields that are written for people, and that reading leaves out, since other fields give them.
var derived = []string{"names", "stuck[].message"}

// documented are the fields of the table in docs/timeline.md, each with the kinds of event that have it.
func documented(t *testing.T) map[string][]string {
	data, err := os.ReadFile("../../docs/timeline.md")
	require.NoError(t, err)
	fields := map[string][]string{}
	_, table, _ := strings.Cut(string(data), "## Fields")
	table, _, _ = strings.Cut(table, "## Reasons and rules")
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| [a-z ]+ \\| ([^|]+) \\|").FindAllStringSubmatch(table, -1) {
		require.NotContains(t, fields, row[1], "the field has two rows")
		fields[row[1]] = strings.Split(strings.ReplaceAll(row[2], "`", ""), ", ")
		if row[2] == "all" {
			fields[row[1]] = kindNames[1:]
		}
	}
	return fields
}

// TestFieldsAreWritten: of each kind of event the fields of the table are written where all is given, and no other.
func TestFieldsAreWritten(t *testing.T) {
	want := documented(t)
	got := map[string]bool{}
	for k := KindRun; int(k) < len(kindNames); k++ {
		event := everything(k).Event()
		var line map[string]any
		require.NoError(t, json.Unmarshal(AppendJSON(nil, &event), &line))
		for field := range paths("", line, map[string]bool{}) {
			got[field] = true
			require.Contains(t, want, field, "docs/timeline.md does not have a field of %s", k)
		}
		for field, kinds := range want {
			if slices.Contains(kinds, k.String()) {
				require.Contains(t, paths("", line, map[string]bool{}), field, "%s is not written", k)
			}
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(got)), "fields that are never written")
}

// TestFieldsAreRead: of what is written of each kind of event, all is read but for what other fields give.
func TestFieldsAreRead(t *testing.T) {
	for k := KindRun; int(k) < len(kindNames); k++ {
		event := everything(k).Event()
		text := AppendJSON(nil, &event)
		var fields map[string]any
		require.NoError(t, json.Unmarshal(text, &fields))
		for field := range paths("", fields, map[string]bool{}) {
			if slices.Contains(derived, field) || slices.Contains(opaque, field) {
				continue
			}
			name := field[strings.LastIndex(field, ".")+1:]
			line := codec{reads: true}
			_, err := line.parse(bytes.Replace(text, []byte(`"`+name+`":`), []byte(`"`+name+`":[[]],"":`), -1))
			require.Error(t, err, "%s of %s is not read", field, k)
		}
	}
}

// everything is an event of a kind in which all is given that can be.
func everything(k Kind) *Entry {
	e := &Entry{Kind: k}
	fill(reflect.ValueOf(e).Elem())
	e.Kind = k
	own := map[Kind]string{KindRun: "Run", KindStep: "Step", KindWait: "Wait", KindStatus: "Status", KindRevision: "Rev", KindClaim: "Claim",
		KindFault: "Fault", KindDNS: "DNS", KindOwner: "Owned", KindResult: "Result", KindNode: "NodeState", KindProcess: "Process",
		KindBudget: "Budget"}
	v := reflect.ValueOf(e).Elem()
	for _, name := range own {
		if name != own[k] {
			v.FieldByName(name).SetZero()
		}
	}
	for _, sets := range [][]*model.StatefulSet{setsOf(e.Step), setsOfFault(e.Fault)} {
		for _, set := range sets {
			set.Spec.Selector.Data, set.Spec.Template.Data, set.Spec.ClaimTemplates[0].Data = "{}", "{}", "{}"
		}
	}
	return e
}

func setsOf(s *Step) []*model.StatefulSet {
	if s == nil {
		return nil
	}
	return s.Sets
}

func setsOfFault(f *Fault) []*model.StatefulSet {
	if f == nil {
		return nil
	}
	return f.Sets
}

// identity are the fields of an object's metadata that a timeline has.
var identity = []string{"Namespace", "Name", "UID", "Generation"}

// fill gives all that a value consists of, one of each.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			meta := v.Type() == reflect.TypeFor[model.Meta]() && !slices.Contains(identity, name)
			if v.Field(i).CanSet() && !meta && name != "Lifecycle" {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	default:
		if v.CanInt() {
			v.SetInt(1)
		} else if v.CanUint() {
			v.SetUint(1)
		}
	}
}

// opaque are fields of which only Kubernetes knows what is in them.
var opaque = []string{"featureGates", "sets[].spec.selector", "sets[].spec.template", "sets[].spec.volumeClaimTemplates[].metadata",
	"sets[].spec.volumeClaimTemplates[].spec"}

// paths collects the fields of an object: stuck[].since.
func paths(prefix string, object map[string]any, into map[string]bool) map[string]bool {
	for name, value := range object {
		path := prefix + name
		into[path] = true
		if slices.Contains(opaque, path) {
			continue
		}
		if list, ok := value.([]any); ok && len(list) > 0 {
			path, value = path+"[]", list[0]
		}
		if inner, ok := value.(map[string]any); ok {
			paths(path+".", inner, into)
		}
	}
	return into
}
